/** The current user and machine. */
import type { Gzip } from '../domain/environment/gunzip.ts'

/** Node's native implementations, much faster than the portable functions of the domain. */
type Codecs = { readonly gzip: Gzip; readonly sha256: (text: string) => string }

/**
 * `who`: user and host, for people. `holder`: the same, and unique for this run. `mark`: by which later runs on this
 * machine can tell whether this process has ended; empty where the system does not provide it. `codecs` are loaded on
 * demand.
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
  readonly codecs: () => Promise<Codecs>
}
