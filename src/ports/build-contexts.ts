/** Build contexts: folders of this machine as a builder would see them. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/** `bytes` of a folder are those of all that is in it. Paths are relative, with forward slashes. */
export type Weight = {
  readonly files: number
  readonly bytes: number
  readonly largest: ReadonlyArray<{ readonly path: string; readonly bytes: number }>
}

/**
 * `ignore`: the text of the .dockerignore that counts, '' when there is none. `folder` is absolute. `root`: a folder that,
 * links followed, lies outside of this one is not read.
 */
export type ContextChoice = { readonly folder: string; readonly ignore: string; readonly root?: string | undefined }

export type BuildContexts = {
  /**
   * SHA-256 in hexadecimal over names, kinds, permissions and contents of all entries that are not ignored: the same on
   * every machine, in a repository or not. Times and owners do not count.
   */
  readonly hash: (choice: ContextChoice, signal: AbortSignal) => TaskEither<Diagnostic, string>
  /**
   * `largest`: at most ten entries, the largest first. Where one folder holds nearly all, what is in it stands for it. A
   * file with several names counts once.
   */
  readonly weigh: (choice: ContextChoice, signal: AbortSignal) => TaskEither<Diagnostic, Weight>
}
