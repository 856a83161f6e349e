/** A folder in memory: the changes of its users, and one end of its synchronisation. */
import { createHash } from 'node:crypto'
import type { ActOutcome, SyncAct } from '../../../src/domain/sync/act.ts'
import type { SeenEntry, TreeListing, TreeLook } from '../../../src/domain/sync/entry.ts'
import { childOf, nameOf, parentOf } from '../../../src/domain/sync/path.ts'

type FolderNode = { readonly _tag: 'Folder'; readonly id: string; readonly children: Map<string, UserNode> }
type FileNode = { readonly _tag: 'File'; readonly content: string; readonly isExecutable: boolean }
type LinkNode = { readonly _tag: 'Link'; readonly target: string }
/** Unknown: the file exists, and cannot be read. */
type OtherNode = { readonly _tag: 'Special' | 'Unknown' }
export type UserNode = FolderNode | FileNode | LinkNode | OtherNode

const hashes = new Map<string, string>()

const hashOf = (content: string): string => {
  const known = hashes.get(content) ?? createHash('sha256').update(content).digest('hex')
  hashes.set(content, known)
  return known
}

const entryOf = (node: UserNode): SeenEntry => {
  switch (node._tag) {
    case 'Folder':
      return { _tag: 'Folder', id: node.id }
    case 'File':
      return { _tag: 'File', hash: hashOf(node.content), isExecutable: node.isExecutable, size: node.content.length }
    case 'Link':
      return node
    case 'Special':
    case 'Unknown':
      return { _tag: node._tag, reason: 'it is made so' }
  }
}

const isSameEntry = (a: SeenEntry | undefined, b: SeenEntry | undefined): boolean =>
  JSON.stringify(a) === JSON.stringify(b)

let ids = 0

const newFolder = (): FolderNode => {
  ids += 1
  return { _tag: 'Folder', id: `f${ids}`, children: new Map() }
}

/** `isIgnored`: paths that the end does not report. */
export class UserTree {
  readonly #root = newFolder()
  readonly #isIgnored: (path: string) => boolean
  readonly #watchers = new Set<(folder: string) => void>()

  constructor(isIgnored: (path: string) => boolean = () => false) {
    this.#isIgnored = isIgnored
  }

  node(path: string): UserNode | undefined {
    let at: UserNode | undefined = this.#root
    for (const name of path === '' ? [] : path.split('/')) {
      at = at?._tag === 'Folder' ? at.children.get(name) : undefined
    }
    return at
  }

  folder(path: string): FolderNode | undefined {
    const found = this.node(path)
    return found?._tag === 'Folder' ? found : undefined
  }

  /** All paths in order, including ignored ones. */
  paths(below = ''): ReadonlyArray<string> {
    const { children } = this.folder(below) ?? { children: new Map<string, UserNode>() }
    return [...children.keys()].toSorted().flatMap((name) => {
      const path = childOf(below, name)
      return [path, ...this.paths(path)]
    })
  }

  /** The contents of files, by path. */
  contents(): ReadonlyMap<string, string> {
    const found = new Map<string, string>()
    for (const path of this.paths()) {
      const node = this.node(path)
      if (node?._tag === 'File') found.set(path, node.content)
    }
    return found
  }

  /** False when its folder does not exist. */
  put(path: string, node: UserNode | undefined): boolean {
    const folder = this.folder(parentOf(path))
    if (folder === undefined || path === '') return false
    for (const tell of this.#watchers) tell(parentOf(path))
    if (node === undefined) folder.children.delete(nameOf(path))
    else folder.children.set(nameOf(path), node)
    return true
  }

  write(path: string, content: string, isExecutable = false): boolean {
    return this.put(path, { _tag: 'File', content, isExecutable })
  }

  makeFolder(path: string): boolean {
    return this.node(path) === undefined && this.put(path, newFolder())
  }

  /** Like rename(2): the entry at `to` is replaced, but a folder is never moved into itself. */
  rename(path: string, to: string): boolean {
    const node = this.node(path)
    if (node === undefined || to === path || to.startsWith(`${path}/`) || path.startsWith(`${to}/`)) return false
    return this.folder(parentOf(to)) !== undefined && this.put(path, undefined) && this.put(to, node)
  }

  /** Reports folders in which something changes. Returns how to stop. */
  watch(tell: (folder: string) => void): () => void {
    this.#watchers.add(tell)
    return () => void this.#watchers.delete(tell)
  }

  entry(path: string): SeenEntry | undefined {
    const node = this.node(path)
    return node === undefined ? undefined : entryOf(node)
  }

  #listing(path: string, { children }: FolderNode): TreeListing {
    const all = [...children]
    const shown = all.filter(([name]) => !this.#isIgnored(childOf(path, name)))
    return { entries: new Map(shown.map(([name, node]) => [name, entryOf(node)])), isHeld: shown.length < all.length }
  }

  #list(path: string, listings: Map<string, TreeListing>): void {
    const folder = this.folder(path)
    if (folder === undefined) return
    const listing = this.#listing(path, folder)
    listings.set(path, listing)
    for (const [name, { _tag }] of listing.entries) if (_tag === 'Folder') this.#list(childOf(path, name), listings)
  }

  /** Lists everything below a requested folder, which is more than a look has to do. */
  look(folders?: ReadonlyArray<string>): TreeLook {
    const listings = new Map<string, TreeListing>()
    for (const folder of folders ?? ['']) if (!this.#isIgnored(folder)) this.#list(folder, listings)
    return { isWhole: folders === undefined, listings }
  }

  #done(path: string): ActOutcome {
    const found = this.entry(path)
    if (found?._tag === 'Special' || found?._tag === 'Unknown') return { _tag: 'Refused', found }
    return { _tag: 'Done', entry: found }
  }

  /** False when the name is in use. */
  #keep({ keep, path }: SyncAct): boolean {
    const node = this.node(path)
    if (keep === undefined || node === undefined) return true
    const to = childOf(parentOf(path), keep)
    const there = this.entry(to)
    return there === undefined ? this.put(to, node) : isSameEntry(there, entryOf(node))
  }

  act(act: SyncAct, content?: string): ActOutcome {
    const { expect, path } = act
    const found = this.entry(path)
    const refused: ActOutcome = { _tag: 'Refused', found }
    if (!isSameEntry(found, expect) || this.folder(parentOf(path)) === undefined) return refused
    if (act._tag === 'Write' && (content === undefined || hashOf(content) !== act.file.hash)) {
      return { _tag: 'Failed', trouble: 'NoSource', reason: 'it changed meanwhile' }
    }
    if (act._tag === 'Remove' && (this.folder(path)?.children.size ?? 0) > 0) return refused
    if (!this.#keep(act)) return { _tag: 'Failed', trouble: 'KeptNameTaken', reason: 'there is something else' }
    switch (act._tag) {
      case 'Write':
        this.write(path, content ?? '', act.file.isExecutable)
        return this.#done(path)
      case 'MakeLink':
        this.put(path, { _tag: 'Link', target: act.target })
        return this.#done(path)
      case 'MakeFolder':
        this.makeFolder(path)
        return this.#done(path)
      case 'Remove':
        this.put(path, undefined)
        return this.#done(path)
      case 'SetExecutable': {
        const node = this.node(path)
        if (node?._tag === 'File') this.put(path, { ...node, isExecutable: act.isExecutable })
        return this.#done(path)
      }
    }
  }
}
