/** Image registries, with the credentials of the Docker configuration. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

export type Registry = {
  /** The digest of `host/repository:tag` (`sha256:…`); `undefined` when there is no such image. */
  readonly digestOf: (reference: string, signal: AbortSignal) => TaskEither<Diagnostic, string | undefined>
  /** Gives an existing image another name in the same registry, possibly in another repository. Nothing is uploaded. */
  readonly tag: (from: string, to: string, signal: AbortSignal) => TaskEither<Diagnostic, void>
}
