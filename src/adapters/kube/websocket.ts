/** Frames of a WebSocket (RFC 6455) between this machine and the API server. */
import { randomBytes } from 'node:crypto'

export const opcodes = { binary: 2, closing: 8, ping: 9, pong: 10 } as const

export type Frame = { readonly opcode: number; readonly payload: Uint8Array; readonly length: number }

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

/** A client has to mask what it sends, with a key that nobody can foresee. */
export const frameOf = (opcode: number, parts: ReadonlyArray<Uint8Array>): Buffer => {
  const size = parts.reduce((sum, { length }) => sum + length, 0)
  const lead = size < 126 ? 2 : size < 65_536 ? 4 : 10
  const frame = Buffer.allocUnsafe(lead + 4 + size)
  frame.writeUInt8(0x80 | opcode, 0)
  frame.writeUInt8(0x80 | (lead === 2 ? size : lead === 4 ? 126 : 127), 1)
  if (lead === 4) frame.writeUInt16BE(size, 2)
  if (lead === 10) frame.writeBigUInt64BE(BigInt(size), 2)
  const key = randomBytes(4)
  frame.set(key, lead)
  let at = lead + 4
  let turn = 0
  for (const part of parts) {
    for (const byte of part) {
      frame[at] = byte ^ (key[turn & 3] ?? 0)
      at += 1
      turn += 1
    }
  }
  return frame
}
