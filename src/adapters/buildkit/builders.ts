/** The port `Builders`: BuildKit, and the one in the Docker daemon. */

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Builder, BuilderChoice, Builders } from '../../ports/builder.ts'
import type { Clusters } from '../../ports/clusters.ts'
import { findDockerHost, proxiesFor } from '../docker/host.ts'
import type { Daemon } from '../docker/link.ts'
import type { Trace } from '../http/trace.ts'
import { builderOn } from './builder.ts'
import { dialPodIn } from './dial-pod.ts'
import { authorityOf, dialOf, type ReachedBuilder, showBuilder } from './reach.ts'
import { type ConnectOptions, connectRpc, type Dial } from './rpc/connect.ts'
import type { Tls } from './rpc/dial.ts'
import type { Rpc } from './rpc/rpc.ts'
import { readTls } from './rpc/tls.ts'
import { tracedRpc } from './rpc/traced-rpc.ts'
import type { Offers } from './services.ts'
import { failureAtStart } from './stranger.ts'
import { openWalks } from './sync/walks.ts'

/** `env`: also for the Docker daemon and programs used to reach it. `newId`: a new id of 32 hexadecimal digits. */
export type KitOptions = Omit<Offers, 'walks'> & {
  readonly clusters: Clusters
  readonly hostname?: string
  readonly newId?: () => string
  readonly trace?: Trace
}

const randomId = (): string => randomBytes(16).toString('hex')

const localDaemon = (env: Daemon['env'], clock: Daemon['clock']): E.Either<BuildFailure, Daemon> => {
  const host = findDockerHost(env)
  if (host._tag !== 'Left') return E.right({ clock, host: host.right, env })
  return E.left({ _tag: 'NotLoaded', isReached: false, cause: host.left[0].message })
}

const findBuilder = ({ address }: BuilderChoice, env: Daemon['env']): E.Either<BuildFailure, ReachedBuilder> => {
  if (address._tag !== 'Docker') return E.right(address)
  if (address.host !== undefined) return E.right({ _tag: 'Docker', host: address.host })
  const host = findDockerHost(env)
  if (host._tag !== 'Left') return E.right({ _tag: 'Docker', host: host.right })
  const [{ help, message }] = host.left
  return E.left({ _tag: 'Unreachable', address: 'docker', cause: message, ...defined({ help }) })
}

const tlsOf = ({ tls }: BuilderChoice): TE.TaskEither<BuildFailure, Tls | undefined> => {
  if (tls === undefined) return TE.right(undefined)
  if ('pem' in tls) return TE.right({ ...tls.pem, serverName: tls.serverName })
  return pipe(
    () => readTls(tls.folder),
    TE.bimap(
      (cause) => ({ _tag: 'Unusable', what: 'certificates of the builder', cause }),
      (read) => ({ ...read, ...defined({ serverName: tls.serverName }) }),
    ),
  )
}

const openRpc = (
  found: ReachedBuilder,
  dial: Dial,
  options: Omit<ConnectOptions, 'authority'>,
): TE.TaskEither<BuildFailure, Rpc> =>
  pipe(
    connectRpc(dial, { ...options, authority: authorityOf(found) }),
    TE.mapLeft((failure) => failureAtStart(found, failure)),
  )

const connectTo = (
  choice: BuilderChoice,
  { clock, clusters, credentials, env, tokens, ...given }: KitOptions,
  signal: AbortSignal,
): TE.TaskEither<BuildFailure, Builder> =>
  pipe(
    TE.fromEither(findBuilder(choice, env)),
    TE.bindTo('found'),
    TE.bind('tls', () => tlsOf(choice)),
    TE.bind('rpc', ({ found, tls }) => {
      const dial = dialOf(found, { clock, env, dialPod: dialPodIn(clusters, choice.cluster), tls }, signal)
      return openRpc(found, dial, { clock, keepalive: choice.keepalive, signal })
    }),
    TE.map(({ found, rpc }) =>
      builderOn(given.trace === undefined ? rpc : tracedRpc(rpc, { clock, trace: given.trace }), {
        found,
        local: () => localDaemon(env, clock),
        proxies: proxiesFor(showBuilder(found), env),
        offers: { clock, credentials, env, tokens, walks: openWalks() },
        hostname: given.hostname ?? hostname(),
        newId: given.newId ?? randomId,
      }),
    ),
  )

export const kitBuilders = (options: KitOptions): Builders => ({
  connect: (choice, signal) => connectTo(choice, options, signal),
})
