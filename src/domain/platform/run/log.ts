/**
 * The log of a run: numbered lines of JSON. While its pod is there they are what its container `run` prints; afterwards
 * the last of them are in its record, compressed.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as t from 'io-ts'
import { type Gzip, gunzip, portableGzip } from '../../environment/gunzip.ts'
import { keys } from '../../print/document.ts'

/** The container whose output is the log. */
export const RUN_CONTAINER = 'run'

export const RunLine = keys({
  n: [t.number, 'number of the line, from 1, without gaps'],
  at: [t.string, 'when it was written'],
  text: [t.string, 'the line, without control characters but colours'],
})
export type RunLine = t.TypeOf<typeof RunLine>

/** Ends without a line end. */
export const showRunLine = ({ at, n, text }: RunLine): string => JSON.stringify({ n, at, text })

/** `undefined` for anything else, as a program that writes past the runner prints it. */
export const readRunLine = (text: string): RunLine | undefined =>
  pipe(
    E.tryCatch(
      (): unknown => JSON.parse(text),
      () => undefined,
    ),
    E.flatMap((json) => RunLine.decode(json)),
    E.match(
      () => undefined,
      (line) => (Number.isSafeInteger(line.n) && line.n > 0 ? line : undefined),
    ),
  )

/** Those that come after line `last`, each once, in order; a line that is missing is not waited for. */
export const linesAfter = (lines: ReadonlyArray<RunLine>, last: number): ReadonlyArray<RunLine> => {
  let seen = last
  return lines.filter(({ n }) => {
    if (n <= seen) return false
    seen = n
    return true
  })
}

export const MOST_LOG_BYTES = 256 * 1024
/** More than this is never compressed into that little, whatever it is, without taking long. */
const MOST_TEXT = 4 * 1024 * 1024

const encoder = new TextEncoder()

const tailWithin = (lines: ReadonlyArray<string>, most: number): ReadonlyArray<string> => {
  let [from, length] = [lines.length, 0]
  while (from > 0) {
    length += (lines[from - 1] ?? '').length + 1
    if (length > most) break
    from -= 1
  }
  return lines.slice(from)
}

/** As many of the last lines as fit into `most` bytes when they are compressed. */
export const packLog = (
  lines: ReadonlyArray<RunLine>,
  most: number = MOST_LOG_BYTES,
  gzip: Gzip = portableGzip,
): Uint8Array => {
  const shown = lines.map(showRunLine)
  for (let limit = MOST_TEXT; limit >= 1; limit = Math.floor(limit / 2)) {
    const tail = tailWithin(shown, limit)
    const packed = gzip(encoder.encode(tail.join('\n')))
    if (packed.length <= most) return packed
  }
  return gzip(new Uint8Array())
}

/** What cannot be read is no line. Law: reads a tail of the lines that `packLog` was given. */
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
