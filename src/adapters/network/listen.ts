/** Accepts TCP connections on this machine, and connects them to their targets. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ListenFailure } from '../../domain/network/answer.ts'
import { eitherFamily } from '../../domain/network/families.ts'
import { defined } from '../../domain/object/defined.ts'
import type { ConnectionTarget, Listener, Network } from '../../ports/network.ts'
import { causeText } from '../http/causes.ts'
import { portOwner } from './port-owner.ts'

const host = '127.0.0.1'
/** How long a connection may be silent after one side has ended: the other side may never learn of it. */
const quietMs = 60_000
/** A caller that has ended its side without sending anything waits only this long for a connection. */
const mutedMs = 2000

/** A connection that breaks on one side is reset on the other. */
const splice = (socket: Socket, bytes: Duplex): void => {
  const stop = (): void => {
    bytes.destroy()
    socket.resetAndDestroy()
  }
  socket.on('error', stop).on('timeout', stop)
  bytes.on('error', stop)
  socket.on('close', () => bytes.destroy())
  bytes.on('close', () => {
    if (!bytes.readableEnded) stop()
  })
  socket.setTimeout(socket.readableEnded ? quietMs : 0)
  for (const side of [socket, bytes]) side.once('end', () => socket.setTimeout(quietMs))
  // Closed with unread data, the socket would be reset, and the last bytes of the pod could be lost.
  bytes.once('end', () => socket.unpipe(bytes).resume())
  socket.pipe(bytes)
  bytes.pipe(socket)
}

const serve = async (socket: Socket, target: ConnectionTarget): Promise<void> => {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  const hush = (): void => void socket.setTimeout(mutedMs)
  socket.on('error', leave).on('close', leave).on('timeout', leave).on('end', hush)
  const bytes = await target(gone.signal)
  socket.off('timeout', leave).off('end', hush)
  if (bytes === undefined || gone.signal.aborted) {
    bytes?.destroy()
    socket.resetAndDestroy()
  } else splice(socket, bytes)
}

const reasons: Readonly<Record<string, ListenFailure['because']>> = { EADDRINUSE: 'Taken', EACCES: 'Forbidden' }

const failureOf = (cause: NodeJS.ErrnoException): ListenFailure => ({
  because: reasons[cause.code ?? ''] ?? 'Broken',
  text: causeText(cause),
})

const listenerOn = (server: Server, sockets: ReadonlySet<Socket>): Listener => {
  const address = server.address()
  return {
    port: typeof address === 'object' && address !== null ? address.port : 0,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        for (const socket of sockets) socket.resetAndDestroy()
      }),
  }
}

/**
 * The socket is not paused while its connection is being made: the buffer is bounded, and a caller that leaves is
 * noticed.
 */
const listenAt =
  (
    address: { readonly host: string; readonly port: number },
    take: (socket: Socket) => void,
    onRefusal: (cause: string) => void,
  ): TE.TaskEither<ListenFailure, Listener> =>
  () =>
    new Promise((resolve) => {
      const sockets = new Set<Socket>()
      const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
        sockets.add(socket)
        socket.on('close', () => sockets.delete(socket))
        take(socket)
      })
      server.on('error', (cause) => {
        resolve(E.left({ ...failureOf(cause), ...defined({ by: portOwner(cause, address.port) }) }))
        if (server.listening) onRefusal(causeText(cause))
      })
      server.listen(address, () => resolve(E.right(listenerOn(server, sockets))))
    })

export const listen: Network['listen'] = (port, target, onRefusal) =>
  listenAt({ host, port }, (socket) => void serve(socket, target), onRefusal)

export const accept: Network['accept'] = (address, take, onRefusal) =>
  listenAt(
    address,
    (socket) => {
      socket.on('error', () => {})
      take({ bytes: socket, refuse: () => void socket.resetAndDestroy() })
    },
    onRefusal,
  )

export const dial: Network['dial'] = (to, port) => () =>
  new Promise((resolve) => {
    const socket = connect({ ...eitherFamily, host: to, port, allowHalfOpen: true, noDelay: true })
    socket.on('error', (cause) => resolve(E.left(causeText(cause))))
    socket.once('connect', () => resolve(E.right(socket)))
  })
