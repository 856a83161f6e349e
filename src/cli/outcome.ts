/** The result of a command, to be printed. */
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { LineOf } from '../domain/diagnostic/lines.ts'
import type { RunEnd } from '../domain/progress/event.ts'

/**
 * `output` is data, in pieces when it is long. It is printed even if there are errors, so a failed command has none
 * unless the failure is its result (a diff). `said`: messages about what was done. `line` finds the text of a line of a
 * file. `isInOutput`: which findings the output contains already. `deployed`: included in the last event of the run.
 * `status`: that of the user's own command, unless there are errors.
 */
export type Outcome = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly output?: string | Iterable<string>
  readonly said?: ReadonlyArray<string>
  readonly isInOutput?: (finding: Diagnostic) => boolean
  readonly status?: number
  readonly line?: LineOf
  readonly deployed?: Pick<RunEnd, 'environment' | 'namespace' | 'endpoints'>
}
