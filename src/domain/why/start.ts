/** Containers that cannot be created or started: missing configuration, or a command that does not exist. */
import type { ClusterObject } from '../cluster/live.ts'
import { happeningsOf } from '../rollout/events.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { causeOf, describe, evidence, kubectl, nameOf, newest, PATIENCE_MS, type Scene } from './scene.ts'

type Missing = { readonly message: string; readonly help: string; readonly next?: ReadonlyArray<string> }

const rootHelp = 'set a numeric user other than 0, or allow root'

/** What is missing, taken from the kubelet's message. */
const missingIn = (scene: Scene, text: string): Missing | undefined => {
  const [, kind, name] = /\b(secret|configmap) "([^"]+)" not found/i.exec(text) ?? []
  if (kind !== undefined && name !== undefined) {
    const called = kind.toLowerCase() === 'secret' ? 'Secret' : 'ConfigMap'
    return {
      message: `the ${called} ${name} does not exist`,
      help: `create it in the namespace ${scene.namespace}, or correct its name`,
      next: kubectl(scene, 'get', `${called.toLowerCase()}s`),
    }
  }
  const [, key, holder, path] = /couldn't find key (\S+) in (Secret|ConfigMap) (\S+)/.exec(text) ?? []
  if (key !== undefined && holder !== undefined && path !== undefined) {
    const held = path.slice(path.indexOf('/') + 1)
    return {
      message: `the ${holder} ${held} has no key ${key}`,
      help: 'add the key, or correct its name',
      next: kubectl(scene, 'describe', holder.toLowerCase(), held),
    }
  }
  if (/references non-existent (secret|config) key/.test(text)) {
    const [, absent = ''] = /non-existent (?:secret|config) key: (\S+)/.exec(text) ?? []
    return { message: `a mounted Secret or ConfigMap has no key ${absent}`, help: 'add the key, or correct its name' }
  }
  if (/runAsNonRoot/.test(text)) {
    return { message: 'the pod must not run as root, and the image does', help: rootHelp }
  }
  return undefined
}

/** The kubelet's message without the pod's name and uid. */
const plain = (text: string): string => text.replace(/ \(pod: .*/, '')

/** What it needs may arrive a moment later, so the node tries once more. Without its events, time has to tell. */
const wasTriedAgain = (scene: Scene, pod: ClusterObject, { name, waiting }: ContainerState): boolean => {
  const tries = happeningsOf(scene.observed, pod.metadata.uid)
    .filter(({ container = name, reason }) => reason === 'Failed' && container === name)
    .reduce((all, { count }) => all + count, 0)
  return tries > 1 || scene.seenForMs(pod.metadata.uid, `${waiting?.reason} ${name}`) >= PATIENCE_MS
}

export const configCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  const { waiting } = container
  if (waiting?.reason !== 'CreateContainerConfigError') return []
  const missing = missingIn(scene, waiting.message)
  const finding = {
    code: 'DT3216',
    message: missing?.message ?? `${nameOf(scene, container)} cannot be created: ${plain(waiting.message)}`,
    help: missing?.help ?? 'correct what it refers to',
    next: missing?.next ?? describe(scene, pod),
    // A node whose cache is not yet up to date is not a configuration error.
    isFinal: !/failed to sync|timed out/.test(waiting.message) && wasTriedAgain(scene, pod, container),
    event: `${waiting.reason}: ${plain(waiting.message)}`,
  } as const
  return [causeOf(scene, pod, finding)]
}

/** A volume that cannot be mounted, while the containers wait to be created. */
export const mountCauses = (
  scene: Scene,
  pod: ClusterObject,
  containers: ReadonlyArray<ContainerState>,
): ReadonlyArray<Cause> => {
  const isWaiting = containers.some(({ waiting }) =>
    /^(ContainerCreating|PodInitializing)$/.test(waiting?.reason ?? ''),
  )
  if (!isWaiting || containers.some(({ isRunning }) => isRunning)) return []
  const said = newest(scene, pod, ({ reason }) => reason === 'FailedMount' || reason === 'FailedAttachVolume')
  if (said === undefined) return []
  const missing = missingIn(scene, said.message)
  if (missing !== undefined) {
    const finding = {
      code: 'DT3216',
      next: describe(scene, pod),
      isFinal: true,
      ...missing,
      ...evidence(said),
    } as const
    return [causeOf(scene, pod, finding)]
  }
  const [, volume] = /for volume "([^"]+)"/.exec(said.message) ?? []
  return [
    causeOf(scene, pod, {
      code: 'DT3223',
      message: `${volume === undefined ? 'a volume' : `the volume ${volume}`} cannot be mounted`,
      help: 'see the events of the node',
      next: describe(scene, pod),
      isFinal: false,
      ...evidence(said),
    }),
  ]
}

const startReasons: ReadonlyArray<string> = ['StartError', 'ContainerCannotRun']
const waitingReasons: ReadonlyArray<string> = ['RunContainerError', 'CreateContainerError']

/** The runtime's message when it could not start the container. */
const refusalOf = ({ before, ended, waiting }: ContainerState): string | undefined => {
  if (waiting !== undefined && waitingReasons.includes(waiting.reason)) return waiting.message
  const last = ended ?? before
  return last !== undefined && startReasons.includes(last.reason) ? last.message : undefined
}

/** The innermost error: each layer adds its own prefix. */
const innermost = (text: string): string =>
  text
    .replace(/: unknown$/, '')
    .split(/(?:create failed|container process|container init): /)
    .at(-1) ?? text

export const startCauses = (scene: Scene, pod: ClusterObject, container: ContainerState): ReadonlyArray<Cause> => {
  const text = refusalOf(container)
  if (text === undefined) return []
  const base = { next: describe(scene, pod), event: innermost(text) }
  if (text.includes('exec format error')) {
    const message = `the image ${container.image} is built for an architecture other than that of the node`
    const help = 'build it for that platform as well, or choose other nodes with x-node-selector'
    return [causeOf(scene, pod, { ...base, code: 'DT3203', message, help, isFinal: true })]
  }
  const [, program, why] =
    /exec: "([^"]*)": (executable file not found|permission denied|no such file or directory|is a directory)/.exec(
      text,
    ) ??
    /\bexec "?([^":\s]+)"?: (no such file or directory|permission denied)/.exec(text) ??
    []
  const isAbsent = why !== 'permission denied'
  const help = isAbsent
    ? 'check command and entrypoint; they run without a shell, so shell syntax needs ["sh", "-c", "..."]'
    : 'make the file executable in the image, or start it through its interpreter'
  const known = `${nameOf(scene, container)} cannot be started: ${program} ${isAbsent ? 'is not a program in the image' : 'is not executable'}`
  const isMade = container.waiting?.reason !== 'CreateContainerError'
  return [
    causeOf(scene, pod, {
      ...base,
      code: 'DT3217',
      message: program === undefined ? `${nameOf(scene, container)} cannot be started: ${innermost(text)}` : known,
      help: program === undefined ? 'see the events of the pod' : help,
      isFinal: isMade || program !== undefined || wasTriedAgain(scene, pod, container),
    }),
  ]
}
