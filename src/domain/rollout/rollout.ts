/** The progress of a workload's rollout, judged as `kubectl rollout status` does. */
import { at, numberAt, textAt } from '../cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { wordsOf } from './detail.ts'
import { hasCondition, isGoing, isJobFailed, isPodFailed, isPodReady, isPodStarted } from './pod.ts'
import { isCurrent, newReplicaSet, podsOf, stoppingPodsOf } from './revision.ts'

/** A workload by kind and name. */
export type WorkloadRef = { readonly kind: string; readonly name: string }

/**
 * `pods`: pods of the new revision that are not being deleted. `isCurrent`: the controller has observed the current
 * generation. `isAvailable`: all wanted pods are of the new revision and available, and the old ones are gone; for a
 * Job, it is complete or all its pods are ready. `old`: pods of older revisions that are still to be replaced.
 * `isOnDelete`: they are replaced only when somebody deletes them. `detail`: `1 of 3 ready, pulling image`.
 */
export type Rollout = {
  readonly desired: number
  readonly pods: ReadonlyArray<ClusterObject>
  readonly started: number
  readonly ready: number
  readonly available: number
  readonly isCurrent: boolean
  readonly isAvailable: boolean
  readonly old: number
  readonly isOnDelete: boolean
  readonly isComplete: boolean
  readonly isFailed: boolean
  readonly detail: string
}

/** The status fields of the different kinds, in one form. */
type Claimed = {
  readonly desired: number
  /** An upper bound for the available pods: the controller takes `minReadySeconds` into account. */
  readonly available: number
  /** The controller's counts are those of a finished rollout. */
  readonly isDone: boolean
  /** Old pods that still exist or have to be replaced first. */
  readonly old: number
}

const status = (live: ClusterObject, name: string): number => numberAt(live, 'status', name) ?? 0

const claimedByDeployment = (observed: Observed, live: ClusterObject): Claimed => {
  const desired = numberAt(live, 'spec', 'replicas') ?? 1
  const [updated, all, available] = [
    status(live, 'updatedReplicas'),
    status(live, 'replicas'),
    status(live, 'availableReplicas'),
  ]
  const set = newReplicaSet(observed, live)
  return {
    desired,
    available: set === undefined ? 0 : status(set, 'availableReplicas'),
    isDone: updated >= desired && all <= updated && available >= updated,
    old: Math.max(all - updated, 0),
  }
}

const claimedByStatefulSet = (live: ClusterObject): Claimed => {
  const desired = numberAt(live, 'spec', 'replicas') ?? 1
  const [updated, all, available] = [
    status(live, 'updatedReplicas'),
    status(live, 'replicas'),
    status(live, 'availableReplicas'),
  ]
  const kept = numberAt(live, 'spec', 'updateStrategy', 'rollingUpdate', 'partition') ?? 0
  // The revisions cannot be compared: when a set has adopted the pods of another one, they are equal from the start.
  const isUpdated = updated >= desired - kept
  return {
    desired,
    available,
    isDone: isUpdated && all <= desired && status(live, 'readyReplicas') >= desired && available >= desired,
    old: Math.max(all - updated, 0),
  }
}

const claimedByDaemonSet = (live: ClusterObject): Claimed => {
  const desired = status(live, 'desiredNumberScheduled')
  const [updated, scheduled] = [status(live, 'updatedNumberScheduled'), status(live, 'currentNumberScheduled')]
  const available = status(live, 'numberAvailable')
  return {
    desired,
    available,
    isDone: updated >= desired && available >= desired,
    old: Math.max(scheduled - updated, 0),
  }
}

/** For a running Job: as many pods as may run in parallel and are still needed. */
const claimedByJob = (live: ClusterObject): Claimed => {
  const parallelism = numberAt(live, 'spec', 'parallelism') ?? 1
  const left = (numberAt(live, 'spec', 'completions') ?? parallelism) - status(live, 'succeeded')
  const desired = Math.max(Math.min(parallelism, left), 0)
  return { desired, available: desired, isDone: status(live, 'ready') >= desired, old: 0 }
}

const claimedByReplicaSet = (live: ClusterObject): Claimed => {
  const desired = numberAt(live, 'spec', 'replicas') ?? 1
  const available = status(live, 'availableReplicas')
  return { desired, available, isDone: available >= desired && status(live, 'replicas') <= desired, old: 0 }
}

const claimedByPod = (live: ClusterObject): Claimed => ({ desired: 1, available: 1, isDone: isPodReady(live), old: 0 })

const claimedBy = (observed: Observed, live: ClusterObject): Claimed | undefined => {
  switch (live.kind) {
    case 'Deployment':
      return claimedByDeployment(observed, live)
    case 'StatefulSet':
      return claimedByStatefulSet(live)
    case 'DaemonSet':
      return claimedByDaemonSet(live)
    case 'Job':
      return claimedByJob(live)
    case 'ReplicaSet':
      return claimedByReplicaSet(live)
    case 'Pod':
      return claimedByPod(live)
    default:
      return undefined
  }
}

const isOnDelete = (live: ClusterObject): boolean =>
  (live.kind === 'StatefulSet' || live.kind === 'DaemonSet') &&
  textAt(live, 'spec', 'updateStrategy', 'type') === 'OnDelete'

/** A pod that may not run beside its successor is stopped first, for as long as its grace period at most. */
const stoppingWords = (pods: ReadonlyArray<ClusterObject>): string => {
  const seconds = pods.reduce(
    (most, pod) => Math.max(most, numberAt(pod, 'metadata', 'deletionGracePeriodSeconds') ?? 0),
    0,
  )
  return `waiting for ${pods.length} ${pods.length === 1 ? 'pod' : 'pods'} to stop (within ${seconds} s)`
}

const detailOf = (observed: Observed, live: ClusterObject, rollout: Omit<Rollout, 'detail'>): string => {
  const { old } = rollout
  if (rollout.isComplete) return 'complete'
  if (rollout.isFailed) return 'failed'
  if (!rollout.isCurrent) return 'waiting for the controller'
  if (live.kind === 'Job' && at(live, 'spec', 'suspend') === true) return 'suspended'
  if (rollout.desired === 0 && old === 0) return 'nothing to run'
  const counts = `${rollout.ready} of ${rollout.desired} ready`
  if (rollout.isAvailable) return counts
  const words = wordsOf(observed, rollout.pods)
  if (words !== undefined) return `${counts}, ${words}`
  if (rollout.pods.length < rollout.desired && !rollout.isOnDelete) {
    const stopping = stoppingPodsOf(observed, live)
    return `${counts}, ${stopping.length > 0 ? stoppingWords(stopping) : 'waiting for pods to be created'}`
  }
  if (old > 0) return `${counts}, ${old} old ${old === 1 ? 'pod' : 'pods'} to go`
  return rollout.available < rollout.desired ? `${counts}, waiting to be available` : counts
}

/**
 * More pods of the Job have failed than it may replace, which its controller reports only later. Failures that a
 * failure policy ignores do not count.
 */
const isSpent = (live: ClusterObject, pods: ReadonlyArray<ClusterObject>): boolean => {
  const retries = numberAt(live, 'spec', 'backoffLimit')
  if (retries === undefined || at(live, 'spec', 'podFailurePolicy') !== undefined) return false
  return pods.filter(isPodFailed).length > retries
}

const hasJobFailed = (live: ClusterObject, pods: ReadonlyArray<ClusterObject>): boolean =>
  isJobFailed(live) || isSpent(live, pods)

/** `undefined` when there is no such object, or it is not a workload. */
export const readRollout = (observed: Observed, { kind, name }: WorkloadRef): Rollout | undefined => {
  const live = liveOf(observed, kind, name)
  const claimed = live === undefined ? undefined : claimedBy(observed, live)
  if (live === undefined || claimed === undefined) return undefined
  const pods = podsOf(observed, live).filter((pod) => !isGoing(pod))
  const ready = pods.filter(isPodReady).length
  const [isJob, isSeen] = [kind === 'Job', isCurrent(live)]
  const phase = kind === 'Pod' ? textAt(live, 'status', 'phase') : undefined
  const isComplete = (isJob && hasCondition(live, 'Complete')) || phase === 'Succeeded'
  const rollout = {
    desired: claimed.desired,
    pods,
    started: pods.filter(isPodStarted).length,
    ready,
    available: Math.min(ready, claimed.available),
    isCurrent: isSeen,
    isAvailable: isComplete || (isSeen && claimed.isDone && (!isJob || ready >= Math.max(claimed.desired, 1))),
    old: claimed.old,
    isOnDelete: isOnDelete(live),
    isComplete,
    isFailed: (isJob && !isComplete && hasJobFailed(live, pods)) || phase === 'Failed',
  }
  return { ...rollout, detail: detailOf(observed, live, rollout) }
}
