/** Time as a port, so that tests need not wait. */

export type Clock = {
  /** Monotonic milliseconds, from an arbitrary start. */
  readonly now: () => number
  /** Milliseconds since 1970, to compare with dates set by others: credentials, files. It may jump. */
  readonly wallMs: () => number
  /** The time in UTC, as `2026-11-21T10:00:00Z`: for people and records, never for decisions. */
  readonly date: () => string
  /** Ends early, without failing, when the signal is aborted. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>
  /** Calls `f` once after this many milliseconds, unless the returned function is called first. */
  readonly after: (ms: number, f: () => void) => () => void
  /** A signal that is aborted after this many milliseconds, without keeping the process alive. */
  readonly timeout: (ms: number) => AbortSignal
  /** Calls `f` every so many milliseconds, without keeping the process alive, until the returned function is called. */
  readonly every: (ms: number, f: () => void) => () => void
}
