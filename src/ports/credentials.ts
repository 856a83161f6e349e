/** Registry credentials from the Docker configuration of this machine. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { RegistryCredential } from '../domain/build/docker-config.ts'
import type { Token, TokenRequest } from '../domain/build/token.ts'

export type { RegistryCredential } from '../domain/build/docker-config.ts'

export type Credentials = {
  /**
   * `host` as in references or builder requests: `registry-1.docker.io` and `docker.io` are the same. Looked up once
   * per run.
   */
  readonly of: (host: string) => Promise<RegistryCredential | undefined>
}

/**
 * Denied: the realm refuses to issue the token. Unusable: the challenge or the response is invalid. Unreachable: with
 * the reason given by the system. No reason contains a secret.
 */
export type TokenFailure = {
  readonly _tag: 'Denied' | 'Unusable' | 'Unreachable' | 'Aborted'
  readonly cause: string
}

export type Tokens = {
  /** A new token for each call, with the credentials of the host or anonymously; they are sent only to the realm. */
  readonly fetch: (request: TokenRequest, signal: AbortSignal) => TaskEither<TokenFailure, Token>
}
