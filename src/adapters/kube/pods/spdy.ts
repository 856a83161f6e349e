/**
 * The part of SPDY/3.1 that a port-forward needs: opening streams, sending data and reading it. Headers from the server
 * are skipped, so nothing has to be decompressed.
 */
import { headed, partsOf } from './channels.ts'

const types = { synStream: 1, synReply: 2, reset: 3, ping: 6, goAway: 7 } as const
const isLastOfStream = 1
const headBytes = 8

const control = (type: number, flags: number, body: Buffer): Buffer => {
  const head = Buffer.alloc(headBytes)
  head.writeUInt16BE(0x80_03, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt32BE(body.length, 4)
  head.writeUInt8(flags, 4)
  return Buffer.concat([head, body])
}

const sized = (text: string): Buffer => {
  const bytes = Buffer.from(text)
  const size = Buffer.alloc(4)
  size.writeUInt32BE(bytes.length)
  return Buffer.concat([size, bytes])
}

/** The start of a zlib stream that uses the dictionary of SPDY/3; only the checksum of the dictionary is needed. */
const zlibHead = Buffer.from([0x78, 0xbb, 0xe3, 0xc6, 0xa7, 0xc2])

/** An uncompressed block of a zlib stream. */
const stored = (bytes: Buffer): Buffer => {
  const head = Buffer.alloc(5)
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(0xff_ff - bytes.length, 3)
  return Buffer.concat([head, bytes])
}

/** The headers of all streams form one compressed stream. */
export const openStream = (
  id: number,
  headers: Readonly<Record<string, string>>,
  { isFirst, isClosed }: { readonly isFirst: boolean; readonly isClosed: boolean },
): Buffer => {
  const entries = Object.entries(headers)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(entries.length)
  const block = Buffer.concat([count, ...entries.flatMap((entry) => entry.map(sized))])
  const ids = Buffer.alloc(10)
  ids.writeUInt32BE(id)
  // An empty block flushes a zlib stream: the peer can read everything before it.
  const body = [ids, ...(isFirst ? [zlibHead] : []), stored(block), stored(Buffer.alloc(0))]
  return control(types.synStream, isClosed ? isLastOfStream : 0, Buffer.concat(body))
}

export const dataFrames = (id: number, bytes: Uint8Array): ReadonlyArray<Buffer> =>
  partsOf(bytes).map((part) => {
    const head = Buffer.alloc(headBytes)
    head.writeUInt32BE(id, 0)
    head.writeUInt32BE(part.length, 4)
    return headed(head, part)
  })

/** The status that cancels a stream. */
const cancel = 5

export const resetStream = (id: number): Buffer => {
  const body = Buffer.alloc(8)
  body.writeUInt32BE(id, 0)
  body.writeUInt32BE(cancel, 4)
  return control(types.reset, 0, body)
}

export type SpdyEvent =
  | { readonly _tag: 'Data'; readonly id: number; readonly bytes: Buffer }
  | { readonly _tag: 'Accepted'; readonly id: number }
  | { readonly _tag: 'End'; readonly id: number }
  | { readonly _tag: 'Reset'; readonly id: number }
  /** Streams after `last` are not served; those up to it continue. */
  | { readonly _tag: 'GoAway'; readonly last: number }
  /** To be sent back unchanged. */
  | { readonly _tag: 'Ping'; readonly frame: Buffer }

/** A port-forward server sends no longer control frames. */
const longestControl = 64 * 1024

const endsStream = (head: Buffer): boolean => (head.readUInt8(4) & isLastOfStream) !== 0

const eventOf = (head: Buffer, body: Buffer): SpdyEvent | undefined => {
  switch (head.readUInt16BE(2)) {
    case types.reset:
      return { _tag: 'Reset', id: body.readUInt32BE(0) }
    case types.ping:
      return { _tag: 'Ping', frame: Buffer.concat([head, body]) }
    case types.goAway:
      return { _tag: 'GoAway', last: body.readUInt32BE(0) }
    case types.synReply:
      return { _tag: endsStream(head) ? 'End' : 'Accepted', id: body.readUInt32BE(0) }
    default:
      return endsStream(head) && body.length >= 4 ? { _tag: 'End', id: body.readUInt32BE(0) } : undefined
  }
}

/** Parses frames from bytes, however they are split. Data is passed on as it arrives. Throws on invalid SPDY. */
export const spdyReader = (): ((bytes: Buffer) => ReadonlyArray<SpdyEvent>) => {
  let held = Buffer.alloc(0)
  let dataLeft = 0
  let dataId = 0
  let isLast = false

  const takeData = (bytes: Buffer, events: Array<SpdyEvent>): Buffer => {
    const data = bytes.subarray(0, dataLeft)
    dataLeft -= data.length
    if (data.length > 0) events.push({ _tag: 'Data', id: dataId, bytes: data })
    if (dataLeft === 0 && isLast) {
      events.push({ _tag: 'End', id: dataId })
      isLast = false
    }
    return bytes.subarray(data.length)
  }

  return (bytes) => {
    const events: Array<SpdyEvent> = []
    let rest = held.length === 0 ? bytes : Buffer.concat([held, bytes])
    for (;;) {
      if (dataLeft > 0) rest = takeData(rest, events)
      if (dataLeft > 0 || rest.length < headBytes) break
      const head = rest.subarray(0, headBytes)
      const length = head.readUIntBE(5, 3)
      if (head.readUInt8(0) < 0x80) {
        dataId = head.readUInt32BE(0)
        dataLeft = length
        isLast = endsStream(head)
        rest = takeData(rest.subarray(headBytes), events)
        continue
      }
      if (length > longestControl) throw new Error('the server sent a frame that is too long')
      if (rest.length < headBytes + length) break
      const event = eventOf(head, rest.subarray(headBytes, headBytes + length))
      if (event !== undefined) events.push(event)
      rest = rest.subarray(headBytes + length)
    }
    held = Buffer.from(rest)
    return events
  }
}
