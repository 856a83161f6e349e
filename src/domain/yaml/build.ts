/** Events of the YAML parser → trees: anchors, tags and merge keys are resolved here. */
import {
  type AliasEvent,
  CHOMPING_MODE,
  type DocumentEvent,
  EVENT_ID,
  type Event,
  getScalarValue,
  type MappingEvent,
  SCALAR_STYLE,
  type ScalarEvent,
  type SequenceEvent,
} from 'js-yaml'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import type { Source, Span } from '../text/source.ts'
import { limits, tooLarge } from './limits.ts'
import { applyMerges } from './merge-keys.ts'
import type { Entry, Mapping, Node, Scalar, Sequence, Tag } from './node.ts'

const standard = 'tag:yaml.org,2002:'

/** Whether a scalar with the tag may be something other than a string; `undefined` for tags of collections. */
const standardTags: ReadonlyMap<string, boolean | undefined> = new Map([
  ['!', false],
  [`${standard}str`, false],
  [`${standard}int`, true],
  [`${standard}float`, true],
  [`${standard}bool`, true],
  [`${standard}null`, true],
  [`${standard}merge`, true],
  [`${standard}map`, undefined],
  [`${standard}seq`, undefined],
])

/** What a tag begins with → what that stands for; `%TAG` adds to them for one document. */
type TagHandles = ReadonlyMap<string, string>
const defaultHandles: TagHandles = new Map([['!!', standard]])

const handlesOf = ({ directives }: DocumentEvent): TagHandles =>
  directives.reduce<TagHandles>(
    (known, one) => (one.kind === 'tag' ? new Map([...known, [one.handle, one.prefix]]) : known),
    defaultHandles,
  )

/** `!!str`, `!<tag:yaml.org,2002:str>` and a `%TAG` of the file write the same tag. */
const fullTag = (raw: string, handles: TagHandles): string => {
  if (raw.startsWith('!<')) return raw.slice(2, -1)
  const handle = raw.slice(0, raw.indexOf('!', 1) + 1) || '!'
  const prefix = raw === '!' ? undefined : handles.get(handle)
  return prefix === undefined ? raw : prefix + raw.slice(handle.length)
}

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

/** A collection that is still open stands for itself. */
type Anchored = { readonly node: Node; readonly size: number } | OpenCollection

/** The state of one call of {@link buildDocuments}. `expanded` counts aliased values. */
type Building = {
  readonly source: Source
  readonly found: Array<Diagnostic>
  readonly documents: Array<Node>
  readonly stack: Array<Frame>
  readonly texts: Map<string, string>
  /** They last for the whole file, as in Compose. */
  readonly anchors: Map<string, Anchored>
  handles: TagHandles
  lastEnd: number
  expanded: number
}

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

const slice = ({ source }: Building, start: number, end: number): string | undefined =>
  start < 0 ? undefined : source.text.slice(start, end)

type TagMeaning = { readonly tag?: Tag; readonly plain?: boolean }
const untagged: TagMeaning = {}

const tagOf = (
  building: Building,
  { tagStart: start, tagEnd: end }: ScalarEvent | SequenceEvent | MappingEvent,
): TagMeaning => {
  const raw = slice(building, start, end)
  if (raw === undefined) return untagged
  const name = fullTag(raw, building.handles)
  if (name === '!reset' || name === '!override') return { tag: name === '!reset' ? 'reset' : 'override' }
  if (!standardTags.has(name)) {
    building.found.push(
      warning('DT1048', `the tag ${raw} has no effect: the value is read as written`, {
        at: { source: building.source, start, end },
        help: 'Compose only has !reset and !override; remove the tag',
      }),
    )
    return { plain: false }
  }
  const plain = standardTags.get(name)
  return plain === undefined ? {} : { plain }
}

/** Adds a finished value to the open collection, or to the documents. */
const add = (building: Building, node: Node, size: number): void => {
  building.lastEnd = Math.max(building.lastEnd, node.end)
  const frame = building.stack.at(-1)
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

/** A block scalar that ends with the file ends without a line break when the file does. */
const textOf = ({ text }: Source, event: ScalarEvent): string => {
  const value = getScalarValue(text, event)
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK
  const isCutOff = isBlock && event.valueEnd === text.length && !/[\r\n]$/.test(text)
  return isCutOff && event.chomping !== CHOMPING_MODE.STRIP ? value.replace(/\n$/, '') : value
}

const onScalar = (building: Building, event: ScalarEvent): void => {
  const { source, lastEnd } = building
  const { tag, plain } = tagOf(building, event)
  const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  const isEmpty = event.valueStart < 0
  const quote = isQuoted ? 1 : 0
  const node: Scalar = {
    _tag: 'Scalar',
    text: intern(building, textOf(source, event)),
    plain: plain ?? event.style === SCALAR_STYLE.PLAIN,
    source,
    start: isEmpty ? lastEnd : event.valueStart - quote,
    end: isEmpty ? lastEnd : event.valueEnd + quote,
  }
  const tagged = tag === undefined ? node : { ...node, tag }
  const anchor = slice(building, event.anchorStart, event.anchorEnd)
  if (anchor !== undefined) building.anchors.set(anchor, { node: tagged, size: 1 })
  add(building, tagged, 1)
}

const onOpen = (building: Building, event: SequenceEvent | MappingEvent): void => {
  const { tag } = tagOf(building, event)
  const anchor = slice(building, event.anchorStart, event.anchorEnd)
  const open: OpenCollection = { start: event.start, size: 1, anchor, tag }
  if (anchor !== undefined) building.anchors.set(anchor, open)
  building.stack.push(
    event.type === EVENT_ID.SEQUENCE
      ? { _tag: 'Sequence', items: [], open }
      : { _tag: 'Mapping', entries: [], key: undefined, open },
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

const onPop = (building: Building): void => {
  const frame = building.stack.pop()
  if (frame === undefined) return
  const { anchor, size, tag } = frame.open
  const closed = close(building, frame)
  const node = tag === undefined ? closed : { ...closed, tag }
  // A value inside may have taken the name: an alias means the value that began last.
  if (anchor !== undefined && building.anchors.get(anchor) === frame.open) building.anchors.set(anchor, { node, size })
  add(building, node, size)
}

const tooManyValues = (source: Source, start: number, end: number): Diagnostic =>
  tooLarge(source, `aliases expand to more than ${limits.expanded} values`, start, end)

/** DT1047 when no anchor has the alias's name, DT1006 when its expansion is too large. */
const onAlias = (building: Building, { anchorStart, anchorEnd }: AliasEvent): Diagnostic | undefined => {
  const { source } = building
  const name = source.text.slice(anchorStart, anchorEnd)
  const at: Span = { source, start: anchorStart - 1, end: anchorEnd }
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

/** A finding that makes it pointless to continue; otherwise `undefined`. */
const onEvent = (building: Building, event: Event): Diagnostic | undefined => {
  switch (event.type) {
    case EVENT_ID.DOCUMENT:
      building.handles = handlesOf(event)
      return undefined
    case EVENT_ID.SCALAR:
      onScalar(building, event)
      return undefined
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      onOpen(building, event)
      return undefined
    case EVENT_ID.POP:
      onPop(building)
      return undefined
    case EVENT_ID.ALIAS:
      return onAlias(building, event)
  }
}

/** Fails with DT1006 (aliases expand to too much) and DT1047 (aliases); finds DT1002, DT1005 (keys), DT1048 (tags). */
export const buildDocuments = (source: Source, events: ReadonlyArray<Event>): Checked<ReadonlyArray<Node>> => {
  const building: Building = {
    source,
    found: [],
    documents: [],
    stack: [],
    texts: new Map(),
    anchors: new Map(),
    handles: defaultHandles,
    lastEnd: 0,
    expanded: 0,
  }
  let fault: Diagnostic | undefined
  events.some((event) => {
    fault = onEvent(building, event)
    if (building.expanded > limits.expanded) fault ??= tooManyValues(source, building.lastEnd, building.lastEnd)
    return fault !== undefined
  })
  return fault === undefined ? C.note(building.documents, building.found) : C.fail(fault)
}
