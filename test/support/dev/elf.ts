/** The parts of official Node binaries, and of a dash of Debian 12, that the agent reads: headers, dynamic section, names of libraries. */
import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { headBytes, readDynamic, readElf } from '../../../src/domain/dev/elf.ts'

type Piece = { readonly offset: number; readonly base64: string }
export type Bytes = { readonly offset: number; readonly bytes: Uint8Array }

export const programs: Readonly<Record<string, { readonly pieces: ReadonlyArray<Piece> }>> = JSON.parse(
  readFileSync(new URL('elf.json', import.meta.url), 'utf8'),
)
export const loader = '/var/devtool/ld.so'

export const bytesOf = (pieces: ReadonlyArray<Piece>): ReadonlyArray<Bytes> =>
  pieces.map(({ base64, offset }) => ({ offset, bytes: Buffer.from(base64, 'base64') }))

export type PieceReader = (from: number, size: number) => Uint8Array

export const reader =
  (pieces: ReadonlyArray<Bytes>): PieceReader =>
  (from, size) => {
    const bytes = new Uint8Array(size)
    for (const piece of pieces) {
      piece.bytes.forEach((byte, index) => {
        const at = piece.offset + index - from
        if (at >= 0 && at < size) bytes[at] = byte
      })
    }
    return bytes
  }

export const rightOf = <A>(result: E.Either<string, A>): A => {
  if (E.isLeft(result)) throw new Error(result.left)
  return result.right
}

export const parse = (read: PieceReader) => {
  const elf = rightOf(readElf(read(0, headBytes)))
  return { elf, dynamic: readDynamic(read(elf.dynamic.offset, elf.dynamic.size)) }
}
