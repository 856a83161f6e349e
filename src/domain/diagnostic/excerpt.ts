/** A line of a file with a span of it underlined, cut to the width of a terminal. */
import { displayWidth, visible } from '../text/visible.ts'

/** Maximum width of an excerpt, including the marks for what was cut. */
export const WINDOW = 100

/** Tabs advance to the next multiple of this. */
const TAB = 4

/** Only this much of a line before and after the start of a span is examined: lines can be megabytes long. */
const REACH = 400

const CUT = '…'

/** How one character is displayed. `at`: its offset in the line; `left` and `right`: columns, starting at 0. */
type Cell = { readonly text: string; readonly at: number; readonly left: number; readonly right: number }

/** `caret` and `width`: the columns of `text` to underline, starting at 0; always at least one. */
export type Excerpt = { readonly text: string; readonly caret: number; readonly width: number }

/** Moves an offset out of the middle of a surrogate pair. */
const whole = (line: string, at: number): number =>
  /^[\ud800-\udbff][\udc00-\udfff]/.test(line.slice(Math.max(0, at - 1), at + 1)) && at > 0 ? at - 1 : at

const cellsOf = (line: string, from: number, to: number): ReadonlyArray<Cell> => {
  const cells: Array<Cell> = []
  let [at, left] = [from, 0]
  for (const char of line.slice(from, to)) {
    const text = char === '\t' ? ' '.repeat(TAB - (left % TAB)) : visible(char)
    const right = left + displayWidth(text)
    cells.push({ text, at, left, right })
    at += char.length
    left = right
  }
  return cells
}

/** The first column of a window that shows the columns `start` to `end`, or as many of them as fit. */
const windowStart = (start: number, end: number, total: number): number => {
  if (total <= WINDOW || end <= WINDOW - 1) return 0
  const before = Math.max(10, Math.floor((WINDOW - (end - start)) / 2))
  return Math.max(0, Math.min(start - before, total - WINDOW))
}

/** `start` and `end` are offsets in the line, `end` exclusive; offsets beyond the line count as its end. */
export const excerpt = (text: string, start: number, end: number): Excerpt => {
  const line = text.endsWith('\r') ? text.slice(0, -1) : text
  const first = Math.max(0, Math.min(start, line.length))
  const last = Math.max(first, Math.min(end, line.length))
  const from = whole(line, Math.max(0, first - REACH))
  const to = whole(line, Math.min(line.length, first + REACH))
  const cells = cellsOf(line, from, to)
  const inSpan = cells.filter((cell) => cell.at + 1 > first && cell.at < last)
  const shown = cells.at(-1)?.right ?? 0
  const spanLeft = inSpan[0]?.left ?? cells.find((cell) => cell.at >= first)?.left ?? shown
  const spanRight = Math.max(spanLeft + 1, inSpan.at(-1)?.right ?? 0)
  const total = Math.max(shown, spanRight)
  const low = windowStart(spanLeft, spanRight, total)
  const isCutLeft = from > 0 || low > 0
  const isCutRight = to < line.length || low + WINDOW < total
  const [min, max] = [low + (isCutLeft ? 1 : 0), low + WINDOW - (isCutRight ? 1 : 0)]
  const kept = cells.filter(({ left, right }) => left >= min && right <= max)
  const [lead, base] = [isCutLeft ? CUT : '', (kept[0]?.left ?? min) - (isCutLeft ? 1 : 0)]
  const caret = Math.max(lead.length, spanLeft - base)
  const keptRight = kept.at(-1)?.right ?? base + lead.length
  const width = Math.max(1, Math.min(spanRight, Math.max(keptRight, spanLeft + 1)) - base - caret)
  return { text: `${lead}${kept.map((cell) => cell.text).join('')}${isCutRight ? CUT : ''}`, caret, width }
}
