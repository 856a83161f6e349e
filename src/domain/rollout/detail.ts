/** The state of a rollout in words, for the progress display. */
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject, Observed } from '../cluster/live.ts'
import { happeningsOf } from './events.ts'
import { type ContainerState, conditionOf, containersOf, hasCondition, isPodStarted, isUnstarted } from './pod.ts'

const waitingWords: Readonly<Record<string, string>> = {
  CrashLoopBackOff: 'crashed, waiting to restart',
  CreateContainerConfigError: 'configuration missing',
  CreateContainerError: 'container cannot be created',
  ErrImageNeverPull: 'image missing',
  ErrImagePull: 'image cannot be pulled',
  ImagePullBackOff: 'image cannot be pulled',
  InvalidImageName: 'invalid image name',
  RunContainerError: 'container cannot be started',
}

const preparingWords: Readonly<Record<string, string>> = {
  Pulling: 'pulling image',
  Pulled: 'creating container',
  Created: 'starting container',
  Started: 'starting container',
  FailedMount: 'mounting volumes',
  FailedAttachVolume: 'attaching volumes',
  FailedCreatePodSandBox: 'setting up the network',
}

const preparing = (observed: Observed, pod: ClusterObject): string => {
  for (const { message, reason } of happeningsOf(observed, pod.metadata.uid)) {
    const words = Object.hasOwn(preparingWords, reason) ? preparingWords[reason] : undefined
    const [, image] = /^Pulling image "(.+)"$/.exec(message) ?? []
    if (words !== undefined) return image === undefined ? words : `${words} ${image}`
  }
  return 'creating container'
}

const containerWords = (observed: Observed, pod: ClusterObject, container: ContainerState): string | undefined => {
  const { before, ended, isReady, isRunning, name, role, waiting } = container
  const isInit = role === 'Init'
  if (isRunning && isInit) return `running init container ${name}`
  if (isRunning) return isReady ? undefined : 'running, not ready yet'
  if (isUnstarted((ended ?? before)?.reason)) return waitingWords['RunContainerError']
  if (ended !== undefined) {
    if (ended.exitCode === 0) return undefined
    return isInit ? `init container ${name} exited with ${ended.exitCode}` : `exited with ${ended.exitCode}`
  }
  if (waiting?.reason === 'PodInitializing') return undefined
  const reason = waiting?.reason ?? ''
  const words = Object.hasOwn(waitingWords, reason) ? waitingWords[reason] : undefined
  return words ?? preparing(observed, pod)
}

/** The condition of a readiness gate, which another controller sets. */
const gateWords = (pod: ClusterObject): string | undefined => {
  const gates = listAt(pod, 'spec', 'readinessGates').flatMap((gate) => textAt(gate, 'conditionType') ?? [])
  const closed = gates.find((gate) => !hasCondition(pod, gate))
  return closed === undefined ? undefined : `waiting for the readiness gate ${closed}`
}

/** `undefined`: there is nothing more to say about this pod. */
const podWords = (observed: Observed, pod: ClusterObject): string | undefined => {
  if (!hasCondition(pod, 'PodScheduled')) {
    const isRefused = textAt(conditionOf(pod, 'PodScheduled'), 'reason') === 'Unschedulable'
    return isRefused ? 'no suitable node' : 'waiting for a node'
  }
  const reason = textAt(pod, 'status', 'reason')
  if (textAt(pod, 'status', 'phase') === 'Failed' && reason !== undefined) return reason.toLowerCase()
  const containers = containersOf(pod)
  if (containers.length === 0) return preparing(observed, pod)
  for (const container of containers) {
    const words = containerWords(observed, pod, container)
    if (words !== undefined) return words
  }
  return isPodStarted(pod) ? gateWords(pod) : 'starting container'
}

/** What keeps the first pod that is not ready from becoming ready. */
export const wordsOf = (observed: Observed, pods: ReadonlyArray<ClusterObject>): string | undefined => {
  for (const pod of pods) {
    if (hasCondition(pod, 'Ready')) continue
    const words = podWords(observed, pod)
    if (words !== undefined) return words
  }
  return undefined
}
