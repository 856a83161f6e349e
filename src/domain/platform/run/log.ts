/**
 * The log of a run: numbered lines of JSON. While its pod exists they are the output of its container `run`; afterwards
 * the last of them are in its record, compressed.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { at, listAt, textAt } from '../../cluster/json.ts'
import type { ClusterObject } from '../../cluster/live.ts'
import { gunzip, gzip } from '../../environment/gzip.ts'
import { fromJson } from '../../object/codecs.ts'
import { ifDefined } from '../../object/defined.ts'
import { keys } from '../../print/document.ts'

/** The container whose output is the log. */
export const RUN_CONTAINER = 'run'

export const RunLine = keys({
  n: [t.number, 'number of the line, from 1, without gaps'],
  at: [t.string, 'when it was written'],
  text: [t.string, 'the line, without control characters but colours'],
})
export type RunLine = t.TypeOf<typeof RunLine>

/** Whether the container of the pod has started: before that there is no log. */
export const hasRunLog = (pod: ClusterObject): boolean =>
  listAt(pod, 'status', 'containerStatuses').some(
    (status) =>
      textAt(status, 'name') === RUN_CONTAINER &&
      (at(status, 'state', 'running') !== undefined || at(status, 'state', 'terminated') !== undefined),
  )

/** Without a newline at the end. */
export const showRunLine = (line: RunLine): string => JSON.stringify({ n: line.n, at: line.at, text: line.text })

/** `undefined` for anything else, such as the output of a program that bypasses the runner. */
export const readRunLine = (text: string): RunLine | undefined =>
  ifDefined(fromJson(RunLine, text), (line) => (Number.isSafeInteger(line.n) && line.n > 0 ? line : undefined))

/** The lines after line `last`, each once, in order; missing lines are skipped. */
export const linesAfter = (lines: ReadonlyArray<RunLine>, last: number): ReadonlyArray<RunLine> => {
  let seen = last
  return lines.filter(({ n }) => {
    if (n <= seen) return false
    seen = n
    return true
  })
}

const MOST_LOG_BYTES = 256 * 1024
/** More text than this takes too long to compress, and would hardly fit. */
const MOST_TEXT = 4 * 1024 * 1024

const tailWithin = (lines: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  let [from, length] = [lines.length, 0]
  while (from > 0) {
    length += (lines[from - 1] ?? '').length + 1
    if (length > most) break
    from -= 1
  }
  return lines.slice(from)
}

/** As many of the last lines as fit into `most` bytes when compressed. */
export const packLog = (lines: ReadonlyArray<RunLine>, most: number = MOST_LOG_BYTES): Uint8Array => {
  const shown = lines.map(showRunLine)
  for (let limit = MOST_TEXT; limit >= 1; limit = Math.floor(limit / 2)) {
    const tail = tailWithin(shown, limit)
    const packed = gzip(tail.join('\n'))
    if (packed.length <= most) return packed
  }
  return gzip('')
}

/** Unreadable lines are left out. Law: reads a tail of the lines that `packLog` was given. */
export const unpackLog = (packed: Uint8Array): ReadonlyArray<RunLine> =>
  pipe(
    E.tryCatch(
      () => gunzip(packed),
      () => undefined,
    ),
    E.match(
      () => [],
      (text) => text.split('\n').flatMap((line) => readRunLine(line) ?? []),
    ),
  )
