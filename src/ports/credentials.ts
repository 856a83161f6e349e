/** Who we are for registries, as the Docker configuration of this machine says. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { RegistryCredential } from '../domain/build/docker-config.ts'
import type { Token, TokenRequest } from '../domain/build/token.ts'

export type { RegistryCredential } from '../domain/build/docker-config.ts'

export type Credentials = {
  /** `host` as builders and references name it: `registry-1.docker.io` and `docker.io` mean the same. Asked once a run. */
  readonly of: (host: string) => Promise<RegistryCredential | undefined>
}

/**
 * Denied: who gives tokens does not give this one. Unusable: no token was asked for, or what came is none. Unreachable: in
 * the words of the system. No cause ever holds a secret.
 */
export type TokenFailure = {
  readonly _tag: 'Denied' | 'Unusable' | 'Unreachable' | 'Aborted'
  readonly cause: string
}

export type Tokens = {
  /** Fetched anew each time, with the credentials of the host or as nobody; they go to the realm and nowhere else. */
  readonly fetch: (request: TokenRequest, signal: AbortSignal) => TaskEither<TokenFailure, Token>
}
