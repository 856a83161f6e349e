/** The sources of logs: the pods of an environment, their services, and their containers. */

import { at, type Json, listAt, numberAt, textAt } from '../cluster/json.ts'
import { type ClusterObject, labelOf } from '../cluster/live.ts'
import { isAgentContainer } from '../dev/agent-pod.ts'
import type { InventoryEntry } from '../environment/record.ts'
import { ENVIRONMENT_LABEL, SERVICE_LABEL } from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import { isUnstarted } from '../rollout/pod.ts'
import type { LogSource } from './line.ts'

/**
 * `restarts` increases with each new instance; `hasPrevious`: the log of the one before is kept; `refusal`: why the
 * runtime could not start the one before; `isOver`: it has ended and will not run again.
 */
export type LogContainer = LogSource & {
  readonly uid: string
  readonly restarts: number
  readonly hasLog: boolean
  readonly hasPrevious: boolean
  readonly refusal?: string
  readonly isRunning: boolean
  readonly isOver: boolean
}

type Owner = { readonly kind: string; readonly name: string }

/** The workload that owns the pod, from the names that controllers give: `web` for the ReplicaSet `web-5d4f`. */
const ownerOf = (pod: ClusterObject): Owner => {
  const reference = pod.metadata.ownerReferences?.find((owner) => owner['controller'] === true)
  const [kind, name] = [textAt(reference, 'kind') ?? 'Pod', textAt(reference, 'name') ?? pod.metadata.name]
  const hash = labelOf(pod, 'pod-template-hash')
  if (kind === 'ReplicaSet' && hash !== undefined && name.endsWith(`-${hash}`)) {
    return { kind: 'Deployment', name: name.slice(0, -hash.length - 1) }
  }
  return { kind, name }
}

const isMadeBy = ({ kind, name }: Owner, inventory: ReadonlyArray<InventoryEntry>): boolean =>
  inventory.some(
    (entry) =>
      (entry.kind === kind && entry.name === name) ||
      (entry.kind === 'CronJob' &&
        kind === 'Job' &&
        name.startsWith(`${entry.name}-`) &&
        /^\d+$/.test(name.slice(entry.name.length + 1))),
  )

/**
 * By its label, or because its owner is in the inventory: pods of objects that commands created do not have our labels.
 */
export const isOfEnvironment = (
  pod: ClusterObject,
  environment: string,
  inventory: ReadonlyArray<InventoryEntry>,
): boolean => {
  const label = labelOf(pod, ENVIRONMENT_LABEL)
  return label === undefined ? isMadeBy(ownerOf(pod), inventory) : label === environment
}

/** The service that owns the pod; for a pod that is not ours, its workload. */
export const serviceOf = (pod: ClusterObject): string => labelOf(pod, SERVICE_LABEL) ?? ownerOf(pod).name

/** A container that the runtime could not start has no log. */
const hasEnded = (status: Json, which: 'state' | 'lastState'): boolean => {
  const terminated = at(status, which, 'terminated')
  return terminated !== undefined && !isUnstarted(textAt(terminated, 'reason'))
}

const refusalOf = (status: Json): string | undefined =>
  isUnstarted(textAt(status, 'lastState', 'terminated', 'reason'))
    ? textAt(status, 'lastState', 'terminated', 'message')
    : undefined

const startsAgain = (pod: ClusterObject, isInit: boolean, status: Json | undefined): boolean => {
  const phase = textAt(pod, 'status', 'phase')
  if (phase === 'Succeeded' || phase === 'Failed') return false
  const policy = textAt(pod, 'spec', 'restartPolicy') ?? 'Always'
  const exit = numberAt(status, 'state', 'terminated', 'exitCode')
  if (policy === 'Always') return !isInit || exit !== 0
  return policy === 'OnFailure' && exit !== 0
}

/**
 * Init containers first. In our pods, a container with another name than the service belongs to a service that shares
 * the pod.
 */
export const containersOf = (pod: ClusterObject): ReadonlyArray<LogContainer> => {
  const isOurs = labelOf(pod, SERVICE_LABEL) !== undefined
  const service = serviceOf(pod)
  const read = (status: Json, isInit: boolean): ReadonlyArray<LogContainer> => {
    const container = textAt(status, 'name')
    if (container === undefined) return []
    const isEnded = at(status, 'state', 'terminated') !== undefined
    const isRunning = at(status, 'state', 'running') !== undefined
    const hasPrevious = hasEnded(status, 'lastState')
    return [
      {
        service: isOurs && !isInit && !isAgentContainer(container) ? container : service,
        pod: pod.metadata.name,
        container,
        uid: pod.metadata.uid,
        restarts: numberAt(status, 'restartCount') ?? 0,
        hasLog: isRunning || hasEnded(status, 'state') || hasPrevious,
        hasPrevious,
        ...defined({ refusal: refusalOf(status) }),
        isRunning,
        isOver: isEnded && !startsAgain(pod, isInit, status),
      },
    ]
  }
  return [
    ...listAt(pod, 'status', 'initContainerStatuses').flatMap((status) => read(status, true)),
    ...listAt(pod, 'status', 'containerStatuses').flatMap((status) => read(status, false)),
    ...listAt(pod, 'status', 'ephemeralContainerStatuses').flatMap((status) => read(status, false)),
  ]
}

/** Identifies a container for the lifetime of its pod. */
export const keyOf = ({ container, uid }: Pick<LogContainer, 'uid' | 'container'>): string => `${uid}/${container}`
