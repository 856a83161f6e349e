/**
 * The base as a journal that changes are appended to. The head says how much of the rest is valid, and is written last:
 * data behind that length, left by a crash, is not read. If anything before it is missing or damaged, the whole journal
 * is invalid.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type BaseChange, type BaseEntry, emptyBase, type SyncBase, withChanges } from './base.ts'
import type { TreeFile, TreeFolder, TreeLink } from './entry.ts'
import { childOf } from './path.ts'

/** `marker`: that of the folder there, to which the base belongs. */
export type StoredBase = { readonly marker: string; readonly base: SyncBase }

/** The valid part of a journal: its length in bytes behind the head, and its checksum. */
export type JournalEnd = { readonly length: number; readonly checksum: number }

/** `head` replaces the one at the start; `bytes` are written at the end of the journal. */
export type JournalWrite = { readonly head: Uint8Array; readonly bytes: Uint8Array; readonly end: JournalEnd }

export type JournalRead = { readonly stored: StoredBase; readonly end: JournalEnd }

const FileRow = t.tuple([t.literal('f'), t.string, t.number, t.boolean])
const LinkRow = t.tuple([t.literal('l'), t.string])
const Row = t.union([
  t.tuple([t.literal('d'), t.string, t.string]),
  FileRow,
  LinkRow,
  t.tuple([t.literal('unsure')]),
  t.tuple([t.literal('none')]),
  t.tuple([t.literal('left'), t.union([t.tuple([t.literal('d'), t.string]), FileRow, LinkRow])]),
])
type Row = t.TypeOf<typeof Row>
const Rows = t.readonlyArray(t.tuple([t.string, Row]))

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

/** CRC-32 (ISO 3309) of all bytes so far. */
const checksumAfter = (before: number, bytes: Uint8Array): number => {
  let crc = ~before
  for (const byte of bytes) crc = (table[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8)
  return ~crc >>> 0
}

const name = 'devtool-sync-1'
const encoded = (text: string): Uint8Array => new TextEncoder().encode(text)

const headOf = ({ checksum, length }: JournalEnd): Uint8Array =>
  encoded(`${name} ${String(length).padStart(12, '0')} ${checksum.toString(16).padStart(8, '0')}\n`)

export const journalHeadLength = headOf({ length: 0, checksum: 0 }).length

const contentRow = (entry: TreeFile | TreeLink): t.TypeOf<typeof FileRow> | t.TypeOf<typeof LinkRow> =>
  entry._tag === 'File' ? ['f', entry.hash, entry.size, entry.isExecutable] : ['l', entry.target]

const rowOf = (entry: BaseEntry | undefined): Row => {
  switch (entry?._tag) {
    case undefined:
      return ['none']
    case 'Unsure':
      return ['unsure']
    case 'Folder':
      return ['d', entry.here, entry.there]
    case 'Left':
      return ['left', entry.entry._tag === 'Folder' ? ['d', entry.entry.id] : contentRow(entry.entry)]
    case 'File':
    case 'Link':
      return contentRow(entry)
  }
}

const contentOf = (row: t.TypeOf<typeof FileRow> | t.TypeOf<typeof LinkRow>): TreeFile | TreeLink =>
  row[0] === 'f' ? { _tag: 'File', hash: row[1], size: row[2], isExecutable: row[3] } : { _tag: 'Link', target: row[1] }

const leftOf = (row: Extract<Row, readonly ['left', unknown]>[1]): TreeFile | TreeFolder | TreeLink =>
  row[0] === 'd' ? { _tag: 'Folder', id: row[1] } : contentOf(row)

const entryOf = (row: Row): BaseEntry | undefined => {
  switch (row[0]) {
    case 'none':
      return undefined
    case 'unsure':
      return { _tag: 'Unsure' }
    case 'd':
      return { _tag: 'Folder', here: row[1], there: row[2] }
    case 'left':
      return { _tag: 'Left', entry: leftOf(row[1]) }
    case 'f':
    case 'l':
      return contentOf(row)
  }
}

const linesOf = (changes: ReadonlyArray<BaseChange>): string =>
  changes.length === 0 ? '' : `${JSON.stringify(changes.map(([path, entry]) => [path, rowOf(entry)]))}\n`

const written = ({ checksum, length }: JournalEnd, text: string): JournalWrite => {
  const bytes = encoded(text)
  const end = { length: length + bytes.length, checksum: checksumAfter(checksum, bytes) }
  return { head: headOf(end), bytes, end }
}

const allOf = (base: SyncBase): ReadonlyArray<BaseChange> =>
  [...base].flatMap(([folder, names]) => [...names].map(([one, entry]): BaseChange => [childOf(folder, one), entry]))

/** The whole journal, which replaces the old file atomically. */
export const newJournal = ({ base, marker }: StoredBase): JournalWrite =>
  written({ length: 0, checksum: 0 }, `${JSON.stringify(marker)}\n${linesOf(allOf(base))}`)

export const addedTo = (end: JournalEnd, changes: ReadonlyArray<BaseChange>): JournalWrite =>
  written(end, linesOf(changes))

/** Left: the journal is invalid. */
export const readJournal = (bytes: Uint8Array): E.Either<string, JournalRead> => {
  const head = new TextDecoder().decode(bytes.subarray(0, journalHeadLength))
  const [, digits = '', sum = ''] = /^devtool-sync-1 (\d{12}) ([0-9a-f]{8})\n$/.exec(head) ?? []
  const end = { length: Number(digits), checksum: Number.parseInt(sum, 16) }
  const body = bytes.subarray(journalHeadLength, journalHeadLength + end.length)
  if (digits === '' || body.length < end.length || checksumAfter(0, body) !== end.checksum)
    return E.left('it is damaged')
  const [first = '', ...lines] = new TextDecoder().decode(body).split('\n').slice(0, -1)
  return pipe(
    E.tryCatch((): unknown => [JSON.parse(first), lines.flatMap((line): unknown => JSON.parse(line))], String),
    E.flatMap((found) =>
      pipe(
        t.tuple([t.string, Rows]).decode(found),
        E.mapLeft(() => 'it is of another version'),
      ),
    ),
    E.map(([marker, rows]) => {
      const changes = rows.map(([path, row]): BaseChange => [path, entryOf(row)])
      return { stored: { marker, base: withChanges(emptyBase, changes) }, end }
    }),
  )
}
