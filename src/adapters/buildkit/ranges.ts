/** Source lines that the builder refers to. */
import type { LineRange } from '../../domain/build/event.ts'

/**
 * In order, with adjacent ranges joined: the builder lists each line of an instruction separately. A range may lack its
 * end; one without a line is ignored.
 */
export const wholeRanges = (ranges: ReadonlyArray<LineRange>): ReadonlyArray<LineRange> => {
  const whole: Array<LineRange> = []
  for (const { end, start } of ranges.filter((range) => range.start > 0).toSorted((a, b) => a.start - b.start)) {
    const last = whole.at(-1)
    if (last === undefined || start > last.end + 1) whole.push({ start, end: Math.max(start, end) })
    else whole[whole.length - 1] = { start: last.start, end: Math.max(last.end, start, end) }
  }
  return whole
}
