/**
 * The protocol between the two ends of a synchronisation. A question has a number, which its answers repeat. The
 * container is not trusted. The first transfer is no tar stream, which has no answers: it is a series of questions
 * (`Fill`) with the entries of many small files in the head and their contents in the body, and each answer names what
 * was not created. So the hashes need not be computed at the other end.
 */
import * as E from 'fp-ts/lib/Either.js'
import * as t from 'io-ts'
import { accepting, Count, textUpTo } from '../../domain/object/codecs.ts'
import { ActOutcome, FillAct, SyncAct } from '../../domain/sync/act.ts'
import { Reason, SeenEntry, TreeFile, type TreeListing, type TreeLook } from '../../domain/sync/entry.ts'
import { PolledFolders, TreeMarker } from '../../domain/sync/folder.ts'
import { isName, isPath } from './names.ts'

/** The name of the agent's subsystem. */
export const syncSubsystem = 'devtool-sync'

/** The subsystem that returns the agent's log: a text, after which the stream ends. */
export const diarySubsystem = 'devtool-sync-diary'

/**
 * `ignores`: the text of the ignore file. `file`: the only file that is synchronised. `session`: that of all links that
 * follow each other; opening one closes the last. `link`: distinguishes the acts of each. `isEager`: contents are wanted
 * before they are asked for.
 */
const Opening = t.readonly(
  t.exact(
    t.intersection([
      t.type({ root: t.string, ignores: t.string, session: t.string, link: t.string }),
      t.partial({ file: t.string, isEager: t.boolean }),
    ]),
  ),
)
export type Opening = t.TypeOf<typeof Opening>

const TreeQuestion = t.union([
  t.readonly(t.strict({ _tag: t.literal('Open'), opening: Opening })),
  t.readonly(
    t.exact(t.intersection([t.type({ _tag: t.literal('Look') }), t.partial({ folders: t.readonlyArray(t.string) })])),
  ),
  t.readonly(t.strict({ _tag: t.literal('Read'), path: t.string, file: TreeFile })),
  t.readonly(t.strict({ _tag: t.literal('Act'), act: SyncAct })),
  t.readonly(t.strict({ _tag: t.literal('Outcomes'), tickets: t.readonlyArray(t.string) })),
  t.readonly(t.strict({ _tag: t.literal('Fill'), acts: t.readonlyArray(FillAct) })),
  t.readonly(t.strict({ _tag: t.literal('Polled') })),
  t.readonly(t.strict({ _tag: t.literal('Marker') })),
  t.readonly(t.strict({ _tag: t.literal('Mark'), marker: TreeMarker })),
])
export type TreeQuestion = t.TypeOf<typeof TreeQuestion>

/** `end`: nothing more follows for this question. */
const Asked = t.readonly(
  t.exact(t.intersection([t.type({ id: Count }), t.partial({ question: TreeQuestion, end: t.boolean })])),
)
export type Asked = t.TypeOf<typeof Asked>

const folderPath = textUpTo(4096, (path) => path === '' || isPath(path))
const entryName = textUpTo(255, isName)
const rows = t.readonlyArray(
  t.readonly(t.tuple([folderPath, t.boolean, t.readonlyArray(t.readonly(t.tuple([entryName, SeenEntry])))])),
)

/**
 * A part of a look: folders with some of their entries, and whether they hold ignored ones as well. It is only checked,
 * not decoded: io-ts keeps the path to each member while it decodes, which takes several times as long.
 */
const ListedPart = accepting('a part of a look', rows.is)
export type ListedPart = t.TypeOf<typeof ListedPart>

/**
 * Without a number it is a notification: of folders that have been looked at again, or of an overflow. `left`: indexes
 * of acts that were not carried out. `early`: the hash of the content in the body, which nobody asked for.
 */
const TreeAnswer = t.readonly(
  t.exact(
    t.partial({
      id: Count,
      hasOverflown: t.boolean,
      listed: ListedPart,
      early: textUpTo(64),
      outcome: ActOutcome,
      outcomes: t.readonlyArray(ActOutcome),
      polled: PolledFolders,
      left: t.readonlyArray(t.number),
      marker: TreeMarker,
      failed: Reason,
      end: t.boolean,
    }),
  ),
)
export type TreeAnswer = t.TypeOf<typeof TreeAnswer>

const invalid = (message: string) => (): never => {
  throw new Error(message)
}

export const invalidAnswer = invalid('the agent sent an invalid answer')

/** Throws when it is invalid. */
export const answerIn = (value: unknown): TreeAnswer =>
  E.getOrElse<unknown, TreeAnswer>(invalidAnswer)(TreeAnswer.decode(value))

/** Throws when it is invalid. */
export const askedIn = (value: unknown): Asked =>
  E.getOrElse<unknown, Asked>(invalid('the request is invalid'))(Asked.decode(value))

export const ticketOf = (link: string, id: number): string => `${link}/${id}`

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

/** Without members that this version does not know, which would take memory. */
const kept = (seen: SeenEntry): SeenEntry => {
  switch (seen._tag) {
    case 'Folder':
      return { _tag: seen._tag, id: seen.id }
    case 'File':
      return { _tag: seen._tag, hash: seen.hash, isExecutable: seen.isExecutable, size: seen.size }
    case 'Link':
      return { _tag: seen._tag, target: seen.target }
    case 'Special':
    case 'Unknown':
      return { _tag: seen._tag, reason: Reason.encode(seen.reason) }
  }
}

/** A listing that arrives in parts. `bytes`: approximately their size in memory. */
export type Listed = TreeListing & { readonly entries: Map<string, SeenEntry>; bytes: number }

const bytesOf = (name: string, entry: SeenEntry): number => {
  const text = entry._tag === 'Link' ? entry.target : 'reason' in entry ? entry.reason : ''
  return 2 * (name.length + text.length) + 250
}

/** Adds a part of a look to the earlier ones. Returns the approximate memory that the part takes. */
export const addListed = (part: ListedPart, listings: Map<string, Listed>): number => {
  let all = 0
  for (const [folder, isHeld, some] of part) {
    const { bytes, entries } = listings.get(folder) ?? { entries: new Map<string, SeenEntry>(), bytes: 0 }
    let more = 2 * folder.length + 250
    for (const [name, seen] of some) {
      const entry = kept(seen)
      entries.set(name, entry)
      more += bytesOf(name, entry)
    }
    listings.set(folder, { entries, isHeld, bytes: bytes + more })
    all += more
  }
  return all
}
