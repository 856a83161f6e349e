/** Connections to the Docker daemon: a Unix socket, TCP with or without TLS, or ssh. */

import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import type { DockerHost } from '../../domain/build/address.ts'
import { codeOf, causeOf as connectionCauseOf } from '../http/causes.ts'
import { dial } from '../http/dial.ts'
import { proxyOf } from '../http/proxy.ts'
import { connect, secure } from '../http/sockets.ts'
import { ownAuthorities } from '../http/trust.ts'
import { readRegular } from '../paths/regular.ts'
import { dockerFolder } from './host.ts'
import type { Daemon, DockerLink } from './link.ts'
import { startSsh } from './ssh.ts'

type Tcp = Extract<DockerHost, { readonly _tag: 'Tcp' }>

const withoutDaemon = (host: DockerHost): string =>
  host._tag === 'Unix' ? 'the Docker daemon is not running' : 'connection refused; is the Docker daemon running there?'

const wantsCertificate: ReadonlySet<string> = new Set(
  ['SSLV3_ALERT_BAD_CERTIFICATE', 'SSL/TLS_ALERT_BAD_CERTIFICATE', 'TLSV13_ALERT_CERTIFICATE_REQUIRED'].map(
    (name) => `ERR_SSL_${name}`,
  ),
)

/** The reason for a connection error, with advice. */
export const causeOf = (host: DockerHost, cause: unknown): string => {
  const first: unknown = cause instanceof AggregateError ? cause.errors[0] : cause
  const code = codeOf(first)
  if (code === 'ENOENT' || code === 'ECONNREFUSED' || code === 'ENOTDIR') return withoutDaemon(host)
  if (code === 'EACCES' || code === 'EPERM') {
    return 'permission denied on its socket; add yourself to the group docker and log in again'
  }
  if (code.startsWith('HPE_')) return 'what answers at that address is not Docker'
  if (wantsCertificate.has(code)) return 'it requires a client certificate: cert.pem and key.pem in DOCKER_CERT_PATH'
  const { because, text } = connectionCauseOf(first)
  if (because === 'NotTls') return `${text}, but DOCKER_TLS_VERIFY is set`
  return because === 'Untrusted' ? `${text}; ca.pem in DOCKER_CERT_PATH holds the trusted authority` : text
}

const fileOf = (file: string): Buffer | undefined => {
  try {
    return readRegular(file)
  } catch (cause) {
    if (cause instanceof Error && codeOf(cause) === 'ENOENT') return undefined
    throw cause
  }
}

const tlsOf = ({ certificates, isUnverified }: Tcp, env: Daemon['env']): E.Either<string, ConnectionOptions> => {
  const variable = env['DOCKER_CERT_PATH']
  const folder = certificates ?? (variable === undefined || variable === '' ? dockerFolder(env) : variable)
  try {
    const [ca, cert, key] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => fileOf(join(folder, name)))
    if ((cert === undefined) !== (key === undefined)) {
      return E.left(`${folder} holds only one of cert.pem and key.pem`)
    }
    return E.right({
      secureContext: createSecureContext({ ca: ca ?? ownAuthorities(env), cert, key }),
      rejectUnauthorized: isUnverified !== true,
      ALPNProtocols: ['http/1.1'],
    })
  } catch (cause) {
    return E.left(`its certificates cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const linkOf = async (host: DockerHost, connected: Promise<Socket>): Promise<E.Either<string, DockerLink>> => {
  try {
    return E.right({ socket: await connected, problem: () => Promise.resolve(undefined) })
  } catch (cause) {
    return E.left(causeOf(host, cause))
  }
}

/** Through the proxy that the docker command uses: as for HTTP, with or without TLS. */
const openTcp = async (
  tcp: Tcp,
  { clock, env }: Daemon,
  signal: AbortSignal,
): Promise<E.Either<string, DockerLink>> => {
  const { host, isTls, port } = tcp
  const scheme = isTls ? 'https' : 'http'
  const proxy = proxyOf(new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`), env)
  if (E.isLeft(proxy)) return proxy
  const dialled = (): Promise<Socket> => dial({ host, port }, { env, proxy: proxy.right }, { clock, signal })
  if (!isTls) return linkOf(tcp, dialled())
  const options = tlsOf(tcp, env)
  if (E.isLeft(options)) return options
  return linkOf(
    tcp,
    dialled().then((socket) => secure(socket, { ...options.right, host }, { clock, signal })),
  )
}

/** Left: the reason why there is none. The connection outlives the signal. */
export const connectDocker = async (daemon: Daemon, signal: AbortSignal): Promise<E.Either<string, DockerLink>> => {
  const { clock, env, host } = daemon
  if (signal.aborted) return E.left('interrupted')
  switch (host._tag) {
    case 'Unix':
      return linkOf(host, connect({ path: host.path }, { clock, signal }))
    case 'Tcp':
      return openTcp(host, daemon, signal)
    case 'Ssh':
      return startSsh(host.url, env, clock)
  }
}
