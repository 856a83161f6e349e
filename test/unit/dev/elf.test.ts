/** The edits that let programs run with the agent's loader. */
import { assert as check, oneof, property, uint8Array } from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import {
  type Edit,
  headBytes,
  linkNames,
  readDynamic,
  readElf,
  stringsOf,
  useLoader,
} from '../../../src/domain/dev/elf.ts'
import { bytesOf, loader, type PieceReader, parse, programs, reader, rightOf } from '../../support/dev/elf.ts'

const textAt = (read: PieceReader, offset: number): string => {
  const bytes = Buffer.from(read(offset, 64))
  return bytes.toString('latin1', 0, bytes.indexOf(0))
}

for (const [name, { pieces }] of Object.entries(programs)) {
  const original = bytesOf(pieces)

  test(`${name}: its libraries are listed`, () => {
    const read = reader(original)
    const { dynamic, elf } = parse(read)
    const strings = stringsOf(elf, dynamic)
    assert.ok(strings)
    const names = linkNames(dynamic, read(strings.offset, Math.min(strings.size, 8_000_000)))
    assert.is(names.soname, undefined)
    assert.ok(names.needed.includes('libc.so.6'))
    assert.ok(names.needed.some((needed) => needed.startsWith('ld-linux-')))
  })

  test(`${name}: it starts with the loader, and searches the loader's folder before LD_LIBRARY_PATH`, () => {
    const before = parse(reader(original))
    const edits: ReadonlyArray<Edit> = rightOf(useLoader(before.elf, before.dynamic, loader))
    const read = reader([...original, ...edits])
    const { dynamic, elf } = parse(read)
    assert.ok(elf.interpreter)
    assert.is(textAt(read, elf.interpreter.offset), loader)
    const paths = dynamic.entries.filter(({ tag }) => tag === 15n)
    assert.is(paths.length, 1)
    assert.is(dynamic.entries.filter(({ tag }) => tag === 29n).length, 0)
    const strings = stringsOf(elf, dynamic)
    const table = dynamic.entries.find(({ tag }) => tag === 5n)
    assert.ok(strings && table && paths[0])
    // Modulo 2^64, as the loader adds it.
    const address = BigInt.asUintN(64, table.value + paths[0].value)
    assert.is(textAt(read, Number(address - elf.interpreter.address) + elf.interpreter.offset), '$ORIGIN')
    assert.is(dynamic.entries.length, before.dynamic.entries.length + 1)
  })

  test(`${name}: a loader whose path is too long is rejected`, () => {
    const { dynamic, elf } = parse(reader(original))
    const refused = useLoader(elf, dynamic, `${loader}.longer`)
    assert.match(E.isLeft(refused) ? refused.left : '', /bytes for the path of a loader/)
  })
}

test('a library search path in the program is replaced, since it would take precedence', () => {
  const [{ pieces } = { pieces: [] }] = Object.values(programs)
  const read = reader(pieces.map(({ base64, offset }) => ({ offset, bytes: Buffer.from(base64, 'base64') })))
  const elf = rightOf(readElf(read(0, headBytes)))
  const bytes = read(elf.dynamic.offset, elf.dynamic.size)
  const view = new DataView(bytes.buffer)
  const { entries } = readDynamic(bytes)
  view.setBigInt64(entries.length * 16, 29n, true)
  const edits = rightOf(useLoader(elf, readDynamic(bytes), loader))
  assert.equal(
    edits.slice(1).map(({ offset }) => offset),
    [elf.dynamic.offset + entries.length * 16],
  )
  assert.is(edits[1]?.bytes[0], 15)
})

test('arbitrary bytes are read or rejected without an exception', () => {
  const header = Buffer.from([0x7f, 0x45, 0x4c, 0x46, 2, 1])
  const files = oneof(
    uint8Array({ maxLength: 4096 }),
    uint8Array({ minLength: 58, maxLength: 4096 }).map((rest) => Buffer.concat([header, rest])),
    // A plausible number of program headers of the right size, right behind the header.
    uint8Array({ minLength: 64 + 4 * 56, maxLength: 1024 }).map((rest) => {
      const bytes = Buffer.concat([header, rest])
      bytes.writeBigUInt64LE(64n, 32)
      bytes.writeUInt16LE(56, 54)
      bytes.writeUInt16LE(4, 56)
      bytes.writeUInt32LE(2, 64)
      bytes.writeUInt32LE(3, 120)
      return bytes
    }),
  )
  check(
    property(files, uint8Array({ maxLength: 512 }), uint8Array({ maxLength: 128 }), (head, section, names) => {
      const elf = readElf(head)
      if (E.isLeft(elf)) return assert.type(elf.left, 'string')
      const dynamic = readDynamic(section)
      stringsOf(elf.right, dynamic)
      assert.ok(Array.isArray(linkNames(dynamic, names).needed))
      const edits = useLoader(elf.right, dynamic, loader)
      if (E.isRight(edits)) assert.ok(edits.right.every(({ bytes }) => bytes.length > 0))
    }),
    { numRuns: 500 },
  )
})

test.run()
