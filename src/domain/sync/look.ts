/** Updates trees after a look, or after acts. */
import type { SeenEntry, SyncTree, TreeEntry, TreeListing, TreeLook } from './entry.ts'
import { childOf, nameOf, parentOf } from './path.ts'

export const emptyTree: SyncTree = new Map([['', { entries: new Map(), isHeld: false }]])

const empty: TreeListing = { entries: new Map<string, SeenEntry>(), isHeld: false }

/** Rejects names that would lead outside of the tree, which another end might send. */
const isName = (name: string): boolean =>
  name !== '' && name !== '.' && name !== '..' && !name.includes('/') && !name.includes('\0')

const drop = (tree: Map<string, TreeListing>, folder: string): void => {
  const listing = tree.get(folder)
  if (listing === undefined) return
  tree.delete(folder)
  for (const [name, entry] of listing.entries) if (entry._tag === 'Folder') drop(tree, childOf(folder, name))
}

const isSameFolder = (a: SeenEntry | undefined, b: SeenEntry | undefined): boolean =>
  a?._tag === 'Folder' && b?._tag === 'Folder' && a.id === b.id

const isListed = (tree: SyncTree, folder: string): boolean =>
  folder === '' || tree.get(parentOf(folder))?.entries.get(nameOf(folder))?._tag === 'Folder'

const notListed: SeenEntry = { _tag: 'Unknown', reason: 'it was not listed' }

/** A folder without a listing is unknown, not empty. */
const put = (tree: Map<string, TreeListing>, folder: string, { entries, isHeld }: TreeListing): void => {
  const known = new Map<string, SeenEntry>()
  for (const [name, entry] of entries) {
    if (!isName(name)) continue
    known.set(name, entry._tag === 'Folder' && !tree.has(childOf(folder, name)) ? notListed : entry)
  }
  tree.set(folder, { entries: known, isHeld })
}

/** New folders come with everything below them, so the old listings below folders of the same name are dropped. */
export const afterLook = (before: SyncTree, { isWhole, listings }: TreeLook): SyncTree => {
  const tree = new Map(isWhole ? [] : before)
  const folders = [...listings.keys()].toSorted()
  for (const folder of folders) {
    const [old, now] = [tree.get(folder), listings.get(folder)]
    for (const [name, entry] of old?.entries ?? []) {
      if (entry._tag === 'Folder' && !isSameFolder(entry, now?.entries.get(name))) drop(tree, childOf(folder, name))
    }
    if (now !== undefined) tree.set(folder, now)
  }
  // Once all listings are in: checks that each folder has one, and is in one.
  for (const folder of folders) {
    const listing = tree.get(folder)
    if (listing === undefined) continue
    if (isListed(tree, folder)) put(tree, folder, listing)
    else drop(tree, folder)
  }
  return tree
}

/** Undefined: there is no entry at the path now. */
export type EntryChange = readonly [path: string, entry: TreeEntry | undefined]

/** Applies the changes in order; each listing is copied once. */
export const withEntries = (before: SyncTree, changes: ReadonlyArray<EntryChange>): SyncTree => {
  if (changes.length === 0) return before
  const tree = new Map(before)
  const copied = (folder: string, { entries, isHeld }: TreeListing): Map<string, SeenEntry> => {
    const copy = new Map(entries)
    tree.set(folder, { entries: copy, isHeld })
    return copy
  }
  const own = new Map<string, Map<string, SeenEntry>>()
  for (const [path, entry] of changes) {
    const [folder, name] = [parentOf(path), nameOf(path)]
    const listing = tree.get(folder)
    if (listing === undefined) continue
    if (!isSameFolder(listing.entries.get(name), entry)) drop(tree, path)
    if (entry?._tag === 'Folder' && !tree.has(path)) tree.set(path, empty)
    const known = own.get(folder)
    const entries = known !== undefined && listing.entries === known ? known : copied(folder, listing)
    own.set(folder, entries)
    if (entry === undefined) entries.delete(name)
    else entries.set(name, entry)
  }
  return tree
}
