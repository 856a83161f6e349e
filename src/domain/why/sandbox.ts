/**
 * Pods whose sandbox, the environment of all their containers, cannot be created: networks, memory limits, runtimes.
 */
import { listAt, textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import type { ContainerState } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { keysOf } from './keys.ts'
import { causeOf, describe, evidence, type Finding, newest, type Scene } from './scene.ts'

type Explanation = Pick<Finding, 'code' | 'message' | 'help'> & { readonly isFinal?: boolean }

const memoryLimits = (pod: ClusterObject): string => {
  const limits = listAt(pod, 'spec', 'containers').flatMap(
    (spec) => textAt(spec, 'resources', 'limits', 'memory') ?? [],
  )
  return limits.length === 0 ? '' : ` of ${limits.join(' and ')}`
}

const rules: ReadonlyArray<readonly [words: RegExp, say: (pod: ClusterObject, match: RegExpExecArray) => Explanation]> =
  [
    [
      /memory limit too low|minimum memory limit|memory\.(?:max|limit_in_bytes).{0,100}?(?:device or resource busy|invalid argument)/,
      (pod) => ({
        code: 'DT3208',
        message: `its memory limit${memoryLimits(pod)} is too small to start anything`,
        help: `raise the memory limit of the service (${keysOf('limits.memory')}); a few MiB are needed for the container itself`,
        isFinal: true,
      }),
    ],
    [
      /no (?:available )?IP addresses? available|failed to assign an IP address|no available IPs?/i,
      () => ({
        code: 'DT3224',
        message: 'the node has no IP address left for a pod',
        help: 'let it run on another node, or ask a cluster administrator: the address range of the node is used up, or addresses of old pods are not given back',
      }),
    ],
    [
      /no runtime for "([^"]+)" is configured/,
      (_, [, runtime]) => ({
        code: 'DT3224',
        message: `the node does not have the container runtime ${runtime}`,
        help: 'choose nodes that have it (x-node-selector), or do without a runtime class',
      }),
    ],
    [
      /(?:failed to (?:set ?up|setup) (?:sandbox container |pod )?.{0,100}?network|cni plugin|network for sandbox)/i,
      () => ({
        code: 'DT3224',
        message: 'the node cannot set up the network of its pod',
        help: 'check that the network plugin runs on the node, or ask a cluster administrator',
      }),
    ],
  ]

const sayUnmade = (pod: ClusterObject, text: string): Explanation => {
  for (const [words, say] of rules) {
    const match = words.exec(text)
    if (match !== null) return say(pod, match)
  }
  return { code: 'DT3224', message: 'the node cannot set up its pod', help: 'ask a cluster administrator' }
}

export const sandboxCauses = (
  scene: Scene,
  pod: ClusterObject,
  containers: ReadonlyArray<ContainerState>,
): ReadonlyArray<Cause> => {
  if (containers.some(({ isRunning }) => isRunning)) return []
  const said = newest(scene, pod, ({ reason }) => reason === 'FailedCreatePodSandBox')
  if (said === undefined) return []
  const { isFinal = false, ...finding } = sayUnmade(pod, said.message)
  return [causeOf(scene, pod, { ...finding, next: describe(scene, pod), isFinal, ...evidence(said) })]
}
