/** All services that a builder may call during a build. */
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { Solve } from '../../domain/build/solve.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Credentials, Tokens } from '../../ports/credentials.ts'
import type { Daemon } from '../docker/link.ts'
import { authService } from './auth.ts'
import type { Tell } from './follow.ts'
import { loadService } from './load.ts'
import type { RpcService } from './rpc/call.ts'
import { secretsService } from './secrets.ts'
import { sshService } from './ssh.ts'
import { fileSync } from './sync/service.ts'
import type { Walks } from './sync/walks.ts'

/** What this machine can provide. `env`: for the SSH agent. `walks`: those that the builds of a run have in common. */
export type Offers = {
  readonly clock: Clock
  readonly credentials: Credentials
  readonly tokens: Tokens
  readonly walks: Walks
  readonly env: Readonly<Record<string, string | undefined>>
}

/** `daemon`: the one to load the image into. `tell` reports what was sent, `fail` what cannot be. */
export const servicesOf = (
  solve: Solve,
  daemon: Daemon | undefined,
  { clock, credentials, env, tokens, walks }: Offers,
  tell: Tell,
  fail: (failure: BuildFailure) => void,
): RpcService =>
  new Map([
    ...fileSync(
      solve,
      { clock, walks },
      (name, files, bytes) => tell([{ _tag: 'Sent', served: name, files, bytes }]),
      fail,
    ),
    ...authService(credentials, tokens),
    ...secretsService(solve, clock, fail),
    ...sshService(solve, { clock, env }, fail),
    ...(daemon === undefined ? [] : loadService(daemon, fail)),
  ])
