/** Parts of an ELF file that no program loads, such as function names for debuggers: a tenth of the download. */

const isLoaded = 2n

/** The same file with zeros in place of those parts; everything else keeps its offset. */
export const withoutSymbols = (file: Buffer): Buffer => {
  const bytes = Buffer.from(file)
  const [start, size, count] = [Number(bytes.readBigUInt64LE(0x28)), bytes.readUInt16LE(0x3a), bytes.readUInt16LE(0x3c)]
  const namesIndex = bytes.readUInt16LE(0x3e)
  for (let index = 1; index < count; index += 1) {
    const at = start + index * size
    if (index === namesIndex || (bytes.readBigUInt64LE(at + 0x08) & isLoaded) !== 0n) continue
    const begin = Number(bytes.readBigUInt64LE(at + 0x18))
    bytes.fill(0, begin, begin + Number(bytes.readBigUInt64LE(at + 0x20)))
  }
  return bytes
}
