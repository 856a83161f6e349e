/** What is in a folder. Paths as for files. */
import type { Task } from 'fp-ts/lib/Task.js'

/** Names only, sorted. Links count as what they lead to. */
export type FolderListing = { readonly files: ReadonlyArray<string>; readonly folders: ReadonlyArray<string> }

export type Folders = {
  /** Nothing when there is no such folder, or it may not be read. */
  readonly list: (path: string) => Task<FolderListing>
}
