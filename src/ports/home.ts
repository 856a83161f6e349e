/** The folder of devtool on this machine, 0700, its files 0600. */
import type { Either } from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `path` is relative to the folder: `context/config.json`. */
export type Home = {
  /** The absolute path, for messages. */
  readonly where: (path: string) => string
  readonly read: (path: string) => TaskEither<Diagnostic, string | undefined>
  /** Read, changed and replaced in one piece while no other process does the same. `undefined`: there is no such file yet. */
  readonly change: (
    path: string,
    change: (text: string | undefined) => Either<Diagnostic, string>,
  ) => TaskEither<Diagnostic, void>
}
