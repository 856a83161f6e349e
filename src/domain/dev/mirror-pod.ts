/** Which pod of a development container to connect to. */
import { type Json, listAt, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { LinkedPod } from './session.ts'

const over: ReadonlySet<string | undefined> = new Set(['Failed', 'Succeeded'])

const statusOf = (pod: ClusterObject, container: string): Json =>
  listAt(pod, 'status', 'containerStatuses').find((one) => textAt(one, 'name') === container) ?? {}

const notYetStarted: ReadonlySet<string | undefined> = new Set(['ContainerCreating', 'PodInitializing'])

/** Whether the status may be older than the start of the container. */
const isBeforeStart = (status: Json): boolean =>
  notYetStarted.has(textAt(status, 'state', 'waiting', 'reason')) && (numberAt(status, 'restartCount') ?? 0) === 0

/**
 * The UID of the pod whose container has been started. A kubelet sends this event at once and updates the status later.
 */
export const startedIn = (event: ClusterObject, container: string): string | undefined =>
  textAt(event, 'reason') === 'Started' &&
  textAt(event, 'involvedObject', 'fieldPath') === `spec.containers{${container}}`
    ? textAt(event, 'involvedObject', 'uid')
    : undefined

/**
 * The latest pod whose developed container runs, other than pods that are being deleted or were evicted. `started`:
 * UIDs of pods whose container has been started.
 */
export const mirrorPod = (
  pods: ReadonlyArray<ClusterObject>,
  container: string,
  started: ReadonlySet<string>,
): LinkedPod | undefined => {
  const isRunning = (pod: ClusterObject): boolean => {
    const status = statusOf(pod, container)
    const isShown = textAt(status, 'state', 'running', 'startedAt') !== undefined
    return isShown || (started.has(pod.metadata.uid) && isBeforeStart(status))
  }
  const [pod] = pods
    .filter(
      (one) =>
        one.metadata.deletionTimestamp === undefined && !over.has(textAt(one, 'status', 'phase')) && isRunning(one),
    )
    .toSorted((one, other) =>
      (other.metadata.creationTimestamp ?? '') > (one.metadata.creationTimestamp ?? '') ? 1 : -1,
    )
  return pod === undefined ? undefined : { name: pod.metadata.name, uid: pod.metadata.uid }
}
