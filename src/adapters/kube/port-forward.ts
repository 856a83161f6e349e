/**
 * Port-forwards of the API server over a WebSocket: channel 0 is the data, channel 1 says why there is none. Each message
 * begins with the number of its channel, the first one of each channel goes on with the number of the port.
 */
import { randomBytes } from 'node:crypto'
import { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { type ObjectKey, pathOf } from '../../domain/cluster/resources.ts'
import { readBody, refusalOf } from './api/answer.ts'
import { askedFor } from './api/paths.ts'
import { failureOf } from './api/request.ts'
import type { Upgrade, Upstream } from './api/transport.ts'
import { frameIn, frameOf, opcodes } from './websocket.ts'

export const errorChannel = 1
export const portBytes = 2

type Opened = Extract<Upgrade, { readonly _tag: 'Upgraded' }>

export const openForward = async (
  upstream: Upstream,
  key: ObjectKey,
  port: number,
  signal: AbortSignal,
): Promise<E.Either<Failure, Opened>> => {
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
  if (opened.right._tag === 'Upgraded') return E.right(opened.right)
  const text = await readBody(opened.right.response)
  return E.left(refusalOf(asked, opened.right.response.statusCode ?? 0, E.isLeft(text) ? '' : text.right))
}

/** A larger message would have to be kept whole on the other side. */
const largestMessage = 64 * 1024

/** The bytes of the port. What the server says of it on the error channel destroys the stream with that text. */
export const streamOf = ({ head, socket }: Opened): Duplex => {
  let rest = Buffer.alloc(0)
  const begun = new Set<number>()
  let isOver = false
  const finish = (): void => {
    if (!isOver) pipe.push(null)
    isOver = true
  }
  const pipe = new Duplex({
    allowHalfOpen: false,
    read: () => void socket.resume(),
    write: (chunk: Buffer, _encoding, done) => {
      const frames: Array<Buffer> = []
      for (let at = 0; at < chunk.length; at += largestMessage) {
        frames.push(frameOf(opcodes.binary, [Uint8Array.of(0), chunk.subarray(at, at + largestMessage)]))
      }
      socket.write(Buffer.concat(frames), (cause) => done(cause ?? null))
    },
    // Ports cannot be closed in one direction only.
    final: (done) => done(),
    destroy: (cause, done) => {
      socket.destroy()
      done(cause)
    },
  })
  const take = (channel: number, payload: Buffer): void => {
    const data = begun.has(channel) ? payload : payload.subarray(portBytes)
    begun.add(channel)
    if (data.length === 0) return
    if (isOver) return
    if (channel === errorChannel) pipe.destroy(new Error(data.toString('utf8').trim()))
    else if (!pipe.push(data)) socket.pause()
  }
  const read = (bytes: Uint8Array): void => {
    rest = rest.length === 0 ? Buffer.from(bytes) : Buffer.concat([rest, bytes])
    for (let frame = frameIn(rest); frame !== undefined; frame = frameIn(rest)) {
      rest = rest.subarray(frame.length)
      const payload = Buffer.from(frame.payload)
      if (frame.opcode === opcodes.closing) finish()
      else if (frame.opcode === opcodes.ping) socket.write(frameOf(opcodes.pong, [payload]))
      else if (payload.length > 0) take(payload.readUInt8(0), payload.subarray(1))
    }
  }
  socket.on('data', read)
  socket.on('end', finish)
  socket.on('error', (cause: Error) => pipe.destroy(cause))
  socket.on('close', finish)
  read(head)
  return pipe
}
