/** The current user and machine. */

/**
 * `who`: user and host, for people. `holder`: the same, and unique for this run. `mark`: by which later runs on this
 * machine can tell whether this process has ended; empty where the system does not provide it.
 */
export type Machine = {
  readonly who: string
  readonly holder: string
  readonly host: string
  readonly mark: string
  /** Only for processes of this machine, container and user: others are unknown. */
  readonly hasEnded: (mark: string) => boolean
  /** Whether the process is running on this machine and in this container, for any user. */
  readonly runs: (mark: string) => boolean
  /** A text that changes whenever the addresses of this machine change. */
  readonly addresses: () => string
  /** For long texts, much faster than the portable function of the domain; loaded on demand. */
  readonly sha256: () => Promise<(text: string) => string>
}
