/** Merges the lines of several logs in chronological order. */
import { compareMoments, type Moment, readMoment } from '../text/moment.ts'
import type { LogLine } from './line.ts'

export type Timed<A> = { readonly line: LogLine; readonly of: A }

/** A line without a time stays after the previous line of its log. */
const earliest = { seconds: 0, nanos: 0 }

/** By time, stable. Law: lines of one log with ascending times keep their order. */
export const inOrder = <A>(lines: ReadonlyArray<Timed<A>>): ReadonlyArray<Timed<A>> => {
  const last = new Map<A, Moment>()
  const dated = lines.map((timed) => {
    const moment = readMoment(timed.line.time) ?? last.get(timed.of) ?? earliest
    last.set(timed.of, moment)
    return { timed, moment }
  })
  return dated.toSorted((a, b) => compareMoments(a.moment, b.moment)).map(({ timed }) => timed)
}

/** The index of the log with the earliest next line; -1 when none has one. */
export const firstOf = (heads: ReadonlyArray<LogLine | undefined>): number => {
  let [found, least] = [-1, earliest]
  heads.forEach((head, index) => {
    if (head === undefined) return
    const moment = readMoment(head.time) ?? earliest
    if (found !== -1 && compareMoments(moment, least) >= 0) return
    found = index
    least = moment
  })
  return found
}
