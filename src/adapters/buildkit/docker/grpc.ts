/** The BuildKit inside of the Docker daemon: its API hands the connection over to gRPC. */
import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { DockerHost } from '../../../domain/build/address.ts'
import { askDocker, refusalIn, within } from './api.ts'
import type { Daemon } from './link.ts'

const longestMs = 20_000
const instead = 'set BUILDKIT_HOST to use another builder'

/** The first API with BuildKit in it, that of Docker 18.09. */
const firstMinor = 39

const headerOf = ({ headers }: IncomingMessage, name: string): string => String(headers[name] ?? '')

/** Why there is no BuildKit there; `undefined`: there is. */
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

const ping = async (daemon: Daemon, signal: AbortSignal): Promise<E.Either<string, void>> => {
  const answer = await askDocker(daemon, { method: 'GET', path: '/_ping' }, signal)
  if (E.isLeft(answer)) return answer
  if (answer.right._tag === 'Upgraded') {
    answer.right.socket.destroy()
    return E.left('what answers at that address is not Docker')
  }
  const { response } = answer.right
  if (response.statusCode !== 200) {
    const said = await refusalIn(response)
    const isPlain = /HTTP request to an HTTPS server/i.test(said)
    return E.left(isPlain ? 'it requires TLS; set DOCKER_TLS_VERIFY=1' : `it answers ${response.statusCode}: ${said}`)
  }
  const lack = lackOf(response)
  response.destroy()
  return lack === undefined ? E.right(undefined) : E.left(lack)
}

const upgrade = async (daemon: Daemon, signal: AbortSignal): Promise<E.Either<string, Duplex>> => {
  const headers = { connection: 'Upgrade', upgrade: 'h2c' }
  const answer = await askDocker(daemon, { method: 'POST', path: '/grpc', headers }, signal)
  if (E.isLeft(answer)) return answer
  if (answer.right._tag === 'Upgraded') return E.right(answer.right.socket)
  const { response } = answer.right
  return E.left(
    `it does not upgrade the connection for BuildKit (${response.statusCode}): ${await refusalIn(response)}`,
  )
}

/** A connection that speaks HTTP/2 as BuildKit does. Left: why there is none, known within `limitMs`. */
export const dialDocker = async (
  host: DockerHost,
  env: Daemon['env'],
  signal?: AbortSignal,
  limitMs: number = longestMs,
): Promise<E.Either<string, Duplex>> => {
  const daemon = { host, env }
  const { isLate, value } = await within(limitMs, signal, async (inner) => {
    const pinged = await ping(daemon, inner)
    return E.isLeft(pinged) ? pinged : upgrade(daemon, inner)
  })
  return E.isLeft(value) && isLate ? E.left(`it does not answer within ${limitMs / 1000} s`) : value
}
