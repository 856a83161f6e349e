/** Messages of the file transfer. There is one per entry and per piece of a file, so reflection would be too slow. */
import { BinaryReader, BinaryWriter, WireType } from '@bufbuild/protobuf/wire'
import { bytesOfName, isRaw } from '../../paths/name.ts'
import type { FileEntry } from './entry.ts'

/** A message of the builder: a request for the file with this number, done, or an error. Other: nothing to do. */
export type FileRequest =
  | { readonly _tag: 'Request'; readonly id: number }
  | { readonly _tag: 'Done' }
  | { readonly _tag: 'Failed'; readonly message: string }
  | { readonly _tag: 'Other' }

const REQUEST = 1
const DATA = 2
const DONE = 3
const FAILED = 4

const tag = (field: number, type: WireType): number => (field << 3) | type
const typeTag = tag(1, WireType.Varint)
const statTag = tag(2, WireType.LengthDelimited)
const idTag = tag(3, WireType.Varint)
const dataTag = tag(4, WireType.LengthDelimited)

/** Reused: each message is complete before the next one begins. */
const writer = new BinaryWriter()

const number = (field: number, value: number): void => {
  if (value === 0) return
  writer.uint32(tag(field, WireType.Varint))
  if (value <= 0xffffffff) writer.uint32(value)
  else writer.int64(BigInt(value))
}

const text = (field: number, value: string): void => {
  if (value === '') return
  writer.uint32(tag(field, WireType.LengthDelimited))
  if (isRaw(value)) writer.bytes(bytesOfName(value))
  else writer.string(value)
}

/** Different times stay different, since a builder takes a file of another time for another file. */
const timeFrom = (earliestNs: bigint, ns: bigint): bigint => {
  if (ns >= earliestNs) return ns
  return earliestNs + (ns < 0n ? -ns : ns)
}

/** `earliestNs`: earlier times are moved behind it. */
export const statPacket = (entry: FileEntry, earliestNs?: bigint): Uint8Array => {
  const mtimeNs = earliestNs === undefined ? entry.mtimeNs : timeFrom(earliestNs, entry.mtimeNs)
  writer.uint32(statTag).fork()
  text(1, entry.path)
  number(2, entry.mode)
  number(5, entry.size)
  if (mtimeNs !== 0n) writer.uint32(tag(6, WireType.Varint)).int64(mtimeNs)
  text(7, entry.link)
  number(8, entry.major)
  number(9, entry.minor)
  return writer.join().finish()
}

/** An empty entry marks the end of the list. */
export const lastStatPacket: Uint8Array = new Uint8Array()

export const donePacket = (): Uint8Array => writer.uint32(typeTag).uint32(DONE).finish()

export const failedPacket = (message: string): Uint8Array =>
  writer.uint32(typeTag).uint32(FAILED).uint32(dataTag).string(message).finish()

/** An empty one marks the end of the file. */
export const endOfFilePacket = (id: number): Uint8Array => dataPacket(id, 0).frame

/** A message with room for this many bytes of a file. */
export const dataPacket = (id: number, length: number): { readonly frame: Uint8Array; readonly room: Uint8Array } => {
  writer.uint32(typeTag).uint32(DATA)
  if (id !== 0) writer.uint32(idTag).uint32(id)
  if (length > 0) writer.uint32(dataTag).uint32(length)
  const head = writer.finish()
  const frame = Buffer.allocUnsafeSlow(head.length + length)
  frame.set(head)
  return { frame, room: frame.subarray(head.length) }
}

/** The same message with fewer bytes in it. */
export const shorterPacket = (id: number, frame: Uint8Array, length: number, room: number): Uint8Array => {
  if (length === room) return frame
  const shorter = dataPacket(id, length)
  shorter.room.set(frame.subarray(frame.length - room, frame.length - room + length))
  return shorter.frame
}

/** Throws on an invalid message. */
export const readPacket = (message: Uint8Array): FileRequest => {
  const reader = new BinaryReader(message)
  let type = 0
  let id = 0
  let data: Uint8Array = lastStatPacket
  while (reader.pos < reader.len) {
    const [field, wire] = reader.tag()
    if (field === 1 && wire === WireType.Varint) type = reader.int32()
    else if (field === 3 && wire === WireType.Varint) id = reader.uint32()
    else if (field === 4 && wire === WireType.LengthDelimited) data = reader.bytes()
    else reader.skip(wire, field)
  }
  if (type === REQUEST) return { _tag: 'Request', id }
  if (type === DONE) return { _tag: 'Done' }
  return type === FAILED ? { _tag: 'Failed', message: new TextDecoder().decode(data) } : { _tag: 'Other' }
}
