/** Whether a port of a pod accepts, asked through a port-forward. Only read: nothing is ever sent. */
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { Cluster, PortState } from '../../ports/cluster.ts'
import { askedFor } from './api/paths.ts'
import type { Upstream } from './api/transport.ts'
import { errorChannel, openForward, portBytes } from './port-forward.ts'
import { type Frame, frameIn, opcodes } from './websocket.ts'

/** A port that refuses says so at once; one that says nothing for so long has accepted. */
const quietMs = 1000

const says = ({ opcode, payload }: Frame): PortState | undefined => {
  if (opcode === opcodes.closing) return 'Refused'
  const [channel] = payload
  // The application itself spoke.
  if (channel === 0 && payload.length > 1 + portBytes) return 'Open'
  return channel === errorChannel && payload.length > 1 + portBytes ? 'Refused' : undefined
}

const listen = (socket: Duplex, head: Uint8Array, signal: AbortSignal): Promise<PortState | undefined> =>
  new Promise((resolve) => {
    let rest = Buffer.alloc(0)
    const end = (state: PortState | undefined): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
      socket.destroy()
      resolve(state)
    }
    const stop = (): void => end(undefined)
    const timer = setTimeout(() => end('Open'), quietMs)
    const read = (bytes: Uint8Array): void => {
      rest = Buffer.concat([rest, bytes])
      for (let frame = frameIn(rest); frame !== undefined; frame = frameIn(rest)) {
        const state = says(frame)
        if (state !== undefined) end(state)
        rest = rest.subarray(frame.length)
      }
    }
    signal.addEventListener('abort', stop, { once: true })
    socket.on('error', () => end('Refused'))
    socket.on('close', () => end('Refused'))
    socket.on('data', read)
    read(head)
    if (signal.aborted) stop()
  })

export const knocking =
  (upstream: Upstream): Cluster['knock'] =>
  (key, port, signal) =>
  async () => {
    const opened = await openForward(upstream, key, port, signal)
    if (E.isLeft(opened)) return opened
    const state = await listen(opened.right.socket, opened.right.head, signal)
    return state === undefined ? E.left({ _tag: 'Aborted', asked: askedFor('forward ports of', key) }) : E.right(state)
  }
