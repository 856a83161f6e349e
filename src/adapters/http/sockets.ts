/** Connects sockets, and secures them with TLS, within a bounded time. */
import { connect as connectNet, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import { eitherFamily } from '../../domain/network/families.ts'
import type { Clock } from '../../ports/clock.ts'

/** `host` without brackets. */
export type Address = { readonly host: string; readonly port: number }

/** `signal` ends connecting, but not the connection. */
export type Limits = {
  readonly clock: Pick<Clock, 'after'>
  readonly limitMs?: number
  readonly signal?: AbortSignal | undefined
}

const usualMs = 10_000
/** As in Go's net package: a vanished peer is noticed eventually. */
const probeMs = 15_000

/** A connection error with a code, like Node's own. */
export const connectionError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/**
 * Destroys the socket and rejects on the first of: its error, its end, the limit, the signal. `missing`: the error for
 * the limit.
 */
export const within = (
  socket: Socket,
  { clock, limitMs = usualMs, signal }: Limits,
  missing: string,
  ready: Promise<unknown>,
): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const leave = (): void => {
      cancel()
      signal?.removeEventListener('abort', abort)
      socket.off('close', closed)
    }
    const fail = (cause: unknown): void => {
      leave()
      socket.destroy()
      reject(cause)
    }
    const abort = (): void => fail(connectionError('ABORT_ERR', 'interrupted'))
    const closed = (): void => fail(connectionError('ECONNRESET', 'the connection was closed'))
    const cancel = clock.after(limitMs, () =>
      fail(connectionError('ERR_LATE', `no ${missing} within ${limitMs / 1000} s`)),
    )
    // Stays until there is another listener: an error before that must not crash the process.
    socket.on('error', fail)
    socket.once('close', closed)
    signal?.addEventListener('abort', abort, { once: true })
    if (signal?.aborted === true) abort()
    const settle = async (): Promise<void> => {
      try {
        await ready
        leave()
        resolve(socket)
      } catch (cause) {
        fail(cause)
      }
    }
    void settle()
  })

const happened = (socket: Socket, event: 'connect' | 'secureConnect'): Promise<void> =>
  new Promise((resolve) => {
    socket.once(event, () => resolve())
  })

/** TLS on an existing connection; the certificate has to be valid for `host`. Both end together. */
export const secure = (
  socket: Socket,
  { host, ...options }: ConnectionOptions & { readonly host: string },
  limits: Limits,
): Promise<Socket> => {
  // SNI does not allow IP addresses, but a certificate may be valid for one.
  const servername = options.servername ?? (isIP(host) === 0 ? host : '')
  const secured = connectTls({ ...options, host, servername, socket })
  return within(secured, limits, 'answer to the TLS handshake', happened(secured, 'secureConnect'))
}

/** Connects to a host or a local socket. Rejects with an error that has a code. */
export const connect = async (to: Address | { readonly path: string }, limits: Limits): Promise<Socket> => {
  const socket = connectNet({ ...eitherFamily, ...to })
  await within(socket, limits, 'connection', happened(socket, 'connect'))
  return socket.setNoDelay(true).setKeepAlive(true, probeMs)
}
