/** Limits the requests of each user, and of each address. */
import { type Bucket, isFull, type Rate, takeFrom } from '../../domain/platform/rate.ts'
import type { Clock } from '../../ports/clock.ts'

/** So many buckets are kept at most. */
const MOST_BUCKETS = 20_000

/** What shares one bucket when there are more: no client gets a new bucket because of others. */
const CROWD = ''

/** Whether `key` may send another request now. `most`: how many buckets are kept. */
export const limiter = (rate: Rate, { now }: Pick<Clock, 'now'>, most = MOST_BUCKETS): ((key: string) => boolean) => {
  /** Those that were used last are last. */
  const buckets = new Map<string, Bucket>()
  /** A full bucket is like none, so nobody gains by losing it. */
  const makeRoom = (): void => {
    for (const [key, bucket] of buckets) {
      if (buckets.size < most || !isFull(rate, bucket, now())) return
      buckets.delete(key)
    }
  }
  return (key) => {
    if (!buckets.has(key)) makeRoom()
    const own = buckets.has(key) || buckets.size < most ? key : CROWD
    const { bucket, isAllowed } = takeFrom(rate, buckets.get(own), now())
    buckets.delete(own)
    buckets.set(own, bucket)
    return isAllowed
  }
}
