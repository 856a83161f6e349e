/**
 * Value → YAML that means the same in YAML 1.1 and 1.2: block style, no anchors, no tags. A string is plain only if no
 * reader can take it for anything else. UTF-8 cannot encode lone surrogates: they are printed as U+FFFD.
 */
import { withoutMarks } from '../text/visible.ts'
import { joinPieces, noPieces, type Pieces, put } from './pieces.ts'
import { isList, isMap, type Value } from './value.ts'

/** A line of a document, with the path of the value it shows: `spec.containers[0].image`, `metadata.labels["a.b/c"]`. */
export type Line = { readonly text: string; readonly path: string }

type Mark = { readonly offset: number; readonly path: string }
type Writer = {
  readonly out: Pieces
  /** Printed forms of short keys, which repeat; values hardly do. Discarded after each call. */
  readonly keys: Map<string, string>
  /** Where each entry begins; kept only for `printYamlLines`. */
  readonly marks?: Array<Mark>
}

const CACHED_KEYS = 4096
const CACHED_KEY_LENGTH = 48
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
 * Besides quotes and backslashes: control characters, line separators, directional marks and tags (they hide what the
 * file contains from a reader), byte order mark, non-characters, lone surrogates.
 */
const ESCAPED = /["\\\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff\u{e0000}-\u{e007f}\p{Cs}]/gu
/**
 * Also not allowed in a literal block: trailing spaces, a tab where readers expect indentation, the empty text, and lines
 * that GitHub takes for commands.
 */
const NOT_LITERAL =
  /[^\P{Cc}\t\n]|[\p{Zl}\p{Zp}\p{Bidi_Control}\ufeff\ufffe\uffff\u{e0000}-\u{e007f}\p{Cs}]|[ \t](?:\n|$)|^\n*(?:\t|$)|(?:^|\n) *::|##(?:vso)?\[/u

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

const quoted = (text: string): string =>
  `"${withoutMarks(MAY_NEED_ESCAPES.test(text) ? text.replace(ESCAPED, escapeOf) : text)}"`

const isPlain = (text: string): boolean => BEGINS_PLAIN.test(text) && !NOT_PLAIN.test(text) && !WORD.test(text)

const oneLine = (text: string): string => (isPlain(text) ? text : quoted(text))

const keyName = (writer: Writer, key: string): string => {
  if (key.length > CACHED_KEY_LENGTH) return oneLine(key)
  const cached = writer.keys.get(key)
  if (cached !== undefined) return cached
  const printed = oneLine(key)
  if (writer.keys.size < CACHED_KEYS) writer.keys.set(key, printed)
  return printed
}

/** The block without its last newline. `pad` is the column of the key or dash before it. */
const literal = (text: string, pad: string): string => {
  const chomping = text.endsWith('\n\n') ? '+' : text.endsWith('\n') ? '' : '-'
  const body = chomping === '-' ? text : text.slice(0, -1)
  const indentation = /^\n* /.test(text) ? '2' : ''
  return `|${indentation}${chomping}${`\n${body}`.replace(/\n(?=[^\n])/g, `\n${pad}  `)}`
}

/** YAML 1.1 requires a dot in a number with an exponent. Numbers that are not finite become `null`, as in JSON. */
const numeral = (value: number): string => {
  if (!Number.isFinite(value)) return 'null'
  const text = String(value)
  return text.includes('e') && !text.includes('.') ? text.replace('e', '.0e') : text
}

const scalar = (value: string | number | boolean | null, pad: string): string => {
  if (typeof value === 'string') {
    if (isPlain(value)) return value
    return value.includes('\n') && !NOT_LITERAL.test(value) ? literal(value, pad) : quoted(value)
  }
  return typeof value === 'number' ? numeral(value) : String(value)
}

const NAME = /^[A-Za-z0-9_-]+$/

export const memberPath = (path: string, key: string): string => {
  if (!NAME.test(key)) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}

type Mapping = ReadonlyMap<string, Value> | { readonly [key: string]: Value | undefined }

const isEmpty = (mapping: Mapping): boolean => {
  if (isMap(mapping)) return mapping.size === 0
  for (const key in mapping) if (mapping[key] !== undefined) return false
  return true
}

const mark = (writer: Writer, path: string): void => {
  writer.marks?.push({ offset: writer.out.length, path })
}

/** `lead` precedes the first item and `pad` the others: after a dash there is no indentation. */
const writeItems = (writer: Writer, items: ReadonlyArray<Value>, lead: string, pad: string, path: string): void => {
  let before = lead
  items.forEach((item, index) => {
    const itemPath = writer.marks === undefined ? '' : `${path}[${index}]`
    mark(writer, itemPath)
    put(writer.out, `${before}-`)
    before = pad
    if (typeof item !== 'object' || item === null) put(writer.out, ` ${scalar(item, pad)}\n`)
    else if (isList(item)) {
      put(writer.out, item.length === 0 ? ' []\n' : ' ')
      writeItems(writer, item, '', `${pad}  `, itemPath)
    } else {
      put(writer.out, isEmpty(item) ? ' {}\n' : ' ')
      writeMembers(writer, item, '', `${pad}  `, itemPath)
    }
  })
}

/** Writes `key:` and its value. */
const writeMember = (writer: Writer, key: string, value: Value, lead: string, pad: string, path: string): void => {
  const memberAt = writer.marks === undefined ? '' : memberPath(path, key)
  mark(writer, memberAt)
  const printed = keyName(writer, key)
  const name = printed.length > SIMPLE_KEY_LENGTH ? `? ${printed}\n${pad}` : printed
  if (typeof value !== 'object' || value === null) put(writer.out, `${lead}${name}: ${scalar(value, pad)}\n`)
  else if (isList(value)) {
    put(writer.out, `${lead}${name}:${value.length === 0 ? ' []' : ''}\n`)
    writeItems(writer, value, pad, pad, memberAt)
  } else {
    put(writer.out, `${lead}${name}:${isEmpty(value) ? ' {}' : ''}\n`)
    writeMembers(writer, value, `${pad}  `, `${pad}  `, memberAt)
  }
}

const writeMembers = (writer: Writer, mapping: Mapping, lead: string, pad: string, path: string): void => {
  let before = lead
  const write = (member: Value | undefined, key: string): void => {
    if (member === undefined) return
    writeMember(writer, key, member, before, pad, path)
    before = pad
  }
  if (isMap(mapping)) mapping.forEach(write)
  else for (const key in mapping) write(mapping[key], key)
}

const writeDocument = (writer: Writer, value: Value): void => {
  mark(writer, '')
  if (typeof value === 'string') put(writer.out, `${oneLine(value)}\n`)
  else if (typeof value !== 'object' || value === null) put(writer.out, `${scalar(value, '')}\n`)
  else if (isList(value)) {
    if (value.length === 0) put(writer.out, '[]\n')
    writeItems(writer, value, '', '', '')
  } else {
    if (isEmpty(value)) put(writer.out, '{}\n')
    writeMembers(writer, value, '', '', '')
  }
}

/** One document, without `---`. A string on its own is never a block, since readers disagree about its indentation. */
export const printYaml = (value: Value): string => printYamlStream([value])

/** The documents separated by `---`; '' for none. */
export const printYamlStream = (documents: ReadonlyArray<Value>): string => {
  const writer: Writer = { out: noPieces(), keys: new Map() }
  for (const [index, value] of documents.entries()) {
    if (index > 0) put(writer.out, '---\n')
    writeDocument(writer, value)
  }
  return joinPieces(writer.out)
}

/**
 * The lines of `printYaml`, without newlines. A line that begins several values (`- name: web`) has the path of the
 * innermost; the lines of a block have the path of its string.
 */
export const printYamlLines = (value: Value): ReadonlyArray<Line> => {
  const marks: Array<Mark> = []
  const writer: Writer = { out: noPieces(), keys: new Map(), marks }
  writeDocument(writer, value)
  const lines: Array<Line> = []
  let [end, next] = [0, 0]
  for (const text of joinPieces(writer.out).slice(0, -1).split('\n')) {
    end += text.length + 1
    while (next + 1 < marks.length && (marks[next + 1]?.offset ?? end) < end) next += 1
    lines.push({ text, path: marks[next]?.path ?? '' })
  }
  return lines
}
