/** Decides whether a condition has been met, can still be met, or never will be. */
import { numberAt, textAt } from '../cluster/json.ts'
import type { ClusterObject, Observed } from '../cluster/live.ts'
import type { KubeObject } from '../k8s/types.ts'
import type { Action } from '../plan/action.ts'
import { isWorkload } from '../plan/versions.ts'
import { type Rollout, readRollout } from '../rollout/rollout.ts'
import type { Cause } from './cause.ts'
import { findCauses } from './causes.ts'

/** `detail`: the state in words. ProbePort: met if one of the pod's ports accepts a connection. */
export type Verdict =
  | { readonly _tag: 'Met'; readonly detail: string; readonly isVoid?: boolean }
  | { readonly _tag: 'Waiting'; readonly detail: string }
  | { readonly _tag: 'Failed'; readonly causes: ReadonlyArray<Cause> }
  | { readonly _tag: 'ProbePort'; readonly pod: string; readonly ports: ReadonlyArray<number>; readonly detail: string }

/**
 * `object`: as it was applied, if it was applied. `isUnchanged`: applying it changed nothing, so a problem may be old
 * and about to go away. `seenForMs`: how long a state has lasted.
 */
export type Case = {
  readonly isUnchanged: boolean
  readonly await: Pick<Action<'Await'>, 'ref' | 'condition'>
  readonly object: KubeObject | undefined
  readonly observed: Observed
  readonly seenForMs: (uid: string, what: string) => number
}

const containersOf = (object: KubeObject | undefined) =>
  object !== undefined && isWorkload(object) ? object.spec.template.spec.containers : []

const isProbed = (object: KubeObject | undefined): boolean =>
  containersOf(object).some(({ livenessProbe, readinessProbe }) => (readinessProbe ?? livenessProbe) !== undefined)

const tcpPortsOf = (object: KubeObject | undefined): ReadonlyArray<number> =>
  containersOf(object).flatMap(({ ports = [] }) =>
    ports.flatMap(({ containerPort, protocol }) => (protocol === 'TCP' ? [containerPort] : [])),
  )

/** Pods are replaced only when somebody deletes them. */
const isOnDelete = (object: KubeObject | undefined): boolean =>
  object?.kind === 'StatefulSet' && object.spec.updateStrategy?.type === 'OnDelete'

const isRunning = (pod: ClusterObject): boolean => textAt(pod, 'status', 'phase') === 'Running'

const isStarted = ({ started }: Rollout): boolean => started > 0

const healthy = (object: KubeObject | undefined, rollout: Rollout): Verdict => {
  const { desired, detail, pods, ready } = rollout
  if (isProbed(object)) return { _tag: ready >= desired ? 'Met' : 'Waiting', detail }
  const ports = tcpPortsOf(object)
  if (ports.length === 0) return { _tag: isStarted(rollout) ? 'Met' : 'Waiting', detail }
  const pod = pods.find(isRunning)
  return pod === undefined ? { _tag: 'Waiting', detail } : { _tag: 'ProbePort', pod: pod.metadata.name, ports, detail }
}

const available = (object: KubeObject | undefined, rollout: Rollout): Verdict => {
  const { detail, isAvailable, isComplete, ready, desired } = rollout
  if (object?.kind !== 'Job') return { _tag: isAvailable ? 'Met' : 'Waiting', detail }
  // A Job that listens on a port is not waited for until it ends.
  const serves = isProbed(object) || tcpPortsOf(object).length > 0
  const isMet = isComplete || (serves && isStarted(rollout) && (!isProbed(object) || ready >= desired))
  return { _tag: isMet ? 'Met' : 'Waiting', detail }
}

const judgeCondition = ({ await: { condition }, object }: Case, rollout: Rollout): Verdict => {
  const { detail } = rollout
  switch (condition) {
    case 'service_started':
      return { _tag: isStarted(rollout) || rollout.isComplete ? 'Met' : 'Waiting', detail }
    case 'service_healthy':
      return rollout.isComplete ? { _tag: 'Met', detail } : healthy(object, rollout)
    case 'service_completed_successfully':
      return { _tag: rollout.isComplete ? 'Met' : 'Waiting', detail }
    case 'available':
      return available(object, rollout)
  }
}

const isVoid = (object: KubeObject | undefined, live: ClusterObject, { desired }: Rollout): boolean =>
  isOnDelete(object) || (desired === 0 && (numberAt(live, 'status', 'observedGeneration') ?? 0) > 0)

/** A problem from before this run gets time for one more attempt. */
const graceMs = 30_000

/** Total. A problem that cannot go away by itself fails at once, with its causes, root cause first. */
export const judge = (given: Case): Verdict => {
  const { await: wanted, isUnchanged, object, observed, seenForMs } = given
  const rollout = readRollout(observed, wanted.ref)
  const live = observed.get(wanted.ref.kind)?.get(wanted.ref.name)
  if (rollout === undefined || live === undefined || !rollout.isCurrent) return { _tag: 'Waiting', detail: 'starting' }
  if (isVoid(object, live, rollout)) return { _tag: 'Met', detail: 'no pods are requested', isVoid: true }
  const verdict = judgeCondition(given, rollout)
  if (verdict._tag === 'Met') return verdict
  const causes = findCauses(observed, wanted.ref, seenForMs)
  const isHopeless = causes.some(
    ({ code, isFinal }) => isFinal && (!isUnchanged || seenForMs(live.metadata.uid, code) >= graceMs),
  )
  return isHopeless ? { _tag: 'Failed', causes } : verdict
}
