/** Pauses between attempts at the same thing. They grow, so that many who try do not keep down what is trying to get up. */

/** Each pause is `factor` times the one before it (2 unless said), and none is longer than `longestMs`. */
export type Backoff = { readonly firstMs: number; readonly longestMs: number; readonly factor?: number }

/** The pause after so many failed attempts, of which the first is 0. */
export const pauseAfter = ({ factor = 2, firstMs, longestMs }: Backoff, failures: number): number =>
  Math.min(firstMs * factor ** failures, longestMs)
