/** Synchronisation on disk: what looks find, and what actions replace, keep and leave. */
import { type Mutant, mutantsOf } from './mutant.ts'

const looks = ['unit/sync/looks']
const unfinished = ['unit/sync/unfinished']
const held = ['unit/sync/preconditions', 'unit/sync/unfinished']

export const syncDisk: ReadonlyArray<Mutant> = [
  ...mutantsOf(
    'adapters/sync/write.ts',
    ['unit/sync/preconditions', 'unit/sync/readers'],
    [
      ['    if (tokenAt(at(path)) !== token) throw await unexpected(path)\n', ''],
      ['      if (lasting(tokenAt(path)) !== lasting(token)) throw await unexpected(act.path)\n', ''],
      [
        '      if (lasting(tokenAt(at(aside))) !== lasting(token)) throw new Unexpected((await read(aside))?.entry)\n',
        '',
      ],
      ['      putBack(root, aside, path, 0)\n      throw cause', '      throw cause'],
      ["if (hold === 'Linked') settleLater(held, token, act.path, 1)", 'if (false) throw new Error()'],
      ['    settleLater(aside, token, path, 0)\n', '    fs.rmSync(at(aside))\n'],
      ['      fs.renameSync(next, path)\n', '      fs.rmSync(path)\n      fs.renameSync(next, path)\n'],
    ],
  ),
  ...mutantsOf('adapters/sync/disk.ts', looks, [
    ['return isAbsent(cause) ? undefined : opaque(unknown(reasonOf(cause)))', 'return undefined'],
    ["return isSame || after.size > stat.size ? hash.digest('hex') : undefined", "return hash.digest('hex')"],
    ['held?.isYoung === false && held.signature', 'held !== undefined && held.signature'],
    ['const youngMs = 2_000', 'const youngMs = 1'],
  ]),
  ...mutantsOf(
    'adapters/sync/look.ts',
    [...looks, 'contract/tree'],
    [
      ["if (name.includes('\\uFFFD')) {", 'if (false) {'],
      ["isGone ? undefined : { _tag: 'Unknown', reason: reasonOf(cause) })", 'undefined)'],
      ['        isHeld = true\n', ''],
    ],
  ),
  ...mutantsOf(
    'adapters/sync/kept.ts',
    ['unit/sync/kept-limits', 'unit/sync/disk-tree'],
    [
      ['days: 7', 'days: 1'],
      ['bytes: 1024 ** 3', 'bytes: 1024 ** 2'],
      ['listKept(folder).toReversed()', 'listKept(folder)'],
      ['if (!isTooMuch) room -= size', 'room -= size'],
      ['if (stat.nlink === 1) {', 'if (stat.nlink > 0) {'],
    ],
  ),
  ...mutantsOf('adapters/sync/holds.ts', held, [
    ['      if (isClosed) settle(held)\n      else after(', '      after('],
    ['      for (const held of [...all.keys()]) settle(held)\n', ''],
  ]),
  ...mutantsOf('adapters/sync/unfinished.ts', unfinished, [
    ['if (held !== undefined && digestOf(tokenAt(full)) !== held.digest)', 'if (false)'],
    ['  if (!isLeftover(root, path, nowMs)) return\n', ''],
    ["return start === '' || now === '' ? undefined : start === now", 'return false'],
  ]),
  ...mutantsOf('adapters/sync/place.ts', held, [
    ['      return placeNew(full, join(root, nameOf(to)))\n', '      throw cause\n'],
    ['    if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false\n', ''],
  ]),
  ...mutantsOf(
    'adapters/sync/watch.ts',
    ['unit/sync/watch'],
    [['    if (isPolling !== undefined) return pollFrom(folder, inode, isPolling)\n', '']],
  ),
  ...mutantsOf(
    'adapters/sync/naming.ts',
    ['unit/sync/naming'],
    [
      ['if (made !== name) {', 'if (false) {'],
      ['return existsSync(join(folder, name.toLowerCase()))', 'return false'],
    ],
  ),
  ...mutantsOf(
    'adapters/sync/fill.ts',
    ['unit/sync/fill-disk', 'contract/tree'],
    [
      ["fs.openSync(full, 'wx+'", "fs.openSync(full, 'w+'"],
      ['isStill(opened, content) ? ', 'content.length >= 0 ? '],
      ['isFolder(one) && !isIgnored(one, true)', 'isFolder(one)'],
      [" || isIgnored(path, act._tag === 'MakeFolder')", ''],
      ["!(act._tag === 'MakeLink' && leadsOut(path, act.target))", 'true'],
    ],
  ),
]
