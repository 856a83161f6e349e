/** The state of a pod and its containers as reported by the kubelet. Total: missing fields count as not there yet. */

import { at, type Json, listAt, numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { defined, ifDefined } from '../object/defined.ts'

/** How a container terminated. `reason`: Completed, Error, OOMKilled, StartError, ... */
export type Ended = { readonly reason: string; readonly exitCode: number; readonly message: string }

/**
 * `before`: how the previous instance ended, if the container was restarted. A sidecar is an init container that keeps
 * running.
 */
export type ContainerState = {
  readonly name: string
  readonly role: 'App' | 'Init' | 'Sidecar'
  readonly image: string
  readonly spec: Json | undefined
  readonly isReady: boolean
  readonly isRunning: boolean
  readonly restarts: number
  readonly waiting?: { readonly reason: string; readonly message: string }
  readonly ended?: Ended
  readonly before?: Ended
}

/** Reasons of a container that the runtime could not start. */
const unstarted: ReadonlyArray<string> = ['StartError', 'ContainerCannotRun']

export const isUnstarted = (reason: string | undefined): boolean => reason !== undefined && unstarted.includes(reason)

const endedOf = (json: Json | undefined): Ended | undefined =>
  numberAt(json, 'exitCode') === undefined
    ? undefined
    : {
        reason: textAt(json, 'reason') ?? '',
        exitCode: numberAt(json, 'exitCode') ?? 0,
        message: textAt(json, 'message') ?? '',
      }

const waitingOf = (json: Json): NonNullable<ContainerState['waiting']> => ({
  reason: textAt(json, 'reason') ?? '',
  message: textAt(json, 'message') ?? '',
})

const roleOf = (spec: Json | undefined, isInit: boolean): ContainerState['role'] => {
  if (!isInit) return 'App'
  return textAt(spec, 'restartPolicy') === 'Always' ? 'Sidecar' : 'Init'
}

const containerOf = (status: Json, specs: ReadonlyArray<Json>, isInit: boolean): ContainerState => {
  const name = textAt(status, 'name') ?? ''
  const spec = specs.find((each) => textAt(each, 'name') === name)
  const waiting = at(status, 'state', 'waiting')
  const [ended, before] = [endedOf(at(status, 'state', 'terminated')), endedOf(at(status, 'lastState', 'terminated'))]
  return {
    name,
    role: roleOf(spec, isInit),
    image: textAt(spec, 'image') ?? textAt(status, 'image') ?? '',
    spec,
    isReady: at(status, 'ready') === true,
    isRunning: at(status, 'state', 'running') !== undefined,
    restarts: numberAt(status, 'restartCount') ?? 0,
    ...defined({ waiting: ifDefined(waiting, waitingOf), ended, before }),
  }
}

/** The containers that have a status: init containers first, in the order in which they run. */
export const containersOf = (pod: ClusterObject): ReadonlyArray<ContainerState> => [
  ...listAt(pod, 'status', 'initContainerStatuses').map((status) =>
    containerOf(status, listAt(pod, 'spec', 'initContainers'), true),
  ),
  ...listAt(pod, 'status', 'containerStatuses').map((status) =>
    containerOf(status, listAt(pod, 'spec', 'containers'), false),
  ),
]

/** A condition of a pod or workload, by type. */
export const conditionOf = (live: ClusterObject, type: string): Json | undefined =>
  listAt(live, 'status', 'conditions').find((condition) => textAt(condition, 'type') === type)

export const hasCondition = (live: ClusterObject, type: string): boolean =>
  textAt(conditionOf(live, type), 'status') === 'True'

export const isGoing = (live: ClusterObject): boolean => textAt(live, 'metadata', 'deletionTimestamp') !== undefined

/** Ready, and not being deleted. */
export const isPodReady = (pod: ClusterObject): boolean => hasCondition(pod, 'Ready') && !isGoing(pod)

/** All long-running containers have started, or the pod has completed. */
export const isPodStarted = (pod: ClusterObject): boolean => {
  if (isGoing(pod)) return false
  if (textAt(pod, 'status', 'phase') === 'Succeeded') return true
  const apps = containersOf(pod).filter(({ role }) => role === 'App')
  const isUp = ({ ended, isRunning }: ContainerState): boolean => isRunning || ended?.exitCode === 0
  return apps.length > 0 && apps.length === listAt(pod, 'spec', 'containers').length && apps.every(isUp)
}

/**
 * True even before the pod's phase says so: all its containers have ended, not all of them successfully, and are not
 * restarted.
 */
export const isPodFailed = (pod: ClusterObject): boolean => {
  if (textAt(pod, 'status', 'phase') === 'Failed') return true
  const apps = containersOf(pod).filter(({ role }) => role === 'App')
  if (textAt(pod, 'spec', 'restartPolicy') !== 'Never' || apps.length === 0) return false
  return apps.every(({ ended }) => ended !== undefined) && apps.some(({ ended }) => ended?.exitCode !== 0)
}

/** Its controller has given up; its last pods may still be ending. */
export const isJobFailed = (job: ClusterObject): boolean =>
  hasCondition(job, 'Failed') || hasCondition(job, 'FailureTarget')
