/** Old pods that still serve while a new version does not start. */
import { listAt, textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, controllerOf, liveOf, type Observed } from '../cluster/live.ts'
import { isPodReady } from './pod.ts'
import { isCurrent, podsOf } from './revision.ts'
import type { WorkloadRef } from './rollout.ts'

/** `images`: of their containers, each once. */
export type OldVersion = { readonly pods: number; readonly images: ReadonlyArray<string> }

const imagesOf = (pod: ClusterObject): ReadonlyArray<string> =>
  listAt(pod, 'spec', 'containers').flatMap((container) => textAt(container, 'image') ?? [])

/** The ready pods of older revisions; `undefined` when there are none. */
export const oldVersionOf = (observed: Observed, { kind, name }: WorkloadRef): OldVersion | undefined => {
  const workload = liveOf(observed, kind, name)
  // Which pods are old is unknown until the controller has observed the new version.
  if (workload === undefined || kind === 'Job' || !isCurrent(workload)) return undefined
  const { uid } = workload.metadata
  const sets = allOf(observed, 'ReplicaSet').filter((set) => controllerOf(set) === uid)
  const owners = new Set([uid, ...sets.map(({ metadata }) => metadata.uid)])
  const current = new Set(podsOf(observed, workload).map(({ metadata }) => metadata.uid))
  const old = allOf(observed, 'Pod').filter(
    (pod) => owners.has(controllerOf(pod) ?? '') && !current.has(pod.metadata.uid) && isPodReady(pod),
  )
  return old.length === 0 ? undefined : { pods: old.length, images: [...new Set(old.flatMap(imagesOf))] }
}
