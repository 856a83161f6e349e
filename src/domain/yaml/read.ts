/**
 * YAML 1.2 text → trees with places, merge keys applied, duplicate keys refused. js-yaml's event parser does the
 * syntax (it is several times faster than a parser with positions of its own); anchors, tags, merge keys and the
 * limits that keep hostile input cheap are decided here.
 */
import { type Event, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml'
import type { Checked } from '../checked.ts'
import * as C from '../checked.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import type { Source, Span } from '../source.ts'
import { applyMerges } from './merge-keys.ts'
import type { Entry, Mapping, Node, Scalar, Sequence, Tag } from './node.ts'

/**
 * What a file may hold. `tokens` bounds what the parser can produce before it is asked to; `expanded` bounds the nodes
 * that aliases stand for, so that a few lines of nested aliases cannot stand for millions of values.
 */
export const limits = { characters: 16 * 1024 * 1024, tokens: 1_500_000, depth: 100, expanded: 1_000_000 } as const

const tooLarge = (source: Source, what: string, start = 0, end = start): Diagnostic =>
  error('DT1006', `the file is too large to be a Compose file: ${what}`, {
    at: { source, start, end },
    help: 'split it with include, or check that this is the file you meant',
  })

/** Line breaks and the characters that separate values: an upper bound for the number of values. */
const tokenCount = (text: string): number => {
  let count = 0
  for (let i = 0; i < text.length; i += 1) {
    const c = text.charCodeAt(i)
    // \n , : [ {
    if (c === 10 || c === 44 || c === 58 || c === 91 || c === 123) count += 1
  }
  return count
}

const syntaxError = (source: Source, cause: unknown): Diagnostic => {
  if (!(cause instanceof YAMLException)) {
    return error('DT1001', 'the YAML cannot be read', { at: { source, start: 0, end: 0 } })
  }
  const at = Math.min(cause.mark?.position ?? 0, source.text.length)
  if (cause.reason.startsWith('nesting exceeded')) {
    return tooLarge(source, `values are nested deeper than ${limits.depth} levels`, at, at)
  }
  return error('DT1001', `YAML syntax: ${cause.reason}`, {
    at: { source, start: at, end: Math.min(at + 1, source.text.length) },
  })
}

const standardTags: ReadonlyMap<string, boolean | undefined> = new Map([
  ['!', false],
  ['!!str', false],
  ['!!int', true],
  ['!!float', true],
  ['!!bool', true],
  ['!!null', true],
  ['!!merge', true],
  ['!!map', undefined],
  ['!!seq', undefined],
])

type Frame =
  | { readonly _tag: 'Sequence'; readonly items: Array<Node>; readonly open: Open }
  | { readonly _tag: 'Mapping'; readonly entries: Array<Entry>; key: Scalar | undefined; readonly open: Open }

/** What is known of a collection before its end. `size` counts the values in it, aliases expanded. */
type Open = { readonly start: number; readonly anchor?: string; readonly tag?: Tag; size: number }

const longestInterned = 24
const mostInterned = 4_096

type Anchored = { readonly node: Node; readonly size: number } | 'open'

/** Builds the documents of one parse. The state is local to one call of {@link readYaml}. */
const build = (source: Source, events: ReadonlyArray<Event>): Checked<ReadonlyArray<Node>> => {
  const found: Array<Diagnostic> = []
  const documents: Array<Node> = []
  const stack: Array<Frame> = []
  let anchors = new Map<string, Anchored>()
  let lastEnd = 0
  let expanded = 0

  const texts = new Map<string, string>()
  /** The same few keys stand in every service: one copy of each is kept. */
  const intern = (text: string): string => {
    if (text.length > longestInterned) return text
    const known = texts.get(text)
    if (known !== undefined) return known
    if (texts.size < mostInterned) texts.set(text, text)
    return text
  }

  const slice = (start: number, end: number): string | undefined =>
    start < 0 ? undefined : source.text.slice(start, end)

  const tagOf = (start: number, end: number): { readonly tag?: Tag; readonly plain?: boolean } => {
    const raw = slice(start, end)
    if (raw === undefined) return {}
    if (raw === '!reset' || raw === '!override') return { tag: raw === '!reset' ? 'reset' : 'override' }
    if (!standardTags.has(raw)) {
      found.push(
        error('DT1048', `unknown tag ${raw}`, {
          at: { source, start, end },
          help: 'Compose knows !reset and !override; remove the tag',
        }),
      )
    }
    const plain = standardTags.get(raw)
    return plain === undefined ? {} : { plain }
  }

  const add = (node: Node, size: number): void => {
    lastEnd = Math.max(lastEnd, node.end)
    const frame = stack.at(-1)
    if (frame === undefined) {
      documents.push(node)
      return
    }
    frame.open.size += size
    if (frame._tag === 'Sequence') frame.items.push(node)
    else if (frame.key !== undefined) {
      frame.entries.push({ key: frame.key, value: node })
      frame.key = undefined
    } else if (node._tag === 'Scalar') frame.key = node
    else {
      found.push(error('DT1002', `a key must be text, not a ${node._tag.toLowerCase()}`, { at: node }))
      frame.key = { _tag: 'Scalar', text: '', plain: true, source, start: node.start, end: node.end }
    }
  }

  const close = (frame: Frame): Node => {
    const { start, tag } = frame.open
    const span: Span = { source, start, end: Math.max(start, lastEnd) }
    const tagged = tag === undefined ? {} : { tag }
    if (frame._tag === 'Sequence')
      return { _tag: 'Sequence', items: frame.items, ...span, ...tagged } satisfies Sequence
    const merged = applyMerges(frame.entries)
    for (const d of merged.found) found.push(d)
    expanded += merged.copied
    return { _tag: 'Mapping', entries: merged.entries, ...span, ...tagged } satisfies Mapping
  }

  for (const event of events) {
    if (event.type === 1) {
      anchors = new Map()
      continue
    }
    if (event.type === 6) {
      const frame = stack.pop()
      if (frame === undefined) continue
      const node = close(frame)
      if (frame.open.anchor !== undefined) anchors.set(frame.open.anchor, { node, size: frame.open.size })
      add(node, frame.open.size)
    } else if (event.type === 5) {
      const name = source.text.slice(event.anchorStart, event.anchorEnd)
      const at: Span = { source, start: event.anchorStart - 1, end: event.anchorEnd }
      const target = anchors.get(name)
      if (target === undefined || target === 'open') {
        const why = target === 'open' ? `the alias *${name} is inside the value it stands for` : `no anchor &${name}`
        return C.fail(error('DT1047', why, { at, help: 'define the anchor before it is used' }))
      }
      expanded += target.size
      if (expanded > limits.expanded) {
        return C.fail(tooLarge(source, `aliases stand for more than ${limits.expanded} values`, at.start, at.end))
      }
      add(target.node, target.size)
      lastEnd = Math.max(lastEnd, at.end)
    } else {
      const { tag, plain } = tagOf(event.tagStart, event.tagEnd)
      const anchor = slice(event.anchorStart, event.anchorEnd)
      if (event.type === 4) {
        const quoted = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED
        const isEmpty = event.valueStart < 0
        const node: Scalar = {
          _tag: 'Scalar',
          text: intern(getScalarValue(source.text, event)),
          plain: plain ?? event.style === SCALAR_STYLE.PLAIN,
          source,
          start: isEmpty ? lastEnd : event.valueStart - (quoted ? 1 : 0),
          end: isEmpty ? lastEnd : event.valueEnd + (quoted ? 1 : 0),
          ...(tag === undefined ? {} : { tag }),
        }
        if (anchor !== undefined) anchors.set(anchor, { node, size: 1 })
        add(node, 1)
      } else {
        const open: Open = {
          start: event.start,
          size: 1,
          ...(anchor === undefined ? {} : { anchor }),
          ...(tag === undefined ? {} : { tag }),
        }
        if (anchor !== undefined) anchors.set(anchor, 'open')
        stack.push(
          event.type === 2
            ? { _tag: 'Sequence', items: [], open }
            : { _tag: 'Mapping', entries: [], key: undefined, open },
        )
      }
    }
    if (expanded > limits.expanded)
      return C.fail(tooLarge(source, `merge keys copy more than ${limits.expanded} values`))
  }
  return C.note(documents, found)
}

/**
 * The documents of a file, in order; none for an empty file. Fails with DT1001 (syntax), DT1006 (too large, too deep,
 * too many aliased values), DT1047 (aliases); finds DT1002, DT1005 (keys) and DT1048 (tags).
 */
export const readYaml = (source: Source): Checked<ReadonlyArray<Node>> => {
  const { text } = source
  if (text.length > limits.characters) {
    return C.fail(tooLarge(source, `more than ${limits.characters / 1024 / 1024} MiB`))
  }
  if (text.length > limits.tokens && tokenCount(text) > limits.tokens) {
    return C.fail(tooLarge(source, `more than ${limits.tokens} values`))
  }
  let events: ReadonlyArray<Event>
  try {
    events = parseEvents(text, { maxDepth: limits.depth })
  } catch (cause) {
    return C.fail(syntaxError(source, cause))
  }
  return build(source, events)
}
