/** Which pods belong to the current template of a workload. Pods of older templates say nothing about the new one. */
import { numberAt, textAt } from '../cluster/json.ts'
import { allOf, annotationOf, type ClusterObject, controllerOf, labelOf, type Observed } from '../cluster/live.ts'
import { isGoing } from './pod.ts'

const ownedBy = (observed: Observed, kind: string, uid: string): ReadonlyArray<ClusterObject> =>
  allOf(observed, kind).filter((live) => controllerOf(live) === uid)

/** Whether the controller has observed the current generation: until then, its status describes an older template. */
export const isCurrent = (workload: ClusterObject): boolean => {
  // These have no observed generation, since what they run never changes.
  if (workload.kind === 'Job' || workload.kind === 'Pod') return true
  const seen = numberAt(workload, 'status', 'observedGeneration')
  return seen !== undefined && seen >= (numberAt(workload, 'metadata', 'generation') ?? 0)
}

const REVISION = 'deployment.kubernetes.io/revision'

/** The ReplicaSet of the current template, once it exists. */
export const newReplicaSet = (observed: Observed, deployment: ClusterObject): ClusterObject | undefined => {
  const revision = annotationOf(deployment, REVISION)
  if (revision === undefined || !isCurrent(deployment)) return undefined
  return ownedBy(observed, 'ReplicaSet', deployment.metadata.uid).find(
    (set) => annotationOf(set, REVISION) === revision,
  )
}

const podsOfDaemonSet = (observed: Observed, set: ClusterObject): ReadonlyArray<ClusterObject> => {
  const pods = ownedBy(observed, 'Pod', set.metadata.uid)
  const { updated, scheduled } = {
    updated: numberAt(set, 'status', 'updatedNumberScheduled') ?? 0,
    scheduled: numberAt(set, 'status', 'currentNumberScheduled') ?? 0,
  }
  // After a rollback the pods of an older generation are current again. The controller compares templates, so trust its
  // count.
  if (updated > 0 && updated === scheduled) return pods
  const generation = annotationOf(set, 'deprecated.daemonset.template.generation')
  return pods.filter((pod) => labelOf(pod, 'pod-template-generation') === generation)
}

/** Pods that its controller made from older templates, except those being deleted. */
export const oldPodsOf = (observed: Observed, workload: ClusterObject): ReadonlyArray<ClusterObject> => {
  const current = new Set(podsOf(observed, workload))
  return ownedBy(observed, 'Pod', workload.metadata.uid).filter((pod) => !current.has(pod) && !isGoing(pod))
}

/** Pods of any of its templates that are being deleted. */
export const stoppingPodsOf = (
  observed: Observed,
  { metadata: { uid } }: ClusterObject,
): ReadonlyArray<ClusterObject> =>
  [uid, ...ownedBy(observed, 'ReplicaSet', uid).map(({ metadata }) => metadata.uid)]
    .flatMap((owner) => ownedBy(observed, 'Pod', owner))
    .filter(isGoing)

/** Pods of the current template, including those being deleted. None until the controller has observed the template. */
export const podsOf = (observed: Observed, workload: ClusterObject): ReadonlyArray<ClusterObject> => {
  if (!isCurrent(workload)) return []
  const { kind, metadata } = workload
  switch (kind) {
    case 'Deployment': {
      const set = newReplicaSet(observed, workload)
      return set === undefined ? [] : ownedBy(observed, 'Pod', set.metadata.uid)
    }
    case 'StatefulSet': {
      const revision = textAt(workload, 'status', 'updateRevision')
      const pods = ownedBy(observed, 'Pod', metadata.uid)
      return pods.filter((pod) => labelOf(pod, 'controller-revision-hash') === revision)
    }
    case 'DaemonSet':
      return podsOfDaemonSet(observed, workload)
    case 'Pod':
      return [workload]
    default:
      return ownedBy(observed, 'Pod', metadata.uid)
  }
}
