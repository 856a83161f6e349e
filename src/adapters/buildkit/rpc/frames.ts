/** gRPC messages in a byte stream: each is preceded by a compression flag and its length. */
import * as E from 'fp-ts/lib/Either.js'
import type { CallStatus } from './call.ts'

export const prefixBytes = 5
const limitBytes = 64 * 1024 * 1024
const internal = 13
const exhausted = 8

export const writePrefix = (target: Buffer, at: number, messageBytes: number): void => {
  target[at] = 0
  target.writeUInt32BE(messageBytes, at + 1)
}

export const frameOf = (message: Uint8Array): Buffer => {
  const frame = Buffer.allocUnsafe(prefixBytes + message.length)
  writePrefix(frame, 0, message.length)
  frame.set(message, prefixBytes)
  return frame
}

/** A peer may announce any length, so memory is allocated only as the bytes arrive. */
const firstBytes = 1024 * 1024

const grown = (buffer: Buffer, filled: number, length: number): Buffer => {
  const larger = Buffer.allocUnsafeSlow(length)
  buffer.copy(larger, 0, 0, filled)
  return larger
}

/** The messages completed by this chunk: slices of it where possible, so that most are never copied. */
export type FrameReader = {
  readonly read: (chunk: Buffer) => E.Either<CallStatus, ReadonlyArray<Uint8Array>>
  /** Whether a message is incomplete. */
  readonly isWithin: () => boolean
}

const refusal = (prefix: Buffer, at: number): CallStatus | undefined => {
  if (prefix[at] !== 0) return { code: internal, message: 'a compressed message came, which was not agreed on' }
  const length = prefix.readUInt32BE(at + 1)
  return length > limitBytes
    ? { code: exhausted, message: `a message of ${length} bytes came; the limit is ${limitBytes}` }
    : undefined
}

export const frameReader = (): FrameReader => {
  const prefix = Buffer.alloc(prefixBytes)
  let inPrefix = 0
  /** The incomplete message, of which `filled` bytes have arrived. */
  let open: Buffer | undefined
  let filled = 0
  let openBytes = 0

  const read = (chunk: Buffer): E.Either<CallStatus, ReadonlyArray<Uint8Array>> => {
    const messages: Array<Uint8Array> = []
    let at = 0
    while (at < chunk.length) {
      if (open !== undefined) {
        const taken = Math.min(chunk.length - at, openBytes - filled)
        if (filled + taken > open.length) open = grown(open, filled, Math.min(openBytes, (filled + taken) * 2))
        chunk.copy(open, filled, at, at + taken)
        at += taken
        filled += taken
        if (filled < openBytes) break
        messages.push(open)
        open = undefined
        continue
      }
      const isWhole = inPrefix === 0 && chunk.length - at >= prefixBytes
      if (!isWhole) {
        const taken = chunk.copy(prefix, inPrefix, at)
        at += taken
        inPrefix += taken
        if (inPrefix < prefixBytes) break
        inPrefix = 0
      }
      const source = isWhole ? chunk : prefix
      const offset = isWhole ? at : 0
      const refused = refusal(source, offset)
      if (refused !== undefined) return E.left(refused)
      const length = source.readUInt32BE(offset + 1)
      if (isWhole) at += prefixBytes
      if (chunk.length - at >= length) {
        messages.push(chunk.subarray(at, at + length))
        at += length
      } else {
        open = Buffer.allocUnsafeSlow(Math.min(length, firstBytes))
        openBytes = length
        filled = 0
      }
    }
    return E.right(messages)
  }
  return { read, isWithin: () => open !== undefined || inPrefix > 0 }
}
