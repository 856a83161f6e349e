/** Ports, both ways: connections that the client asks for, and listeners whose connections go to the client. */
import { connect, createServer, type Server, type Socket } from 'node:net'
import type { Connection } from 'ssh2'
import { splice } from '../adapters/ssh/channel.ts'

/** RFC 4254, 7.1: an empty address and `*` are all addresses. */
const addressOf = (given: string): string | undefined => (given === '' || given === '*' ? undefined : given)

/** `connection`: the socket below `client`. */
export const serveForwards = (client: Connection, connection: Socket): void => {
  client.on('tcpip', (accept, reject, { destIP, destPort }) => {
    const socket = connect({ host: destIP, port: destPort, allowHalfOpen: true, noDelay: true })
    const refuse = (): void => reject()
    socket.once('error', refuse)
    socket.once('connect', () => {
      socket.removeListener('error', refuse)
      splice(socket, accept(), connection)
    })
  })

  client.on('openssh.streamlocal', (accept, reject, { socketPath }) => {
    const socket = connect({ path: socketPath, allowHalfOpen: true })
    const refuse = (): void => reject()
    socket.once('error', refuse)
    socket.once('connect', () => {
      socket.removeListener('error', refuse)
      splice(socket, accept(), connection)
    })
  })

  const listeners = new Map<string, Server>()
  client.on('request', (accept, reject, name, info) => {
    if (!('bindPort' in info)) return reject?.()
    const key = `${info.bindAddr}:${info.bindPort}`
    if (name === 'cancel-tcpip-forward') {
      listeners.get(key)?.close()
      listeners.delete(key)
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
    server.once('error', () => reject?.())
    server.listen({ port: info.bindPort, host: addressOf(info.bindAddr) }, () => {
      listeners.set(`${info.bindAddr}:${boundPort()}`, server)
      accept?.(boundPort())
    })
  })
  client.on('close', () => {
    for (const server of listeners.values()) server.close()
  })
}
