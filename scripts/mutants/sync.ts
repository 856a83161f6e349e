/** Synchronisation: no file is lost, overwritten without a copy, or deleted by mistake. */
import { type Mutant, mutantsOf } from './mutant.ts'

const decisions = ['unit/sync/reconcile', 'properties/sync', 'properties/sync-history', 'properties/sync-gate']
const histories = ['properties/sync-history', 'properties/sync-gate']
const engine = ['unit/sync/cycle', 'properties/sync-gate']

export const sync: ReadonlyArray<Mutant> = [
  ...mutantsOf('domain/sync/merge.ts', decisions, [
    ['return here ?? there\n', 'return undefined\n'],
    ["  if (here._tag === 'Folder' || there._tag === 'Folder') return folder\n", ''],
    ['isSame(here, known)) return there', 'isSame(here, known)) return here'],
    ['const bit = isBit(base, preferred) ? other : preferred', 'const bit = preferred'],
    ["return entry._tag === 'Link' || !(isContent(known, entry) || isContent(wanted, entry))", 'return false'],
  ]),
  ...mutantsOf('domain/sync/reconcile.ts', decisions, [
    ["isStaying && wanted?._tag !== 'Folder' ? { _tag: 'Folder' } : wanted", 'wanted'],
    ["found.isBlocked && isTouched && (wants.here?._tag !== 'Folder' || wants.there?._tag !== 'Folder')", 'false'],
    ['const holder = holderOf(met, found)', 'const holder = undefined'],
    ['const top = above.find((path) => !isSettledPath(state, path))', 'const top = undefined'],
  ]),
  ...mutantsOf('domain/sync/acts.ts', decisions, [
    ['depthOf(b.path) - depthOf(a.path) || byPath(a, b)', 'byPath(a, b)'],
    ['    ...removals.filter(isInTheWay),\n', ''],
  ]),
  ...mutantsOf('domain/sync/base.ts', histories, [['  paths.map((path) =>', '  paths.slice(0, 0).map((path) =>']]),
  ...mutantsOf('domain/sync/cycle.ts', engine, [
    ['...decision.agreed, ...unsure([...new Set(acts.map(({ path }) => path))])]', '...decision.agreed]'],
    [
      'if (running === undefined || running.run !== run) return [before, []]',
      'if (running === undefined) return [before, []]',
    ],
    ['    isLooked: { here: false, there: false },\n', ''],
    ['if (before.running?.run !== event.run) return [before, []]', 'if (false) return [before, []]'],
    ['      lookAgainMs: { ...before.lookAgainMs, [end]: atMs },\n', ''],
    ['enough: onceIn(all) }', 'enough: onceIn(acts) }'],
    ['for (const path of several) found.delete(path)', 'found.clear()'],
    [
      'const [state, commands] = withOutcomes(before, event.nowMs)',
      'const [state, commands]: CycleStep = [before, []]',
    ],
  ]),
  ...mutantsOf(
    'domain/sync/outcomes.ts',
    ['properties/sync-gate'],
    [['if (change !== undefined) agreed.push(change)', '']],
  ),
  ...mutantsOf(
    'domain/sync/start.ts',
    ['unit/sync/start'],
    [
      [
        "if (marker === undefined) return { _tag: 'Meet', meeting: fresh }",
        "if (marker === undefined) return { _tag: 'Continue' }",
      ],
      ["    if (stored.isEmpty) return { _tag: 'Meet', meeting }\n", ''],
      ["marker.prefers === 'there' ? takeTheirs : lost", 'lost'],
    ],
  ),
  ...mutantsOf(
    'domain/sync/journal.ts',
    ['properties/sync-journal'],
    [
      [' || checksumAfter(0, body) !== end.checksum', ''],
      ['body.length < end.length || ', ''],
      ['bytes.subarray(journalHeadLength, journalHeadLength + end.length)', 'bytes.subarray(journalHeadLength)'],
    ],
  ),
  ...mutantsOf(
    'domain/sync/guard.ts',
    ['unit/sync/guard'],
    [
      ['if (nowMs < untilMs)', 'if (false)'],
      ['isMany && deleted > burst.files * mostShare', 'false'],
      [' || (deleted > 0 && deleted >= burst.files)', ''],
      [" && !(expect?._tag === 'File' && contents.has(expect.hash))", ''],
      ['nowMs - guard.burst.lastMs > burstMs', 'true'],
      [' && guard.waiting === undefined', ''],
    ],
  ),
]
