/** How to reach a builder: its name, its connection, and advice when it cannot be reached. */
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuilderAddress, DockerHost, PodAddress } from '../../domain/build/address.ts'
import { showDockerHost } from '../../domain/build/docker-host.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Daemon } from '../docker/link.ts'
import type { Dial } from './rpc/connect.ts'
import { dialTcp, dialUnix, type Tls } from './rpc/dial.ts'
import { neverEnding } from './rpc/pipe.ts'
import { securePipe } from './secure.ts'
import { settledWithin } from './waits.ts'

/** A builder address; for a Docker daemon its host has been found. */
export type ReachedBuilder =
  | Exclude<BuilderAddress, { readonly _tag: 'Docker' }>
  | { readonly _tag: 'Docker'; readonly host: DockerHost }

export type PodDial = (address: PodAddress, signal: AbortSignal) => TE.TaskEither<string, Duplex>

type DialOptions = {
  readonly clock: Clock
  readonly env: Daemon['env']
  readonly dialPod: PodDial
  readonly tls: Tls | undefined
}

const longestPodMs = 30_000

const bracketed = (host: string): string => (host.includes(':') ? `[${host}]` : host)

export const showBuilder = (address: ReachedBuilder): string => {
  switch (address._tag) {
    case 'Tcp':
      return `tcp://${bracketed(address.host)}:${address.port}`
    case 'Unix':
      return `unix://${address.path}`
    case 'KubePod':
      return `kube-pod://${address.pod}`
    case 'Docker':
      return showDockerHost(address.host)
  }
}

/** The authority sent to the builder. */
export const authorityOf = (address: ReachedBuilder): string =>
  address._tag === 'Tcp' ? `${bracketed(address.host)}:${address.port}` : 'localhost'

/** A connection that comes too late is closed by its signal. */
const dialPodInTime =
  ({ clock, dialPod }: DialOptions, address: PodAddress, signal: AbortSignal): TE.TaskEither<string, Duplex> =>
  async () => {
    const tooLate = new AbortController()
    const first = await settledWithin(clock, dialPod(address, tooLate.signal)(), longestPodMs, signal)
    if (first !== undefined) return first
    tooLate.abort()
    return E.left(`no connection within ${longestPodMs / 1000} s`)
  }

/** TLS is used for network connections only: access to a local socket is already restricted. */
export const dialOf = (address: ReachedBuilder, ways: DialOptions, signal: AbortSignal): Dial => {
  const { clock, env, tls } = ways
  switch (address._tag) {
    case 'Tcp':
      return dialTcp(clock, address, env, tls)
    case 'Unix':
      return dialUnix(clock, address.path)
    case 'KubePod':
      return pipe(
        dialPodInTime(ways, address, signal),
        TE.map(neverEnding),
        TE.flatMap((bytes) => (tls === undefined ? TE.right(bytes) : securePipe(bytes, tls, clock))),
      )
    case 'Docker':
      return async () => {
        const { dialDocker } = await import('../docker/grpc.ts')
        return dialDocker({ clock, host: address.host, env }, signal)()
      }
  }
}

const tlsHelp = 'set DEVTOOL_BUILDKIT_TLS_DIR to a folder with its ca.pem, and cert.pem and key.pem if it requires them'

const nameHelp = 'set DEVTOOL_BUILDKIT_TLS_SERVER_NAME to the name in its certificate'

const notThere = (address: ReachedBuilder): string | undefined => {
  switch (address._tag) {
    case 'Tcp':
      return 'check that BuildKit is running and listens there; the address comes from BUILDKIT_HOST or the builder of the context'
    case 'Unix':
      return 'check that buildkitd is running; the address comes from BUILDKIT_HOST or the builder of the context'
    case 'KubePod':
      return `check that the pod is running, and that BuildKit listens on its port ${address.port}`
    case 'Docker':
      return undefined
  }
}

const helpForDocker = (cause: string): string | undefined => {
  const instead = 'set BUILDKIT_HOST to use another builder'
  if (cause.includes('is not running')) return `start it, or ${instead}`
  return cause.startsWith('permission denied') ? instead : undefined
}

/** `undefined` when the reason already contains the advice. */
export const helpFor = (address: ReachedBuilder, cause: string): string | undefined => {
  if (address._tag === 'Docker') return helpForDocker(cause)
  if (cause.includes('is for a different name')) return nameHelp
  if (/certificate|TLS/.test(cause)) return tlsHelp
  if (address._tag === 'Unix' && cause === 'permission denied') {
    return 'join the group that owns the socket, or run BuildKit rootless as yourself'
  }
  if (address._tag === 'Tcp' && cause.includes('name cannot be resolved')) return `check the name ${address.host}`
  return notThere(address)
}
