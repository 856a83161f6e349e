/** Why a workload does not come up, as data: decisions look at `isFinal` and `code`, people read its diagnostic. */
import type { Code } from '../diagnostic/codes.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'

/** A log worth reading. `isPrevious`: of the container that ended, before it was started again. */
export type LogRef = { readonly pod: string; readonly container: string; readonly isPrevious: boolean }

/** A port that a check found closed; `others` are ports of the same pod that are worth a try. */
export type ClosedPort = { readonly pod: string; readonly port: number; readonly others: ReadonlyArray<number> }

/**
 * `subject`: the service, or the object when there is none. `object`: what shows it (`Pod/web-6d4f`). `isFinal`: it
 * cannot heal by itself. `next`: the command that shows or does more. `event`: what the cluster said, in its own words.
 * `since`: when it was last said, by the cluster's clock. `alike`: how many other pods show the same.
 */
export type Cause = {
  readonly code: Code
  readonly subject: string
  readonly message: string
  readonly help?: string
  readonly next?: ReadonlyArray<string>
  readonly object: string
  readonly isFinal: boolean
  readonly event?: string
  readonly since?: string
  readonly alike?: number
  readonly logs?: LogRef
  readonly closed?: ClosedPort
}

/** Of a log the last lines only. */
export const LOG_LINES = 20

/** The kubelet sends its own words in place of a log that is gone. */
export const logLinesOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => !line.startsWith('unable to retrieve container logs for ')).slice(-LOG_LINES)

const helpOf = ({ help, next }: Cause): string | undefined => {
  if (next === undefined) return help
  const command = `\`${next.join(' ')}\` shows more`
  return help === undefined ? command : `${help}; ${command}`
}

/** A program of another architecture starts as well as any, and says so only in the log. */
export const readLog = (cause: Cause, logLines: ReadonlyArray<string>): Cause => {
  const isCrash = cause.code === 'DT3207' || cause.code === 'DT3218' || cause.code === 'DT3219'
  if (!isCrash || !logLinesOf(logLines).some((line) => line.includes('exec format error'))) return cause
  return {
    ...cause,
    code: 'DT3203',
    message: `${cause.message}: its program is built for an architecture other than that of the node`,
    help: 'build the image for that platform as well, or choose other nodes with x-node-selector; a script needs a first line such as #!/bin/sh',
  }
}

/** `open` are those of its {@link ClosedPort} at which something answers from inside the pod. */
export const withOpenPorts = (cause: Cause, open: ReadonlyArray<number>): Cause => {
  const { closed } = cause
  if (closed === undefined || open.length === 0) return cause
  if (open.includes(closed.port)) {
    return { ...cause, message: `${cause.message}; from inside the pod it answers, so it listens on 127.0.0.1 only` }
  }
  return { ...cause, message: `${cause.message}; port ${open.join(' and ')} of the pod accepts connections` }
}

/** The message with its evidence: the event and, when there are any, the last lines of the log. */
export const toDiagnostic = (found: Cause, logLines: ReadonlyArray<string> = []): Diagnostic => {
  const cause = readLog(found, logLines)
  const { code, event, logs, message, subject } = cause
  const tail = logLinesOf(logLines)
  const shown =
    logs === undefined || tail.length === 0
      ? []
      : [`last lines of ${logs.container} in ${logs.pod}:`, ...tail.map((line) => `  ${line}`)]
  const lines = [`${subject}: ${message}`, ...(event === undefined ? [] : [`event: ${event}`]), ...shown]
  return error(code, lines.join('\n'), { help: helpOf(cause) })
}
