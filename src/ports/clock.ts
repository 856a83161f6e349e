/** Time, so that tests need none. */

export type Clock = {
  /** Milliseconds that only grow; from no fixed moment. */
  readonly now: () => number
  /** Milliseconds since 1970, to compare with what others have dated: credentials, files. It may jump. */
  readonly wallMs: () => number
  /** The moment in UTC, as `2026-11-21T10:00:00Z`: for people and records, never to decide by. */
  readonly date: () => string
  /** Ends early, and without failing, when the signal comes. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls `f` once, in so many milliseconds, unless the returned function is called before. */
  readonly after: (ms: number, f: () => void) => () => void
  /** Calls `f` every so many milliseconds, without keeping the process alive, until the returned function is called. */
  readonly every: (ms: number, f: () => void) => () => void
}
