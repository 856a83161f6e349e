/** The clock of the cluster, which all who use it can compare theirs with. */
import { readMoment } from '../text/moment.ts'
import { type Json, textAt } from './json.ts'

/** The cluster reports whole seconds, so a smaller difference is ignored. */
const toleranceMs = 5000

/** By how much the clock of this machine is ahead, at the answer to a review; `undefined` when the answer has no time. */
export const aheadOf = (wallMs: number, review: Json): number | undefined => {
  const told = readMoment(textAt(review, 'metadata', 'creationTimestamp') ?? '')
  if (told === undefined) return undefined
  const ms = wallMs - told.seconds * 1000
  return Math.abs(ms) < toleranceMs ? 0 : ms
}
