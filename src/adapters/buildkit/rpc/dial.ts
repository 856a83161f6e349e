/** Connections to a builder's address: TCP with or without TLS, and Unix sockets. */
import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../../ports/clock.ts'
import { causeText, codeOf } from '../../http/causes.ts'
import { dial } from '../../http/dial.ts'
import { type Env, proxyOf } from '../../http/proxy.ts'
import { type Address, connect, secure } from '../../http/sockets.ts'

/** PEM. `serverName`: the name in the builder's certificate, if not its host. */
export type Tls = {
  readonly ca: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly serverName?: string
}

type Dialled = TE.TaskEither<string, Socket>

const explained = (dialled: () => Promise<Socket>): Dialled => TE.tryCatch(dialled, causeText)

/** Data before the end of the handshake that is not TLS has no error code of its own. */
const explainTls = (cause: unknown): string =>
  codeOf(cause) === 'ECONNRESET'
    ? 'it closed the connection during the TLS handshake; it may not use TLS'
    : causeText(cause)

const secured = (clock: Clock, socket: Socket, host: string, { serverName, ...pem }: Tls): Dialled => {
  const name = serverName ?? host
  const options = {
    ...pem,
    host: name,
    ALPNProtocols: ['h2'],
    // SNI does not allow IP addresses, but a certificate may be valid for one.
    servername: isIP(name) === 0 ? name : '',
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
  }
  return TE.tryCatch(() => secure(socket, options, { clock }), explainTls)
}

/** As other gRPC clients do: through the proxy of HTTPS_PROXY, with or without TLS. */
const dialHost = (clock: Clock, { host, port }: Address, env: Env): Dialled => {
  const proxy = proxyOf(new URL(`https://${host.includes(':') ? `[${host}]` : host}`), env)
  return pipe(
    TE.fromEither(proxy),
    TE.flatMap((through) => explained(() => dial({ host, port }, { env, proxy: through }, { clock }))),
  )
}

/** `host` without brackets. Left: the reason, to follow "cannot be reached:". */
export const dialTcp = (clock: Clock, address: Address, env: Env, tls?: Tls): Dialled =>
  pipe(
    dialHost(clock, address, env),
    TE.flatMap((socket) => (tls === undefined ? TE.right(socket) : secured(clock, socket, address.host, tls))),
  )

export const dialUnix = (clock: Clock, path: string): Dialled => explained(() => connect({ path }, { clock }))
