/** Connections to a builder's address: TCP with or without TLS, and Unix sockets. */
import { isIP, type Socket } from 'node:net'
import { checkServerIdentity, type PeerCertificate } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
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

type Dialled = Promise<E.Either<string, Socket>>

const explained = async (dialled: Promise<Socket>): Dialled => {
  try {
    return E.right(await dialled)
  } catch (cause) {
    return E.left(causeText(cause))
  }
}

/** Data before the end of the handshake that is not TLS has no error code of its own. */
const explainTls = (cause: unknown): string =>
  codeOf(cause) === 'ECONNRESET'
    ? 'it closed the connection during the TLS handshake; it may not use TLS'
    : causeText(cause)

const secured = async (clock: Clock, socket: Socket, host: string, { serverName, ...pem }: Tls): Dialled => {
  const name = serverName ?? host
  const options = {
    ...pem,
    host: name,
    ALPNProtocols: ['h2'],
    // SNI does not allow IP addresses, but a certificate may be valid for one.
    servername: isIP(name) === 0 ? name : '',
    checkServerIdentity: (_host: string, certificate: PeerCertificate) => checkServerIdentity(name, certificate),
  }
  try {
    return E.right(await secure(socket, options, { clock }))
  } catch (cause) {
    return E.left(explainTls(cause))
  }
}

/** As other gRPC clients do: through the proxy of HTTPS_PROXY, with or without TLS. */
const dialHost = async (clock: Clock, { host, port }: Address, env: Env): Dialled => {
  const proxy = proxyOf(new URL(`https://${host.includes(':') ? `[${host}]` : host}`), env)
  return E.isLeft(proxy) ? proxy : explained(dial({ host, port }, { env, proxy: proxy.right }, { clock }))
}

/** `host` without brackets. Left: the reason, to follow "cannot be reached:". */
export const dialTcp = async (clock: Clock, address: Address, env: Env, tls?: Tls): Dialled => {
  const socket = await dialHost(clock, address, env)
  return E.isLeft(socket) || tls === undefined ? socket : secured(clock, socket.right, address.host, tls)
}

export const dialUnix = (clock: Clock, path: string): Dialled => explained(connect({ path }, { clock }))
