/** Pods that the cluster took away, and every problem without a class of its own. */
import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { type ContainerState, conditionOf } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { keysOf } from './keys.ts'
import { sandboxCauses } from './sandbox.ts'
import { causeOf, describe, evidence, nameOf, newest, type Scene } from './scene.ts'

const nodeReasons: ReadonlyArray<string> = ['NodeLost', 'NodeShutdown', 'Shutdown', 'Terminated', 'NodeAffinity']

type Explanation = { readonly message: string; readonly help: string }

/** The node itself refused the pod that the scheduler had sent to it. */
const sayRejected = (reason: string, node: string, text: string): Explanation | undefined => {
  const [, resource] = /^OutOf(.+)$/.exec(reason) ?? []
  if (resource !== undefined) {
    return {
      message: `${node} rejected its pod: it has too little ${resource} left`,
      help: `request less ${resource} (${keysOf(`requests.${resource}`)}), or remove something else; another pod is started in the meantime`,
    }
  }
  const [, device] = /unhealthy devices ([\w./-]*\w)/.exec(text) ?? []
  if (reason !== 'UnexpectedAdmissionError' || device === undefined) return undefined
  return {
    message: `${node} rejected its pod: none of its devices ${device} is healthy`,
    help: 'check the driver and the device plugin on the node, or ask a cluster administrator',
  }
}

const sayLost = (reason: string, node: string, text: string): Explanation => {
  const rejected = sayRejected(reason, node, text)
  if (rejected !== undefined) return rejected
  if (reason === 'Evicted') {
    return {
      message: `${node} evicted its pod`,
      help: 'make it use less of the resource in the message, or raise the limit; another pod is started in the meantime',
    }
  }
  if (nodeReasons.includes(reason)) {
    return {
      message: `${node}, on which its pod runs, is not ready or gone`,
      help: 'the cluster starts another pod after a while; a pod with a volume of that node waits for it to come back',
    }
  }
  return { message: `its pod was removed (${reason})`, help: 'the cluster starts another pod where possible' }
}

const nodeOf = (pod: ClusterObject): string => {
  const name = textAt(pod, 'spec', 'nodeName')
  return name === undefined ? 'the node' : `the node ${name}`
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
      ...sayLost(reason ?? 'NodeLost', nodeOf(pod), message ?? ''),
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
  return sandboxCauses(scene, pod, containers)
}
