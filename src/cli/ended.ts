/** Messages about runs that ended early: by Ctrl-C, or for lack of time. */
import { isTimeout } from '../app/concurrency/deadline.ts'
import { error } from '../domain/diagnostic/diagnostic.ts'
import { exitStatus } from '../domain/diagnostic/status.ts'
import type { Outcome } from './outcome.ts'

/** How long commands that only read wait for the cluster. */
export const readingMs = 30_000

const help = '--timeout waits longer'
const outOfTime = error('DT3120', 'timed out before the API server responded', { help })
const silent = error('DT3170', `the API server did not respond within ${readingMs / 1000} s`, {
  help: `check the context with \`devtool context show\`; ${help}`,
})
const interrupted = error('DT3007', 'interrupted before the API server responded')

/** The outcome of a command that only reads. `hasTimeout`: the user set a timeout. */
export const cutOff = (signal: AbortSignal, hasTimeout: boolean): Outcome => {
  if (!isTimeout(signal)) return { findings: [interrupted] }
  return { findings: [hasTimeout ? outOfTime : silent] }
}

/** The exit statuses of an aborted request: interrupted, or not reached. */
const ofCutOff: ReadonlySet<number> = new Set([130, 8])

/** After a timeout, aborted requests are reported as timed out. */
export const inTime = (signal: AbortSignal, outcome: Outcome): Outcome => {
  const first = outcome.findings.find(({ severity }) => severity === 'error')
  if (!isTimeout(signal) || first === undefined || !ofCutOff.has(exitStatus([first]))) return outcome
  const late = first.code === 'DT3007' ? outOfTime : error('DT3120', `timed out: ${first.message}`, { help })
  return { ...outcome, findings: outcome.findings.map((found) => (found === first ? late : found)) }
}
