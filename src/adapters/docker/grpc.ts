/** The BuildKit inside the Docker daemon: its API upgrades a connection to gRPC. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Answer, askDocker, refusalIn, within } from './api.ts'
import type { Daemon } from './link.ts'

const longestMs = 20_000
const instead = 'set BUILDKIT_HOST to use another builder'

/** The first API version with BuildKit, that of Docker 18.09. */
const firstMinor = 39

const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? '')

/** Why the daemon has no BuildKit; `undefined` when it has. */
const lackOf = (ping: IncomingMessage): string | undefined => {
  if (headerOf(ping, 'libpod-api-version') !== '') return `it is Podman, which has no BuildKit; ${instead}`
  const version = headerOf(ping, 'api-version')
  const [, major, minor] = /^(\d+)\.(\d+)$/.exec(version) ?? []
  if (major === undefined) return `what answers at that address is not Docker; ${instead}`
  if (headerOf(ping, 'ostype') === 'windows')
    return `it runs Windows containers, for which it has no BuildKit; ${instead}`
  if (Number(major) > 1 || Number(minor) >= firstMinor) return undefined
  return `it has no BuildKit: its API is ${version}, and BuildKit came with 1.${firstMinor} (Docker 18.09); ${instead}`
}

const readPing =
  (answer: Answer): TE.TaskEither<string, void> =>
  async () => {
    if (answer._tag === 'Upgraded') {
      answer.socket.destroy()
      return E.left('what answers at that address is not Docker')
    }
    const { response } = answer
    if (response.statusCode !== 200) {
      const said = await refusalIn(response)
      const isPlain = /HTTP request to an HTTPS server/i.test(said)
      return E.left(isPlain ? 'it requires TLS; set DOCKER_TLS_VERIFY=1' : `it answers ${response.statusCode}: ${said}`)
    }
    const lack = lackOf(response)
    response.destroy()
    return lack === undefined ? E.right(undefined) : E.left(lack)
  }

const readUpgrade =
  (answer: Answer): TE.TaskEither<string, Duplex> =>
  async () => {
    if (answer._tag === 'Upgraded') return E.right(answer.socket)
    const { response } = answer
    const said = await refusalIn(response)
    return E.left(`it does not upgrade the connection for BuildKit (${response.statusCode}): ${said}`)
  }

const connect = (daemon: Daemon, signal: AbortSignal): TE.TaskEither<string, Duplex> => {
  const headers = { connection: 'Upgrade', upgrade: 'h2c' }
  return pipe(
    askDocker(daemon, { method: 'GET', path: '/_ping' }, signal),
    TE.flatMap(readPing),
    TE.flatMap(() => askDocker(daemon, { method: 'POST', path: '/grpc', headers }, signal)),
    TE.flatMap(readUpgrade),
  )
}

/** A connection that speaks HTTP/2 as BuildKit does. Left: why there is none, known within `limitMs`. */
export const dialDocker =
  (daemon: Daemon, signal?: AbortSignal, limitMs: number = longestMs): TE.TaskEither<string, Duplex> =>
  async () => {
    const { isLate, value } = await within(daemon.clock, limitMs, signal, (inner) => connect(daemon, inner)())
    return pipe(
      value,
      E.mapLeft((why) => (isLate ? `it does not answer within ${limitMs / 1000} s` : why)),
    )
  }
