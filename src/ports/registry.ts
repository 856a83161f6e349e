/** Registries of images, with the credentials that the Docker configuration has for them. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

export type Registry = {
  /** The digest behind `host/repository:tag` (`sha256:…`); `undefined` when there is no such image. */
  readonly digestOf: (reference: string, signal: AbortSignal) => TaskEither<Diagnostic, string | undefined>
  /** Another tag for what is there already, in the same repository. */
  readonly tag: (from: string, to: string, signal: AbortSignal) => TaskEither<Diagnostic, void>
}
