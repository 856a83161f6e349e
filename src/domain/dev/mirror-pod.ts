/** Which pod of a development container to connect to. */
import { isObject, listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { LinkedPod } from './session.ts'

const over: ReadonlySet<string | undefined> = new Set(['Failed', 'Succeeded'])

const isRunning = (pod: ClusterObject, container: string): boolean =>
  listAt(pod, 'status', 'containerStatuses').some(
    (one) =>
      isObject(one) && textAt(one, 'name') === container && textAt(one, 'state', 'running', 'startedAt') !== undefined,
  )

/** The latest whose developed container runs; none that is being deleted or was evicted. */
export const mirrorPod = (pods: ReadonlyArray<ClusterObject>, container: string): LinkedPod | undefined => {
  const [pod] = pods
    .filter(
      (one) =>
        one.metadata.deletionTimestamp === undefined &&
        !over.has(textAt(one, 'status', 'phase')) &&
        isRunning(one, container),
    )
    .toSorted((one, other) =>
      (other.metadata.creationTimestamp ?? '') > (one.metadata.creationTimestamp ?? '') ? 1 : -1,
    )
  return pod === undefined ? undefined : { name: pod.metadata.name, uid: pod.metadata.uid }
}
