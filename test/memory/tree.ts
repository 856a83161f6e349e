/** The port `Tree` in memory. */
import { createHash } from 'node:crypto'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ActOutcome, SyncAct } from '../../src/domain/sync/act.ts'
import type { SeenEntry, TreeEntry, TreeFile, TreeListing, TreeLook } from '../../src/domain/sync/entry.ts'
import type { TreeMarker } from '../../src/domain/sync/folder.ts'
import { childOf, leadsOut, nameOf, parentOf } from '../../src/domain/sync/path.ts'
import type { OpenTree, TreeEvent } from '../../src/ports/tree.ts'

export type Node =
  | { readonly _tag: 'Folder'; readonly id: string }
  | { readonly _tag: 'File'; readonly bytes: Buffer; readonly isExecutable: boolean }
  | { readonly _tag: 'Link'; readonly target: string }

/** `change` is a user's. */
export type MemoryTree = OpenTree & {
  readonly nodes: ReadonlyMap<string, Node>
  readonly change: (path: string, node: Node | undefined) => void
  readonly kept: ReadonlyArray<string>
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

let ids = 0
export const newFolder = (): Node => {
  ids += 1
  return { _tag: 'Folder', id: String(ids) }
}

export const fileOf = (text: string, isExecutable = false): Node => ({
  _tag: 'File',
  bytes: Buffer.from(text),
  isExecutable,
})

const isPath = (path: string): boolean => path.split('/').every((name) => !['', '.', '..'].includes(name))

const entryOf = (node: Node): TreeEntry => {
  if (node._tag !== 'File') return node
  const { bytes, isExecutable } = node
  return { _tag: 'File', hash: createHash('sha256').update(bytes).digest('hex'), isExecutable, size: bytes.length }
}

const isSame = (one: SeenEntry | undefined, other: SeenEntry | undefined): boolean =>
  JSON.stringify(one, ['_tag', 'hash', 'id', 'isExecutable', 'target']) ===
  JSON.stringify(other, ['_tag', 'hash', 'id', 'isExecutable', 'target'])

export const memoryTree = (isIgnored: (path: string, isFolder: boolean) => boolean = () => false): MemoryTree => {
  const nodes = new Map<string, Node>([['', newFolder()]])
  const known = new Map<string, string>()
  const tellers = new Set<(event: TreeEvent) => void>()
  const kept: Array<string> = []
  let marker: TreeMarker | undefined
  const at = (path: string): TreeEntry | undefined => {
    const node = nodes.get(path)
    return node && entryOf(node)
  }
  const below = (path: string): ReadonlyArray<string> => [...nodes.keys()].filter((one) => one.startsWith(`${path}/`))
  const change = (path: string, node: Node | undefined): void => {
    for (const one of node?._tag === 'Folder' ? [] : below(path)) nodes.delete(one)
    if (node === undefined) nodes.delete(path)
    else nodes.set(path, node)
    const folder = parentOf(path)
    if (known.has(folder)) for (const tell of tellers) tell({ _tag: 'Looked', look: look([folder]) })
  }
  const list = (folder: string, isAll: boolean, listings: Map<string, TreeListing>): void => {
    const node = nodes.get(folder)
    if (node?._tag !== 'Folder') return
    known.set(folder, node.id)
    const entries = new Map<string, SeenEntry>()
    let isHeld = false
    for (const path of nodes.keys()) {
      if (path === '' || parentOf(path) !== folder) continue
      const entry = at(path)
      if (entry === undefined) continue
      if (isIgnored(path, entry._tag === 'Folder')) isHeld = true
      else entries.set(nameOf(path), entry)
    }
    listings.set(folder, { entries, isHeld })
    for (const [name, entry] of entries) {
      const path = childOf(folder, name)
      if (entry._tag === 'Folder' && (isAll || known.get(path) !== entry.id)) list(path, isAll, listings)
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  const look = (folders?: ReadonlyArray<string>): TreeLook => {
    const listings = new Map<string, TreeListing>()
    if (folders === undefined) list('', true, listings)
    else for (const folder of folders.toSorted()) if (!listings.has(folder)) list(folder, false, listings)
    return { isWhole: folders === undefined, listings }
  }
  const refused = (path: string): ActOutcome => ({ _tag: 'Refused', found: at(path) })
  const failed = (trouble: Extract<ActOutcome, { _tag: 'Failed' }>['trouble']): ActOutcome => ({
    _tag: 'Failed',
    trouble,
    reason: trouble,
  })
  const put = (path: string, node: Node | undefined): ActOutcome => {
    change(path, node)
    return { _tag: 'Done', entry: at(path) }
  }
  const act = async (one: SyncAct, content: AsyncIterable<Uint8Array>): Promise<ActOutcome> => {
    const { expect, keep, path } = one
    if (!isPath(path)) return failed('Forbidden')
    if (nodes.get(parentOf(path))?._tag !== 'Folder' || !isSame(at(path), expect)) return refused(path)
    const node = nodes.get(path)
    const copy = keep === undefined ? undefined : childOf(parentOf(path), keep)
    if (copy !== undefined && node !== undefined) {
      if (nodes.has(copy) && !isSame(at(copy), expect)) return failed('KeptNameTaken')
      change(copy, node)
    }
    if (node !== undefined && node._tag !== 'Folder' && one._tag !== 'SetExecutable') kept.push(path)
    switch (one._tag) {
      case 'Write': {
        const parts: Array<Uint8Array> = []
        try {
          for await (const part of content) parts.push(part)
        } catch {
          return failed('NoSource')
        }
        const written: Node = { _tag: 'File', bytes: Buffer.concat(parts), isExecutable: one.file.isExecutable }
        if (!isSame(entryOf(written), one.file)) return failed('NoSource')
        return isSame(at(path), expect) ? put(path, written) : refused(path)
      }
      case 'MakeLink':
        return leadsOut(path, one.target) ? failed('Forbidden') : put(path, { _tag: 'Link', target: one.target })
      case 'MakeFolder':
        return put(path, newFolder())
      case 'Remove':
        return below(path).length > 0 ? refused(path) : put(path, undefined)
      case 'SetExecutable':
        return put(path, node?._tag === 'File' ? { ...node, isExecutable: one.isExecutable } : node)
    }
  }
  async function* read(path: string, file: TreeFile): AsyncGenerator<Uint8Array, void> {
    const node = nodes.get(path)
    if (node?._tag !== 'File' || !isSame(entryOf(node), { ...file, isExecutable: node.isExecutable })) {
      throw new Error(`${path} has changed`)
    }
    yield node.bytes
  }
  return {
    nodes,
    change,
    kept,
    look: (folders) => TE.fromIO(() => look(folders)),
    act: (one, content) => () => {
      const done = last.then(() => act(one, content ?? nothing()))
      last = done
      return done
    },
    read,
    watch: (onEvent) => {
      tellers.add(onEvent)
      return () => void tellers.delete(onEvent)
    },
    makeAll: (acts, contents) =>
      TE.fromIO(() => {
        let from = 0
        return acts.flatMap((one, index) => {
          const size = one._tag === 'Write' ? one.file.size : 0
          const bytes = Buffer.from(contents.subarray(from, from + size))
          from += size
          const { path } = one
          const isIn = isPath(path) && nodes.get(parentOf(path))?._tag === 'Folder' && !nodes.has(path)
          if (!isIn || (one._tag === 'MakeLink' && leadsOut(path, one.target))) return [index]
          if (one._tag === 'Write') change(path, { _tag: 'File', bytes, isExecutable: one.file.isExecutable })
          else change(path, one._tag === 'MakeFolder' ? newFolder() : { _tag: 'Link', target: one.target })
          return []
        })
      }),
    polled: async () => E.right(undefined),
    outcomes: () => TE.right(undefined),
    marker: async () => E.right(marker),
    mark: (given) =>
      TE.fromIO(() => {
        marker = given
      }),
    close: () => tellers.clear(),
  }
}
