/** A tree that grows value by value: anchors, aliases and merge keys are resolved here. */
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Source, Span } from '../text/source.ts'
import { limits, tooLarge } from './limits.ts'
import { applyMerges } from './merge-keys.ts'
import type { Entry, Mapping, Node, Scalar, Sequence, Tag } from './node.ts'

/** A collection that has not ended yet. `size` counts the values in it, with aliases expanded. */
type OpenCollection = {
  readonly start: number
  readonly anchor: string | undefined
  readonly tag: Tag | undefined
  size: number
}

type Frame =
  | { readonly _tag: 'Sequence'; readonly items: Array<Node>; readonly open: OpenCollection }
  | { readonly _tag: 'Mapping'; readonly entries: Array<Entry>; key: Scalar | undefined; readonly open: OpenCollection }

/** A collection that is still open can be referred to as well. */
type Anchored = { readonly node: Node; readonly size: number } | OpenCollection

/** `expanded` counts aliased values. */
export type Building = {
  readonly source: Source
  readonly found: Array<Diagnostic>
  readonly documents: Array<Node>
  readonly stack: Array<Frame>
  readonly texts: Map<string, string>
  /** Anchors are valid in the whole file, as in Compose. */
  readonly anchors: Map<string, Anchored>
  lastEnd: number
  expanded: number
}

export const newBuilding = (source: Source): Building => ({
  source,
  found: [],
  documents: [],
  stack: [],
  texts: new Map(),
  anchors: new Map(),
  lastEnd: 0,
  expanded: 0,
})

const longestInterned = 24
const mostInterned = 4_096

/** Every service has the same few keys: only one copy of each is kept. */
const intern = ({ texts }: Building, text: string): string => {
  if (text.length > longestInterned) return text
  const known = texts.get(text)
  if (known !== undefined) return known
  if (texts.size < mostInterned) texts.set(text, text)
  return text
}

/** Adds a finished value to the open collection, or to the documents. */
const add = (building: Building, node: Node, size: number): void => {
  building.lastEnd = Math.max(building.lastEnd, node.end)
  const frame = building.stack[building.stack.length - 1]
  if (frame === undefined) {
    building.documents.push(node)
    return
  }
  frame.open.size += size
  if (frame._tag === 'Sequence') frame.items.push(node)
  else if (frame.key !== undefined) {
    frame.entries.push({ key: frame.key, value: node })
    frame.key = undefined
  } else if (node._tag === 'Scalar') frame.key = node
  else {
    building.found.push(error('DT1002', `a key must be text, not a ${node._tag.toLowerCase()}`, { at: node }))
    frame.key = { _tag: 'Scalar', text: '', plain: true, source: building.source, start: node.start, end: node.end }
  }
}

/** The anchor and tag before a value. */
export type Properties = { readonly anchor?: string | undefined; readonly tag?: Tag | undefined }
const nothing: Properties = {}

export const addScalar = (
  building: Building,
  text: string,
  plain: boolean,
  start: number,
  end: number,
  { anchor, tag }: Properties = nothing,
): void => {
  const { source } = building
  const node: Scalar = { _tag: 'Scalar', text: intern(building, text), plain, source, start, end }
  const tagged = tag === undefined ? node : { ...node, tag }
  if (anchor !== undefined) building.anchors.set(anchor, { node: tagged, size: 1 })
  add(building, tagged, 1)
}

export const openCollection = (
  building: Building,
  kind: 'Sequence' | 'Mapping',
  start: number,
  { anchor, tag }: Properties = nothing,
): void => {
  const open: OpenCollection = { start, size: 1, anchor, tag }
  if (anchor !== undefined) building.anchors.set(anchor, open)
  building.stack.push(
    kind === 'Sequence' ? { _tag: kind, items: [], open } : { _tag: kind, entries: [], key: undefined, open },
  )
}

const close = (building: Building, frame: Frame): Node => {
  const { source } = building
  const { start } = frame.open
  const end = Math.max(start, building.lastEnd)
  if (frame._tag === 'Sequence') return { _tag: 'Sequence', items: frame.items, source, start, end } satisfies Sequence
  const { copied, entries, found } = applyMerges(frame.entries)
  for (const d of found) building.found.push(d)
  building.expanded += copied
  return { _tag: 'Mapping', entries, source, start, end } satisfies Mapping
}

export const closeCollection = (building: Building): void => {
  const frame = building.stack.pop()
  if (frame === undefined) return
  const { anchor, size, tag } = frame.open
  const closed = close(building, frame)
  const node = tag === undefined ? closed : { ...closed, tag }
  // A value inside may have taken the name: an alias refers to the anchor that began last.
  if (anchor !== undefined && building.anchors.get(anchor) === frame.open) building.anchors.set(anchor, { node, size })
  add(building, node, size)
}

const tooManyValues = (source: Source, start: number, end: number): Diagnostic =>
  tooLarge(source, `aliases expand to more than ${limits.expanded} values`, start, end)

/** DT1047 when no anchor has the alias's name, DT1006 when its expansion is too large. */
export const addAlias = (building: Building, nameStart: number, nameEnd: number): Diagnostic | undefined => {
  const { source } = building
  const name = source.text.slice(nameStart, nameEnd)
  const at: Span = { source, start: nameStart - 1, end: nameEnd }
  const target = building.anchors.get(name)
  if (target === undefined || !('node' in target)) {
    const why = target !== undefined ? `the alias *${name} is inside the value it stands for` : `no anchor &${name}`
    const help = target !== undefined ? 'a value cannot contain itself' : 'define the anchor before it is used'
    return error('DT1047', why, { at, help })
  }
  building.expanded += target.size
  if (building.expanded > limits.expanded) return tooManyValues(source, at.start, at.end)
  add(building, target.node, target.size)
  building.lastEnd = Math.max(building.lastEnd, at.end)
  return undefined
}

/** DT1006 when the tree exceeds the limits. */
export const excessIn = ({ expanded, lastEnd, source }: Building): Diagnostic | undefined =>
  expanded > limits.expanded ? tooManyValues(source, lastEnd, lastEnd) : undefined

export const built = ({ documents, found }: Building): Checked<ReadonlyArray<Node>> => C.note(documents, found)
