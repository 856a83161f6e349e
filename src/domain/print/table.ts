/** Tables for people: left-aligned columns separated by two spaces. */
import { displayWidth, visible } from '../text/visible.ts'

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/**
 * Each row is one line, whatever the cells contain. Ends with a line break; without rows, only the header is printed.
 */
export const printTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [head, ...rows.map((row) => row.map(visible))]
  const widths = head.map((_, column) =>
    lines.reduce((width, cells) => Math.max(width, displayWidth(cells[column] ?? '')), 0),
  )
  return lines
    .map(
      (cells) =>
        `${cells
          .map((cell, column) => padded(cell, widths[column] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}
