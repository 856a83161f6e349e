/** Synchronisation: no file is lost, overwritten without a copy, or deleted by mistake. */
import { type Mutant, mutantsOf } from './mutant.ts'

const decisions = ['unit/sync/reconcile', 'properties/sync', 'properties/sync-history', 'properties/sync-gate']
const histories = ['properties/sync-history', 'properties/sync-gate']
const engine = ['unit/sync/cycle', 'properties/sync-gate']
const modes = ['properties/sync-modes']

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
  ...mutantsOf(
    'domain/sync/reconcile.ts',
    ['unit/sync/reconcile'],
    [
      ["  if (here?._tag === 'Unknown' || there?._tag === 'Unknown') return hinder(draft, met.path, 'Unknown')\n", ''],
      ["(entry?._tag === 'Link' && leadsOut(path, entry.target))", 'false'],
      ["    agree(draft, path, base, { _tag: 'Left', entry: there })\n", ''],
    ],
  ),
  ...mutantsOf('domain/sync/reconcile.ts', modes, [["mode === 'pull' ? wants.there : wants.here", 'wants.here']]),
  ...mutantsOf('domain/sync/merge.ts', modes, [
    ["  if (mode === 'push') return { here, there: carried(base, here, there) }\n", ''],
    ["  if (mode === 'pull') return { here: carried(base, there, here), there }\n", ''],
    ['  return isSame(target, known) ? undefined : target\n', '  return undefined\n'],
  ]),
  ...mutantsOf(
    'domain/sync/conflict-name.ts',
    ['unit/sync/reconcile'],
    [
      ['`${cut(name, longestName - bytesOf(ending))}${ending}`', '`${name}${ending}`'],
      ['      .find(isFree)\n', '      .at(0)\n'],
      ['${digits.slice(0, 6)}-${index + 2}', '${digits.slice(0, 6)}-2'],
    ],
  ),
  ...mutantsOf(
    'domain/sync/meeting.ts',
    ['unit/sync/cycle'],
    [
      [
        'met !== undefined && isSame(met.here, here) && isSame(met.there, there) ? meeting',
        'met !== undefined ? meeting',
      ],
      ['  if (meeting?.rest === undefined) return meeting\n', '  if (meeting?.rest === undefined) return undefined\n'],
    ],
  ),
  ...mutantsOf('domain/sync/held.ts', ['properties/sync-events'], [['either.has(act.path)', 'paths.has(keyOf(act))']]),
  ...mutantsOf(
    'domain/sync/cycle.ts',
    ['properties/sync-events'],
    [['new Set([...before.dirty, ...look.listings.keys()])', 'new Set(look.listings.keys())']],
  ),
  ...mutantsOf(
    'domain/sync/acts.ts',
    ['properties/sync-order'],
    [
      [
        '    ...acts.filter((act) => !isRemoval(act)).toSorted((a, b) => depthOf(a.path) - depthOf(b.path) || byPath(a, b)),\n    ...removals.filter((act) => !isInTheWay(act)),\n',
        '    ...removals.filter((act) => !isInTheWay(act)),\n    ...acts.filter((act) => !isRemoval(act)).toSorted((a, b) => depthOf(a.path) - depthOf(b.path) || byPath(a, b)),\n',
      ],
    ],
  ),
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
