/** What a use case answers. How it is shown is decided by whoever asked. */
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { LineOf } from '../domain/diagnostic/lines.ts'

/**
 * `value` is absent when something in `findings` keeps it from being known. `said` are lines about what was done. `line`
 * finds the text behind a place.
 */
export type Result<A> = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly value?: A
  readonly said?: ReadonlyArray<string>
  readonly line?: LineOf
}
