/** Data types of SSH (RFC 4251, section 5). */

const uint32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

/** Preceded by its length. */
const text = (value: Uint8Array | string): Buffer => {
  const bytes = Buffer.from(value)
  return Buffer.concat([uint32(bytes.length), bytes])
}

/** An unsigned big-endian number. */
const number = (value: Uint8Array): Buffer => {
  const first = value.findIndex((byte) => byte !== 0)
  const bytes = first < 0 ? Buffer.alloc(0) : Buffer.from(value.subarray(first))
  return text((bytes[0] ?? 0) > 127 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes)
}

export const wire = { uint32, text, number }
