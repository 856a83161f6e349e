/** Builders of images: BuildKit, wherever it runs, and the one in the Docker daemon. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { BuilderAddress } from '../domain/build/address.ts'
import type { BuildEvent } from '../domain/build/event.ts'
import type { BuildFailure } from '../domain/build/failure.ts'
import type { Keepalive } from '../domain/build/keepalive.ts'
import type { Solve, Solved } from '../domain/build/solve.ts'

/** `tls`: a folder with ca.pem, and cert.pem with key.pem where the builder wants to know who asks. */
export type BuilderChoice = {
  readonly address: BuilderAddress
  readonly keepalive: Keepalive
  readonly tls?: { readonly folder: string; readonly serverName?: string }
}

export type Builder = {
  /** `Docker` keeps images in its own store and cannot export cache to a registry. */
  readonly kind: 'BuildKit' | 'Docker'
  /** Several at a time. `tell` gets news in the order they came; `Aborted` when the signal comes, with the step gone. */
  readonly build: (
    solve: Solve,
    tell: (events: ReadonlyArray<BuildEvent>) => void,
    signal: AbortSignal,
  ) => TaskEither<BuildFailure, Solved>
  readonly close: () => void
}

export type Builders = {
  /** Talks to it: who cannot be reached is known now, and within a bounded time. */
  readonly connect: (choice: BuilderChoice, signal: AbortSignal) => TaskEither<BuildFailure, Builder>
}
