/** Ports of this machine. */
import { createServer, type Server } from 'node:net'

/** Below the ephemeral ports, or a connection could get one of them before it is used. */
const [lowest, count] = [10_000, 20_000]
/** Tests run in parallel: processes with neighbouring ids begin far from each other. */
let next = (process.pid * 97) % count

export const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const listensAt = (server: Server, port: number, address = '127.0.0.1'): Promise<boolean> =>
  new Promise((resolve) => {
    server.once('error', () => resolve(false))
    server.listen(port, address, () => resolve(true))
  })

/** Listens at an address of this machine, by default for this machine only; returns the port. */
export const listen = async (server: Server, address?: string): Promise<number> => {
  if (!(await listensAt(server, 0, address))) throw new Error('no port is free')
  return portOf(server)
}

/** A port on which nothing listens; never the same twice. */
export const freePort = async (): Promise<number> => {
  for (let left = count; left > 0; left -= 1) {
    const port = lowest + next
    next = (next + 1) % count
    const server = createServer()
    if (!(await listensAt(server, port))) continue
    await new Promise((resolve) => server.close(resolve))
    return port
  }
  throw new Error('no port is free')
}
