/**
 * Where the variables of a scalar stand in the file. A block, or a text with escapes, is written otherwise than it reads:
 * there each dollar sign of the text is the one of the same number in the file.
 */
import { lastAtMost, type Span, within } from '../text/source.ts'
import type { Scalar } from './node.ts'

type PartPlace = (start: number, end: number) => Span

const dollarsIn = (text: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) found.push(at)
  return found
}

/** The place of a part that begins at a dollar sign or behind it; the whole scalar when it is not certain. */
export const variablePlaces = (scalar: Scalar): PartPlace => {
  const { source, text } = scalar
  const written = source.text.slice(scalar.start, scalar.end)
  const quotes = (written.length - text.length) / 2
  if ((quotes === 0 || quotes === 1) && written.startsWith(text, quotes)) {
    return (start, end) => within(scalar, start + quotes, end + quotes)
  }
  const [inText, inFile] = [dollarsIn(text), dollarsIn(written)]
  if (inText.length !== inFile.length) return () => scalar
  return (start, end) => {
    const index = lastAtMost(inText, start)
    const at = (inFile[index] ?? 0) + start - (inText[index] ?? 0)
    return written.startsWith(text.slice(start, end), at) ? within(scalar, at, at + end - start) : scalar
  }
}
