/** Pauses between retries. They grow, so that many clients do not overload a server that is just recovering. */

/** Each pause is `factor` times the previous one (2 by default), up to `longestMs`. */
export type Backoff = { readonly firstMs: number; readonly longestMs: number; readonly factor?: number }

/** The pause after a number of failed attempts, starting at 0. */
export const pauseAfter = ({ factor = 2, firstMs, longestMs }: Backoff, failures: number): number =>
  Math.min(firstMs * factor ** failures, longestMs)
