/** The current user and machine. */
import type { Gzip } from '../domain/environment/gunzip.ts'

/** What Node does in native code, much faster than the portable functions of the core. */
type Codecs = { readonly gzip: Gzip; readonly sha256: (text: string) => string }

/**
 * `who`: user and host, for people. `holder`: the same, and unique for this run. `mark`: by which later runs on this machine
 * can tell whether this process has ended; empty where the system does not tell. `codecs` are loaded on demand.
 */
export type Machine = {
  readonly who: string
  readonly holder: string
  readonly host: string
  readonly mark: string
  /** Only of processes of this machine, container and user: others cannot be judged. */
  readonly hasEnded: (mark: string) => boolean
  /** Whether it is a process of this machine and container that runs, of whichever user. */
  readonly runs: (mark: string) => boolean
  /** Another text whenever the addresses of this machine change. */
  readonly addresses: () => string
  readonly codecs: () => Promise<Codecs>
}
