/**
 * Reads and replaces files. Paths have forward slashes and are absolute, or relative to the current folder of the
 * command.
 */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { EntryKind, FileContent } from '../domain/compose/file-content.ts'
import type { HostEntry } from '../domain/compose/files.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `root`: files whose real path is outside this folder are not read. */
type ReadOptions = { readonly root?: string | undefined }

export type FileReader = {
  /**
   * Regular files of at most 16 MiB only; a larger one is refused before it is read. `<stdin>` is the standard input.
   * Never fails: the content says why it is missing.
   */
  readonly read: (path: string, options: ReadOptions) => Task<FileContent>
  readonly kind: (path: string) => Task<EntryKind>
  /** Never leaves `root`, whatever links there are. Names of a folder are sorted. */
  readonly look: (path: string, root: string) => Task<HostEntry>
  /**
   * Whether the real path is in the folder, or the folder itself; a path that does not exist is judged by where it
   * would be.
   */
  readonly isInside: (path: string, root: string) => Task<boolean>
}

export type FileWriter = {
  /**
   * All or nothing: a reader sees the old content or the new one. `isPrivate`: readable by this user only, mode 0600.
   * Finds DT2006.
   */
  readonly replace: (
    path: string,
    content: string | Uint8Array,
    options?: { readonly isPrivate: boolean },
  ) => TaskEither<Diagnostic, void>
}
