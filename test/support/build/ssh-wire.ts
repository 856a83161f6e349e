/** Reads the data types of SSH (RFC 4251, section 5). */

/** Reads values in order. Throws a RangeError when there are too few bytes. */
export type WireReader = { readonly uint32: () => number; readonly text: () => Buffer }

export const readWire = (bytes: Uint8Array): WireReader => {
  const held = Buffer.from(bytes)
  let offset = 0
  const take = (length: number): Buffer => {
    if (offset + length > held.length) throw new RangeError('it ends too early')
    offset += length
    return held.subarray(offset - length, offset)
  }
  const next = (): number => take(4).readUInt32BE(0)
  return { uint32: next, text: () => take(next()) }
}
