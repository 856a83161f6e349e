/** Connections to the Docker daemon: a socket of this machine, TCP with or without TLS, or ssh. */
import { readFileSync } from 'node:fs'
import { connect as connectNet, isIP, type Socket } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, connect as connectTls, createSecureContext } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import type { DockerHost } from '../../../domain/build/address.ts'
import { dockerFolder } from './host.ts'
import type { Daemon, Link } from './link.ts'
import { startSsh } from './ssh.ts'

type Tcp = Extract<DockerHost, { readonly _tag: 'Tcp' }>

const causes: ReadonlyMap<string, string> = new Map([
  ['ECONNRESET', 'the connection was reset'],
  ['EPIPE', 'the connection was reset'],
  ['ETIMEDOUT', 'the connection timed out'],
  ['EHOSTUNREACH', 'no route to the host'],
  ['ENETUNREACH', 'no route to the network'],
  ['ENOTFOUND', 'its name cannot be resolved'],
  ['EAI_AGAIN', 'its name cannot be resolved now'],
])

const codeOf = (cause: Error): string => ('code' in cause && typeof cause.code === 'string' ? cause.code : '')

const withoutDaemon = (host: DockerHost): string =>
  host._tag === 'Unix'
    ? 'the Docker daemon is not running; start it, or set BUILDKIT_HOST'
    : 'connection refused; is the Docker daemon running there?'

const tlsText = (code: string, message: string): string | undefined => {
  if (code.startsWith('ERR_TLS_CERT_ALTNAME')) return 'its certificate is for a different name'
  if (/alert (?:number (?:42|116)|bad certificate|certificate required)/i.test(message)) {
    return 'it requires a client certificate: cert.pem and key.pem in DOCKER_CERT_PATH'
  }
  if (/wrong version number|packet length too long/i.test(message)) {
    return 'it does not use TLS, but DOCKER_TLS_VERIFY is set'
  }
  if (/CERT|SIGNATURE|SELF_SIGNED/.test(code)) {
    return `its certificate is not trusted (${message}); ca.pem in DOCKER_CERT_PATH holds the trusted authority`
  }
  return undefined
}

/** What an error of the connection says, with what to do about it. */
export const causeOf = (host: DockerHost, cause: Error): string => {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  if (!(first instanceof Error)) return cause.message
  const code = codeOf(first)
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return withoutDaemon(host)
  if (code === 'EACCES' || code === 'EPERM') {
    return 'permission denied on its socket; add yourself to the group docker and log in again, or set BUILDKIT_HOST'
  }
  if (code.startsWith('HPE_')) return 'what answers at that address is not Docker'
  return causes.get(code) ?? tlsText(code, first.message) ?? first.message
}

const fileOf = (file: string): Buffer | undefined => {
  try {
    return readFileSync(file)
  } catch (cause) {
    if (cause instanceof Error && codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

const tlsOf = (
  { certificates, host, isUnverified, port }: Tcp,
  env: Daemon['env'],
): E.Either<string, ConnectionOptions> => {
  const variable = env['DOCKER_CERT_PATH']
  const folder = certificates ?? (variable === undefined || variable === '' ? dockerFolder(env) : variable)
  try {
    const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => fileOf(join(folder, name)))
    if ((cert === undefined) !== (key === undefined)) {
      return E.left(`${folder} holds only one of cert.pem and key.pem`)
    }
    return E.right({
      host,
      port,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      secureContext: createSecureContext({ ca, cert, key }),
      rejectUnauthorized: isUnverified !== true,
      ALPNProtocols: ['http/1.1'],
    })
  } catch (cause) {
    return E.left(`its certificates cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const open = (host: DockerHost, start: () => Socket, ready: string, signal: AbortSignal) =>
  new Promise<E.Either<string, Link>>((resolve) => {
    const socket = start()
    const end = (answer: E.Either<string, Link>): void => {
      socket.off('error', failed)
      signal.removeEventListener('abort', stop)
      resolve(answer)
    }
    const failed = (cause: Error): void => end(E.left(causeOf(host, cause)))
    const stop = (): void => {
      socket.once('error', () => {})
      end(E.left('given up'))
      socket.destroy()
    }
    signal.addEventListener('abort', stop, { once: true })
    socket.once('error', failed)
    socket.once(ready, () => {
      // Until somebody listens: an error before that must not be a crash.
      socket.on('error', () => {})
      end(E.right({ socket, problem: () => Promise.resolve(undefined) }))
    })
  })

/** Left: why not. Whoever calls bounds the time by the signal; the connection outlives it. */
export const connectDocker = async ({ env, host }: Daemon, signal: AbortSignal): Promise<E.Either<string, Link>> => {
  if (signal.aborted) return E.left('given up')
  switch (host._tag) {
    case 'Unix':
      return open(host, () => connectNet({ path: host.path }), 'connect', signal)
    case 'Tcp': {
      if (!host.isTls) return open(host, () => connectNet({ host: host.host, port: host.port }), 'connect', signal)
      const options = tlsOf(host, env)
      if (E.isLeft(options)) return options
      return open(host, () => connectTls(options.right), 'secureConnect', signal)
    }
    case 'Ssh':
      return startSsh(host.url, env)
  }
}
