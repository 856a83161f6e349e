/** Limits the requests of a client: a token bucket that refills at a constant rate. */

export type Rate = { readonly perSecond: number; readonly burst: number }
/** `left`: how many tokens it had at `atMs`. */
export type Bucket = { readonly left: number; readonly atMs: number }

export type Taken = { readonly bucket: Bucket; readonly isAllowed: boolean }

const refilled = ({ burst, perSecond }: Rate, { atMs, left }: Bucket, nowMs: number): number =>
  Math.min(burst, left + (Math.max(0, nowMs - atMs) * perSecond) / 1000)

export const isFull = (rate: Rate, bucket: Bucket, nowMs: number): boolean =>
  refilled(rate, bucket, nowMs) === rate.burst

export const takeFrom = (rate: Rate, bucket: Bucket | undefined, nowMs: number): Taken => {
  const left = bucket === undefined ? rate.burst : refilled(rate, bucket, nowMs)
  const isAllowed = left >= 1
  return { bucket: { left: isAllowed ? left - 1 : left, atMs: nowMs }, isAllowed }
}
