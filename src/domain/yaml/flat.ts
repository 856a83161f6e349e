/**
 * Compose and kubectl read YAML with go-yaml, which accepts the lines of a flow collection or of quoted text at any
 * column, tabs between values, and comments right after a bracket, a comma or a quote. The parser is stricter, so a
 * text that it rejects is flattened: blanks replace line breaks, tabs and comments, and every place stays the same.
 */
import {
  endsToken,
  isBlank,
  isBlockIndicator,
  isBlockScalar,
  isBreak,
  isColon,
  isHash,
  isMarker,
  isOpening,
  isProperty,
  isQuote,
  lineEnd,
  nextLine,
  propertyEnd,
  skip,
} from './characters.ts'
import { flowEnd, type Layout, quotedEnd } from './flow.ts'

/** The line to continue with. Values are children of the last key or dash, which is in the column `parent`. */
type LineState = { readonly at: number; readonly parent: number }

/** The first line from `start` on with text that is not indented more than `parent`. */
const blockEnd = (text: string, start: number, parent: number): number => {
  let at = start
  while (at < text.length && !isMarker(text, at)) {
    const content = skip(text, at, (c) => c === 32)
    if (content - at <= parent && !endsToken(text.charCodeAt(content))) return at
    at = nextLine(text, content)
  }
  return at
}

/** Where a plain scalar ends on its line: before a colon, a comment or the line break. */
const plainEnd = (text: string, start: number): number => {
  let at = start
  for (let c = text.charCodeAt(at); at < text.length && !isBreak(c); c = text.charCodeAt(at)) {
    if (isColon(c) && endsToken(text.charCodeAt(at + 1))) return at
    if (isHash(c) && isBlank(text.charCodeAt(at - 1))) return at
    at += 1
  }
  return at
}

const blockScalar = (text: string, { at, parent }: LineState, layout: Layout): LineState => {
  const end = lineEnd(text, at)
  const comment = text.slice(at, end).indexOf('#')
  if (comment !== -1) layout.push([at + comment, end])
  return { at: blockEnd(text, nextLine(text, end), parent), parent }
}

type Value = { readonly end: number; readonly isPlain: boolean; readonly isKey: boolean }

/** What begins at `start`; `undefined` when it has no end, or is a key of several lines. */
const valueAt = (text: string, start: number, layout: Layout): Value | undefined => {
  const c = text.charCodeAt(start)
  const isPlain = !isOpening(c) && !isQuote(c)
  const endOf = isPlain ? plainEnd : isQuote(c) ? quotedEnd : flowEnd
  const end = endOf(text, start, layout)
  if (end === undefined) return undefined
  const colon = skip(text, end, isBlank)
  const isKey = isColon(text.charCodeAt(colon)) && endsToken(text.charCodeAt(colon + 1))
  return isKey && lineEnd(text, start) < end ? undefined : { end, isPlain, isKey }
}

/** Reads one line, with the lines of the value that begins on it; `undefined` when the rest is invalid. */
const readLine = (text: string, line: LineState, layout: Layout): LineState | undefined => {
  const isStart = isMarker(text, line.at)
  let parent = isStart ? -1 : line.parent
  let at = isStart ? line.at + 3 : line.at
  let properties: number | undefined
  for (;;) {
    const before = at
    at = skip(text, at, isBlank)
    const c = text.charCodeAt(at)
    if (endsToken(c) || isHash(c)) return { at: nextLine(text, at), parent }
    if (isBlockScalar(c)) return blockScalar(text, { at, parent }, layout)
    if (isBlockIndicator(c) && endsToken(text.charCodeAt(at + 1))) {
      parent = at - line.at
      at += 1
    } else if (isProperty(c)) {
      if (before > line.at) layout.push([before, at])
      properties ??= at
      at = propertyEnd(text, at, false)
    } else {
      const known = layout.length
      if (before > line.at && (isOpening(c) || isQuote(c))) layout.push([before, at])
      const value = valueAt(text, at, layout)
      if (value === undefined) {
        layout.length = known
        return undefined
      }
      const { end, isKey, isPlain } = value
      if (!isKey) {
        if (isPlain) return { at: blockEnd(text, nextLine(text, end), parent), parent }
        const behind = lineEnd(text, end)
        if (isHash(text.charCodeAt(end))) layout.push([end, behind])
        return { at: nextLine(text, behind), parent }
      }
      parent = (properties ?? at) - line.at
      properties = undefined
      at = skip(text, end, isBlank) + 1
    }
  }
}

/** The text with every flow collection and every quoted text on one line. */
export const flat = (text: string): string => {
  const layout: Layout = []
  let line: LineState | undefined = { at: text.startsWith('\uFEFF') ? 1 : 0, parent: -1 }
  while (line !== undefined && line.at < text.length) line = readLine(text, line, layout)
  const parts: Array<string> = []
  let done = 0
  for (const [start, end] of layout) {
    parts.push(text.slice(done, start), ' '.repeat(end - start))
    done = end
  }
  return parts.join('') + text.slice(done)
}
