/** Reading and replacing files. Paths have forward slashes and are relative to the folder the command runs in, or absolute. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EntryKind, FileContent } from '../domain/compose/files.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `root`: what lies outside this folder, links followed, is not read. */
type ReadOptions = { readonly root?: string | undefined }

export type FileReader = {
  /**
   * Only regular files of at most 16 MiB; a larger one is refused before it is read. `<stdin>` is the standard input. Never
   * fails: why it has no content is said by the content.
   */
  readonly read: (path: string, options: ReadOptions) => Task<FileContent>
  readonly kind: (path: string) => Task<EntryKind>
  /** Where the path leads lies in the folder, or is the folder; of what does not exist, where it would be. */
  readonly isInside: (path: string, root: string) => Task<boolean>
}

export type FileWriter = {
  /**
   * All or nothing: a reader sees the old content or the new one. `isPrivate`: for this user's eyes only, mode 0600.
   * Finds DT2006.
   */
  readonly replace: (
    path: string,
    content: string | Uint8Array,
    options?: { readonly isPrivate: boolean },
  ) => TaskEither<Diagnostic, void>
}
