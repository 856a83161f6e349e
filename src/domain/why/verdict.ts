/** Decides whether a condition has been met, can still be met, or never will be. */
import { at, listAt, numberAt, textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import type { Action } from '../plan/action.ts'
import type { PublicPort } from '../plan/public-ports.ts'
import { isJobFailed, isPodReady } from '../rollout/pod.ts'
import { oldPodsOf } from '../rollout/revision.ts'
import { type Rollout, readRollout, type WorkloadRef } from '../rollout/rollout.ts'
import { areReady, type ContainerRun, type FollowedLogs, settleMs, unsettled } from '../rollout/settled.ts'
import { listed } from '../text/listed.ts'
import type { Cause } from './cause.ts'
import { findCauses } from './causes.ts'
import { isPaused, resumeOf } from './deadline.ts'
import type { IsLooping, SeenForMs } from './scene.ts'

/** The object and condition of a wait. */
export type Awaited = { readonly ref: WorkloadRef; readonly condition: Action<'Await'>['condition'] }

/** The ports of a pod that were found to accept connections. */
export type OpenPorts = { readonly pod: string; readonly ports: ReadonlySet<number> }

/**
 * `detail`: the state in words. `nothing`: why there is nothing to wait for. `silent`: public ports that accept no
 * connections. `forMs`: when to observe again. ProbePorts: whether the pod accepts connections decides. FollowLogs:
 * whether these logs stay open decides.
 */
export type Verdict =
  | {
      readonly _tag: 'Met'
      readonly detail: string
      readonly nothing?: string
      readonly silent?: ReadonlyArray<number>
    }
  | { readonly _tag: 'Waiting'; readonly detail: string; readonly forMs?: number }
  | { readonly _tag: 'Failed'; readonly causes: ReadonlyArray<Cause> }
  | {
      readonly _tag: 'ProbePorts'
      readonly pod: string
      readonly ports: ReadonlyArray<number>
      readonly detail: string
    }
  | { readonly _tag: 'FollowLogs'; readonly runs: ReadonlyArray<ContainerRun>; readonly detail: string }

/**
 * `isUnchanged`: applying it changed nothing, so a problem may be old and about to disappear. `publicPorts`: those that
 * its Ingress routes to. `mayProbe`: false without permission. `seenForMs`: how long a state has lasted.
 */
export type Case = {
  readonly await: Awaited
  readonly isUnchanged: boolean
  readonly publicPorts: ReadonlyArray<PublicPort>
  readonly observed: Observed
  readonly mayProbe: boolean
  /** Whether others may delete it once it has done its work. */
  readonly mayBeGone?: boolean
  readonly open: OpenPorts
  readonly followed: FollowedLogs
  readonly seenForMs: SeenForMs
  readonly isLooping: IsLooping
}

const containersIn = (live: ClusterObject) => listAt(live, ...templateOf(live), 'spec', 'containers')

const templateOf = ({ kind }: ClusterObject): ReadonlyArray<string> => (kind === 'Pod' ? [] : ['spec', 'template'])

const isProbed = (live: ClusterObject): boolean =>
  containersIn(live).some(
    (container) => at(container, 'readinessProbe') !== undefined || at(container, 'livenessProbe') !== undefined,
  )

const tcpPortsOf = (live: ClusterObject): ReadonlyArray<number> =>
  containersIn(live).flatMap((container) =>
    listAt(container, 'ports').flatMap((port) => {
      const number = numberAt(port, 'containerPort')
      return number === undefined || (textAt(port, 'protocol') ?? 'TCP') !== 'TCP' ? [] : [number]
    }),
  )

const isRunning = (pod: ClusterObject): boolean => textAt(pod, 'status', 'phase') === 'Running'

const metWhen = (isMet: boolean, detail: string): Verdict => ({ _tag: isMet ? 'Met' : 'Waiting', detail })

const isStarted = ({ started }: Rollout): boolean => started > 0

const healthy = ({ mayProbe, open }: Case, live: ClusterObject, rollout: Rollout): Verdict => {
  const { desired, detail, pods, ready } = rollout
  if (isProbed(live)) return metWhen(ready >= desired, detail)
  const ports = tcpPortsOf(live)
  if (ports.length === 0 || !mayProbe) return metWhen(isStarted(rollout), detail)
  const pod = pods.find(isRunning)?.metadata.name
  if (pod === undefined) return { _tag: 'Waiting', detail }
  if (open.pod === pod && open.ports.size > 0) return { _tag: 'Met', detail }
  return { _tag: 'ProbePorts', pod, ports, detail }
}

/**
 * Whether an Ingress can reach it: the Services that it routes to have a ready address. Other Services may publish
 * addresses that are not ready. `undefined`: unknown without permission.
 */
const isReachable = ({ observed, publicPorts }: Case): boolean | undefined => {
  const slices = allOf(observed, 'EndpointSlice')
  if (slices.length === 0) return undefined
  const backends = new Set(publicPorts.map(({ backend }) => backend))
  return slices
    .filter((slice) => backends.has(labelOf(slice, 'kubernetes.io/service-name') ?? ''))
    .flatMap((slice) => listAt(slice, 'endpoints'))
    .some((endpoint) => at(endpoint, 'conditions', 'ready') !== false)
}

/** Whether no Ingress can reach its pods yet. Without permission to see that, it has a moment to settle instead. */
const isUnreachable = (given: Case, { metadata: { uid } }: ClusterObject): boolean => {
  const { publicPorts, seenForMs } = given
  if (publicPorts.length === 0) return false
  return !(isReachable(given) ?? seenForMs(uid, 'available, without addresses') >= settleMs)
}

/** Once one of its public ports accepts connections, the others have {@link settleMs} to follow. */
const served = ({ mayProbe, open, publicPorts, seenForMs }: Case, live: ClusterObject, rollout: Rollout): Verdict => {
  const { detail, pods } = rollout
  const pod = pods.find(isPodReady)
  if (pod === undefined || !mayProbe || publicPorts.length === 0 || isProbed(live)) return { _tag: 'Met', detail }
  const { name, uid } = pod.metadata
  const isOpen = (port: number): boolean => open.pod === name && open.ports.has(port)
  const ports = [...new Set(publicPorts.map(({ port }) => port))]
  const silent = ports.filter((port) => !isOpen(port))
  if (silent.length === 0) return { _tag: 'Met', detail }
  const isLate = silent.length < ports.length && seenForMs(uid, 'a port accepts') >= settleMs
  return isLate ? { _tag: 'Met', detail, silent } : { _tag: 'ProbePorts', pod: name, ports: silent, detail }
}

const available = (given: Case, live: ClusterObject, rollout: Rollout): Verdict => {
  const { detail, isAvailable, isComplete, pods } = rollout
  if (isComplete) return { _tag: 'Met', detail }
  // A Job with a server is not awaited until it ends.
  const isServer = live.kind !== 'Job' || isProbed(live) || tcpPortsOf(live).length > 0
  const { leftMs, unheard } = unsettled(pods, given.seenForMs, given.followed)
  if (!isServer || !isAvailable || !areReady(pods)) return { _tag: 'Waiting', detail }
  if (isUnreachable(given, live)) return { _tag: 'Waiting', detail: `${detail}, waiting for its Service` }
  const verdict = served(given, live, rollout)
  if (verdict._tag !== 'Met' || leftMs <= 0) return verdict
  const seeing = `${detail}, seeing whether it keeps running`
  if (unheard.length > 0) return { _tag: 'FollowLogs', runs: unheard, detail: seeing }
  return { _tag: 'Waiting', detail: seeing, forMs: leftMs }
}

const judgeCondition = (given: Case, live: ClusterObject, rollout: Rollout): Verdict => {
  const { detail, isComplete } = rollout
  switch (given.await.condition) {
    case 'service_started':
      return metWhen(isStarted(rollout) || isComplete, detail)
    case 'service_healthy':
      return isComplete ? { _tag: 'Met', detail } : healthy(given, live, rollout)
    case 'service_completed_successfully':
      return metWhen(isComplete, detail)
    case 'available':
      return available(given, live, rollout)
  }
}

/**
 * What keeps a rollout with `OnDelete` from ending: even old pods that are not ready are only replaced when somebody
 * deletes them. The counts of the status include pods that are being deleted.
 */
const oldPodsStay = (observed: Observed, live: ClusterObject): string | undefined => {
  const old = oldPodsOf(observed, live)
  if (old.length === 0) return undefined
  const idle = old.filter((pod) => !isPodReady(pod))
  const names = listed(idle.map(({ metadata }) => metadata.name))
  const also = idle.length === 0 ? '' : `, also ${names}, which ${idle.length === 1 ? 'is' : 'are'} not ready`
  return `its old pods stay until they are deleted${also}`
}

/** Why nothing will change, however long the wait. */
const nothingToDo = (observed: Observed, live: ClusterObject, rollout: Rollout): string | undefined => {
  const { desired, isAvailable, isOnDelete, pods, ready } = rollout
  const { kind } = live
  if (kind === 'Job') return at(live, 'spec', 'suspend') === true ? 'it is suspended' : undefined
  if (desired === 0 && (numberAt(live, 'status', 'observedGeneration') ?? 0) > 0) return 'no pods are requested'
  if (isOnDelete && ready === pods.length) return oldPodsStay(observed, live)
  return isPaused(live) && !isAvailable ? `it is paused: \`${resumeOf(live).join(' ')}\` goes on` : undefined
}

/**
 * A Job whose pods show that it failed before its controller has reported it: the next deploy would leave it unchanged.
 */
const isUnsettled = (live: ClusterObject): boolean => live.kind === 'Job' && !isJobFailed(live)

/** A problem from before this run gets time for one more attempt. */
const graceMs = 30_000

/** Total. A problem that cannot go away by itself fails at once, with its causes, root cause first. */
export const judge = (given: Case): Verdict => {
  const { await: wanted, isLooping, isUnchanged, observed, seenForMs } = given
  const rollout = readRollout(observed, wanted.ref)
  const live = observed.get(wanted.ref.kind)?.get(wanted.ref.name)
  if (live === undefined && given.mayBeGone === true) return { _tag: 'Met', detail: 'no longer there' }
  if (rollout === undefined || live === undefined || !rollout.isCurrent) return { _tag: 'Waiting', detail: 'starting' }
  const nothing = nothingToDo(observed, live, rollout)
  if (nothing !== undefined) return { _tag: 'Met', detail: nothing, nothing }
  const verdict = judgeCondition(given, live, rollout)
  if (verdict._tag === 'Met' || (rollout.isFailed && isUnsettled(live))) return verdict
  const causes = findCauses(observed, wanted.ref, seenForMs, isLooping)
  const isHopeless = causes
    .map(({ code, isFinal }) => ({ isFinal, forMs: seenForMs(live.metadata.uid, code) }))
    .some(({ forMs, isFinal }) => isFinal && (!isUnchanged || forMs >= graceMs))
  return isHopeless ? { _tag: 'Failed', causes } : verdict
}
