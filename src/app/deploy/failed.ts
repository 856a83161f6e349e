/** Why a deploy failed: the causes found, what was still waited for, and what never began. */
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import type { Cause } from '../../domain/why/cause.ts'
import { toDiagnostic } from '../../domain/why/cause.ts'
import { findCauses } from '../../domain/why/causes.ts'
import type { Clock } from '../../ports/clock.ts'
import { atMost, isTimeout } from '../concurrency/deadline.ts'
import type { Target } from '../context/target.ts'
import { logTail } from '../logs/tail.ts'
import type { Watching } from '../watch/watch.ts'
import type { Executed } from './execute.ts'

type FailedDeploy = {
  readonly target: Pick<Target, 'cluster' | 'namespace'>
  readonly watching: Watching
  readonly signal: AbortSignal
  readonly ports: { readonly clock: Clock }
}

/** After a timeout, logs are only read if they arrive this fast. */
const lateLogMs = 500
/** More causes of one service than this do not help. */
const mostCauses = 3

const told = async ({ ports, target }: FailedDeploy, cause: Cause): Promise<Diagnostic> =>
  toDiagnostic(cause, await logTail(target, ports.clock, cause))

const pendingText = ({ pending }: Executed): string =>
  [...new Set(pending.map(({ detail, name }) => `${name} (${detail})`))].join(', ')

const outOfTime = (executed: Executed, signal: AbortSignal): Diagnostic => {
  const waited = executed.pending.length === 0 ? '' : `; still waiting for ${pendingText(executed)}`
  return isTimeout(signal)
    ? error('DT3120', `timed out${waited}`, {
        help: 'what was applied stays: run `devtool why` to see what is wrong, or use --timeout to wait longer',
      })
    : error('DT3121', `interrupted${waited}`, {
        help: 'what was applied stays; run the same command again to continue',
      })
}

/** Causes first: the status is that of the first error. When time ran out, that is what is said first. */
export const explainFailure = async (around: FailedDeploy, executed: Executed): Promise<ReadonlyArray<Diagnostic>> => {
  const { signal, watching } = around
  const causes = executed.stuck.flatMap((stuck) => stuck.causes.slice(0, mostCauses))
  if (!signal.aborted) return Promise.all(causes.map((cause) => told(around, cause)))
  const late = executed.pending.flatMap(({ wanted }) =>
    wanted === undefined
      ? []
      : findCauses(watching.world.of(wanted.service), wanted.ref, () => Number.POSITIVE_INFINITY).slice(0, 1),
  )
  const found = outOfTime(executed, signal)
  const soon = async (cause: Cause): Promise<Diagnostic> =>
    (await atMost(around.ports.clock, lateLogMs, told(around, cause))) ?? toDiagnostic(cause, [])
  return [found, ...(await Promise.all([...causes, ...late].map(soon)))]
}
