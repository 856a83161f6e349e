/**
 * Unified diff of two texts, line by line, with an optional note on each change. The effort is bounded: beyond the
 * limit, everything between the first and the last difference counts as replaced. Lines that occur in only one text
 * cost nothing.
 */
import { diffArrays } from 'diff'

/** `context` is the number of equal lines around a change, 3 when absent. */
export type DiffOptions = { readonly from: string; readonly to: string; readonly context?: number }

/** The source of an added line (`compose.yaml:4`), if known; `line` counts from 1 in the new text. */
export type Note = (line: number) => string | undefined

/** The lines [beforeStart, beforeEnd) became [afterStart, afterEnd), counted from 0. */
type Change = {
  readonly beforeStart: number
  readonly beforeEnd: number
  readonly afterStart: number
  readonly afterEnd: number
}

/** Limit of removed plus added lines for finding a minimal diff; time and memory grow with its square. */
const MAX_EDITS = 3000

/** Lines with their newline, so that a last line without one differs from the same line with it. */
const splitLines = (text: string): ReadonlyArray<string> => {
  const lines: Array<string> = []
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf('\n', start)
    const end = newline === -1 ? text.length : newline + 1
    lines.push(text.slice(start, end))
    start = end
  }
  return lines
}

/** Equal lines get equal numbers: comparing numbers is faster than comparing long, similar lines. */
const numberLines = (): ((lines: ReadonlyArray<string>) => Array<number>) => {
  const numbers = new Map<string, number>()
  return (lines) =>
    lines.map((line) => {
      const known = numbers.get(line)
      if (known !== undefined) return known
      numbers.set(line, numbers.size)
      return numbers.size - 1
    })
}

/** `first`: the length of the common prefix; `last`: that of the common suffix, in lines. */
const commonEnds = (before: ReadonlyArray<number>, after: ReadonlyArray<number>): { first: number; last: number } => {
  const shorter = Math.min(before.length, after.length)
  let first = 0
  while (first < shorter && before[first] === after[first]) first += 1
  let last = 0
  while (last < shorter - first && before.at(-1 - last) === after.at(-1 - last)) last += 1
  return { first, last }
}

/**
 * The lines between `start` and `end` that the other text also contains: all others have certainly changed, and cost
 * nothing.
 */
const placesIn = (
  lines: ReadonlyArray<number>,
  others: ReadonlySet<number>,
  start: number,
  end: number,
): ReadonlyArray<number> => {
  const places: Array<number> = []
  for (let place = start; place < end; place += 1) if (others.has(lines[place] ?? -1)) places.push(place)
  return places
}

const changesOf = (before: ReadonlyArray<string>, after: ReadonlyArray<string>): ReadonlyArray<Change> => {
  const toNumbers = numberLines()
  const [old, young] = [toNumbers(before), toNumbers(after)]
  const { first, last } = commonEnds(old, young)
  const [oldEnd, youngEnd] = [old.length - last, young.length - last]
  const oldPlaces = placesIn(old, new Set(young.slice(first, youngEnd)), first, oldEnd)
  const youngPlaces = placesIn(young, new Set(old.slice(first, oldEnd)), first, youngEnd)
  const lineOf = (lines: ReadonlyArray<number>) => (place: number) => lines[place] ?? -1
  const parts = diffArrays(oldPlaces.map(lineOf(old)), youngPlaces.map(lineOf(young)), { maxEditLength: MAX_EDITS })

  const changes: Array<Change> = []
  let [beforeStart, afterStart] = [first, first]
  const changeUpTo = (beforeEnd: number, afterEnd: number): void => {
    if (beforeEnd > beforeStart || afterEnd > afterStart) changes.push({ beforeStart, beforeEnd, afterStart, afterEnd })
  }
  let [oldNext, youngNext] = [0, 0]
  for (const { added, removed, count } of parts ?? []) {
    const kept = added || removed ? 0 : count
    for (let i = 0; i < kept; i += 1) {
      const [oldPlace, youngPlace] = [oldPlaces[oldNext + i] ?? oldEnd, youngPlaces[youngNext + i] ?? youngEnd]
      changeUpTo(oldPlace, youngPlace)
      beforeStart = oldPlace + 1
      afterStart = youngPlace + 1
    }
    if (!added) oldNext += count
    if (!removed) youngNext += count
  }
  changeUpTo(oldEnd, youngEnd)
  return changes
}

/** Changes whose contexts touch are shown together. */
const toHunks = (changes: ReadonlyArray<Change>, context: number): ReadonlyArray<ReadonlyArray<Change>> => {
  const hunks: Array<Array<Change>> = []
  for (const change of changes) {
    const hunk = hunks.at(-1)
    const previous = hunk?.at(-1)
    if (hunk === undefined || previous === undefined || change.beforeStart - previous.beforeEnd > 2 * context) {
      hunks.push([change])
    } else hunk.push(change)
  }
  return hunks
}

/** An empty range is named by the line before it (POSIX, `diff -u`). */
const showRange = (start: number, end: number): string => {
  const count = end - start
  if (count === 1) return `${start + 1}`
  return `${count === 0 ? start : start + 1},${count}`
}

const showLine = (kind: '+' | '-' | ' ', line: string, suffix = ''): string =>
  line.endsWith('\n')
    ? `${kind}${line.slice(0, -1)}${suffix}\n`
    : `${kind}${line}${suffix}\n\\ No newline at end of file\n`

/** Each note once, at the first added line of the change: removed lines have no source. */
const noteOnce = (note: Note | undefined): ((line: number) => string) => {
  const seen = new Set<string>()
  return (line) => {
    const text = note?.(line)
    if (text === undefined || seen.has(text)) return ''
    seen.add(text)
    return ` # from ${text}`
  }
}

/**
 * '' when the texts are equal. With a `note`, added lines end in ` # from <note>`, and the diff is for reading, not for
 * applying.
 */
export const unifiedDiff = (options: DiffOptions, before: string, after: string, note?: Note): string => {
  if (before === after) return ''
  const { from, to, context = 3 } = options
  const [old, young] = [splitLines(before), splitLines(after)]
  const out = [`--- ${from}\n+++ ${to}\n`]

  const showChange = (change: Change): void => {
    const suffix = noteOnce(note)
    for (let i = change.beforeStart; i < change.beforeEnd; i += 1) {
      out.push(showLine('-', old[i] ?? ''))
    }
    for (let i = change.afterStart; i < change.afterEnd; i += 1) {
      out.push(showLine('+', young[i] ?? '', suffix(i + 1)))
    }
  }
  const showContext = (start: number, end: number): void => {
    for (let i = start; i < end; i += 1) out.push(showLine(' ', old[i] ?? ''))
  }

  for (const hunk of toHunks(changesOf(old, young), context)) {
    const [first, last] = [hunk[0], hunk.at(-1)]
    if (first === undefined || last === undefined) continue
    const lead = Math.min(context, first.beforeStart)
    const trail = Math.min(context, old.length - last.beforeEnd)
    const start = first.beforeStart - lead
    const ranges = [showRange(start, last.beforeEnd + trail), showRange(first.afterStart - lead, last.afterEnd + trail)]
    out.push(`@@ -${ranges[0]} +${ranges[1]} @@\n`)
    let shown = start
    for (const change of hunk) {
      showContext(shown, change.beforeStart)
      showChange(change)
      shown = change.beforeEnd
    }
    showContext(shown, last.beforeEnd + trail)
  }
  return out.join('')
}
