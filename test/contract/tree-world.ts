/** Folders that are synchronised, for tests of the port: on the disk, over a stream as in a development container, in memory. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { duplexPair } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { diskTree } from '../../src/adapters/sync/disk-tree.ts'
import { remoteTree } from '../../src/adapters/sync/remote-tree.ts'
import { serveTree } from '../../src/adapters/sync/serve-tree.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { TreeFile } from '../../src/domain/sync/entry.ts'
import type { OpenTree } from '../../src/ports/tree.ts'
import { fileOf, memoryTree, newFolder } from '../memory/tree.ts'

/** What a user does in the folder. */
type User = {
  readonly write: (path: string, text: string) => void
  readonly folder: (path: string) => void
  readonly link: (path: string, to: string) => void
  readonly read: (path: string) => string | undefined
}
export type TreeWorld = { readonly tree: OpenTree; readonly user: User; readonly end: () => void }

const isIgnored = (path: string): boolean => path.endsWith('.log')

export const rightOf = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const found = await task()
  if (E.isLeft(found)) throw new Error(JSON.stringify(found.left))
  return found.right
}

const userAt = (root: string): User => ({
  write: (path, text) => fs.writeFileSync(join(root, path), text),
  folder: (path) => void fs.mkdirSync(join(root, path), { recursive: true }),
  link: (path, to) => fs.symlinkSync(to, join(root, path)),
  read: (path) => {
    const stat = fs.lstatSync(join(root, path), { throwIfNoEntry: false })
    if (stat === undefined) return undefined
    if (stat.isDirectory()) return 'folder'
    if (stat.isSymbolicLink()) return `-> ${fs.readlinkSync(join(root, path))}`
    return `${fs.readFileSync(join(root, path), 'utf8')}${(stat.mode & 0o100) === 0 ? '' : ' (executable)'}`
  },
})

const onDisk = async (): Promise<TreeWorld> => {
  const root = fs.mkdtempSync(join(tmpdir(), 'tree-'))
  const tree = diskTree({ clock: systemClock, root, isIgnored })
  const end = (): void => {
    tree.close()
    fs.rmSync(root, { recursive: true, force: true })
  }
  return { tree, user: userAt(root), end }
}

const overStream = async (): Promise<TreeWorld> => {
  const root = fs.mkdtempSync(join(tmpdir(), 'tree-'))
  const [near, far] = duplexPair()
  near.once('close', () => far.destroy())
  void serveTree(
    systemClock,
    far,
    (opening) => diskTree({ clock: systemClock, root: opening.root, isIgnored }),
    new Map(),
  )
  const tree = await rightOf(remoteTree(systemClock, near, { root, ignores: '', session: 'one', isEager: true }))
  const end = (): void => {
    tree.close()
    fs.rmSync(root, { recursive: true, force: true })
  }
  return { tree, user: userAt(root), end }
}

const inMemory = async (): Promise<TreeWorld> => {
  const tree = memoryTree(isIgnored)
  const user: User = {
    write: (path, text) => tree.change(path, fileOf(text)),
    folder: (path) => tree.change(path, newFolder()),
    link: (path, target) => tree.change(path, { _tag: 'Link', target }),
    read: (path) => {
      const node = tree.nodes.get(path)
      if (node === undefined) return undefined
      if (node._tag === 'Folder') return 'folder'
      if (node._tag === 'Link') return `-> ${node.target}`
      return `${node.bytes.toString()}${node.isExecutable ? ' (executable)' : ''}`
    },
  }
  return { tree, user, end: () => {} }
}

export const fileWith = (text: string, isExecutable = false): TreeFile => ({
  _tag: 'File',
  hash: createHash('sha256').update(text).digest('hex'),
  isExecutable,
  size: Buffer.byteLength(text),
})

export const treeWorlds = [
  ['disk', onDisk],
  ['stream', overStream],
  ['memory', inMemory],
] as const
