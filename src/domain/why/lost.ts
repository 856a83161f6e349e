/** Pods that the cluster took away, and every problem without a class of its own. */
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type ContainerState, conditionOf } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, evidence, nameOf, newest, type Scene } from './scene.ts'

const nodeReasons: ReadonlyArray<string> = ['NodeLost', 'NodeShutdown', 'Shutdown', 'Terminated', 'NodeAffinity']

const sayLost = (reason: string): { readonly message: string; readonly help: string } => {
  if (reason === 'Evicted') {
    return {
      message: 'the node evicted its pod',
      help: 'make it use less of the resource in the message, or raise the limit; another pod is started in the meantime',
    }
  }
  if (nodeReasons.includes(reason)) {
    return {
      message: 'the node of its pod is gone or not responding',
      help: 'the cluster starts another pod after a while; a pod with a volume of that node waits for it to come back',
    }
  }
  return { message: `its pod was removed (${reason})`, help: 'the cluster starts another pod where possible' }
}

export const lostCauses = (scene: Scene, pod: ClusterObject): ReadonlyArray<Cause> => {
  const reason = textAt(pod, 'status', 'reason')
  const silent = newest(scene, pod, (each) => each.reason === 'NodeNotReady')
  const isSilent = silent !== undefined && textAt(conditionOf(pod, 'Ready'), 'status') !== 'True'
  if (reason === undefined && !isSilent) return []
  const message = textAt(pod, 'status', 'message')?.trim()
  return [
    causeOf(scene, pod, {
      code: 'DT3220',
      ...sayLost(reason ?? 'NodeLost'),
      next: describe(scene, pod),
      isFinal: false,
      ...(message === undefined ? evidence(silent) : { event: `${reason ?? 'NodeLost'}: ${message}` }),
    }),
  ]
}

const ordinary: ReadonlyArray<string> = ['ContainerCreating', 'PodInitializing', 'CrashLoopBackOff', '']

/** Whatever keeps a pod from becoming ready and is covered by no other rule. */
export const otherCauses = (
  scene: Scene,
  pod: ClusterObject,
  containers: ReadonlyArray<ContainerState>,
): ReadonlyArray<Cause> => {
  const held = containers.find(({ waiting }) => waiting !== undefined && !ordinary.includes(waiting.reason))
  if (held?.waiting !== undefined) {
    const { message, reason } = held.waiting
    return [
      causeOf(scene, pod, {
        code: 'DT3224',
        message: `${nameOf(scene, held)} waits: ${reason}`,
        next: describe(scene, pod),
        isFinal: false,
        ...(message === '' ? {} : { event: `${reason}: ${message}` }),
      }),
    ]
  }
  const isStarted = containers.some(({ isRunning }) => isRunning)
  const said = isStarted ? undefined : newest(scene, pod, ({ reason }) => reason === 'FailedCreatePodSandBox')
  if (said === undefined) return []
  return [
    causeOf(scene, pod, {
      code: 'DT3224',
      message: 'the node cannot set up its pod',
      next: describe(scene, pod),
      isFinal: false,
      ...evidence(said),
    }),
  ]
}
