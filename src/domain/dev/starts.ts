/** How often a program is restarted when its container is replaced. */

/** `inARow`: consecutive starts that each ended soon. */
export type Starts = { readonly inARow: number; readonly atMs: number }

export const firstStart = (atMs: number): Starts => ({ inARow: 1, atMs })

/** A program that ends its own container, for example by using too much memory, does so this soon every time. */
const soonMs = 60_000
const mostInARow = 5

/** `undefined`: the program is not started again. */
export const nextStart = ({ atMs: lastMs, inARow }: Starts, atMs: number): Starts | undefined => {
  if (atMs - lastMs > soonMs) return firstStart(atMs)
  return inARow < mostInARow ? { inARow: inARow + 1, atMs } : undefined
}
