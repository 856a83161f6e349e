/**
 * Locates the variables of a scalar in the file. In a block, or a text with escapes, the written text differs from the
 * value: there the n-th dollar sign of the value is the n-th in the file.
 */
import { lastAtMost, type Span, within } from '../text/source.ts'
import type { Scalar } from './node.ts'

type PartPlace = (start: number, end: number) => Span

const dollarsIn = (text: string): ReadonlyArray<number> => {
  const found: Array<number> = []
  for (let at = text.indexOf('$'); at >= 0; at = text.indexOf('$', at + 1)) found.push(at)
  return found
}

/** The place of a part that begins at or after a dollar sign; the whole scalar when that is uncertain. */
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
