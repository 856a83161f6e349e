/** What a command leaves to be printed. */
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { LineOf } from '../domain/diagnostic/lines.ts'

/**
 * `output` is data, in pieces when it is long: it is printed even beside errors, so a command that failed gives none unless
 * the failure is what was asked for (a diff). `said` are lines about what was done. `line` finds the text behind a place. `isShown`: false
 * when the output holds the findings already.
 */
export type Outcome = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly output?: string | Iterable<string>
  readonly said?: ReadonlyArray<string>
  readonly isShown?: boolean
  readonly line?: LineOf
}
