/** Where flow collections and quoted text end, and which characters in them are only layout. */
import {
  endsToken,
  isBlank,
  isBreak,
  isColon,
  isFlowIndicator,
  isHash,
  isMarker,
  isOpening,
  isProperty,
  isQuote,
  lineEnd,
  propertyEnd,
} from './characters.ts'

/** The parts of a text that are only layout: their offsets, in order. */
export type Layout = Array<readonly [start: number, end: number]>

/** The offset behind the closing quote; `undefined` when there is none in the document. */
export const quotedEnd = (text: string, start: number, layout: Layout): number | undefined => {
  const isDouble = text.startsWith('"', start)
  for (let at = start + 1; at < text.length; at += 1) {
    const c = text.charCodeAt(at)
    if (isBreak(c)) {
      if (isMarker(text, at + 1)) return undefined
      layout.push([at, at + 1])
    } else if (isDouble && c === 92) {
      if (!isBreak(text.charCodeAt(at + 1))) at += 1
    } else if (c === text.charCodeAt(start)) {
      if (isDouble || !text.startsWith("'", at + 1)) return at + 1
      at += 1
    }
  }
  return undefined
}

/** Blanks, line breaks and comments; `undefined` when the document ends in them. */
const separationEnd = (text: string, start: number, layout: Layout): number | undefined => {
  let at = start
  for (let c = text.charCodeAt(at); isBlank(c) || isBreak(c) || isHash(c); c = text.charCodeAt(at)) {
    at = isHash(c) ? lineEnd(text, at) : at + 1
    if (isBreak(c) && isMarker(text, at)) return undefined
  }
  layout.push([start, at])
  return at
}

/** The offset behind the closing bracket; `undefined` when there is none in the document. */
export const flowEnd = (text: string, start: number, layout: Layout): number | undefined => {
  let depth = 0
  let isPlain = false
  let at: number | undefined = start
  while (at !== undefined && at < text.length) {
    const c = text.charCodeAt(at)
    if (isFlowIndicator(c)) {
      if (c !== 44) depth += isOpening(c) ? 1 : -1
      at += 1
      if (depth === 0) return at
      isPlain = false
    } else if (isBlank(c) || isBreak(c) || (isHash(c) && !isPlain)) {
      const end: number | undefined = separationEnd(text, at, layout)
      if (end === undefined) return undefined
      const next: number = text.charCodeAt(end)
      // A comment ends a plain scalar, so text after it does not belong to the scalar, and must not be joined with it.
      const isCut: boolean = isPlain && text.slice(at, end).includes('#') && !isFlowIndicator(next) && !isColon(next)
      at = isCut ? undefined : end
    } else if (isPlain) {
      const next = text.charCodeAt(at + 1)
      isPlain = !isColon(c) || !(endsToken(next) || isFlowIndicator(next))
      at += 1
    } else if (isQuote(c)) at = quotedEnd(text, at, layout)
    else if (isProperty(c)) at = propertyEnd(text, at, true)
    else {
      isPlain = !isColon(c)
      at += 1
    }
  }
  return undefined
}
