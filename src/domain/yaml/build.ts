/** Events of the YAML parser → trees. */
import {
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
import type { Source } from '../text/source.ts'
import {
  addAlias,
  addScalar,
  type Building,
  built,
  closeCollection,
  excessIn,
  newBuilding,
  openCollection,
} from './building.ts'
import type { Node, Tag } from './node.ts'

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

/** One call of {@link buildDocuments}. */
type Reading = { readonly building: Building; handles: TagHandles }

const slice = ({ source }: Building, start: number, end: number): string | undefined =>
  start < 0 ? undefined : source.text.slice(start, end)

type TagMeaning = { readonly tag?: Tag; readonly plain?: boolean }
const untagged: TagMeaning = {}

const tagOf = (
  { building, handles }: Reading,
  { tagStart: start, tagEnd: end }: ScalarEvent | SequenceEvent | MappingEvent,
): TagMeaning => {
  if (start < 0) return untagged
  const raw = building.source.text.slice(start, end)
  const name = fullTag(raw, handles)
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

/** A block scalar that ends with the file ends without a line break when the file does. */
const textOf = ({ text }: Source, event: ScalarEvent): string => {
  const value = getScalarValue(text, event)
  const isBlock = event.style === SCALAR_STYLE.LITERAL_BLOCK || event.style === SCALAR_STYLE.FOLDED_BLOCK
  const isCutOff = isBlock && event.valueEnd === text.length && !/[\r\n]$/.test(text)
  return isCutOff && event.chomping !== CHOMPING_MODE.STRIP ? value.replace(/\n$/, '') : value
}

/** Only escapes bring these into a text: no program can be given a NUL, and half a character cannot be printed. */
const impossible = /\0|\p{Cs}/u

const onScalar = (reading: Reading, event: ScalarEvent): void => {
  const { building } = reading
  const { lastEnd, source } = building
  const text = textOf(source, event)
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && impossible.test(text)) {
    const what = text.includes('\0') ? 'a NUL character' : 'half of a surrogate pair'
    const at = { source, start: event.valueStart - 1, end: event.valueEnd + 1 }
    building.found.push(error('DT1001', `invalid YAML: an escape stands for ${what}`, { at }))
  }
  const { tag, plain } = tagOf(reading, event)
  const isQuoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
  const isEmpty = event.valueStart < 0
  const quote = isQuoted ? 1 : 0
  addScalar(
    building,
    text,
    plain ?? event.style === SCALAR_STYLE.PLAIN,
    isEmpty ? lastEnd : event.valueStart - quote,
    isEmpty ? lastEnd : event.valueEnd + quote,
    { tag, anchor: slice(building, event.anchorStart, event.anchorEnd) },
  )
}

const onOpen = (reading: Reading, event: SequenceEvent | MappingEvent): void => {
  const { building } = reading
  const kind = event.type === EVENT_ID.SEQUENCE ? 'Sequence' : 'Mapping'
  const { tag } = tagOf(reading, event)
  openCollection(building, kind, event.start, { tag, anchor: slice(building, event.anchorStart, event.anchorEnd) })
}

/** A finding that makes it pointless to continue; otherwise `undefined`. */
const onEvent = (reading: Reading, event: Event): Diagnostic | undefined => {
  switch (event.type) {
    case EVENT_ID.DOCUMENT:
      reading.handles = handlesOf(event)
      return undefined
    case EVENT_ID.SCALAR:
      onScalar(reading, event)
      return undefined
    case EVENT_ID.SEQUENCE:
    case EVENT_ID.MAPPING:
      onOpen(reading, event)
      return undefined
    case EVENT_ID.POP:
      closeCollection(reading.building)
      return undefined
    case EVENT_ID.ALIAS:
      return addAlias(reading.building, event.anchorStart, event.anchorEnd)
  }
}

/** Fails with DT1006 (aliases expand to too much) and DT1047 (aliases); finds DT1002, DT1005 (keys), DT1048 (tags). */
export const buildDocuments = (source: Source, events: ReadonlyArray<Event>): Checked<ReadonlyArray<Node>> => {
  const reading: Reading = { building: newBuilding(source), handles: defaultHandles }
  let fault: Diagnostic | undefined
  events.some((event) => {
    fault = onEvent(reading, event) ?? excessIn(reading.building)
    return fault !== undefined
  })
  return fault === undefined ? built(reading.building) : C.fail(fault)
}
