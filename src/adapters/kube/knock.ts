/**
 * Whether a port of a pod accepts, asked through a port-forward over a WebSocket (RFC 6455): channel 0 is the data,
 * channel 1 says why there is none. Only read: nothing is ever sent.
 */
import { randomBytes } from 'node:crypto'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pathOf } from '../../domain/cluster/resources.ts'
import type { Cluster, PortState } from '../../ports/cluster.ts'
import { readBody, refusalOf } from './answer.ts'
import { askedFor } from './paths.ts'
import { failureOf } from './request.ts'
import type { Upstream } from './transport.ts'

/** A port that refuses says so at once; one that says nothing for so long has accepted. */
const quietMs = 1000
const closing = 8
const errorChannel = 1
/** Each channel begins with the number of the port. */
const portBytes = 2

type Frame = { readonly opcode: number; readonly payload: Uint8Array; readonly length: number }

/** The first whole frame, not masked as a server sends it; `undefined` while there is none. */
export const frameIn = (bytes: Buffer): Frame | undefined => {
  if (bytes.length < 2) return undefined
  const short = bytes.readUInt8(1) & 0x7f
  const start = short === 126 ? 4 : short === 127 ? 10 : 2
  if (bytes.length < start) return undefined
  const size = short === 126 ? bytes.readUInt16BE(2) : short === 127 ? Number(bytes.readBigUInt64BE(2)) : short
  if (bytes.length < start + size) return undefined
  return { opcode: bytes.readUInt8(0) & 0x0f, payload: bytes.subarray(start, start + size), length: start + size }
}

const says = ({ opcode, payload }: Frame): PortState | undefined => {
  if (opcode === closing) return 'Refused'
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
    const asked = askedFor('forward ports of', key)
    const opened = await upstream.upgrade({
      method: 'GET',
      path: `${pathOf(key)}/portforward?ports=${port}`,
      headers: {
        connection: 'Upgrade',
        upgrade: 'websocket',
        'sec-websocket-version': '13',
        'sec-websocket-key': randomBytes(16).toString('base64'),
        'sec-websocket-protocol': 'v4.channel.k8s.io',
      },
      signal,
      isStream: true,
    })
    if (E.isLeft(opened)) return E.left(failureOf(upstream.server, asked, opened.left, false))
    if (opened.right._tag === 'Answered') {
      const text = await readBody(opened.right.response)
      return E.left(refusalOf(asked, opened.right.response.statusCode ?? 0, E.isLeft(text) ? '' : text.right))
    }
    const state = await listen(opened.right.socket, opened.right.head, signal)
    return state === undefined ? E.left({ _tag: 'Aborted', asked }) : E.right(state)
  }
