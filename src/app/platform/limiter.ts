/** Limits the requests of each user, and of each address. */
import { type Bucket, type Rate, takeFrom } from '../../domain/platform/rate.ts'
import type { Clock } from '../../ports/clock.ts'

/** So many buckets are kept at most: more addresses than that begin anew. */
const MOST_BUCKETS = 20_000

/** Whether `key` may send another request now. */
export const limiter = (rate: Rate, { now }: Pick<Clock, 'now'>): ((key: string) => boolean) => {
  const buckets = new Map<string, Bucket>()
  return (key) => {
    const { bucket, isAllowed } = takeFrom(rate, buckets.get(key), now())
    if (buckets.size >= MOST_BUCKETS && !buckets.has(key)) buckets.clear()
    buckets.set(key, bucket)
    return isAllowed
  }
}
