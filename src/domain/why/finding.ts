/** A cause as a finding. */
import { type Diagnostic, error, warning } from '../diagnostic/diagnostic.ts'
import { type Cause, logLinesOf } from './cause.ts'

const helpOf = ({ help, next }: Cause): string | undefined => {
  if (next === undefined) return help
  const command = `\`${next.join(' ')}\` shows more`
  return help === undefined ? command : `${help}; ${command}`
}

/** The message with its evidence: the event and, if there are any, the last lines of the log. */
export const toDiagnostic = (cause: Cause, logLines: ReadonlyArray<string> = [], isRemark = false): Diagnostic => {
  const { code, event, logs, message, subject } = cause
  const tail = logLinesOf(logLines)
  const shown =
    logs === undefined || tail.length === 0
      ? []
      : [`last lines of ${logs.container} in ${logs.pod}:`, ...tail.map((line) => `  ${line}`)]
  const lines = [`${subject}: ${message}`, ...(event === undefined ? [] : [`event: ${event}`]), ...shown]
  return (isRemark ? warning : error)(code, lines.join('\n'), { help: helpOf(cause) })
}
