/**
 * Edits 64-bit little-endian ELF files, so that a program runs with the loader and the libraries of the agent's folder,
 * whatever the image contains. Only headers and the dynamic section are read, not the program. Sources: System V ABI
 * (ELF-64 object file format), ld.so(8).
 */
import * as E from 'fp-ts/lib/Either.js'

type Range = { readonly offset: number; readonly size: number }
type Segment = Range & { readonly address: bigint }

/** `interpreter`: the path of the loader; a static program and most libraries have none. */
export type Elf = {
  readonly loads: ReadonlyArray<Segment>
  readonly interpreter: Segment | undefined
  readonly dynamic: Range
}

type Entry = { readonly tag: bigint; readonly value: bigint; readonly index: number }

/** The entries before the end of the dynamic section, and how many unused ones follow the end. */
export type Dynamic = { readonly entries: ReadonlyArray<Entry>; readonly spare: number }

export type Edit = { readonly offset: number; readonly bytes: Uint8Array }

/** The least number of bytes that `readElf` needs of a file. */
export const headBytes = 4096

const headerBytes = 64
const programHeaderBytes = 56
const entryBytes = 16
const segment = { load: 1, dynamic: 2, interpreter: 3 } as const
const tag = { needed: 1n, strings: 5n, stringsSize: 10n, soname: 14n, rpath: 15n, debug: 21n, runpath: 29n } as const

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const startsWith = (bytes: Uint8Array, first: ReadonlyArray<number>): boolean =>
  first.every((byte, index) => bytes[index] === byte)

const magic64Little = [0x7f, 0x45, 0x4c, 0x46, 2, 1]

const segmentAt = (view: DataView, at: number): Segment & { readonly type: number } => ({
  type: view.getUint32(at, true),
  offset: Number(view.getBigUint64(at + 8, true)),
  address: view.getBigUint64(at + 16, true),
  size: Number(view.getBigUint64(at + 32, true)),
})

/** Left: why it cannot be edited. */
export const readElf = (head: Uint8Array): E.Either<string, Elf> => {
  if (head.length < headerBytes || !startsWith(head, magic64Little))
    return E.left('it is no 64-bit little-endian ELF file')
  const view = viewOf(head)
  const [first, count] = [Number(view.getBigUint64(32, true)), view.getUint16(56, true)]
  if (view.getUint16(54, true) !== programHeaderBytes || first + count * programHeaderBytes > head.length)
    return E.left('its program headers are not at its beginning')
  const segments = Array.from({ length: count }, (_, index) => segmentAt(view, first + index * programHeaderBytes))
  const dynamic = segments.find(({ type }) => type === segment.dynamic)
  if (dynamic === undefined) return E.left('it is linked statically')
  return E.right({
    dynamic,
    interpreter: segments.find(({ type }) => type === segment.interpreter),
    loads: segments.filter(({ type }) => type === segment.load),
  })
}

/** `bytes`: what is at `elf.dynamic`. */
export const readDynamic = (bytes: Uint8Array): Dynamic => {
  const view = viewOf(bytes)
  const all = Array.from({ length: Math.floor(bytes.length / entryBytes) }, (_, index) => ({
    index,
    tag: view.getBigInt64(index * entryBytes, true),
    value: view.getBigUint64(index * entryBytes + 8, true),
  }))
  const end = all.findIndex((entry) => entry.tag === 0n)
  return end < 0 ? { entries: all, spare: 0 } : { entries: all.slice(0, end), spare: all.length - end - 1 }
}

const valueOf = ({ entries }: Dynamic, wanted: bigint): bigint | undefined =>
  entries.find((entry) => entry.tag === wanted)?.value

/** Where its strings are in the file. */
export const stringsOf = ({ loads }: Elf, dynamic: Dynamic): Range | undefined => {
  const [address, size] = [valueOf(dynamic, tag.strings), valueOf(dynamic, tag.stringsSize)]
  if (address === undefined || size === undefined) return undefined
  const load = loads.find((one) => address >= one.address && address < one.address + BigInt(one.size))
  return load && { offset: Number(address - load.address) + load.offset, size: Number(size) }
}

/** The libraries that it needs, and its own name as a library. `strings`: what is at `stringsOf`. */
export const linkNames = (
  dynamic: Dynamic,
  strings: Uint8Array,
): { readonly needed: ReadonlyArray<string>; readonly soname: string | undefined } => {
  const nameAt = (offset: bigint): string => {
    const rest = strings.subarray(Math.min(Number(offset), strings.length))
    const end = rest.indexOf(0)
    return Array.from(rest.subarray(0, Math.max(end, 0)), (byte) => String.fromCharCode(byte)).join('')
  }
  const soname = valueOf(dynamic, tag.soname)
  return {
    needed: dynamic.entries.filter((entry) => entry.tag === tag.needed).map(({ value }) => nameAt(value)),
    soname: soname === undefined ? undefined : nameAt(soname),
  }
}

const ascii = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.charCodeAt(0))

const entryOf = (value: bigint): Uint8Array => {
  const bytes = new Uint8Array(entryBytes)
  viewOf(bytes).setBigInt64(0, tag.rpath, true)
  viewOf(bytes).setBigUint64(8, value, true)
  return bytes
}

/** The entries that become DT_RPATH: those with a path today, else an unused one, else the one for debuggers. */
const placesOf = ({ entries, spare }: Dynamic): ReadonlyArray<number> => {
  const paths = entries.filter((entry) => entry.tag === tag.rpath || entry.tag === tag.runpath)
  if (paths.length > 0) return paths.map(({ index }) => index)
  if (spare > 0) return [entries.length]
  return entries.filter((entry) => entry.tag === tag.debug).map(({ index }) => index)
}

/**
 * Makes a program start with the loader at `loader`, and search its folder for libraries first. Both texts go where the
 * path of its loader was. DT_RPATH rather than DT_RUNPATH: it precedes LD_LIBRARY_PATH, and also holds for what the
 * libraries need. Left: why that is impossible.
 */
export const useLoader = (elf: Elf, dynamic: Dynamic, loader: string): E.Either<string, ReadonlyArray<Edit>> => {
  const { interpreter } = elf
  const strings = valueOf(dynamic, tag.strings)
  if (interpreter === undefined || strings === undefined) return E.left('it names no loader')
  const text = ascii(`${loader}\0$ORIGIN\0`)
  if (text.length > interpreter.size)
    return E.left(`it has ${interpreter.size} bytes for the path of a loader, and ${text.length} are needed`)
  const places = placesOf(dynamic)
  if (places.length === 0) return E.left('its dynamic section has no entry to spare')
  // Added to the address of the strings modulo 2^64, so it may lie before them.
  const origin = BigInt.asUintN(64, interpreter.address + BigInt(loader.length + 1) - strings)
  return E.right([
    { offset: interpreter.offset, bytes: text },
    ...places.map((index) => ({ offset: elf.dynamic.offset + index * entryBytes, bytes: entryOf(origin) })),
  ])
}
