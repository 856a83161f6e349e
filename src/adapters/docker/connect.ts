/** Connections to the Docker daemon: a Unix socket, TCP with or without TLS, or ssh. */

import type { Socket } from 'node:net'
import { join } from 'node:path'
import { type ConnectionOptions, createSecureContext } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
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

const linkOf = (host: DockerHost, open: () => Promise<Socket>): TE.TaskEither<string, DockerLink> =>
  pipe(
    TE.tryCatch(open, (cause) => causeOf(host, cause)),
    TE.map((socket) => ({ socket, problem: () => Promise.resolve(undefined) })),
  )

/** Through the proxy that the docker command uses: as for HTTP, with or without TLS. */
const openTcp = (tcp: Tcp, { clock, env }: Daemon, signal: AbortSignal): TE.TaskEither<string, DockerLink> => {
  const { host, isTls, port } = tcp
  const scheme = isTls ? 'https' : 'http'
  const address = new URL(`${scheme}://${host.includes(':') ? `[${host}]` : host}:${port}`)
  const limits = { clock, signal }
  return pipe(
    TE.Do,
    TE.bind('proxy', () => TE.fromEither(proxyOf(address, env))),
    TE.bind('tls', () => TE.fromEither(isTls ? tlsOf(tcp, env) : E.right(undefined))),
    TE.flatMap(({ proxy, tls }) =>
      linkOf(tcp, async () => {
        const socket = await dial({ host, port }, { env, proxy }, limits)
        return tls === undefined ? socket : secure(socket, { ...tls, host }, limits)
      }),
    ),
  )
}

/** Left: the reason why there is none. The connection outlives the signal. */
export const connectDocker = (daemon: Daemon, signal: AbortSignal): TE.TaskEither<string, DockerLink> => {
  const { clock, env, host } = daemon
  if (signal.aborted) return TE.left('interrupted')
  switch (host._tag) {
    case 'Unix':
      return linkOf(host, () => connect({ path: host.path }, { clock, signal }))
    case 'Tcp':
      return openTcp(host, daemon, signal)
    case 'Ssh':
      return startSsh(host.url, env, clock)
  }
}
