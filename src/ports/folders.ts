/** Contents of folders. Paths as for files. */
import type { Task } from 'fp-ts/lib/Task.js'

/** Names only, sorted. A symbolic link counts as its target. */
export type FolderListing = { readonly files: ReadonlyArray<string>; readonly folders: ReadonlyArray<string> }

export type Folders = {
  /** Empty when the folder does not exist or cannot be read. */
  readonly list: (path: string) => Task<FolderListing>
}
