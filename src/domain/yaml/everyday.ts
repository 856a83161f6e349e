/**
 * A fast reader for common YAML: block collections, and values that end on their line, without tags and escapes. Any
 * other text, including mistakes, is left to the parser, which takes three times as long.
 */
import type { Checked } from '../checked.ts'
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
  type Properties,
} from './building.ts'
import { isOpening, isQuote } from './characters.ts'
import type { Node } from './node.ts'

/** `at`: where the content of a line begins; `column`: its indentation, -1 after the last line. */
type Cursor = { readonly text: string; readonly building: Building; at: number; column: number }

const mostDepth = 50

/** Tabs, other line breaks, and what YAML does not allow. */
const unusual = /[^\n\x20-\x7e\u{a1}-\u{1fff}\u{2010}-\u{2027}\u{2030}-\u{d7ff}\u{e000}-\u{fefe}\u{10000}-\u{1fffd}]/u

/**
 * The values that may be at an offset. A plain value ends before any character that may give it another meaning; the
 * rest of the line is then not understood.
 */
const patterns = {
  key: /(?:[\w./][\w./-]*|<<|"[^"\\\n]*"|'[^'\n]*')(?=:(?:[ \n]|$))/y,
  name: /[\w-]+/y,
  quoted: /"[^"\\\n]*"|'[^'\n]*'(?!')/y,
  plain: /(?:[^\n !"#%&'*,:>?@`[\]{|}-]|-(?=[\w-]))(?: *(?:[^\n :#]|:(?=[^\n ]))|#)*/y,
  inFlow: /(?:[^\n !"#%&'*,:>?@`[\]{|}-]|-(?=[\w-]))(?: *(?:[^\n :#,[\]{}]|:(?=[^\n "',[\]{}])))*/y,
  emptyLines: /(?: *(?:#[^\n]*)?\n)*(?: *#[^\n]*$)?/y,
  lineEnd: /(?: +#[^\n]*| *)(?:\n|$)/y,
} as const

/** The offset after the match of a pattern, or -1. */
const behind = (pattern: RegExp, text: string, at: number): number => {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : -1
}

const pastSpaces = (text: string, from: number): number => {
  let at = from
  while (text.charCodeAt(at) === 32) at += 1
  return at
}
const endsLine = (c: number): boolean => c === 10 || c === 35 || Number.isNaN(c)

const isItem = ({ at, text }: Cursor): boolean =>
  text.charCodeAt(at) === 45 && (text.charCodeAt(at + 1) === 32 || text.charCodeAt(at + 1) === 10)

/** Moves from the start of a line to the next content. */
const toContent = (cursor: Cursor, from: number): void => {
  const { text } = cursor
  const line = endsLine(text.charCodeAt(pastSpaces(text, from))) ? behind(patterns.emptyLines, text, from) : from
  cursor.at = pastSpaces(text, line)
  cursor.column = cursor.at < text.length ? cursor.at - line : -1
}

/** Moves to the next content when only a comment is left on this line. */
const endLine = (cursor: Cursor, from: number): boolean => {
  const { text } = cursor
  const next = text.charCodeAt(from) === 10 ? from + 1 : behind(patterns.lineEnd, text, from)
  if (next !== -1) toContent(cursor, next)
  return next !== -1
}

/** Returns the offset after a text, or -1. */
const addText = ({ building, text }: Cursor, pattern: RegExp, start: number, properties?: Properties): number => {
  const end = behind(pattern, text, start)
  if (end === -1) return -1
  const quote = isQuote(text.charCodeAt(start)) ? 1 : 0
  addScalar(building, text.slice(start + quote, end - quote), quote === 0, start, end, properties)
  return end
}

const readAlias = ({ building, text }: Cursor, at: number): number => {
  const end = behind(patterns.name, text, at + 1)
  return end !== -1 && addAlias(building, at + 1, end) === undefined ? end : -1
}

/** Returns the offset after a value that ends on its line, or -1. */
const readInline = (cursor: Cursor, at: number, plain: RegExp, properties?: Properties): number => {
  const c = cursor.text.charCodeAt(at)
  if (isOpening(c)) return readFlow(cursor, at, properties)
  if (c === 42) return properties === undefined ? readAlias(cursor, at) : -1
  return addText(cursor, isQuote(c) ? patterns.quoted : plain, at, properties)
}

const readPair = (cursor: Cursor, at: number): number => {
  const { text } = cursor
  const colon = addText(cursor, patterns.key, at)
  return colon === -1 ? -1 : readInline(cursor, pastSpaces(text, colon + 1), patterns.inFlow)
}

const readFlow = (cursor: Cursor, start: number, properties?: Properties): number => {
  const { building, text } = cursor
  const isMapping = text.charCodeAt(start) === 123
  const closing = isMapping ? 125 : 93
  if (building.stack.length > mostDepth) return -1
  openCollection(building, isMapping ? 'Mapping' : 'Sequence', start, properties)
  let at = pastSpaces(text, start + 1)
  let isOpen = text.charCodeAt(at) !== closing
  while (isOpen) {
    const end = isMapping ? readPair(cursor, at) : readInline(cursor, at, patterns.inFlow)
    if (end === -1) return -1
    at = pastSpaces(text, end)
    isOpen = text.charCodeAt(at) === 44
    if (isOpen) at = pastSpaces(text, at + 1)
    else if (text.charCodeAt(at) !== closing) return -1
  }
  closeCollection(building)
  return at + 1
}

/** Whether a value below its key could be read; items of a list may be in the column of the key itself. */
const readNested = (
  cursor: Cursor,
  from: number,
  column: number,
  isItems: boolean,
  properties?: Properties,
): boolean => {
  const { building } = cursor
  if (!endLine(cursor, from)) return false
  if (cursor.column > column) return readBlock(cursor, properties)
  if (properties !== undefined) return false
  if (cursor.column === column && isItems && isItem(cursor)) return readSequence(cursor)
  addScalar(building, '', true, building.lastEnd, building.lastEnd)
  return true
}

/** `column`: that of the collection that contains the value. */
const readValue = (cursor: Cursor, from: number, column: number, isItems: boolean): boolean => {
  const { text } = cursor
  const at = pastSpaces(text, from)
  const isAnchored = text.charCodeAt(at) === 38
  const end = isAnchored ? behind(patterns.name, text, at + 1) : from
  const value = isAnchored ? pastSpaces(text, end) : at
  const c = text.charCodeAt(value)
  if (isAnchored && (end === -1 || (value === end && c !== 10))) return false
  const properties = isAnchored ? { anchor: text.slice(at + 1, end) } : undefined
  if (endsLine(c)) return readNested(cursor, end, column, isItems, properties)
  const last = readInline(cursor, value, patterns.plain, properties)
  return last !== -1 && endLine(cursor, last)
}

const readMapping = (cursor: Cursor, properties?: Properties): boolean => {
  const { building, column } = cursor
  openCollection(building, 'Mapping', cursor.at, properties)
  while (cursor.column === column) {
    const colon = addText(cursor, patterns.key, cursor.at)
    if (colon === -1 || !readValue(cursor, colon + 1, column, true)) return false
  }
  closeCollection(building)
  return cursor.column < column && excessIn(building) === undefined
}

const readSequence = (cursor: Cursor, properties?: Properties): boolean => {
  const { building, column, text } = cursor
  openCollection(building, 'Sequence', cursor.at, properties)
  while (cursor.column === column && isItem(cursor)) {
    const dash = cursor.at
    const at = pastSpaces(text, dash + 1)
    if (behind(patterns.key, text, at) === -1) {
      if (!readValue(cursor, dash + 1, column, false)) return false
    } else {
      cursor.at = at
      cursor.column = column + at - dash
      if (!readMapping(cursor)) return false
    }
  }
  closeCollection(building)
  return cursor.column <= column
}

const readBlock = (cursor: Cursor, properties?: Properties): boolean => {
  if (cursor.building.stack.length > mostDepth) return false
  return isItem(cursor) ? readSequence(cursor, properties) : readMapping(cursor, properties)
}

/** `undefined` when it is left to the parser. */
export const readEveryday = (source: Source): Checked<ReadonlyArray<Node>> | undefined => {
  const { text } = source
  if (unusual.test(text)) return undefined
  const building = newBuilding(source)
  const cursor: Cursor = { text, building, at: 0, column: -1 }
  toContent(cursor, 0)
  const { column: first } = cursor
  const isRead = first === 0 && readBlock(cursor) && cursor.column === -1
  return isRead ? built(building) : undefined
}
