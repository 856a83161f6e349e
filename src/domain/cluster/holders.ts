/** Which pods keep an object that is marked for deletion: those of a workload, or those that use a claim. */
import { at, textAt } from './json.ts'
import { type ClusterObject, claimsOf, controllerOf } from './live.ts'

const stateOf = ({ metadata, ...pod }: ClusterObject): string => {
  const { deletionTimestamp, finalizers = [] } = metadata
  if (deletionTimestamp === undefined) return (textAt(pod, 'status', 'phase') ?? 'running').toLowerCase()
  const seconds = at(metadata, 'deletionGracePeriodSeconds')
  const grace = typeof seconds === 'number' && seconds > 0 ? [`grace period ${seconds} s`] : []
  return ['terminating', ...grace, ...finalizers.map((name) => `finalizer ${name}`)].join(', ')
}

const mostNamed = 3

/**
 * `Pod/web-1 (terminating, grace period 30 s)`. `owners`: ReplicaSets and Jobs, which stand between some workloads and
 * their pods.
 */
export const podsHolding = (
  live: ClusterObject,
  pods: ReadonlyArray<ClusterObject>,
  owners: ReadonlyArray<ClusterObject>,
): ReadonlyArray<string> => {
  const { name, uid } = live.metadata
  const uids = new Set([uid, ...owners.filter((one) => controllerOf(one) === uid).map(({ metadata }) => metadata.uid)])
  const isClaim = live.kind === 'PersistentVolumeClaim'
  const holding = pods.filter((pod) => (isClaim ? claimsOf(pod).includes(name) : uids.has(controllerOf(pod) ?? '')))
  const more = holding.length > mostNamed ? [`${holding.length - mostNamed} more`] : []
  return [...holding.slice(0, mostNamed).map((pod) => `Pod/${pod.metadata.name} (${stateOf(pod)})`), ...more]
}
