/** Tables for people: left aligned columns with two blanks between them. */
import { displayWidth, visible } from '../text/visible.ts'

const padded = (text: string, width: number): string => text + ' '.repeat(Math.max(0, width - displayWidth(text)))

/** Whatever the cells hold, each row is one line. Ends with a line break; without rows there is nothing but the head. */
export const printTable = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string => {
  const lines = [head, ...rows.map((row) => row.map(visible))]
  const widths = head.map((_, column) => Math.max(...lines.map((cells) => displayWidth(cells[column] ?? ''))))
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
