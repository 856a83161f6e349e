/** Jobs that have failed. */

import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { defined, ifDefined } from '../object/defined.ts'
import { conditionOf, containersOf } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, readLogs, type Scene } from './scene.ts'

/** The last container that failed: its log is worth reading. */
const culprit = (pods: ReadonlyArray<ClusterObject>) => {
  const failed = pods.flatMap((pod) =>
    containersOf(pod).flatMap((container) => {
      const ended = container.ended ?? container.before
      return ended === undefined || ended.exitCode === 0 ? [] : [{ pod, container, ended }]
    }),
  )
  return failed.at(-1)
}

/** Containers that are restarted in their pod are deleted with it when the Job fails. */
const goneHelp =
  'its pods were deleted, and their logs with them: follow `devtool logs` while the next deploy runs it again'

const sayFailed = (
  reason: string,
  exitCode: number | undefined,
  isGone: boolean,
): { readonly message: string; readonly help: string } => {
  const exit = exitCode === undefined ? '' : `, the last with exit code ${exitCode}`
  switch (reason) {
    case 'BackoffLimitExceeded':
      return {
        message: `the Job failed: no retries are left${exit}`,
        help: isGone ? goneHelp : 'its log says why; the next deploy runs it again',
      }
    case 'DeadlineExceeded':
      return {
        message: 'the Job failed: it exceeded its deadline',
        help: 'give it more time (activeDeadlineSeconds), or see why it takes so long',
      }
    case 'PodFailurePolicy':
      return { message: `the Job failed by its failure policy${exit}`, help: 'its log says why' }
    default:
      return { message: `the Job failed${reason === '' ? '' : ` (${reason})`}${exit}`, help: 'its log says why' }
  }
}

export const jobCauses = (scene: Scene): ReadonlyArray<Cause> => {
  const { rollout, workload } = scene
  if (!rollout.isFailed) return []
  const condition = conditionOf(workload, 'Failed') ?? conditionOf(workload, 'FailureTarget')
  // That no retries are left can be seen from the pods before the controller reports it.
  const reason = condition === undefined ? 'BackoffLimitExceeded' : (textAt(condition, 'reason') ?? '')
  const last = culprit(rollout.pods)
  const logs =
    last === undefined ? undefined : { pod: last.pod.metadata.name, container: last.container.name, isPrevious: false }
  return [
    causeOf(scene, workload, {
      code: 'DT3219',
      ...sayFailed(reason, last?.ended.exitCode, rollout.pods.length === 0),
      next: logs === undefined ? describe(scene, workload) : readLogs(scene, logs),
      isFinal: true,
      ...defined({
        event: ifDefined(condition, (said) => `${reason}: ${textAt(said, 'message') ?? ''}`),
        logs,
      }),
    }),
  ]
}
