/** The port `Builders`: BuildKit wherever it runs, and the one in the Docker daemon. */

import { randomBytes } from 'node:crypto'
import { hostname } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Builder, BuilderChoice, Builders } from '../../ports/builder.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Clusters } from '../../ports/clusters.ts'
import { builderOn } from './builder.ts'
import { dialPodIn } from './dial-pod.ts'
import { findDockerHost } from './docker/host.ts'
import type { Daemon } from './docker/link.ts'
import { InfoRequest, ListWorkersRequest } from './gen/buildkit.ts'
import { authorityOf, dialOf, type Found, helpFor, showBuilder } from './reach.ts'
import { connectRpc } from './rpc/connect.ts'
import type { Rpc, RpcFailure } from './rpc/rpc.ts'
import { readTls } from './rpc/tls.ts'
import type { Offers } from './services.ts'

/** `env`: also for the Docker daemon and what leads to it. `newId`: 32 hexadecimal digits, never the same. */
export type KitOptions = Offers & {
  readonly clock: Clock
  readonly clusters: Clusters
  readonly hostname?: string
  readonly newId?: () => string
}

const longestAnswerMs = 20_000
const unimplemented = 12

const randomId = (): string => randomBytes(16).toString('hex')

const findBuilder = ({ address }: BuilderChoice, env: Daemon['env']): E.Either<BuildFailure, Found> => {
  if (address._tag !== 'Docker') return E.right(address)
  if (address.host !== undefined) return E.right({ _tag: 'Docker', host: address.host })
  const host = findDockerHost(env)
  if (host._tag !== 'Left') return E.right({ _tag: 'Docker', host: host.right })
  const [{ help, message }] = host.left
  return E.left({ _tag: 'Unreachable', address: 'docker', cause: message, ...defined({ help }) })
}

/** Of a builder that is not known to be one yet. */
const failureAtStart = (found: Found, failure: RpcFailure): BuildFailure => {
  const address = showBuilder(found)
  const unreachable = (cause: string): BuildFailure => {
    const help = helpFor(found, cause)
    return { _tag: 'Unreachable', address, cause, ...defined({ help }) }
  }
  switch (failure._tag) {
    case 'Status':
      return unreachable(
        failure.code === unimplemented
          ? 'what answers at that address is not BuildKit'
          : `it refuses: ${failure.message}`,
      )
    case 'Broken':
      return unreachable(failure.cause)
    case 'Silent':
      return { _tag: 'Silent', address, afterMs: failure.afterMs, isAtStart: true }
    case 'Cut':
      return unreachable('what it answers is too large')
    case 'Aborted':
      return { _tag: 'Aborted' }
  }
}

/** Info is younger than BuildKit, and older Docker daemons have none; workers have always been there. */
const proveLife = async (rpc: Rpc, signal: AbortSignal): Promise<E.Either<RpcFailure, unknown>> => {
  const options = { timeoutMs: longestAnswerMs, signal }
  const info = await rpc.unary('/moby.buildkit.v1.Control/Info', InfoRequest.encode({}).finish(), options)
  if (E.isRight(info) || info.left._tag !== 'Status' || info.left.code !== unimplemented) return info
  return rpc.unary('/moby.buildkit.v1.Control/ListWorkers', ListWorkersRequest.encode({ filter: [] }).finish(), options)
}

const tlsOf = async ({ tls }: BuilderChoice) => {
  if (tls === undefined) return E.right(undefined)
  const read = await readTls(tls.folder)
  if (E.isLeft(read))
    return E.left<BuildFailure>({ _tag: 'Unusable', what: 'certificates of the builder', cause: read.left })
  return E.right(tls.serverName === undefined ? read.right : { ...read.right, serverName: tls.serverName })
}

const connectTo = async (
  choice: BuilderChoice,
  { clock, clusters, credentials, env, tokens, ...given }: KitOptions,
  signal: AbortSignal,
): Promise<E.Either<BuildFailure, Builder>> => {
  const builder = findBuilder(choice, env)
  if (E.isLeft(builder)) return builder
  const found = builder.right
  const tls = await tlsOf(choice)
  if (E.isLeft(tls)) return tls
  const dial = dialOf(found, { env, dialPod: dialPodIn(clusters), tls: tls.right }, signal)
  const { keepalive } = choice
  const rpc = await connectRpc(dial, { clock, keepalive, authority: authorityOf(found), signal })
  if (E.isLeft(rpc)) return E.left(failureAtStart(found, rpc.left))
  const alive = await proveLife(rpc.right, signal)
  if (E.isLeft(alive)) {
    rpc.right.close()
    return E.left(failureAtStart(found, alive.left))
  }
  return E.right(
    builderOn(rpc.right, {
      ...(found._tag === 'Docker' ? { docker: { host: found.host, env } } : {}),
      address: showBuilder(found),
      offers: { credentials, env, tokens },
      hostname: given.hostname ?? hostname(),
      newId: given.newId ?? randomId,
    }),
  )
}

export const kitBuilders = (options: KitOptions): Builders => ({
  connect: (choice, signal) => () => connectTo(choice, options, signal),
})
