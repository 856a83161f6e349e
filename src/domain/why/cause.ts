/** Why a workload does not become ready, as data: decisions use `isFinal` and `code`; people read the diagnostic. */
import type { Code } from '../diagnostic/codes.ts'
import type { MountedVolume } from './hidden.ts'

/** A log worth reading. `isPrevious`: the log of the previous container instance. */
export type LogRef = { readonly pod: string; readonly container: string; readonly isPrevious: boolean }

/** What a log line may refer to: the services of the environment, and the volumes of its container. */
export type LogContext = { readonly services: ReadonlyArray<string>; readonly mounts: ReadonlyArray<MountedVolume> }

/** A port on which a probe got no connection; `others` are further ports of the pod worth trying. */
export type ClosedPort = { readonly pod: string; readonly port: number; readonly others: ReadonlyArray<number> }

/**
 * `subject`: the service, or the object if there is no service. `object`: where it was seen (`Pod/web-6d4f`).
 * `isFinal`: it cannot recover by itself. `next`: the command that shows or does more. `event`: the cluster's own
 * message. `since`: when it was last reported, by the cluster's clock. `alike`: how many other pods have the same
 * problem. `program`: the file that cannot be run.
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
  readonly logContext?: LogContext
  readonly closed?: ClosedPort
  readonly program?: string
}

/** How many lines are shown from the end of a log. */
export const LOG_LINES = 20

/** When a log no longer exists, the kubelet sends an error message in its place. */
export const logLinesOf = (lines: ReadonlyArray<string>): ReadonlyArray<string> =>
  lines.filter((line) => !line.startsWith('unable to retrieve container logs for ')).slice(-LOG_LINES)

/** `open`: the ports of its {@link ClosedPort} on which something answers inside the pod. */
export const withOpenPorts = (cause: Cause, open: ReadonlyArray<number>): Cause => {
  const { closed } = cause
  if (closed === undefined || open.length === 0) return cause
  if (open.includes(closed.port)) {
    return { ...cause, message: `${cause.message}; from inside the pod it answers, so it listens on 127.0.0.1 only` }
  }
  return {
    ...cause,
    message: `${cause.message}; port ${open.join(' and ')} of the pod ${open.length === 1 ? 'accepts' : 'accept'} connections`,
    help: `correct the port to ${open.join(' or ')} in the file, or let the program listen on port ${closed.port}`,
  }
}
