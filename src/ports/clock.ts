/** Time, so that tests need none. */

export type Clock = {
  /** Milliseconds that only grow; from no fixed moment. */
  readonly now: () => number
  /** The moment in UTC, as `2026-11-21T10:00:00Z`: for people and records, never to decide by. */
  readonly date: () => string
  /** Ends early, and without failing, when the signal comes. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
}
