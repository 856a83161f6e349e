/** What an executable of each system contains: the blob, at the place where Node looks for it, and a signature. */

const part = (file: Buffer, at: number, size: number): Buffer => file.subarray(at, at + size)
/** Up to the first zero, at most `size` bytes. */
const textOf = (file: Buffer, at: number, size: number): string =>
  part(file, at, size).toString('latin1').split('\0', 1)[0] ?? ''
const offsets = (first: number, size: number, count: number): ReadonlyArray<number> =>
  Array.from({ length: count }, (_, index) => first + index * size)

const padded = (size: number): number => (size + 3) & ~3

/** A note in one of the segments of notes. */
export const elfBlob = (file: Buffer, name: string): Buffer | undefined => {
  const segments = offsets(Number(file.readBigUInt64LE(0x20)), file.readUInt16LE(0x36), file.readUInt16LE(0x38))
  for (const segment of segments.filter((at) => file.readUInt32LE(at) === 4)) {
    let at = Number(file.readBigUInt64LE(segment + 0x08))
    const end = at + Number(file.readBigUInt64LE(segment + 0x20))
    while (at + 12 <= end) {
      const [nameSize, size] = [file.readUInt32LE(at), file.readUInt32LE(at + 4)]
      const content = at + 12 + padded(nameSize)
      if (textOf(file, at + 12, nameSize) === name) return part(file, content, size)
      at = content + padded(size)
    }
  }
  return undefined
}

const machOCommands = (file: Buffer, kind: number): ReadonlyArray<number> => {
  let at = 32
  const all = Array.from({ length: file.readUInt32LE(16) }, () => {
    const own = at
    at += file.readUInt32LE(at + 4)
    return own
  })
  return all.filter((command) => file.readUInt32LE(command) === kind)
}

/** The section `__NAME` of the segment NODE_SEA. */
export const machOBlob = (file: Buffer, name: string): Buffer | undefined => {
  const segment = machOCommands(file, 0x19).find((at) => textOf(file, at + 8, 16) === 'NODE_SEA')
  if (segment === undefined) return undefined
  const sections = offsets(segment + 72, 80, file.readUInt32LE(segment + 64))
  const section = sections.find((at) => textOf(file, at, 16) === `__${name}`)
  if (section === undefined) return undefined
  return part(file, file.readUInt32LE(section + 48), Number(file.readBigUInt64LE(section + 40)))
}

export const machOIsSigned = (file: Buffer): boolean => machOCommands(file, 0x1d).length > 0

export const peHead = (file: Buffer): number => file.readUInt32LE(0x3c)
/** The entry of the directory of data: the address or place of a table, and its size. */
const peEntry = (file: Buffer, index: number): number => peHead(file) + 24 + 112 + index * 8

/** Where it says where its signature is, and how large that is: zeros without one. */
const peSignature = (file: Buffer): Buffer => part(file, peEntry(file, 4), 8)
export const peIsSigned = (file: Buffer): boolean => peSignature(file).some((byte) => byte !== 0)

/** The same file without its signature, which another content would make invalid: worse than none for virus scanners. */
export const peUnsigned = (file: Buffer): Buffer => {
  const [at, size] = [peSignature(file).readUInt32LE(0), peSignature(file).readUInt32LE(4)]
  const bytes = Buffer.from(at + size === file.length ? file.subarray(0, at) : file)
  peSignature(bytes).fill(0)
  return bytes
}

/** Where in the file an address of the loaded program is. */
const pePlace = (file: Buffer, address: number): number => {
  const head = peHead(file)
  const sections = offsets(head + 24 + file.readUInt16LE(head + 20), 40, file.readUInt16LE(head + 6))
  const own = sections.find((at) => {
    const start = file.readUInt32LE(at + 12)
    return address >= start && address < start + file.readUInt32LE(at + 16)
  })
  return own === undefined ? 0 : address - file.readUInt32LE(own + 12) + file.readUInt32LE(own + 20)
}

const isTable = 0x80000000
const rawData = 10

/** A resource of raw data: tables by type, name and language, each with named entries first. */
export const peBlob = (file: Buffer, name: string): Buffer | undefined => {
  const start = pePlace(file, file.readUInt32LE(peEntry(file, 2)))
  const nameAt = (at: number): string => part(file, at + 2, file.readUInt16LE(at) * 2).toString('utf16le')
  const below = (table: number, wanted?: number | string): number | undefined => {
    const entries = offsets(table + 16, 8, file.readUInt16LE(table + 12) + file.readUInt16LE(table + 14))
    const entry = entries.find((at) => {
      const key = file.readUInt32LE(at)
      return wanted === undefined || wanted === (key < isTable ? key : nameAt(start + key - isTable))
    })
    return entry === undefined ? undefined : start + (file.readUInt32LE(entry + 4) & ~isTable)
  }
  const names = below(start, rawData)
  const languages = names === undefined ? undefined : below(names, name)
  const data = languages === undefined ? undefined : below(languages)
  if (data === undefined) return undefined
  return part(file, pePlace(file, file.readUInt32LE(data)), file.readUInt32LE(data + 4))
}
