/** Everything observed about a workload that does not become ready, and how a cause is made from it. */

import { textAt } from '../cluster/json.ts'
import { allOf, type ClusterObject, labelOf, type Observed } from '../cluster/live.ts'
import { workloadKinds } from '../cluster/resources.ts'
import { SERVICE_LABEL } from '../k8s/labels.ts'
import { defined } from '../object/defined.ts'
import { type Happening, happeningsOf, showHappening } from '../rollout/events.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Rollout } from '../rollout/rollout.ts'
import type { Cause, LogContext, LogRef } from './cause.ts'
import { mountsOf } from './hidden.ts'

/** How long the caller has seen this state, in ms: 0 the first time. `uid`: that of the object; `what`: its state. */
export type SeenForMs = (uid: string, what: string) => number

/** Whether a container ends again and again. `uid`: that of its pod. */
export type IsLooping = (uid: string, container: ContainerState) => boolean

/** Judged from a single observation. */
export const waitsForRestart: IsLooping = (_uid, { waiting }) => waiting?.reason === 'CrashLoopBackOff'

/** `service`: absent when the workload does not come from a Compose file. */
export type Scene = {
  readonly observed: Observed
  readonly workload: ClusterObject
  readonly rollout: Rollout
  readonly seenForMs: SeenForMs
  readonly isLooping: IsLooping
  readonly subject: string
  readonly namespace: string
  readonly service?: string
}

export type Finding = Omit<Cause, 'subject' | 'object'>

/** How long a problem that may recover is tolerated. */
export const PATIENCE_MS = 30_000

type Glance = Pick<Scene, 'observed' | 'workload' | 'rollout' | 'seenForMs' | 'isLooping'>

export const sceneOf = (glance: Glance): Scene => {
  const { workload } = glance
  const service = labelOf(workload, SERVICE_LABEL)
  const { kind, metadata } = workload
  return {
    ...glance,
    subject: service ?? `${kind}/${metadata.name}`,
    namespace: textAt(workload, 'metadata', 'namespace') ?? 'default',
    ...defined({ service }),
  }
}

export const causeOf = ({ subject }: Scene, { kind, metadata }: ClusterObject, finding: Finding): Cause => ({
  subject,
  object: `${kind}/${metadata.name}`,
  ...finding,
})

/** The event as evidence. */
export const evidence = (happening: Happening | undefined): Pick<Cause, 'event' | 'since'> =>
  happening === undefined ? {} : { event: showHappening(happening), since: happening.at }

/** The newest event about an object that `is` selects. */
export const newest = (
  { observed }: Scene,
  { metadata: { uid } }: ClusterObject,
  is: (happening: Happening) => boolean,
): Happening | undefined => happeningsOf(observed, uid).find(is)

/**
 * An object that a pod needs may arrive a moment later, so the node tries once more. Without its events, only the time
 * that has passed counts.
 */
export const wasTriedAgain = (scene: Scene, pod: ClusterObject, { name, waiting }: ContainerState): boolean => {
  const tries = happeningsOf(scene.observed, pod.metadata.uid)
    .filter(({ container = name, reason }) => reason === 'Failed' && container === name)
    .reduce((all, { count }) => all + count, 0)
  return tries > 1 || scene.seenForMs(pod.metadata.uid, `${waiting?.reason} ${name}`) >= PATIENCE_MS
}

export const kubectl = ({ namespace }: Scene, ...words: ReadonlyArray<string>): ReadonlyArray<string> => [
  'kubectl',
  ...words,
  '--namespace',
  namespace,
]

export const describe = (scene: Scene, { kind, metadata: { name } }: ClusterObject): ReadonlyArray<string> =>
  kubectl(scene, 'describe', kind.toLowerCase(), name)

export const readLogs = (scene: Scene, { container, isPrevious, pod }: LogRef): ReadonlyArray<string> =>
  scene.service === undefined || isPrevious
    ? kubectl(scene, 'logs', pod, '--container', container, ...(isPrevious ? ['--previous'] : []))
    : ['devtool', 'logs', scene.service]

/** Without permission to list Services, workloads are used instead. */
export const logContextOf = ({ observed }: Scene, pod: ClusterObject, { spec }: ContainerState): LogContext => ({
  services: [
    ...new Set(
      ['Service', ...workloadKinds].flatMap((kind) => allOf(observed, kind).map((live) => live.metadata.name)),
    ),
  ],
  mounts: mountsOf(pod, spec),
})

/** `the container`, or its name when it is not the service's own container. */
export const nameOf = ({ service, workload }: Scene, { name, role }: ContainerState): string => {
  if (role === 'Init') return `the init container ${name}`
  if (role === 'Sidecar') return `the sidecar container ${name}`
  return name === service || name === workload.metadata.name ? 'the container' : `the container ${name}`
}
