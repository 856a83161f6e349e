/**
 * Value → YAML that means the same in YAML 1.1 and 1.2: block style, no anchors, no tags. A string is plain only if no
 * reader can take it for anything else. UTF-8 cannot encode lone surrogates: they are printed as U+FFFD.
 */
import { withoutMarks } from '../text/visible.ts'
import { joinPieces, noPieces, type Pieces, put } from './pieces.ts'
import { isList, isMap, type Value } from './value.ts'

/**
 * A line of a document, with the path of the value it shows: `spec.containers[0].image`, `metadata.labels["a.b/c"]`.
 */
export type Line = { readonly text: string; readonly path: string }

type Mark = { readonly offset: number; readonly path: string }
/** Printed forms of short texts, which repeat. */
type Texts = Map<string, string>

/** Every line is written after the break that ends the one before. Discarded after each call. */
type Writer = {
  readonly out: Pieces
  readonly values: Texts
  /** Keys that begin a line, by their depth, and those that follow a dash; all with their colon. */
  readonly keys: Array<Texts>
  readonly afterDash: Texts
  /** Where each entry begins; kept only for `printYamlLines`. */
  readonly marks?: Array<Mark>
}

const newWriter = (): Writer => ({ out: noPieces(), values: new Map(), keys: [], afterDash: new Map() })

const MOST_CACHED = 4096
const LONGEST_CACHED = 48
/** Longer keys require the form `? key`; the length includes quotes. */
const SIMPLE_KEY_LENGTH = 1024

/**
 * Excludes the words that YAML 1.1 reads as a boolean or null, in any case, and `e1`, which the `yaml` package reads as
 * a number in that mode. A colon inside is text unless a space follows.
 */
const WORD = /^(?:y|n|yes|no|on|off|true|false|null|e-?[0-9]+)$/i
const BEGINS_PLAIN = /^[a-z/]/i
/** Matches a single character: a pattern for the whole text would need a stack as deep as the text is long. */
const NOT_PLAIN = /[^a-z0-9_./@:-]|:$/i

/**
 * A pattern with classes of Unicode takes a part of a millisecond to make: only where it is needed.
 *
 * Besides quotes and backslashes: control characters, line separators, directional marks, tags and what has no width
 * (they hide what the file contains from a reader), byte order mark, non-characters, lone surrogates.
 */
const withEscapes = (text: string): string =>
  text.replace(
    /["\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}\p{Cs}]/gu,
    escapeOf,
  )

/**
 * Also not allowed in a literal block: trailing spaces, a tab where readers expect indentation, the empty text, and
 * lines that GitHub takes for commands.
 */
const isLiteral = (text: string): boolean =>
  !/[^\P{Cc}\t\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}\u00ad\u115f\u1160\u180e\u200b\u2060-\u206f\u3164\ufeff\uffa0\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e0fff}\p{Cs}]|[ \t](?:\n|$)|^\n*(?:\t|$)|(?:^|\n) *::|##(?:vso)?\[/u.test(
    text,
  )

const escapeOf = (char: string): string => {
  switch (char) {
    case '"':
      return '\\"'
    case '\\':
      return '\\\\'
    case '\t':
      return '\\t'
    case '\n':
      return '\\n'
    case '\r':
      return '\\r'
  }
  const code = char.codePointAt(0) ?? 0
  if (code > 0xffff) return `\\U${code.toString(16).padStart(8, '0')}`
  if (code >= 0xd800 && code <= 0xdfff) return '\ufffd'
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16).padStart(4, '0')}`
}

/** Most texts are plain ASCII, for which the pattern need not even be compiled. */
const MAY_NEED_ESCAPES = /[^ !#-[\]-~]/

const quoted = (text: string): string => `"${withoutMarks(MAY_NEED_ESCAPES.test(text) ? withEscapes(text) : text)}"`

const isPlain = (text: string): boolean => BEGINS_PLAIN.test(text) && !NOT_PLAIN.test(text) && !WORD.test(text)

const oneLine = (text: string): string => (isPlain(text) ? text : quoted(text))

/** The break before a line at a depth, and its indentation. */
const breaks = Array.from({ length: 64 }, (_, depth) => `\n${'  '.repeat(depth)}`)
const dashes = breaks.map((each) => `${each}-`)
const dashAt = (depth: number): string => dashes[depth] ?? `${breakAt(depth)}-`
const breakAt = (depth: number): string => breaks[depth] ?? `\n${'  '.repeat(depth)}`

/** `key:` where it stands: after a dash, or on a line of its own. */
const keyName = (writer: Writer, key: string, depth: number, isAfterDash: boolean): string => {
  const texts = isAfterDash ? writer.afterDash : (writer.keys[depth] ??= new Map())
  const known = texts.get(key)
  if (known !== undefined) return known
  const printed = oneLine(key)
  const lead = isAfterDash ? ' ' : breakAt(depth)
  const name = `${lead}${printed.length > SIMPLE_KEY_LENGTH ? `? ${printed}${breakAt(depth)}` : printed}:`
  if (key.length <= LONGEST_CACHED && texts.size < MOST_CACHED) texts.set(key, name)
  return name
}

/** The block without its last newline, for a key or dash at `depth`. */
const literal = (text: string, depth: number): string => {
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const body = chomping === '-' ? text : text.slice(0, -1)
  const indentation = /^\n* /.test(text) ? '2' : ''
  return `|${indentation}${chomping}${`\n${body}`.replace(/\n(?=[^\n])/g, breakAt(depth + 1))}`
}

/** YAML 1.1 requires a dot in a number with an exponent. Numbers that are not finite become `null`, as in JSON. */
const numeral = (value: number): string => {
  if (!Number.isFinite(value)) return 'null'
  const text = String(value)
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text
}

const textOf = (text: string, depth: number): string => {
  if (isPlain(text)) return text
  return text.includes('\n') && isLiteral(text) ? literal(text, depth) : quoted(text)
}

type ScalarValue = string | number | boolean | null

const scalar = (value: Exclude<ScalarValue, string>): string =>
  typeof value === 'number' ? numeral(value) : String(value)

/** The value of a key or an item, behind its colon or dash. */
const putScalar = ({ out, values }: Writer, value: ScalarValue, depth: number): void => {
  if (typeof value !== 'string') return put(out, ` ${scalar(value)}`)
  const known = values.get(value)
  if (known !== undefined) return put(out, known)
  const printed = ` ${textOf(value, depth)}`
  if (value.length <= LONGEST_CACHED && values.size < MOST_CACHED && !value.includes('\n')) values.set(value, printed)
  put(out, printed)
}

const NAME = /^[A-Za-z0-9_-]+$/

export const memberPath = (path: string, key: string): string => {
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

type Mapping = ReadonlyMap<string, Value> | { readonly [key: string]: Value | undefined }

/** Only for `printYamlLines`. */
const mark = (writer: Writer, path: string): string => {
  writer.marks?.push({ offset: writer.out.length, path })
  return path
}

/** The first item of a list in a list follows its dash; all others begin a line. */
const writeItems = (
  writer: Writer,
  items: ReadonlyArray<Value>,
  depth: number,
  isAfterDash: boolean,
  path: string,
): void => {
  items.forEach((item, index) => {
    const itemPath = writer.marks === undefined ? '' : mark(writer, `${path}[${index}]`)
    put(writer.out, isAfterDash && index === 0 ? ' -' : dashAt(depth))
    if (typeof item !== 'object' || item === null) putScalar(writer, item, depth)
    else if (isList(item)) {
      if (item.length === 0) put(writer.out, ' []')
      writeItems(writer, item, depth + 1, true, itemPath)
    } else if (!writeMembers(writer, item, depth + 1, true, itemPath)) put(writer.out, ' {}')
  })
}

/** Writes `key:` and its value. */
const writeMember = (
  writer: Writer,
  key: string,
  value: Value,
  depth: number,
  isAfterDash: boolean,
  path: string,
): void => {
  const memberAt = writer.marks === undefined ? '' : mark(writer, memberPath(path, key))
  put(writer.out, keyName(writer, key, depth, isAfterDash))
  if (typeof value !== 'object' || value === null) putScalar(writer, value, depth)
  else if (isList(value)) {
    if (value.length === 0) put(writer.out, ' []')
    writeItems(writer, value, depth, false, memberAt)
  } else if (!writeMembers(writer, value, depth + 1, false, memberAt)) put(writer.out, ' {}')
}

/** Returns whether there are any. No function is made for each mapping: there are ten in every object. */
const writeMembers = (writer: Writer, mapping: Mapping, depth: number, isAfterDash: boolean, path: string): boolean => {
  if (isMap(mapping)) return writeMap(writer, mapping, depth, isAfterDash, path)
  let isAny = false
  for (const key in mapping) {
    const member = mapping[key]
    if (member === undefined) continue
    writeMember(writer, key, member, depth, isAfterDash && !isAny, path)
    isAny = true
  }
  return isAny
}

const writeMap = (
  writer: Writer,
  mapping: ReadonlyMap<string, Value>,
  depth: number,
  isAfterDash: boolean,
  path: string,
): boolean => {
  let isFirst = isAfterDash
  mapping.forEach((member, key) => {
    writeMember(writer, key, member, depth, isFirst, path)
    isFirst = false
  })
  return mapping.size > 0
}

const writeDocument = (writer: Writer, value: Value): void => {
  mark(writer, '')
  if (typeof value === 'string') put(writer.out, `\n${oneLine(value)}`)
  else if (typeof value !== 'object' || value === null) put(writer.out, `\n${scalar(value)}`)
  else if (isList(value)) {
    if (value.length === 0) put(writer.out, '\n[]')
    writeItems(writer, value, 0, false, '')
  } else if (!writeMembers(writer, value, 0, false, '')) put(writer.out, '\n{}')
}

/** The line break before the first line is at the end instead. */
const written = ({ out }: Writer): string => {
  put(out, '\n')
  return joinPieces(out).slice(1)
}

/** One document, without `---`. A string on its own is never a block, since readers disagree about its indentation. */
export const printYaml = (value: Value): string => printYamlStream([value])

/** The documents separated by `---`; '' for none. */
export const printYamlStream = (documents: ReadonlyArray<Value>): string => {
  if (documents.length === 0) return ''
  const writer = newWriter()
  documents.forEach((value, index) => {
    if (index > 0) put(writer.out, '\n---')
    writeDocument(writer, value)
  })
  return written(writer)
}

/**
 * The lines of `printYaml`, without newlines. A line that begins several values (`- name: web`) has the path of the
 * innermost; the lines of a block have the path of its string.
 */
export const printYamlLines = (value: Value): ReadonlyArray<Line> => {
  const marks: Array<Mark> = []
  const writer: Writer = { ...newWriter(), marks }
  writeDocument(writer, value)
  const lines: Array<Line> = []
  let [end, next] = [0, 0]
  for (const text of written(writer).slice(0, -1).split('\n')) {
    end += text.length + 1
    while (next + 1 < marks.length && (marks[next + 1]?.offset ?? end) < end) next += 1
    lines.push({ text, path: marks[next]?.path ?? '' })
  }
  return lines
}
