/** Image builders: BuildKit, wherever it runs, and the one in the Docker daemon. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { BuilderAddress } from '../domain/build/address.ts'
import type { BuildEvent, Lint } from '../domain/build/event.ts'
import type { BuildFailure } from '../domain/build/failure.ts'
import type { Keepalive } from '../domain/build/keepalive.ts'
import type { Solve, Solved } from '../domain/build/solve.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Cluster } from './cluster.ts'

/**
 * `folder`: with ca.pem, and with cert.pem and key.pem if the builder requires client certificates; or the certificates
 * themselves. `serverName`: in the certificate of the builder.
 */
type BuilderTls =
  | { readonly folder: string; readonly serverName?: string }
  | { readonly pem: Readonly<Record<'ca' | 'cert' | 'key', string>>; readonly serverName: string }

/** `cluster`: opens the cluster of a builder in a pod, unless it is one of the kubeconfig. */
export type BuilderChoice = {
  readonly address: BuilderAddress
  readonly keepalive: Keepalive
  readonly tls?: BuilderTls
  readonly cluster?: TaskEither<Diagnostic, Cluster>
}

/** `failure`: why the rest of the Dockerfile was not read. */
export type DockerfileLint = { readonly lints: ReadonlyArray<Lint>; readonly failure?: BuildFailure }

export type Builder = {
  /** `Docker` keeps images in its own store and cannot export a cache to a registry. */
  readonly kind: 'BuildKit' | 'Docker'
  /** Secrets that the builder gives to steps by itself, and that their output must not show. */
  readonly secrets?: ReadonlyArray<string>
  /**
   * Builds may run in parallel. `tell` receives events in order; `Aborted` when the signal comes, after the running
   * step has ended.
   */
  readonly build: (
    solve: Solve,
    tell: (events: ReadonlyArray<BuildEvent>) => void,
    signal: AbortSignal,
  ) => TaskEither<BuildFailure, Solved>
  /** The frontend's findings about the Dockerfile. Nothing is built. */
  readonly check: (solve: Solve, signal: AbortSignal) => TaskEither<BuildFailure, DockerfileLint>
  readonly close: () => void
}

export type Builders = {
  /**
   * Connects to a builder. One that cannot be reached is reported here, within a bounded time; a peer that is not a
   * builder, by the first build.
   */
  readonly connect: (choice: BuilderChoice, signal: AbortSignal) => TaskEither<BuildFailure, Builder>
}
