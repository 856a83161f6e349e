/**
 * Tracks what was read of a container's log, so that after a broken stream reading resumes without losing or repeating
 * lines.
 */
import { compareMoments, type Moment, readMoment, showMoment } from '../text/moment.ts'

/**
 * `since`: the time to resume from, with the server's precision of a second. `isNew` is called for each line with its
 * timestamp; after `reopen`, also for lines that are sent again.
 */
export type Reading = {
  readonly since: () => string | undefined
  readonly reopen: () => void
  readonly isNew: (time: string) => boolean
}

/**
 * Counts the lines of the newest second by timestamp, since lines of one container may be out of order by some
 * microseconds. `isWhole`: the log was requested from its start; otherwise anything older than its first line stays
 * unread. Law: however often the stream breaks and is reopened, every line from the first one on is new exactly once. A
 * line without a timestamp is always new.
 */
export const reading = (isWhole: boolean): Reading => {
  let first: Moment | undefined
  let newest: number | undefined
  let seen = new Map<string, number>()
  let again = new Map<string, number>()
  let isReplay = false
  const count = (counts: Map<string, number>, time: string): number => {
    const next = (counts.get(time) ?? 0) + 1
    counts.set(time, next)
    return next
  }
  const isRepeated = (time: string, moment: Moment): boolean => {
    if (!isReplay || newest === undefined) return false
    if (moment.seconds > newest) {
      isReplay = false
      return false
    }
    if (moment.seconds < newest || (!isWhole && first !== undefined && compareMoments(moment, first) < 0)) return true
    return count(again, time) <= (seen.get(time) ?? 0)
  }
  return {
    since: () => (newest === undefined ? undefined : showMoment({ seconds: newest, nanos: 0 })),
    reopen: () => {
      isReplay = newest !== undefined
      again = new Map()
    },
    isNew: (time) => {
      const moment = readMoment(time)
      if (moment === undefined) return true
      if (isRepeated(time, moment)) return false
      first ??= moment
      if (newest === undefined || moment.seconds > newest) {
        newest = moment.seconds
        seen = new Map()
      }
      if (moment.seconds === newest) count(seen, time)
      return true
    },
  }
}
