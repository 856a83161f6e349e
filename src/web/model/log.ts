/** A long log in a window: only the lines that can be seen are on the page. */
import { plainText } from './sgr.ts'

export type ShownLine = { readonly n: number; readonly at: string; readonly text: string }

/** Older lines are dropped. */
const MOST_LINES = 50_000

/** Adds lines that are new; returns how many have been dropped at the beginning. */
export const addLines = (lines: Array<ShownLine>, more: ReadonlyArray<ShownLine>, most = MOST_LINES): number => {
  for (const line of more) if (line.n > (lines.at(-1)?.n ?? 0)) lines.push(line)
  const dropped = Math.max(0, lines.length - most)
  if (dropped > 0) lines.splice(0, dropped)
  return dropped
}

type LogWindow = { readonly count: number; readonly top: number; readonly height: number; readonly row: number }

/** More than are seen, so that nothing is missing while somebody scrolls. */
const SPARE = 20

/** The lines to be drawn: from `from`, up to but without `to`. */
export const drawn = ({ count, height, row, top }: LogWindow): { readonly from: number; readonly to: number } => {
  const first = Math.floor(top / row)
  const from = Math.max(0, Math.min(count, first - SPARE))
  return { from, to: Math.max(from, Math.min(count, first + Math.ceil(height / row) + SPARE)) }
}

/** Positions of the lines that contain the text, whatever the case. */
export const found = (lines: ReadonlyArray<ShownLine>, text: string): ReadonlyArray<number> => {
  const wanted = text.toLowerCase()
  if (wanted === '') return []
  return lines.flatMap((line, at) => (plainText(line.text).toLowerCase().includes(wanted) ? [at] : []))
}

/** The number of the line that an address names, as `#L12`. */
export const lineIn = (hash: string): number | undefined => {
  const [, digits] = /^#L(\d{1,9})$/.exec(hash) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Where a line of that number is, or would be. */
export const positionOf = (lines: ReadonlyArray<ShownLine>, n: number): number => {
  const at = n - (lines[0]?.n ?? 1)
  return Math.max(0, Math.min(lines.length - 1, at))
}
