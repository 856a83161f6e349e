/**
 * Node's HTTP/2 accepts nine header frames per call (nghttp2's protection against floods): some 150 KB, which the
 * patterns of a large .dockerignore exceed. The peer is trusted here, so its frames are joined into one.
 */
import type { Duplex } from 'node:stream'
import { pipeOver } from '../rpc/pipe.ts'

const prefaceBytes = 24
const headBytes = 9
const typeAt = 3
const flagsAt = 4
const headersType = 1
const continuationType = 9
const endHeaders = 0x4
const padded = 0x8

/** Frame lengths have three bytes. */
export const maxFrameBytes = 2 ** 24 - 1

/** Limits the number of empty frames, which do not count against the length. */
const mostFrames = 100_000

type Block = { readonly head: Buffer; readonly parts: Array<Buffer>; bytes: number }

const join = ({ bytes, head, parts }: Block): Buffer => {
  const whole = Buffer.concat([head, ...parts])
  whole.writeUIntBE(bytes, 0, 3)
  whole[flagsAt] = (head[flagsAt] ?? 0) | endHeaders
  return whole
}

const none = Buffer.alloc(0)

/** Incoming data with header frames joined; `undefined` when they are too long for one frame. */
export const wholeHeaders = (): ((chunk: Buffer) => ReadonlyArray<Buffer> | undefined) => {
  let passing = prefaceBytes
  let rest: Buffer = none
  let block: Block | undefined
  let taking = 0
  let isLast = false
  let frames = 0

  /** Whether the frame at `at` belongs to headers that consist of several frames. */
  const begins = (input: Buffer, at: number): boolean => {
    const type = input[at + typeAt]
    const flags = input[at + flagsAt] ?? 0
    const isFirst = type === headersType && (flags & (endHeaders | padded)) === 0
    if (!isFirst && !(type === continuationType && block !== undefined)) return false
    if (isFirst) block = { head: Buffer.from(input.subarray(at, at + headBytes)), parts: [], bytes: 0 }
    frames = isFirst ? 1 : frames + 1
    isLast = (flags & endHeaders) !== 0
    return true
  }

  return (chunk) => {
    const input = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    rest = none
    const out: Array<Buffer> = []
    let from = 0
    let at = 0
    for (;;) {
      const there = input.length - at
      if (passing > 0) {
        const bytes = Math.min(passing, there)
        passing -= bytes
        at += bytes
        if (passing > 0) break
      } else if (block !== undefined && taking > 0) {
        const bytes = Math.min(taking, there)
        block.parts.push(input.subarray(at, at + bytes))
        block.bytes += bytes
        if (block.bytes > maxFrameBytes) return undefined
        taking -= bytes
        at += bytes
        from = at
        if (taking > 0) break
      } else if (block !== undefined && isLast) {
        out.push(join(block))
        block = undefined
        isLast = false
      } else if (there < headBytes) {
        break
      } else {
        const length = input.readUIntBE(at, 3)
        if (!begins(input, at)) {
          passing = headBytes + length
          continue
        }
        if (frames > mostFrames) return undefined
        if (at > from) out.push(input.subarray(from, at))
        taking = length
        at += headBytes
        from = at
      }
    }
    if (at > from) out.push(input.subarray(from, at))
    rest = input.subarray(at)
    return out
  }
}

/** The stream with incoming header frames joined. It is destroyed with the original stream, and when that ends. */
export const withWholeHeaders = (inner: Duplex): Duplex => {
  const read = wholeHeaders()
  return pipeOver(inner, (chunk) => read(chunk) ?? new Error('headers are longer than 16 MiB'))
}
