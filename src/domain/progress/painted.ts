/** Lines of a terminal that are painted over. The cursor stays below them. */
import { displayWidth } from '../text/visible.ts'

const SGR = /\u001b\[[\d;]*m/g
const ERASE_BELOW = '\u001b[J'
const ERASE_TO_END = '\u001b[K'

type Lines = ReadonlyArray<string>

/** Moves to the first row of lines, in a terminal that may have become narrower since they were written. */
const rewinding = (lines: Lines, columns: number): string => {
  const rows = lines.reduce(
    (sum, line) => sum + Math.max(1, Math.ceil(displayWidth(line.replace(SGR, '')) / columns)),
    0,
  )
  return rows === 0 ? '' : `\u001b[${rows}A\r`
}

export const erasing = (before: Lines, columns: number): string => `${rewinding(before, columns)}${ERASE_BELOW}`

/** Overwrites line by line: erasing the lines first would flicker. */
export const repainting = (before: Lines, lines: Lines, columns: number): string =>
  before.length === 0
    ? lines.map((line) => `${line}\n`).join('')
    : `${rewinding(before, columns)}${lines.map((line) => `${line}${ERASE_TO_END}\n`).join('')}${ERASE_BELOW}`
