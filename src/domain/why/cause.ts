/** Why a workload does not become ready, as data: decisions use `isFinal` and `code`; people read the diagnostic. */
import type { Code } from '../diagnostic/codes.ts'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'

/** A log worth reading. `isPrevious`: the log of the previous container instance. */
export type LogRef = { readonly pod: string; readonly container: string; readonly isPrevious: boolean }

/** A port on which a probe got no connection; `others` are further ports of the pod worth trying. */
export type ClosedPort = { readonly pod: string; readonly port: number; readonly others: ReadonlyArray<number> }

/**
 * `subject`: the service, or the object if there is no service. `object`: where it was seen (`Pod/web-6d4f`).
 * `isFinal`: it cannot recover by itself. `next`: the command that shows or does more. `event`: the cluster's own
 * message. `since`: when it was last reported, by the cluster's clock. `alike`: how many other pods have the same
 * problem.
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

/** How many lines are shown from the end of a log. */
export const LOG_LINES = 20

/** When a log no longer exists, the kubelet sends an error message in its place. */
export const logLinesOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => !line.startsWith('unable to retrieve container logs for ')).slice(-LOG_LINES)

const helpOf = ({ help, next }: Cause): string | undefined => {
  if (next === undefined) return help
  const command = `\`${next.join(' ')}\` shows more`
  return help === undefined ? command : `${help}; ${command}`
}

/** A program built for another architecture starts like any other; only its log shows what is wrong. */
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

/** `open`: the ports of its {@link ClosedPort} on which something answers inside the pod. */
export const withOpenPorts = (cause: Cause, open: ReadonlyArray<number>): Cause => {
  const { closed } = cause
  if (closed === undefined || open.length === 0) return cause
  if (open.includes(closed.port)) {
    return { ...cause, message: `${cause.message}; from inside the pod it answers, so it listens on 127.0.0.1 only` }
  }
  return { ...cause, message: `${cause.message}; port ${open.join(' and ')} of the pod accepts connections` }
}

/** The message with its evidence: the event and, if there are any, the last lines of the log. */
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
