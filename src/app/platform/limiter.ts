/** Limits the requests of each user, and of each address. */
import { type Bucket, isFull, type Rate, takeFrom } from '../../domain/platform/rate.ts'
import type { Clock } from '../../ports/clock.ts'

/** The maximum number of buckets. */
const MOST_BUCKETS = 20_000

/** The key of a bucket that clients beyond that share: nobody gets a new bucket by sending from many addresses. */
const CROWD = ''

/** Whether `key` may send another request now. `most`: how many buckets are kept. */
export const limiter = (rate: Rate, { now }: Pick<Clock, 'now'>, most = MOST_BUCKETS): ((key: string) => boolean) => {
  /** In the order of their last use. */
  const buckets = new Map<string, Bucket>()
  /** Removes full buckets: a client without one starts with a full one, so nothing is gained. */
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
