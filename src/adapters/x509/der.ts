/** The parts of DER (X.690) that certificates need. */

const tlv = (tag: number, ...parts: ReadonlyArray<Uint8Array>): Buffer => {
  const content = Buffer.concat(parts)
  const { length } = content
  const header = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...header]), content])
}

export const sequence = (...parts: ReadonlyArray<Uint8Array>): Buffer => tlv(0x30, ...parts)
export const set = (...parts: ReadonlyArray<Uint8Array>): Buffer => tlv(0x31, ...parts)
/** Already encoded. */
export const oid = (...bytes: ReadonlyArray<number>): Buffer => tlv(0x06, Buffer.from(bytes))
/** Big-endian, and positive as long as the first bit is 0. */
export const integer = (...bytes: ReadonlyArray<number>): Buffer => tlv(0x02, Buffer.from(bytes))
export const bits = (bytes: Uint8Array, unused = 0): Buffer => tlv(0x03, Buffer.from([unused]), bytes)
export const octets = (bytes: Uint8Array): Buffer => tlv(0x04, bytes)
export const utf8 = (text: string): Buffer => tlv(0x0c, Buffer.from(text))
export const isTrue: Buffer = tlv(0x01, Buffer.from([0xff]))
/** `[number]` around a value, or in place of the tag of one. */
export const around = (number: number, value: Uint8Array): Buffer => tlv(0xa0 + number, value)
export const inPlace = (number: number, content: Uint8Array): Buffer => tlv(0x80 + number, content)

/** `YYMMDDHHMMSSZ`, from 2050 on with four digits of the year. */
export const time = (ms: number): Buffer => {
  const digits = new Date(ms).toISOString().replace(/[-:T]|\.\d+/g, '')
  return digits < '2050' ? tlv(0x17, Buffer.from(digits.slice(2))) : tlv(0x18, Buffer.from(digits))
}
