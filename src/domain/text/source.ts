/** Text with a name, and places in it. Every value read from a file keeps its span. */

import { defined } from '../object/defined.ts'

/** Stands for standard input where a file is named: no line of a message should begin with `-:1:26`. */
export const STDIN = '<stdin>'

/** `folder` is the base of relative paths in the text, `home` what a leading `~` in one means, where that is known. */
export type Source = {
  readonly file: string
  readonly folder: string
  readonly home?: string | undefined
  readonly text: string
  /** Offset of the first character of each line. */
  readonly lineStarts: ReadonlyArray<number>
}

/** Offsets in UTF-16 code units; `end` is exclusive. `also`: the other parts of a value that several files write. */
export type Span = {
  readonly source: Source
  readonly start: number
  readonly end: number
  readonly also?: ReadonlyArray<Span>
}

/** Lines and columns count from 1, columns in UTF-16 code units; `endCol` is exclusive. */
export type Place = {
  readonly file: string
  readonly line: number
  readonly col: number
  readonly endLine: number
  readonly endCol: number
}

export const source = (file: string, folder: string, text: string, home?: string): Source => {
  const lineStarts = [0]
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) lineStarts.push(i + 1)
  return { file, folder, text, lineStarts, ...defined({ home }) }
}

/** The index of the last of these ascending offsets that is not beyond `offset`; 0 when all are. */
export const lastAtMost = (offsets: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = offsets.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((offsets[middle] ?? 0) <= offset) low = middle
    else high = middle - 1
  }
  return low
}

export const placeOf = ({ source: { file, lineStarts }, start, end }: Span): Place => {
  const line = lastAtMost(lineStarts, start)
  const endLine = end <= start ? line : lastAtMost(lineStarts, end)
  return {
    file,
    line: line + 1,
    col: start - (lineStarts[line] ?? 0) + 1,
    endLine: endLine + 1,
    endCol: Math.max(start, end) - (lineStarts[endLine] ?? 0) + 1,
  }
}

/** A part of a span, given by offsets relative to its start. */
export const within = ({ source: of, start }: Span, from: number, to: number): Span => ({
  source: of,
  start: start + from,
  end: start + to,
})

/** The text of a line without its line break; '' when there is no such line. */
export const lineText = ({ text, lineStarts }: Source, line: number): string => {
  const start = lineStarts[line - 1]
  if (start === undefined) return ''
  return text.slice(start, lineStarts[line] ?? text.length).replace(/\r?\n$/, '')
}
