/** Why the pod of a run does not start, as `why` explains it. */
import { textAt } from '../../cluster/json.ts'
import { type ClusterObject, withLives } from '../../cluster/live.ts'
import { defined } from '../../object/defined.ts'
import { conditionOf, containersOf } from '../../rollout/pod.ts'
import { secondsBetween } from '../../text/moment.ts'
import { findCauses } from '../../why/causes.ts'

/** `isHopeless`: waiting longer does not help. */
export type Obstacle = { readonly message: string; readonly help?: string; readonly isHopeless: boolean }

/** An image name that no time heals; and a reason of its own. */
const [NO_IMAGE_NAME, NEVER_PULLED] = ['DT3205', 'ErrImageNeverPull']
/** A pod whose image cannot be pulled, or whose definition is wrong, is given this long on its node. */
const LASTING_SECONDS = 60
/** Room becomes free when others end: on nodes, and in a quota. */
const mayHeal: ReadonlyArray<string> = ['DT3210', 'DT3211']

/**
 * `events`: about the Job and its pods. `undefined` when one of its containers has begun, or nothing is known.
 */
export const obstacleOf = (
  job: ClusterObject,
  pods: ReadonlyArray<ClusterObject>,
  events: ReadonlyArray<ClusterObject>,
  now: string,
): Obstacle | undefined => {
  const containers = pods.flatMap(containersOf)
  if (containers.some(({ ended, isRunning }) => isRunning || ended !== undefined)) return undefined
  const [pod] = pods
  const placed = pod === undefined ? undefined : textAt(conditionOf(pod, 'PodScheduled'), 'lastTransitionTime')
  const age = secondsBetween(
    placed ?? pod?.metadata.creationTimestamp ?? textAt(job, 'status', 'startTime') ?? now,
    now,
  )
  const ref = { kind: job.kind, name: job.metadata.name }
  const [cause] = findCauses(withLives(new Map(), [job, ...pods, ...events]), ref, () => age * 1000)
  const waiting = containers.flatMap((container) => container.waiting ?? [])
  const reason = waiting.find((one) => one.reason !== '')?.reason
  if (cause === undefined) return reason === undefined ? undefined : { message: reason, isHopeless: false }
  const { code, help, isFinal, message } = cause
  const isLasting = isFinal && !mayHeal.includes(code) && age > LASTING_SECONDS
  const isHopeless = isLasting || code === NO_IMAGE_NAME || reason === NEVER_PULLED
  return { message, isHopeless, ...defined({ help }) }
}
