/** The port `KeptFiles` on disk. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { conflictOf } from '../../domain/sync/conflict-name.ts'
import type { KeptCopy } from '../../domain/sync/kept.ts'
import { ancestorsOf, childOf } from '../../domain/sync/path.ts'
import type { Clock } from '../../ports/clock.ts'
import type { GivenBack, KeptFiles, KeptIn } from '../../ports/kept-files.ts'
import { reasonOf } from './disk.ts'
import { keeping, listKept } from './kept.ts'
import { placeNew } from './place.ts'
import { lasting, tokenAt } from './same.ts'
import { discard, unfinishedIn } from './unfinished.ts'

const copyTo = (from: string, to: string): void => {
  if (fs.lstatSync(from).isSymbolicLink()) fs.symlinkSync(fs.readlinkSync(from), to)
  else fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL)
}

/** A link above it would lead elsewhere. */
const makeFolders = (local: string, path: string): void => {
  for (const folder of ancestorsOf(path)) {
    const full = join(local, folder)
    const stat = fs.lstatSync(full, { throwIfNoEntry: false })
    if (stat === undefined) fs.mkdirSync(full)
    else if (!stat.isDirectory()) throw new Error(`${folder} is not a folder`)
  }
}

const partBytes = 1024 * 1024

const isSameContent = (one: string, other: string): boolean => {
  const files = [one, other].map((path) => fs.openSync(path, 'r'))
  const parts = files.map(() => Buffer.alloc(partBytes))
  try {
    for (;;) {
      const [a, b] = files.map((file, at) => parts[at]?.subarray(0, fs.readSync(file, parts[at] ?? '')))
      if (a === undefined || b === undefined || !a.equals(b)) return false
      if (a.length === 0) return true
    }
  } finally {
    for (const file of files) fs.closeSync(file)
  }
}

const isSame = (one: string, other: string): boolean => {
  const [a, b] = [fs.lstatSync(one), fs.lstatSync(other)]
  if (a.isSymbolicLink()) return b.isSymbolicLink() && fs.readlinkSync(one) === fs.readlinkSync(other)
  return a.isFile() && b.isFile() && a.size === b.size && isSameContent(one, other)
}

const restore = (now: () => number, { local, store }: KeptIn, copy: KeptCopy, isReplacing: boolean): GivenBack => {
  const { name, path } = copy
  const [from, to] = [join(store, name), join(local, path)]
  makeFolders(local, path)
  const unfinished = unfinishedIn(local)(path)
  const prepared = join(local, unfinished)
  try {
    copyTo(from, prepared)
    const there = fs.lstatSync(to, { throwIfNoEntry: false })
    if (there === undefined) return placeNew(prepared, to) ? 'Restored' : 'Occupied'
    if (isSame(from, to)) return 'Same'
    if (!isReplacing || there.isDirectory()) return 'Occupied'
    const token = tokenAt(to)
    keeping(store, now)(path, to)
    // The file was written to meanwhile, so the copy may be incomplete.
    if (lasting(tokenAt(to)) !== lasting(token)) return 'Occupied'
    fs.renameSync(prepared, to)
    return 'Restored'
  } finally {
    discard(local, unfinished)
  }
}

/** Below the folder itself, a folder that cannot be listed was not synchronised either. */
const entriesOf = (local: string, folder: string): ReadonlyArray<fs.Dirent> => {
  try {
    return fs.readdirSync(join(local, folder), { withFileTypes: true })
  } catch (cause) {
    if (folder === '') throw cause
    return []
  }
}

const conflictsIn = (local: string): ReadonlyArray<string> => {
  const found: Array<string> = []
  const waiting = ['']
  for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
    for (const one of entriesOf(local, folder)) {
      const path = childOf(folder, one.name)
      if (one.isDirectory()) waiting.push(path)
      else if (conflictOf(path) !== undefined) found.push(path)
    }
  }
  return found.toSorted()
}

export const keptFiles = ({ wallMs }: Pick<Clock, 'wallMs'>): KeptFiles => ({
  list: (store) => async () => listKept(store),
  restore: (at, copy, isReplacing) => TE.tryCatch(async () => restore(wallMs, at, copy, isReplacing), reasonOf),
  conflicts: (local) => TE.tryCatch(async () => conflictsIn(local), reasonOf),
})
