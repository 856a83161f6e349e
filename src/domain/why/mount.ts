/** Volumes that cannot be attached or mounted, while the containers wait to be created. */
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { type Missing, missingIn, withoutKey } from './config.ts'
import { causeOf, describe, evidence, newest, type Scene } from './scene.ts'

type Explanation = { readonly message: string; readonly help: string }

const faults: ReadonlyArray<readonly [words: RegExp, say: (volume: string, match: RegExpExecArray) => Explanation]> = [
  [
    /Multi-Attach error.{0,300}?already (?:used by pod\(s\) ([\w.-]+)|exclusively attached to one node)/,
    (volume, [, pod]) => ({
      message: `${volume} is in use by ${pod === undefined ? 'a pod on another node' : `the pod ${pod}`}, and can be attached to one node at a time`,
      help: 'wait until that pod is gone, or delete it; let services that share a volume run on one node',
    }),
  ],
  [
    /mount\.<type> helper program|unknown filesystem type '?([\w.]+)/,
    (volume, match) => ({
      message: `the node has no client program for ${match[1] ?? /-t (\w+)/.exec(match.input)?.[1] ?? 'the file system'}, so ${volume} cannot be mounted`,
      help: 'have the client program installed on the nodes (nfs-common, cifs-utils) by a cluster administrator',
    }),
  ],
  [
    /access denied by server|Permission denied/,
    (volume) => ({
      message: `the server of ${volume} does not let the node mount it`,
      help: 'check the export and its allowed addresses on the server',
    }),
  ],
  [
    /Connection timed out|No route to host|Connection refused|timeout expired waiting|timed out waiting for the condition/,
    (volume) => ({
      message: `${volume} is not mounted in time: the node cannot reach its server, or the storage driver does not answer`,
      help: 'check the address of the server, and that the storage driver runs on the node',
    }),
  ],
]

const sayUnmounted = (text: string): Explanation => {
  const [, name] = /for volume "([^"]+)"/.exec(text) ?? []
  const volume = name === undefined ? 'a volume' : `the volume ${name}`
  for (const [words, say] of faults) {
    const match = words.exec(text)
    if (match !== null) return say(volume, match)
  }
  return { message: `${volume} cannot be mounted`, help: 'see the events of the node' }
}

const noKeyIn = (scene: Scene, pod: ClusterObject, text: string): Missing | undefined => {
  const [, name = '', key] =
    /for volume "([^"]+)".{0,99} references non-existent (?:secret|config) key: (\S+)/.exec(text) ?? []
  if (key === undefined) return undefined
  const volume = listAt(pod, 'spec', 'volumes').find((one) => textAt(one, 'name') === name)
  const secret = textAt(volume, 'secret', 'secretName')
  return secret === undefined
    ? withoutKey(scene, key, 'ConfigMap', textAt(volume, 'configMap', 'name') ?? name)
    : withoutKey(scene, key, 'Secret', secret)
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
  const missing = missingIn(scene, said.message) ?? noKeyIn(scene, pod, said.message)
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
  return [
    causeOf(scene, pod, {
      code: 'DT3223',
      ...sayUnmounted(said.message),
      next: describe(scene, pod),
      isFinal: false,
      ...evidence(said),
    }),
  ]
}
