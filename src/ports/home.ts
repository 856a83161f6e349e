/** devtool's own folder on this machine: mode 0700, with files of mode 0600. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `path` is relative to the folder: `context/config.json`. */
export type Home = {
  /** The absolute path, for messages. */
  readonly where: (path: string) => string
  /** The names in a folder, sorted; none when it cannot be read. */
  readonly list: (path: string) => Task<ReadonlyArray<string>>
  readonly read: (path: string) => TaskEither<Diagnostic, string | undefined>
  /**
   * Reads, changes and replaces a file atomically, while other processes wait. `undefined`: the file does not exist
   * yet.
   */
  readonly change: (
    path: string,
    change: (text: string | undefined) => Either<Diagnostic, string>,
  ) => TaskEither<Diagnostic, void>
}
