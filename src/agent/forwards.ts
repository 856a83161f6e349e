/** Ports in both directions: connections that the client requests, and listeners whose connections go to the client. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import type { Connection, ServerChannel } from 'ssh2'
import { splice } from '../adapters/ssh/channel.ts'
import { eitherFamily, ownFamily } from '../domain/network/families.ts'
import { loopback } from '../domain/network/loopback.ts'

/** RFC 4254, 7.1: an empty address and `*` are all addresses. */
const addressOf = (given: string): string | undefined => (given === '' || given === '*' ? undefined : given)

/**
 * Tries one address after the other. The resolver reads files in a thread of its own, which takes longer than the
 * connection.
 */
const local = { ...ownFamily, lookup: loopback }

/** `connection`: the socket below `client`. Pending connections are given up when the client leaves. */
export const serveForwards = (client: Connection, connection: Duplex): void => {
  const open = (socket: Socket, accept: () => ServerChannel, reject: () => void): void => {
    const giveUp = (): void => void socket.destroy()
    const refuse = (): void => {
      client.removeListener('close', giveUp)
      reject()
    }
    client.once('close', giveUp)
    socket.once('error', refuse)
    socket.once('connect', () => {
      socket.removeListener('error', refuse)
      client.removeListener('close', giveUp)
      splice(socket, accept(), connection)
    })
  }
  client.setMaxListeners(0)
  client.on('tcpip', (accept, reject, { destIP, destPort }) =>
    open(
      connect({
        host: destIP,
        port: destPort,
        allowHalfOpen: true,
        noDelay: true,
        ...(destIP === 'localhost' ? local : eitherFamily),
      }),
      accept,
      reject,
    ),
  )
  client.on('openssh.streamlocal', (accept, reject, { socketPath }) =>
    open(connect({ path: socketPath, allowHalfOpen: true }), accept, reject),
  )

  const listeners = new Map<string, Server>()
  let isClosed = false
  client.on('request', (accept, reject, name, info) => {
    if (!('bindPort' in info)) return reject?.()
    const keyOf = (port: number): string => `${info.bindAddr}:${port}`
    if (name === 'cancel-tcpip-forward') {
      listeners.get(keyOf(info.bindPort))?.close()
      listeners.delete(keyOf(info.bindPort))
      return accept?.()
    }
    if (name !== 'tcpip-forward') return reject?.()
    const server = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
      const { remoteAddress = '', remotePort = 0 } = socket
      client.forwardOut(info.bindAddr, boundPort(), remoteAddress, remotePort, (failure, channel) => {
        if (failure === undefined) splice(socket, channel, connection)
        else socket.destroy()
      })
    })
    const boundPort = (): number => {
      const address = server.address()
      return typeof address === 'object' && address !== null ? address.port : info.bindPort
    }
    let isListening = false
    server.on('error', () => {
      if (!isListening) reject?.()
    })
    server.listen({ port: info.bindPort, host: addressOf(info.bindAddr) }, () => {
      isListening = true
      if (isClosed) return void server.close()
      listeners.set(keyOf(boundPort()), server)
      accept?.(boundPort())
    })
  })
  client.on('close', () => {
    isClosed = true
    for (const server of listeners.values()) server.close()
  })
}
