/**
 * Just enough of the API's protobuf encoding to find out what was created: an envelope `k8s\0` with a
 * `runtime.Unknown`, whose raw bytes hold `ObjectMeta` as field 1 in every kind (k8s.io/apimachinery,
 * `generated.proto`).
 */
import type { CreatedObject } from './made.ts'

/** Field number and content: bytes for length-delimited fields, a number for a varint. */
type Field = readonly [number: number, content: Uint8Array | number]

/** The value and where it ends. Beyond 32 bits only the end is correct, which is enough here. */
const readVarint = (bytes: Uint8Array, from: number): readonly [value: number, end: number] | undefined => {
  let value = 0
  for (let at = from; at < Math.min(bytes.length, from + 10); at += 1) {
    const byte = bytes[at] ?? 0
    value += (byte & 0x7f) * 2 ** (7 * (at - from))
    if (byte < 0x80) return [value, at + 1]
  }
  return undefined
}

const fixedLengths: ReadonlyMap<number, number> = new Map([
  [1, 8],
  [5, 4],
])

/** `undefined` for bytes that are not a message. */
const readFields = (bytes: Uint8Array): ReadonlyArray<Field> | undefined => {
  const fields: Array<Field> = []
  let at = 0
  while (at < bytes.length) {
    const tag = readVarint(bytes, at)
    if (tag === undefined) return undefined
    const [number, wire] = [Math.floor(tag[0] / 8), tag[0] % 8]
    const varint = wire === 0 || wire === 2 ? readVarint(bytes, tag[1]) : undefined
    const length = wire === 2 ? varint?.[0] : wire === 0 ? 0 : fixedLengths.get(wire)
    if (length === undefined || (wire === 0 && varint === undefined)) return undefined
    const start = varint?.[1] ?? tag[1]
    if (start + length > bytes.length) return undefined
    fields.push([number, wire === 0 ? (varint?.[0] ?? 0) : bytes.subarray(start, start + length)])
    at = start + length
  }
  return fields
}

const messagesIn = (bytes: Uint8Array | undefined, number: number): ReadonlyArray<Uint8Array> =>
  (bytes === undefined ? [] : (readFields(bytes) ?? [])).flatMap(([n, content]) =>
    n === number && typeof content !== 'number' ? [content] : [],
  )

const textIn = (bytes: Uint8Array | undefined, number: number): string | undefined => {
  const content = messagesIn(bytes, number).at(-1)
  return content === undefined ? undefined : new TextDecoder().decode(content)
}

const hasTrue = (bytes: Uint8Array, number: number): boolean =>
  readFields(bytes)?.some(([n, content]) => n === number && content === 1) === true

const MAGIC = [0x6b, 0x38, 0x73, 0x00]

/** `undefined` for anything but an object in this encoding. */
export const readProtobufMade = (bytes: Uint8Array): CreatedObject | undefined => {
  if (!MAGIC.every((byte, i) => bytes[i] === byte)) return undefined
  const unknown = bytes.subarray(MAGIC.length)
  const kind = textIn(messagesIn(unknown, 1).at(-1), 2)
  const metadata = messagesIn(messagesIn(unknown, 2).at(-1), 1).at(-1)
  const [name, uid] = [textIn(metadata, 1), textIn(metadata, 5)]
  if (kind === undefined || name === undefined || uid === undefined) return undefined
  return { kind, name, uid, isControlled: messagesIn(metadata, 13).some((owner) => hasTrue(owner, 6)) }
}
