/** A connection to a builder through this process, which counts the bytes sent and can pause at a certain byte. */
import { connect, createServer, type Socket } from 'node:net'
import { listen } from '../process/ports.ts'

export type Link = {
  /** `tcp://…` */
  readonly address: string
  /** Bytes from the client to the builder. */
  readonly sent: () => number
  readonly close: () => void
}

/** `meanwhile` runs once, when the client has sent this many bytes; further bytes are held until it is done. */
export type Stop = { readonly atByte: number; readonly meanwhile: () => void | Promise<void> }

/** To a port of this machine. */
export const startLink = async (port: number, stop?: Stop): Promise<Link> => {
  const sockets = new Set<Socket>()
  let [sent, hasStopped] = [0, false]
  const server = createServer((client) => {
    const builder = connect(port, '127.0.0.1')
    const pair = [client, builder]
    for (const socket of pair) {
      sockets.add(socket)
      socket.setNoDelay(true)
      socket.on('error', () => pair.forEach((one) => one.destroy()))
      socket.on('close', () => {
        sockets.delete(socket)
        pair.forEach((one) => one.destroy())
      })
    }
    builder.pipe(client)
    client.pipe(builder)
    client.on('data', (chunk) => {
      sent += chunk.length
      if (stop === undefined || hasStopped || sent < stop.atByte) return
      hasStopped = true
      client.unpipe(builder)
      client.pause()
      Promise.resolve(stop.meanwhile()).then(
        () => client.pipe(builder),
        (cause: unknown) => client.destroy(cause instanceof Error ? cause : new Error(String(cause))),
      )
    })
  })
  const own = await listen(server)
  server.unref()
  return {
    address: `tcp://127.0.0.1:${own}`,
    sent: () => sent,
    close: () => {
      for (const socket of sockets) socket.destroy()
      server.close()
    },
  }
}
