/** A folder on disk in the stress test: the changes of its users, and its content. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import { childOf } from '../../../src/domain/sync/path.ts'
import { filesIn } from '../process/files-in.ts'
import type { Random } from './random.ts'
import { renamed } from './renamed.ts'

/**
 * `born`: the hash of each content that was written, with its path. `ended`: contents that a user replaced or deleted.
 */
export type RealLedger = { readonly born: Map<string, string>; readonly ended: Set<string> }

/** `grave`: where users move what they delete, so that its content remains known. */
export type RealTree = { readonly root: string; readonly grave: string }

const hashOf = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const isOwn = (name: string): boolean => name.startsWith('.devtool-sync')

type Describe = (path: string, stat: fs.Stats) => string

const hashed: Describe = (path, { mode }) => `f${hashOf(fs.readFileSync(path))}${(mode & 0o111) === 0 ? '' : '+x'}`

/**
 * Paths with their entries: `d`, `l` with target, and what `ofFile` says: `f` with hash and executable bit. Entries that
 * are gone meanwhile are left out.
 */
export const contentOf = (
  root: string,
  ofFile = hashed,
  below = '',
  found = new Map<string, string>(),
): Map<string, string> => {
  let names: ReadonlyArray<string> = []
  try {
    names = fs.readdirSync(join(root, below))
  } catch {
    return found
  }
  for (const name of names.toSorted()) {
    if (isOwn(name)) continue
    const path = childOf(below, name)
    try {
      const stat = fs.lstatSync(join(root, path))
      if (stat.isDirectory()) {
        found.set(path, 'd')
        contentOf(root, ofFile, path, found)
      } else if (stat.isSymbolicLink()) found.set(path, `l${fs.readlinkSync(join(root, path))}`)
      else found.set(path, ofFile(join(root, path), stat))
    } catch {
      // Somebody was faster.
    }
  }
  return found
}

export const hashesIn = (content: ReadonlyMap<string, string>): ReadonlyArray<string> =>
  [...content.values()].filter((one) => one.startsWith('f')).map((one) => one.slice(1, 65))

/** Unfinished files of devtool's, without the marker. */
export const unfinishedIn = (root: string): ReadonlyArray<string> =>
  filesIn(root).filter((path) => path.includes('.devtool-sync-'))

let graves = 0
let writes = 0

const bury = ({ grave, root }: RealTree, ledger: RealLedger, path: string): void => {
  graves += 1
  const to = join(grave, String(graves))
  fs.renameSync(join(root, path), to)
  if (fs.lstatSync(to).isFile()) ledger.ended.add(hashOf(fs.readFileSync(to)))
  else if (fs.lstatSync(to).isDirectory()) for (const hash of hashesIn(contentOf(to))) ledger.ended.add(hash)
  fs.rmSync(to, { recursive: true })
}

const buryIfThere = (tree: RealTree, ledger: RealLedger, path: string): void => {
  if (fs.lstatSync(join(tree.root, path), { throwIfNoEntry: false }) !== undefined) bury(tree, ledger, path)
}

const newContent = (random: Random): Buffer => {
  writes += 1
  const text = `content ${process.pid} ${performance.timeOrigin} ${writes}\n`
  return Buffer.from(random.chance(0.02) ? text.repeat(80_000) : text)
}

/** Like an editor that writes in place: an open file stays the same one whatever happens to its name. */
const overwrite = (tree: RealTree, ledger: RealLedger, path: string, next: (before: Buffer) => Buffer): void => {
  const file = fs.openSync(join(tree.root, path), 'r+')
  try {
    const before = fs.readFileSync(file)
    const after = next(before)
    fs.ftruncateSync(file, 0)
    for (let at = 0; at < after.length; ) at += fs.writeSync(file, after, at, after.length - at, at)
    ledger.ended.add(hashOf(before))
    ledger.born.set(hashOf(after), path)
  } finally {
    fs.closeSync(file)
  }
}

const create = (tree: RealTree, ledger: RealLedger, path: string, random: Random): void => {
  const content = newContent(random)
  fs.writeFileSync(join(tree.root, path), content, { flag: 'wx', mode: random.chance(0.1) ? 0o755 : 0o644 })
  ledger.born.set(hashOf(content), path)
}

/** Like an editor that writes a new file and renames it. */
const save = (tree: RealTree, ledger: RealLedger, path: string, random: Random): void => {
  const content = newContent(random)
  graves += 1
  const beside = join(tree.grave, `${graves}.new`)
  fs.writeFileSync(beside, content)
  buryIfThere(tree, ledger, path)
  // Somebody may have created it again.
  fs.linkSync(beside, join(tree.root, path))
  ledger.born.set(hashOf(content), path)
  fs.rmSync(beside)
}

const act = (tree: RealTree, ledger: RealLedger, random: Random): void => {
  const { root } = tree
  const content = [...contentOf(root, () => 'f')].filter(([path]) => !path.split('/').includes('ignored'))
  const files = content.filter(([, one]) => one.startsWith('f')).map(([path]) => path)
  const folders = ['', ...content.filter(([, one]) => one === 'd').map(([path]) => path)]
  const folder = random.pick(folders) ?? ''
  const file = random.pick(files)
  const inFolder = (name: string): string => childOf(folder, name)
  switch (random.below(15)) {
    case 0:
    case 1:
    case 2:
      return create(tree, ledger, inFolder(`f${random.below(25)}`), random)
    case 3:
      return file === undefined ? undefined : overwrite(tree, ledger, file, () => newContent(random))
    case 4:
      if (file !== undefined) overwrite(tree, ledger, file, (before) => Buffer.concat([before, newContent(random)]))
      return
    case 5:
    case 6:
      return file === undefined ? undefined : save(tree, ledger, file, random)
    case 7:
      return file === undefined ? undefined : bury(tree, ledger, file)
    case 8:
      return fs.mkdirSync(join(root, inFolder(`d${random.below(6)}`)))
    case 9: {
      if (file === undefined) return
      const to = renamed(file, folder, random)
      if (to === file) return
      buryIfThere(tree, ledger, to)
      graves += 1
      const moved = join(tree.grave, String(graves))
      fs.renameSync(join(root, file), moved)
      try {
        return fs.linkSync(moved, join(root, to))
      } catch (cause) {
        ledger.ended.add(hashOf(fs.readFileSync(moved)))
        throw cause
      } finally {
        fs.rmSync(moved)
      }
    }
    case 10: {
      const to = `m${random.below(6)}`
      if (folder === '' || fs.existsSync(join(root, to))) return
      return fs.renameSync(join(root, folder), join(root, to))
    }
    case 11:
      return folder === '' || !random.chance(0.3) ? undefined : bury(tree, ledger, folder)
    case 12: {
      const path = random.chance(0.5) ? file : folder
      if (path === undefined || path === '') return
      const isFolder = path === folder
      bury(tree, ledger, path)
      if (isFolder) return create(tree, ledger, path, random)
      fs.mkdirSync(join(root, path))
      return create(tree, ledger, `${path}/inner`, random)
    }
    case 13:
      if (file === undefined) return
      return fs.chmodSync(join(root, file), (fs.statSync(join(root, file)).mode & 0o111) === 0 ? 0o755 : 0o644)
    case 14: {
      if (random.chance(0.2)) return fs.writeFileSync(join(root, inFolder('ignored')), 'own')
      const path = inFolder(`l${random.below(5)}`)
      buryIfThere(tree, ledger, path)
      return fs.symlinkSync(`f${random.below(25)}`, join(root, path))
    }
  }
}

/** Users do not wait: their target may be gone, or in use, when they act. */
export const useTree = (tree: RealTree, ledger: RealLedger, random: Random): void => {
  try {
    act(tree, ledger, random)
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause)) throw cause
  }
}
