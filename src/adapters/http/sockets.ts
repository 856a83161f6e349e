/** Sockets that are connected, and secured by TLS, within bounded time. */
import { connect as connectNet, isIP, type Socket } from 'node:net'
import { type ConnectionOptions, connect as connectTls } from 'node:tls'
import type { Clock } from '../../ports/clock.ts'

/** `host` without brackets. */
export type Address = { readonly host: string; readonly port: number }

/** `signal` ends the connecting, and not what comes after it. */
export type Limits = {
  readonly clock: Pick<Clock, 'after'>
  readonly limitMs?: number
  readonly signal?: AbortSignal | undefined
}

const usualMs = 10_000
/** As the network library of Go does: a machine that is gone is noticed in the end. */
const probeMs = 15_000

/** An error of a connection with a code, as those of Node have one. */
export const connectionError = (code: string, message: string): Error => Object.assign(new Error(message), { code })

/** Destroys the socket and rejects with the first of: its error, its end, the limit, the signal. `missing`: for the limit. */
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
    // It stays until somebody else listens: an error before that must not be a crash.
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

/** TLS on a connection that is there; `host` is what its certificate must be for. Both end together. */
export const secure = (
  socket: Socket,
  { host, ...options }: ConnectionOptions & { readonly host: string },
  limits: Limits,
): Promise<Socket> => {
  // An address is no name that can be asked for, yet a certificate can be for one.
  const servername = options.servername ?? (isIP(host) === 0 ? host : '')
  const secured = connectTls({ ...options, host, servername, socket })
  return within(secured, limits, 'answer to the TLS handshake', happened(secured, 'secureConnect'))
}

/** To a host, or a socket of this machine. Rejects with an error that has a code. */
export const connect = async (to: Address | { readonly path: string }, limits: Limits): Promise<Socket> => {
  const socket = connectNet(to)
  await within(socket, limits, 'connection', happened(socket, 'connect'))
  return socket.setNoDelay(true).setKeepAlive(true, probeMs)
}
