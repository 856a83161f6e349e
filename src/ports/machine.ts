/** The current user and machine. */
import type { Gzip } from '../domain/environment/gunzip.ts'

/** What Node does in native code, much faster than the portable functions of the core. */
type Codecs = { readonly gzip: Gzip; readonly sha256: (text: string) => string }

/** `who`: user and host, for people. `holder`: the same, and unique for this run. `codecs` are loaded on demand. */
export type Machine = {
  readonly who: string
  readonly holder: string
  readonly host: string
  readonly codecs: () => Promise<Codecs>
}
