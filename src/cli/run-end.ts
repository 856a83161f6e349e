/** The last event of `--progress json`: how the run ended. */
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../ports/ports.ts'
import type { CliContext } from './context.ts'
import { statusAfter } from './interruption.ts'
import type { Outcome } from './outcome.ts'

/** `ports`: with the progress of the run. `findings`: all that were printed. */
export const tellEnd = (
  { interruption }: CliContext,
  { progress }: Ports,
  findings: ReadonlyArray<Diagnostic>,
  { deployed, status }: Pick<Outcome, 'deployed'> & { readonly status: number },
): void => {
  const exitStatus = statusAfter(interruption()) ?? status
  progress.tell({ _tag: 'Ended', exitStatus, findings, ...deployed })
}
