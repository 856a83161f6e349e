/** Build contexts: local folders as a builder would see them. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `bytes` of a folder include everything in it. Paths are relative, with forward slashes. */
export type Weight = {
  readonly files: number
  readonly bytes: number
  readonly largest: ReadonlyArray<{ readonly path: string; readonly bytes: number }>
}

/**
 * `ignore`: the text of the .dockerignore that applies, '' when there is none. `folder` is absolute. `root`: a folder
 * whose real path is outside of this one is not read.
 */
export type ContextChoice = { readonly folder: string; readonly ignore: string; readonly root?: string | undefined }

export type BuildContexts = {
  /**
   * SHA-256 in hexadecimal of names, types, permissions and contents of all entries that are not ignored: the same on
   * every machine, in a repository or not. Times and owners do not count.
   */
  readonly hash: (choice: ContextChoice, signal: AbortSignal) => TaskEither<Diagnostic, string>
  /**
   * `largest`: at most ten entries, the largest first. A folder that holds nearly everything is replaced by its
   * entries. A file with several names counts once.
   */
  readonly weigh: (choice: ContextChoice, signal: AbortSignal) => TaskEither<Diagnostic, Weight>
}
