/** A connection to a builder: its HTTP/2 session, why it ended, and keeping the process alive during calls. */
import { type ClientHttp2Session, constants } from 'node:http2'
import { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Keepalive } from '../../../domain/build/keepalive.ts'
import type { Clock } from '../../../ports/clock.ts'
import { causeText, codeOf } from '../../http/causes.ts'
import { keepAlive, type Watched } from './keepalive.ts'
import type { RpcFailure } from './rpc.ts'
import { nameOfCode } from './status.ts'

export type Http2Link = {
  readonly session: ClientHttp2Session
  readonly clock: Clock
  readonly authority: string
  readonly closed: Promise<RpcFailure | undefined>
  /** Why it ended or is about to end; `undefined` while it is healthy. */
  readonly failure: () => RpcFailure | undefined
  /**
   * Registers a pending call, until the returned function is called. `cancel` is called when the connection is closed
   * on this side.
   */
  readonly enter: (cancel: () => void) => () => void
  readonly fail: (failure: RpcFailure) => void
  /** For signs of life other than pings. */
  readonly watched: Omit<Watched, 'ping'>
  readonly close: () => void
}

/** Time for the last bytes to be sent; a frozen builder never closes its side. */
const closeMs = 50
const longMs = 2 ** 31 - 1

/** Nothing may listen for data before `createConnection` of HTTP/2 has the socket. */
const countReceived = (socket: Duplex): (() => number) => {
  if (socket instanceof Socket) return () => socket.bytesRead
  let bytes = 0
  socket.on('data', (chunk: Uint8Array) => {
    bytes += chunk.length
  })
  return () => bytes
}

const showEnd = (code: number, lastWords: string): string =>
  `the builder ended the connection: ${nameOfCode(code)}${lastWords === '' ? '' : ` (${lastWords})`}`

const maxLastWords = 200

/** Bytes from an unknown peer must not reach the terminal as they are. */
const readLastWords = (bytes: Uint8Array | undefined): string =>
  Buffer.from(bytes ?? [])
    .subarray(0, maxLastWords)
    .toString('latin1')
    .replace(/[^\x20-\x7e]/g, '?')

/** A failing session destroys its socket with the same error. */
const breakText = (cause: Error): string =>
  codeOf(cause) === 'ERR_HTTP2_ERROR' ? `its response is not valid HTTP/2 (${cause.message})` : causeText(cause)

/** The reason for a connection that ended without one. */
const listen = (session: ClientHttp2Session, socket: Duplex, end: (cause: string) => void): void => {
  let silentEnd = 'the builder closed the connection'
  session.on('goaway', (code, _last, data: Uint8Array | undefined) => {
    // Running calls may still end normally.
    if (code === constants.NGHTTP2_NO_ERROR) silentEnd = 'the builder shut down'
    else end(showEnd(code, readLastWords(data)))
  })
  session.on('error', (cause) => end(breakText(cause)))
  session.on('frameError', () => {})
  socket.on('error', (cause) => end(breakText(cause)))
  socket.on('close', () => end(silentEnd))
  session.on('close', () => end(silentEnd))
}

export const openLink = (
  session: ClientHttp2Session,
  socket: Duplex,
  authority: string,
  keepalive: Keepalive,
  clock: Clock,
): Http2Link => {
  const pending = new Set<() => void>()
  let letGo: (() => void) | undefined
  let isClosed = false
  let failed: RpcFailure | undefined
  let settle = (_failure: RpcFailure | undefined): void => {}
  const closed = new Promise<RpcFailure | undefined>((resolve) => {
    settle = resolve
  })

  const end = (failure: RpcFailure | undefined): boolean => {
    if (isClosed) return false
    isClosed = true
    failed = failure
    stop()
    settle(failure)
    return true
  }
  const fail = (failure: RpcFailure): void => {
    if (end(failure)) session.destroy()
    socket.destroy()
  }
  listen(session, socket, (cause) => {
    end({ _tag: 'Broken', cause })
  })
  const watched = {
    receivedBytes: countReceived(socket),
    isBusy: () => pending.size > 0,
    fallSilent: (afterMs: number) => fail({ _tag: 'Silent', afterMs, isAtStart: false }),
  }
  const ping = (): void => {
    if (!session.destroyed) session.ping(() => {})
  }
  const stop = keepAlive(keepalive, { ...watched, ping }, clock)

  const enter = (cancel: () => void): (() => void) => {
    pending.add(cancel)
    // A pending call keeps the process alive even if its socket vanished without an event.
    letGo ??= clock.after(longMs, () => {})
    return () => {
      pending.delete(cancel)
      if (pending.size > 0) return
      letGo?.()
      letGo = undefined
    }
  }
  const close = (): void => {
    if (!end(undefined)) return
    for (const cancel of [...pending]) cancel()
    session.close()
    socket.on(
      'close',
      clock.after(closeMs, () => socket.destroy()),
    )
  }
  return {
    session,
    clock,
    authority,
    closed,
    failure: () => (isClosed ? (failed ?? { _tag: 'Aborted' }) : undefined),
    enter,
    fail,
    watched,
    close,
  }
}
