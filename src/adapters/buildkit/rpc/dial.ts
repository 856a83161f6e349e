/** Connections to where a builder listens: TCP with or without TLS, and Unix sockets. */
import { connect, isIP, type Socket } from 'node:net'
import { checkServerIdentity, connect as connectTls, type TLSSocket } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import { causeText, codeOf } from '../../http/causes.ts'

/** PEM. `serverName`: what the certificate of the builder must be for, if not its host. */
export type Tls = {
  readonly ca: string | Buffer
  readonly cert?: string | Buffer
  readonly key?: string | Buffer
  readonly serverName?: string
}

type Dialled = Promise<E.Either<string, Socket>>

const dialMs = 10_000
/** As the network library of Go does: a machine that is gone is noticed in the end even without a keepalive of gRPC. */
const probeMs = 15_000

/** Ends with `event`, an error, or after the limit. */
const settled = (open: () => Socket, event: 'connect' | 'secureConnect', explain: (cause: Error) => string): Dialled =>
  new Promise((resolve) => {
    let socket: Socket
    try {
      socket = open()
    } catch (cause) {
      return resolve(E.left(causeText(cause)))
    }
    const fail = (text: string): void => {
      clearTimeout(timer)
      socket.destroy()
      resolve(E.left(text))
    }
    const onError = (cause: Error): void => fail(explain(cause))
    let missing = 'connection'
    const timer = setTimeout(() => fail(`no ${missing} within ${dialMs / 1000} s`), dialMs)
    socket.once('connect', () => {
      missing = 'answer to the TLS handshake'
    })
    // It stays until the connection has a listener of its own; one that fails after this has ended says nothing new.
    socket.on('error', onError)
    socket.once(event, () => {
      clearTimeout(timer)
      resolve(E.right(socket))
    })
  })

/** Without a code of its own: what came before the end of the handshake is not TLS. */
const explainTls = (cause: Error): string => {
  return codeOf(cause) === 'ECONNRESET'
    ? 'it closed the connection during the TLS handshake; it may not use TLS'
    : causeText(cause)
}

const openTls = (host: string, port: number, { serverName, ...pem }: Tls): TLSSocket => {
  const name = serverName ?? host
  return connectTls({
    ...pem,
    host,
    port,
    ALPNProtocols: ['h2'],
    // An address is no name that can be asked for, yet a certificate can be for one.
    ...(isIP(name) === 0 ? { servername: name } : {}),
    checkServerIdentity: (_host, certificate) => checkServerIdentity(name, certificate),
  })
}

/** `host` without brackets. Left: what is wrong, in words that follow "cannot be reached:". */
export const dialTcp = async (host: string, port: number, tls?: Tls): Dialled => {
  const dialled =
    tls === undefined
      ? await settled(() => connect({ host, port }), 'connect', causeText)
      : await settled(() => openTls(host, port, tls), 'secureConnect', explainTls)
  if (E.isRight(dialled)) dialled.right.setNoDelay(true).setKeepAlive(true, probeMs)
  return dialled
}

export const dialUnix = (path: string): Dialled => settled(() => connect({ path }), 'connect', causeText)
