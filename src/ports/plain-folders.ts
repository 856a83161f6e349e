/** Files directly in a folder: links are not followed, neither the folder itself nor its files. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { FolderEntry } from '../domain/plan/file-changes.ts'

export type FolderLock = { readonly release: () => void }

/** `name`: without slashes. */
export type PlainFolders = {
  /** Until it is released, no other process holds it. Creates the folder. Fails with DT2006, DT2007, DT2106. */
  readonly lock: (folder: string) => TaskEither<Diagnostic, FolderLock>
  /** Fails with DT2007 when the folder is not a plain folder. */
  readonly look: (folder: string, name: string) => TaskEither<Diagnostic, FolderEntry>
  /** All or nothing, like {@link FileWriter}. Creates the folder. Fails with DT2006, DT2007. */
  readonly put: (
    folder: string,
    name: string,
    text: string,
    options: { readonly isPrivate: boolean },
  ) => TaskEither<Diagnostic, void>
  /** A missing file counts as removed. Fails with DT2006, DT2007. */
  readonly remove: (folder: string, name: string) => TaskEither<Diagnostic, void>
}
