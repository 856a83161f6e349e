/** A long log in a window: only the visible lines are in the document. */
import { plainText } from './sgr.ts'

export type ShownLine = { readonly n: number; readonly at: string; readonly text: string }

/** Older lines are dropped. */
const MOST_LINES = 50_000

/** Adds new lines; returns how many old ones were dropped. */
export const addLines = (lines: Array<ShownLine>, more: ReadonlyArray<ShownLine>, most = MOST_LINES): number => {
  for (const line of more) if (line.n > (lines.at(-1)?.n ?? 0)) lines.push(line)
  const dropped = Math.max(0, lines.length - most)
  if (dropped > 0) lines.splice(0, dropped)
  return dropped
}

type LogWindow = { readonly count: number; readonly top: number; readonly height: number; readonly row: number }

/** Lines around the visible ones, so that none are missing during scrolling. */
const SPARE = 20

/** The lines to render: from `from`, up to but not including `to`. */
export const drawn = ({ count, height, row, top }: LogWindow): { readonly from: number; readonly to: number } => {
  const first = Math.floor(top / row)
  const from = Math.max(0, Math.min(count, first - SPARE))
  return { from, to: Math.max(from, Math.min(count, first + Math.ceil(height / row) + SPARE)) }
}

/** Positions of the lines that contain the text, ignoring case. */
export const found = (lines: ReadonlyArray<ShownLine>, text: string): ReadonlyArray<number> => {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((line, at) => (plainText(line.text).toLowerCase().includes(wanted) ? [at] : []))
}

/** The number of the line in an address, such as `#L12`. */
export const lineIn = (hash: string): number | undefined => {
  const [, digits] = /^#L(\d{1,9})$/.exec(hash) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** What is missing of a log: the platform keeps only the end of a long one, and so does the page. */
export const missing = (
  lines: ReadonlyArray<ShownLine>,
  isEnded: boolean,
  target: number | undefined,
): { readonly gone: number; readonly isTargetGone: boolean } => {
  const first = lines[0]?.n ?? 1
  const isPast = isEnded && (lines.at(-1)?.n ?? 0) < (target ?? 0)
  return { gone: first - 1, isTargetGone: target !== undefined && (target < first || isPast) }
}

/** The position of the line with that number, or where it would be. */
export const positionOf = (lines: ReadonlyArray<ShownLine>, n: number): number => {
  const at = n - (lines[0]?.n ?? 1)
  return Math.max(0, Math.min(lines.length - 1, at))
}
