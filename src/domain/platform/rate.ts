/** How many requests a client may send: a bucket of tokens that refills. */

export type Rate = { readonly perSecond: number; readonly burst: number }
/** `atMs`: when it had so many `left`. */
export type Bucket = { readonly left: number; readonly atMs: number }

export type Taken = { readonly bucket: Bucket; readonly isAllowed: boolean }

export const takeFrom = ({ burst, perSecond }: Rate, bucket: Bucket | undefined, nowMs: number): Taken => {
  const { atMs, left } = bucket ?? { left: burst, atMs: nowMs }
  const refilled = Math.min(burst, left + (Math.max(0, nowMs - atMs) * perSecond) / 1000)
  const isAllowed = refilled >= 1
  return { bucket: { left: isAllowed ? refilled - 1 : refilled, atMs: nowMs }, isAllowed }
}
