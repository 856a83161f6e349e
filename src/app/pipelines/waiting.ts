/** Follows a run to its end. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { isCode } from '../../domain/diagnostic/codes.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { RunEnd } from '../../domain/platform/api/run-routes.ts'
import { RunLine } from '../../domain/platform/run/log.ts'
import type { RunRecord } from '../../domain/platform/run/record.ts'
import type { PlatformLogin } from '../../ports/platforms.ts'
import type { Ports } from '../../ports/ports.ts'
import { isTimeout } from '../concurrency/deadline.ts'

/** Resolves when there is room for more; to false when the reader is gone. */
export type LineSink = (line: RunLine) => Promise<boolean>

type RunName = Pick<RunRecord, 'namespace' | 'id'>

const cancelling = ({ id, namespace }: RunName): string =>
  `\`devtool pipeline cancel --run ${id} --namespace ${namespace}\` cancels it`

/** A message about the run that goes on after the command was interrupted. */
const left = (run: RunName, signal: AbortSignal): Diagnostic =>
  isTimeout(signal)
    ? error('DT3120', `timed out: run ${run.id} goes on`, {
        help: `--timeout waits longer; ${cancelling(run)}`,
      })
    : error('DT3007', `interrupted: run ${run.id} goes on`, { help: cancelling(run) })

/** Where a run is before its log begins. */
export const begunText = ({ id, status, waitsFor }: RunRecord): string => {
  switch (waitsFor?.for) {
    case 'run':
      return `run ${id} waits for run ${waitsFor.run}`
    case 'namespace':
      return `run ${id} waits for other runs of its namespace`
    case 'platform':
      return `run ${id} is queued`
    case undefined:
      return `run ${id} ${status === 'running' ? 'is under way' : 'starts'}`
  }
}

/** `undefined`: the reader is gone, or the platform has deleted the run. */
export const followRun =
  ({ platforms }: Pick<Ports, 'platforms'>) =>
  (
    platform: PlatformLogin,
    run: RunName,
    sink: LineSink,
    signal: AbortSignal,
  ): TE.TaskEither<Diagnostic, RunRecord | undefined> =>
  async () => {
    const { id, namespace } = run
    for await (const event of platforms.follow(platform, 'followRun', { params: { namespace, run: id } }, signal)) {
      if (event.failure !== undefined) return E.left(signal.aborted ? left(run, signal) : event.failure)
      const line = event.event === 'log' ? RunLine.decode(event.data) : undefined
      if (line !== undefined && E.isRight(line) && !(await sink(line.right))) return E.right(undefined)
      const end = event.event === 'end' ? RunEnd.decode(event.data) : undefined
      if (end !== undefined && E.isRight(end)) return E.right(end.right.run)
    }
    return signal.aborted ? E.left(left(run, signal)) : E.right(undefined)
  }

/** How a run ended: a cancelled one by whom. */
export const endText = (run: RunRecord): string =>
  (run.status === 'cancelled' ? faultOf(run)[0]?.message : undefined) ?? `run ${run.id}: ${run.status}`

/**
 * The finding about a run that has ended: none when it succeeded, and none when it failed with an unknown failure,
 * which its status shows.
 */
export const faultOf = ({
  cancelledBy,
  failure,
  id,
  namespace,
  replacedBy,
  status,
}: RunRecord): ReadonlyArray<Diagnostic> => {
  if (status === 'cancelled') {
    if (replacedBy !== undefined) {
      const help = `\`devtool pipeline logs --run ${replacedBy} --namespace ${namespace}\` follows that one`
      return [error('DT6411', `run ${id} was replaced by the newer run ${replacedBy} before it started`, { help })]
    }
    if (cancelledBy !== undefined) {
      return [error('DT6411', `run ${id} was cancelled by ${cancelledBy.email || cancelledBy.user}`)]
    }
    return [error('DT6411', `run ${id} was cancelled`, { help: 'a newer run of a pipeline replaces one that waits' })]
  }
  const isKnown = status !== 'succeeded' && failure !== undefined && isCode(failure.code)
  return isKnown ? [failure] : []
}
