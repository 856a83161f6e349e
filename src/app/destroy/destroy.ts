/**
 * `destroy`: deletes all objects of an environment in a namespace, found by its record, its labels and its Helm
 * releases. It can be run again at any time, from any machine, and continues with what is left.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { unconfirmed, unfinished } from '../../domain/destroy/findings.ts'
import { countText, dataText } from '../../domain/destroy/show.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { atMost, isTimeout, leavingMs } from '../concurrency/deadline.ts'
import { withResource } from '../concurrency/resource.ts'
import { elsewhereText } from '../environment/elsewhere.ts'
import { answer, type Result } from '../result.ts'
import { firstLook } from './first-look.ts'
import type { SearchResult } from './look.ts'
import { type DestroyReport, reportOf } from './report.ts'
import type { DestroyPorts, Destruction } from './request.ts'
import { lockAll, underLock } from './under-lock.ts'

const preview = (destruction: Destruction, looked: SearchResult): Result<DestroyReport> => ({
  // Objects in other namespaces are listed with the rest.
  findings: looked.findings.filter(({ code }) => code !== 'DT3305'),
  value: reportOf(destruction, looked, 'Previewed'),
})

/** Without a terminal, giving the flag confirms it. */
const answeredByFlag = ({ code }: Diagnostic): boolean => code === 'DT2101'

/**
 * Whether everything in the namespace, or the data in volumes, may be deleted. DT2101 without a terminal to ask about
 * everything, DT3303 when the answer is no.
 */
const confirm = (
  { prompt }: DestroyPorts,
  { isYes, options, target: { context, namespace } }: Destruction,
  { plan }: SearchResult,
): Promise<ReadonlyArray<Diagnostic>> => {
  const data = dataText(plan)
  if (isYes || (!options.isAll && data === undefined)) return Promise.resolve([])
  const what = options.isAll ? `everything in namespace ${namespace} of ${context} (${countText(plan)})` : 'the data in'
  const text = `delete ${[what, data].filter(Boolean).join(options.isAll ? ', with the data in ' : ' ')}?`
  const refused = pipe(
    prompt.confirm({ text, flag: '--yes' }),
    TE.match(
      (why) => (!options.isAll && answeredByFlag(why) ? [] : [why]),
      (isConfirmed) => (isConfirmed ? [] : [unconfirmed(options.isAll ? '--all' : '--volumes')]),
    ),
  )
  return refused()
}

/**
 * Status 0 when there is nothing to destroy. DT3303 and DT2101 unconfirmed, DT3110 and DT3111 the lock, DT3301 and
 * DT3302 timed out or interrupted, DT3308 objects recreated by others, and refusals of the cluster; DT3304 to DT3307
 * are warnings.
 */
export const destroy =
  (ports: DestroyPorts) =>
  async (destruction: Destruction): Promise<Result<DestroyReport>> => {
    const { environment, isDryRun, options, signal } = destruction
    const first = await firstLook(destruction)()
    if (signal.aborted) return { findings: [unfinished([], isTimeout(signal))] }
    if (E.isLeft(first)) return { findings: [first.left] }
    const { looked, warnings } = first.right
    const told = (result: Result<DestroyReport>): Result<DestroyReport> => ({
      ...result,
      findings: [...warnings, ...result.findings],
    })
    if (isDryRun) return told(preview(destruction, looked))
    if (looked.plan.deletions.length === 0) {
      const elsewhere = options.isAll ? undefined : await elsewhereText(destruction.target, environment, signal)
      const value = { ...reportOf(destruction, looked, 'Nothing'), ...defined({ elsewhere }) }
      return told({ findings: looked.findings, value })
    }
    const refused = await confirm(ports, destruction, looked)
    if (refused.length > 0) return told({ findings: refused })
    const environments = options.isAll ? [...new Set([environment, ...looked.environments])] : [environment]
    const outcome = pipe(
      withResource(
        lockAll(ports, destruction, environments),
        (lock) => TE.fromTask(() => underLock(ports, destruction, first.right, { environments, lock })),
        (lock) => () => atMost(ports.clock, leavingMs(signal), lock.release),
      ),
      TE.tapIO(() => ports.progress.end),
    )
    return told(await answer(outcome))
  }
