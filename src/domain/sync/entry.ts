/** Entries of a synchronised folder. Paths are relative to its root, with `/` between names; '' is the root itself. */

/** `id` distinguishes it from every other folder that had this path: device, inode and time of birth, as text. */
export type TreeFolder = { readonly _tag: 'Folder'; readonly id: string }

/** `hash`: SHA-256 of the content, in lower-case hexadecimal digits. */
export type TreeFile = {
  readonly _tag: 'File'
  readonly hash: string
  readonly isExecutable: boolean
  readonly size: number
}

/** Never followed. */
export type TreeLink = { readonly _tag: 'Link'; readonly target: string }

/** Entries that can be synchronised. */
export type TreeEntry = TreeFolder | TreeFile | TreeLink

/**
 * Special: a socket, pipe or device. Unknown: it could not be read or listed. Neither counts as absent: nothing is done
 * at such a path.
 */
export type OpaqueEntry =
  | { readonly _tag: 'Special'; readonly reason: string }
  | { readonly _tag: 'Unknown'; readonly reason: string }

export type SeenEntry = TreeEntry | OpaqueEntry

/**
 * The entries directly in a folder, by name. `isHeld`: there are ignored entries as well, so the folder is not empty.
 */
export type TreeListing = { readonly entries: ReadonlyMap<string, SeenEntry>; readonly isHeld: boolean }

/** By the path of the folder. Each folder that a listing contains has its own listing. */
export type SyncTree = ReadonlyMap<string, TreeListing>

/**
 * A look at a whole tree, or at some of its folders. A folder that is new at its path, or has another `id` than before,
 * comes with the listings of all folders below it.
 */
export type TreeLook = { readonly isWhole: boolean; readonly listings: SyncTree }
