/** A gRPC connection to a builder on any byte stream. */
import { type ClientHttp2Session, connect } from 'node:http2'
import type { Duplex } from 'node:stream'
import { TLSSocket } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { Keepalive } from '../../../domain/build/keepalive.ts'
import type { Clock } from '../../../ports/clock.ts'
import { streamOn, unaryOn } from './calls.ts'
import { watchHealth } from './health.ts'
import { type Http2Link, openLink } from './link.ts'
import type { Rpc, RpcFailure } from './rpc.ts'
import { tunnelOn } from './tunnel.ts'

/** Opens the stream, within a bounded time. */
export type Dial = TE.TaskEither<string, Duplex>

/**
 * `authority`: the name under which the builder is addressed. `health`: when a health check is sent, and how long its
 * response may take. `signal` ends connecting, but not the connection.
 */
export type ConnectOptions = {
  readonly keepalive: Keepalive
  readonly health?: Keepalive
  readonly authority: string
  readonly handshakeMs?: number
  readonly clock: Clock
  readonly signal: AbortSignal
}

const handshakeLimitMs = 20_000
const aborted: RpcFailure = { _tag: 'Aborted' }

/**
 * A larger block of trailers would be dropped silently (Node's HTTP/2 accepts 64 KiB); daemons that know the limit
 * reset the stream instead. Windows keep HTTP/2's defaults: little is received, and other sizes have stalled over TLS.
 */
const settings = { enablePush: false, maxHeaderListSize: 65_535 }

const openSession = (socket: Duplex): ClientHttp2Session =>
  connect(socket instanceof TLSSocket ? 'https://localhost' : 'http://localhost', {
    createConnection: () => socket,
    settings,
    maxSessionMemory: 1000,
    maxHeaderListPairs: 1 << 16,
  })

const hasCertificate = (socket: TLSSocket): boolean => {
  const own = socket.getCertificate()
  return own !== null && Object.keys(own).length > 0
}

/**
 * What a lost connection may mean before the first response: TLS 1.3 reports a missing certificate only after the
 * handshake.
 */
const explainStart = (socket: Duplex, cause: string): string => {
  if (!(socket instanceof TLSSocket))
    return cause.startsWith('what it answers') || cause.includes('closed') || cause.includes('reset')
      ? `${cause}; it may only accept TLS`
      : cause
  if (cause.includes('certificate')) return cause
  return hasCertificate(socket)
    ? `${cause}; it may not accept the client certificate`
    : `${cause}; it may require a client certificate`
}

/** Resolves when the peer's settings have arrived. */
const awaitSettings = (
  link: Http2Link,
  socket: Duplex,
  { clock, handshakeMs = handshakeLimitMs }: Pick<ConnectOptions, 'clock' | 'handshakeMs'>,
  signal: AbortSignal,
): Promise<RpcFailure | undefined> =>
  new Promise((resolve) => {
    let isOver = false
    const finish = (failure: RpcFailure | undefined): void => {
      if (isOver) return
      isOver = true
      letGo()
      signal.removeEventListener('abort', abort)
      link.session.off('remoteSettings', settle)
      if (failure !== undefined) link.fail(failure)
      resolve(failure)
    }
    const settle = (): void => finish(undefined)
    const abort = (): void => finish(aborted)
    const letGo = clock.after(handshakeMs, () => finish({ _tag: 'Silent', afterMs: handshakeMs, isAtStart: true }))
    signal.addEventListener('abort', abort, { once: true })
    link.session.on('remoteSettings', settle)
    void link.closed.then((failure) =>
      finish(
        failure?._tag === 'Broken'
          ? { _tag: 'Broken', cause: explainStart(socket, failure.cause) }
          : (failure ?? aborted),
      ),
    )
  })

/** A connection made after the signal is destroyed. */
const dialUnlessAborted =
  (dial: Dial, signal: AbortSignal): TE.TaskEither<RpcFailure, Duplex> =>
  async () => {
    if (signal.aborted) return E.left(aborted)
    let abort = (): void => {}
    const given = new Promise<'Aborted'>((resolve) => {
      abort = () => resolve('Aborted')
      signal.addEventListener('abort', abort, { once: true })
    })
    const dialled = dial()
    const first = await Promise.race([dialled, given])
    signal.removeEventListener('abort', abort)
    if (first === 'Aborted') {
      void dialled.then((late) => (E.isRight(late) ? late.right.destroy() : undefined))
      return E.left(aborted)
    }
    return E.mapLeft((cause: string): RpcFailure => ({ _tag: 'Broken', cause }))(first)
  }

/**
 * Fails with Broken when there is no connection, Silent when the builder sends nothing within `handshakeMs` (20 s), and
 * Aborted.
 */
export const connectRpc =
  (dial: Dial, options: ConnectOptions): TE.TaskEither<RpcFailure, Rpc> =>
  async () => {
    const { authority, clock, health, keepalive, signal } = options
    const dialled = await dialUnlessAborted(dial, signal)()
    if (E.isLeft(dialled)) return dialled
    const socket = dialled.right
    const link = openLink(openSession(socket), socket, authority, keepalive, clock)
    const failure = await awaitSettings(link, socket, options, signal)
    if (failure !== undefined) return E.left(failure)
    watchHealth(link, health)
    return E.right({
      unary: unaryOn(link),
      stream: streamOn(link),
      tunnel: tunnelOn(link),
      closed: link.closed,
      close: link.close,
    })
  }
