/**
 * Environment files: Compose's dotenv grammar (Docker docs, "Syntax for environment files"; compose-go `dotenv`) and
 * its `format: raw`. Values are still templates: the caller substitutes variables where `expand` is set.
 */
import { unescapeDoubleQuoted } from './dotenv-escapes.ts'
import { characterEnd, type Fault, quote } from './fault.ts'

/**
 * An entry without `value` is a bare key, which inherits its value. `start` and `end` delimit it from its name to its
 * value.
 */
export type DotenvEntry = {
  readonly name: string
  readonly value?: string
  /** False in single quotes and in raw files, where a dollar sign is just a dollar sign. */
  readonly expand: boolean
  readonly start: number
  readonly end: number
}

export type Dotenv = { readonly entries: ReadonlyArray<DotenvEntry>; readonly faults: ReadonlyArray<Fault> }

/** The statement at a position, and where reading continues. */
type Statement = { readonly entry?: DotenvEntry; readonly fault?: Fault; readonly next: number }

export const readDotenv = (text: string): Dotenv => {
  const [entries, faults]: [Array<DotenvEntry>, Array<Fault>] = [[], []]
  let at = skip(text, 0, /\s*/y)
  while (at < text.length) {
    const { entry, fault, next } = text[at] === '#' ? { next: lineEnd(text, at) } : readStatement(text, at)
    if (entry !== undefined) entries.push(entry)
    if (fault !== undefined) faults.push(fault)
    at = skip(text, next, /\s*/y)
  }
  return { entries, faults }
}

/** Every line is `NAME=value` up to its end, a bare name, blank, or a comment (`format: raw`). */
export const readRawEnv = (text: string): Dotenv => {
  const [entries, faults]: [Array<DotenvEntry>, Array<Fault>] = [[], []]
  let next = text.startsWith('\ufeff') ? 1 : 0
  while (next < text.length) {
    const newline = lineEnd(text, next)
    const end = text[newline - 1] === '\r' && newline > next ? newline - 1 : newline
    const start = Math.min(skip(text, next, /[ \t]*/y), end)
    const line = text.slice(start, end)
    next = newline + 1
    if (line === '' || line.startsWith('#')) continue
    const [name = ''] = line.split('=', 1)
    if (name === '') faults.push({ message: 'the name is missing before "="', start, end: start + 1 })
    else if (/\s/.test(name)) faults.push(spacedName(name, start))
    else if (name === line) entries.push({ name, expand: false, start, end })
    else entries.push({ name, value: line.slice(name.length + 1), expand: false, start, end })
  }
  return { entries, faults }
}

const readStatement = (text: string, from: number): Statement => {
  const start = skip(text, from, /export[ \t]+(?=[^\s=:])/y)
  const nameEnd = skip(text, start, /[A-Za-z0-9_.[\]-]*/y)
  const after = skip(text, nameEnd, /[ \t]*/y)
  const name = text.slice(start, nameEnd)
  const newline = lineEnd(text, after)
  const separator = text[after]
  if (separator === '=' || separator === ':') {
    if (name !== '') return readValue(text, { name, start }, after + 1, newline)
    return { fault: { message: `the name is missing before "${separator}"`, start, end: after + 1 }, next: newline }
  }
  if (text.slice(after, newline).trim() === '')
    return { entry: { name, expand: true, start, end: nameEnd }, next: newline }
  if (after > nameEnd && name !== '' && separator !== '#') {
    const line = text.slice(start, newline).trimEnd()
    const [words = ''] = line.split(/[=:]/, 1)
    return { fault: spacedName(words.trimEnd(), start), next: newline }
  }
  const end = characterEnd(text, after)
  const message = `unexpected character ${quote(text.slice(after, end))} in the name of a variable`
  return { fault: { message, start: after, end }, next: newline }
}

type VariableName = { readonly name: string; readonly start: number }

/** Named one by one: Node 20 takes 30 times as long to add to a copy, which counts for a file of many lines. */
const readValue = (text: string, { name, start }: VariableName, from: number, newline: number): Statement => {
  const open = skip(text, from, /[ \t]*/y)
  const mark = text[open]
  if (mark === '"' || mark === "'") return readQuoted(text, { name, start }, open, newline)
  const line = text.slice(open, newline)
  const comment = line.indexOf(' #')
  const kept = (comment === -1 ? line : line.slice(0, comment)).trimEnd()
  const end = kept === '' ? from : open + kept.length
  return { entry: { name, value: kept, expand: true, start, end }, next: newline }
}

const readQuoted = (text: string, { name, start }: VariableName, open: number, newline: number): Statement => {
  const mark = text.charAt(open)
  const close = closingQuote(text, open)
  if (close === -1) {
    const end = open + text.slice(open, newline).trimEnd().length
    return { fault: { message: `the quote ${mark} is not closed`, start: open, end }, next: newline }
  }
  const rest = skip(text, close + 1, /[ \t\r]*/y)
  const next = lineEnd(text, rest)
  if (rest < next && text[rest] !== '#') {
    const end = rest + text.slice(rest, next).trimEnd().length
    return { fault: { message: 'unexpected text after the closing quote', start: rest, end }, next }
  }
  const body = text.slice(open + 1, close).replaceAll('\r\n', '\n')
  const isDouble = mark === '"'
  const value = isDouble ? unescapeDoubleQuoted(body) : body.replaceAll("\\'", "'")
  return { entry: { name, value, expand: isDouble, start, end: close + 1 }, next }
}

/** A backslash escapes the next character, in single quotes too. */
const closingQuote = (text: string, open: number): number => {
  const mark = text[open]
  let at = open + 1
  while (at < text.length && text[at] !== mark) at += text[at] === '\\' ? 2 : 1
  return at < text.length ? at : -1
}

const spacedName = (name: string, start: number): Fault => ({
  message: `the name of a variable cannot have spaces: ${quote(name)}`,
  start,
  end: start + name.length,
})

const lineEnd = (text: string, from: number): number => {
  const at = text.indexOf('\n', from)
  return at === -1 ? text.length : at
}

/** Where the match of the sticky pattern at `from` ends; it may be empty. */
const skip = (text: string, from: number, pattern: RegExp): number => {
  pattern.lastIndex = from
  return pattern.test(text) ? pattern.lastIndex : from
}
