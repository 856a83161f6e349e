/** How far a workload has come with its present template, as `kubectl rollout status` judges it. */
import { at, numberAt, textAt } from '../cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../cluster/live.ts'
import { wordsOf } from './detail.ts'
import { hasCondition, isGoing, isPodReady, isPodStarted } from './pod.ts'
import { isCurrent, newReplicaSet, podsOf } from './revision.ts'

/** A workload by kind and name. */
export type WorkloadRef = { readonly kind: string; readonly name: string }

/**
 * `pods` are those of the new revision only, none of which is going. `isCurrent`: the controller has seen the present
 * generation. `isAvailable`: every pod asked for is of the new revision and available, the old ones are gone; of a Job,
 * that it is complete or that all its pods are ready. `isOnDelete`: the new revision comes only when somebody deletes the
 * old pods, so `isAvailable` is not to be waited for. `detail`: `1 of 3 ready, pulling image`.
 */
export type Rollout = {
  readonly desired: number
  readonly pods: ReadonlyArray<ClusterObject>
  readonly started: number
  readonly ready: number
  readonly available: number
  readonly isCurrent: boolean
  readonly isAvailable: boolean
  readonly isOnDelete: boolean
  readonly isComplete: boolean
  readonly isFailed: boolean
  readonly detail: string
}

/** What the controllers of the kinds say in their own ways. */
type Claimed = {
  readonly desired: number
  /** At most so many are available: the controller counts `minReadySeconds`. */
  readonly available: number
  /** The counts of the controller are those of a finished rollout. */
  readonly isDone: boolean
  /** Old pods are still there, or have to go first. */
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
  // The revisions say nothing: those of a set that took over the pods of another are equal from the start.
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

/** Of a Job that runs: as many pods as may run at a time and are still to be done. */
const claimedByJob = (live: ClusterObject): Claimed => {
  const parallelism = numberAt(live, 'spec', 'parallelism') ?? 1
  const left = (numberAt(live, 'spec', 'completions') ?? parallelism) - status(live, 'succeeded')
  const desired = Math.max(Math.min(parallelism, left), 0)
  return { desired, available: desired, isDone: status(live, 'ready') >= desired, old: 0 }
}

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
    default:
      return undefined
  }
}

const isOnDelete = (live: ClusterObject): boolean =>
  (live.kind === 'StatefulSet' || live.kind === 'DaemonSet') &&
  textAt(live, 'spec', 'updateStrategy', 'type') === 'OnDelete'

const detailOf = (observed: Observed, live: ClusterObject, rollout: Omit<Rollout, 'detail'>, old: number): string => {
  if (rollout.isComplete) return 'complete'
  if (rollout.isFailed) return 'failed'
  if (!rollout.isCurrent) return 'waiting for the controller'
  if (live.kind === 'Job' && at(live, 'spec', 'suspend') === true) return 'suspended'
  if (rollout.desired === 0 && old === 0) return 'nothing to run'
  const counts = `${rollout.ready} of ${rollout.desired} ready`
  if (rollout.isAvailable) return counts
  const words = wordsOf(observed, rollout.pods)
  if (words !== undefined) return `${counts}, ${words}`
  if (rollout.pods.length < rollout.desired && !rollout.isOnDelete) return `${counts}, waiting for pods to be created`
  if (old > 0) return `${counts}, ${old} old ${old === 1 ? 'pod' : 'pods'} to go`
  return rollout.available < rollout.desired ? `${counts}, waiting to be available` : counts
}

/** `undefined` when there is no such object, or it is no workload. */
export const readRollout = (observed: Observed, { kind, name }: WorkloadRef): Rollout | undefined => {
  const live = liveOf(observed, kind, name)
  const claimed = live === undefined ? undefined : claimedBy(observed, live)
  if (live === undefined || claimed === undefined) return undefined
  const pods = podsOf(observed, live).filter((pod) => !isGoing(pod))
  const ready = pods.filter(isPodReady).length
  const isJob = kind === 'Job'
  const [isComplete, isSeen] = [isJob && hasCondition(live, 'Complete'), isCurrent(live)]
  const rollout = {
    desired: claimed.desired,
    pods,
    started: pods.filter(isPodStarted).length,
    ready,
    available: Math.min(ready, claimed.available),
    isCurrent: isSeen,
    isAvailable: isComplete || (isSeen && claimed.isDone && (!isJob || ready >= Math.max(claimed.desired, 1))),
    isOnDelete: isOnDelete(live),
    isComplete,
    isFailed: isJob && (hasCondition(live, 'Failed') || hasCondition(live, 'FailureTarget')),
  }
  return { ...rollout, detail: detailOf(observed, live, rollout, claimed.old) }
}
