/**
 * The protocol between the two ends of a synchronisation. A question has a number, which its answers repeat. Everything
 * from the container is checked, since the container is not trusted.
 */
import type { ActOutcome, ActTrouble, SyncAct } from '../../domain/sync/act.ts'
import type { SeenEntry, TreeEntry, TreeFile, TreeListing, TreeLook } from '../../domain/sync/entry.ts'
import type { FillAct } from '../../domain/sync/fill.ts'
import type { PolledFolders, TreeMarker } from '../../ports/tree.ts'
import { isName, isPath } from './names.ts'

/** The name of the agent's subsystem. */
export const syncSubsystem = 'devtool-sync'

/** The subsystem that returns the agent's log: a text, after which the stream ends. */
export const diarySubsystem = 'devtool-sync-diary'

/**
 * `ignores`: the text of the ignore file. `file`: the only file that is synchronised. `session`: that of all links that
 * follow each other; opening one closes the last. `link`: distinguishes the acts of each.
 */
export type Opening = {
  readonly root: string
  readonly ignores: string
  readonly file?: string
  readonly session: string
  readonly link: string
}

export type TreeQuestion =
  | { readonly _tag: 'Open'; readonly opening: Opening }
  | { readonly _tag: 'Look'; readonly folders?: ReadonlyArray<string> }
  | { readonly _tag: 'Read'; readonly path: string; readonly file: TreeFile }
  | { readonly _tag: 'Act'; readonly act: SyncAct }
  | { readonly _tag: 'Outcomes'; readonly tickets: ReadonlyArray<string> }
  | { readonly _tag: 'Fill'; readonly acts: ReadonlyArray<FillAct> }
  | { readonly _tag: 'Polled' }
  | { readonly _tag: 'Marker' }
  | { readonly _tag: 'Mark'; readonly marker: TreeMarker }

/** `end`: nothing more follows for this question. */
export type Asked = { readonly id: number; readonly question?: TreeQuestion; readonly end?: true }

/** A part of a look: folders with some of their entries. */
export type ListedPart = ReadonlyArray<
  readonly [folder: string, isHeld: boolean, entries: ReadonlyArray<readonly [string, SeenEntry]>]
>

/** Without a number it is a notification: of folders that have been looked at again, or of an overflow. */
export type TreeAnswer = {
  readonly id?: number
  readonly hasOverflown?: true
  readonly listed?: ListedPart
  readonly outcome?: ActOutcome
  readonly outcomes?: ReadonlyArray<ActOutcome>
  readonly polled?: PolledFolders
  /** Indexes of acts that were not carried out. */
  readonly left?: ReadonlyArray<number>
  readonly marker?: TreeMarker
  readonly failed?: string
  readonly end?: true
}

const mostPart = 256 * 1024

/** In messages of a bounded size. */
export function* listedParts({ listings }: TreeLook): Generator<ListedPart, void> {
  let part: Array<ListedPart[number]> = []
  let size = 0
  for (const [folder, { entries, isHeld }] of listings) {
    let some: Array<readonly [string, SeenEntry]> = []
    part.push([folder, isHeld, some])
    size += folder.length + 20
    for (const [name, entry] of entries) {
      some.push([name, entry])
      size += name.length + 150 + (entry._tag === 'Link' ? entry.target.length : 0)
      if (size < mostPart) continue
      yield part
      some = []
      part = [[folder, isHeld, some]]
      size = 0
    }
  }
  yield part
}

const isText = (value: unknown, most: number): value is string => typeof value === 'string' && value.length <= most

const fail = (): never => {
  throw new Error('the agent says what cannot be')
}

const mostReason = 1000
const hashPattern = /^[0-9a-f]{64}$/

const treeEntry = (value: unknown): TreeEntry | undefined => {
  const { _tag, hash, id, isExecutable, size, target } = Object(value)
  if (_tag === 'Folder' && isText(id, 256)) return { _tag, id }
  if (_tag === 'Link' && isText(target, 4096)) return { _tag, target }
  const isFile = _tag === 'File' && isText(hash, 64) && hashPattern.test(hash) && typeof isExecutable === 'boolean'
  return isFile && Number.isSafeInteger(size) && size >= 0 ? { _tag, hash, isExecutable, size } : undefined
}

const seenEntry = (value: unknown): SeenEntry => {
  const { _tag, reason } = Object(value)
  const isOpaque = (_tag === 'Special' || _tag === 'Unknown') && isText(reason, 8192)
  return isOpaque ? { _tag, reason: reason.slice(0, mostReason) } : (treeEntry(value) ?? fail())
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : fail())

const isFolderPath = (path: string): boolean => path === '' || isPath(path)

/** A listing that arrives in parts. `bytes`: approximately their size in memory. */
export type Listed = TreeListing & { readonly entries: Map<string, SeenEntry>; bytes: number }

const bytesOf = (name: string, entry: SeenEntry): number => {
  const text = entry._tag === 'Link' ? entry.target : 'reason' in entry ? entry.reason : ''
  return 2 * (name.length + text.length) + 250
}

/** Adds a part of a look to the earlier ones. Returns the approximate memory that the part takes. */
export const addListed = (value: unknown, listings: Map<string, Listed>): number => {
  let all = 0
  for (const one of listOf(value)) {
    const [folder, isHeld, some] = listOf(one)
    if (!isText(folder, 4096) || !isFolderPath(folder)) return fail()
    const { bytes, entries } = listings.get(folder) ?? { entries: new Map<string, SeenEntry>(), bytes: 0 }
    let more = 2 * folder.length + 250
    for (const pair of listOf(some)) {
      const [name, said] = listOf(pair)
      if (!isText(name, 255) || !isName(name)) return fail()
      const entry = seenEntry(said)
      entries.set(name, entry)
      more += bytesOf(name, entry)
    }
    listings.set(folder, { entries, isHeld: isHeld === true, bytes: bytes + more })
    all += more
  }
  return all
}

/** Members are checked where they are used, except those that are only displayed. */
export const answerIn = (value: unknown): TreeAnswer => {
  const answer: TreeAnswer = Object(value)
  const failed: unknown = answer.failed
  if (failed === undefined) return answer
  return { ...answer, failed: typeof failed === 'string' ? failed.slice(0, mostReason) : 'it does not say why' }
}

const troubles: ReadonlyArray<string> = [
  'NoSpace',
  'ReadOnly',
  'Forbidden',
  'NameTooLong',
  'KeptNameTaken',
  'NoSource',
] satisfies ReadonlyArray<ActTrouble>

const isTrouble = (value: string): value is ActTrouble => troubles.includes(value)

export const outcomeIn = (value: unknown): ActOutcome => {
  const { _tag, entry, found, reason, trouble } = Object(value)
  if (_tag === 'Done') return { _tag, entry: entry === undefined ? undefined : (treeEntry(entry) ?? fail()) }
  if (_tag === 'Refused') return { _tag, found: found === undefined ? undefined : seenEntry(found) }
  const known = isText(trouble, 20) && isTrouble(trouble) ? trouble : 'Other'
  return { _tag: 'Failed', trouble: known, reason: String(reason).slice(0, mostReason) }
}

export const ticketOf = (link: string, id: number): string => `${link}/${id}`

/** As many as were asked for. */
export const outcomesIn = (value: unknown, asked: number): ReadonlyArray<ActOutcome> | undefined => {
  if (value === undefined) return undefined
  const outcomes = listOf(value)
  return outcomes.length === asked ? outcomes.map(outcomeIn) : fail()
}

/** Indexes. */
export const leftIn = (value: unknown): ReadonlyArray<number> =>
  listOf(value).map((index) => (typeof index === 'number' ? index : fail()))

export const polledIn = (value: unknown): PolledFolders | undefined => {
  const { because, folders } = Object(value)
  return isText(because, 100) && Number.isSafeInteger(folders) ? { folders, because } : undefined
}
