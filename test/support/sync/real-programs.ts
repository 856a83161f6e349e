/** Programs of the stress test, and the connections between them. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { createInterface } from 'node:readline'

export type Program = {
  readonly child: ChildProcess
  readonly tell: (line: string) => void
  readonly lines: AsyncIterator<string>
  readonly gone: Promise<unknown>
}

export const start = (program: string, words: ReadonlyArray<string>): Program => {
  const child = spawn(process.execPath, [program, ...words], { stdio: ['pipe', 'pipe', 'inherit'] })
  const { stdin, stdout } = child
  stdin.on('error', () => {})
  return {
    child,
    tell: (line) => void stdin.write(`${line}\n`),
    lines: createInterface({ input: stdout })[Symbol.asyncIterator](),
    gone: once(child, 'exit'),
  }
}

export const stop = async ({ child, gone }: Program): Promise<void> => {
  child.kill('SIGKILL')
  await gone
}

/** The connection between the two programs. `cutAfter`: after that many more bytes, all connections break. */
export type Wire = { readonly server: Server; readonly sockets: Set<Socket>; cutAfter: number }

export const cut = (wire: Wire): void => {
  wire.cutAfter = Number.POSITIVE_INFINITY
  for (const socket of wire.sockets) socket.destroy()
}

const pump = (wire: Wire, from: Socket, to: Socket): void => {
  from.on('data', (bytes: Buffer) => {
    const isCut = bytes.length > wire.cutAfter
    to.write(isCut ? bytes.subarray(0, wire.cutAfter) : bytes)
    wire.cutAfter -= bytes.length
    if (isCut) setImmediate(() => cut(wire))
  })
  from
    .on('error', () => {})
    .on('close', () => {
      wire.sockets.delete(from)
      to.destroy()
    })
}

export const newWire = async (at: string, farAt: string): Promise<Wire> => {
  const server = createServer((near) => {
    const far = connect(farAt)
    wire.sockets.add(near).add(far)
    pump(wire, near, far)
    pump(wire, far, near)
  })
  const wire: Wire = { server, sockets: new Set(), cutAfter: Number.POSITIVE_INFINITY }
  server.listen(at)
  await once(server, 'listening')
  return wire
}
