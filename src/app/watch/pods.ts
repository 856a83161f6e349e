/** The pods of a namespace, kept up to date, beginning with a list that the caller has. */
import type { Failure } from '../../domain/cluster/failure.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster, Listing } from '../../ports/cluster.ts'
import { waiters } from '../concurrency/waiters.ts'
import { inform } from './informer.ts'

/** `changed` resolves at the next change, or when the signal is aborted. */
export type WatchedPods = { readonly all: () => ReadonlyArray<ClusterObject>; readonly changed: () => Promise<void> }

/** `tell` reports why pods cannot be watched. */
type Following = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly namespace: string
  readonly signal: AbortSignal
  readonly tell: (failure: Failure) => void
}

const topic = 'pods'

export const followPods = (following: Following, { items, version }: Listing): WatchedPods => {
  const { clock, namespace, signal, tell } = following
  const { wait, wake } = waiters(clock, signal)
  const byUid = new Map(items.map((pod) => [pod.metadata.uid, pod]))
  const changing =
    (change: (pod: ClusterObject) => unknown) =>
    (pod: ClusterObject): void => {
      change(pod)
      wake(topic)
    }
  const see = changing((pod) => byUid.set(pod.metadata.uid, pod))
  const sink = {
    see,
    forget: changing((pod) => byUid.delete(pod.metadata.uid)),
    reset: (pods: ReadonlyArray<ClusterObject>): void => {
      byUid.clear()
      pods.forEach(see)
      wake(topic)
    },
    trouble: (failure: Failure | undefined): void => (failure === undefined ? undefined : tell(failure)),
  }
  void inform(following, { resource: resources.Pod, namespace }, sink, version)
  return { all: () => [...byUid.values()], changed: () => wait(topic) }
}
