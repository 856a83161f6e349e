/** Pods that cannot be scheduled, explained from the message in which the scheduler counts its reasons. */
import { listAt, textAt, textsAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { conditionOf } from '../rollout/pod.ts'
import type { Cause } from './cause.ts'
import { keysOf } from './keys.ts'
import { causeOf, kubectl, PATIENCE_MS, type Scene } from './scene.ts'

/** Problems with claims are reported for the claims themselves. */
const aboutClaims = /persistentvolumeclaim|PersistentVolumeClaims|persistent volumes to bind/i

/** The single reasons, each with its number of nodes if there is one: `2 Insufficient cpu`. */
export const reasonsIn = (sentence: string): ReadonlyArray<string> => {
  const [, listed = sentence] = /nodes are available: ([\s\S]*)/.exec(sentence) ?? []
  const [first = ''] = listed.split(/\.(?: |$)/)
  return first.split(/, (?=\d+ )/).filter((reason) => reason !== '')
}

const asked = (pod: ClusterObject, resource: string): string =>
  [
    ...new Set(
      listAt(pod, 'spec', 'containers').flatMap((spec) => textAt(spec, 'resources', 'requests', resource) ?? []),
    ),
  ].join(' and ')

const labelsAsked = (pod: ClusterObject): string =>
  [...textsAt(pod, 'spec', 'nodeSelector')].map(([name, value]) => `${name}=${value}`).join(', ')

type Sentence = { readonly message: string; readonly help: string }

/** Taints that Kubernetes itself sets: the state of the node. */
const nodeStates: ReadonlyMap<string, Sentence> = new Map([
  ['disk-pressure', { message: 'short of disk space', help: 'free disk space on the nodes, or add a node' }],
  ['memory-pressure', { message: 'short of memory', help: 'free memory on the nodes, or add a node' }],
  ['pid-pressure', { message: 'short of process ids', help: 'stop processes on the nodes, or add a node' }],
  ['not-ready', { message: 'not ready', help: 'wait for the node, or ask a cluster administrator' }],
  ['unreachable', { message: 'not responding', help: 'wait for the node, or ask a cluster administrator' }],
  ['network-unavailable', { message: 'without a network', help: 'check that the network plugin runs on the node' }],
])

const insufficient = (pod: ClusterObject, resource: string): Sentence => {
  const amount = asked(pod, resource)
  const message = `not enough free ${resource}${amount === '' ? '' : `, of which it asks for ${amount}`}`
  // Resources of devices have the domain of their plugin in the name: `nvidia.com/gpu`.
  return resource.includes('/')
    ? {
        message,
        help: `check that the device plugin of ${resource} runs, remove something else, or add a node with it`,
      }
    : {
        message,
        help: `request less ${resource} (${keysOf(`requests.${resource}`)}), remove something else, or add a node`,
      }
}

const sentences: ReadonlyArray<readonly [RegExp, (pod: ClusterObject, match: RegExpExecArray) => Sentence]> = [
  [/Insufficient (\S+)/, (pod, [, resource = '']) => insufficient(pod, resource)],
  [
    /didn't match Pod's node affinity\/selector|didn't satisfy plugin\(s\) \[NodeAffinity\]/,
    (pod) => {
      const labels = labelsAsked(pod)
      return {
        message: labels === '' ? 'the node affinity matches none' : `none has the label ${labels}`,
        help: labels.includes('kubernetes.io/arch=')
          ? 'correct `platform`, or add a node of that architecture; `kubectl get nodes -L kubernetes.io/arch` lists those there are'
          : 'correct x-node-selector, or label a node',
      }
    },
  ],
  [
    /untolerated taint(?:\(s\))?(?: (\{[^}]*\}))?/,
    (_, [, taint = '']) => {
      const [, state = ''] = /\{node\.kubernetes\.io\/([\w-]+)/.exec(taint) ?? []
      const known = nodeStates.get(state)
      return known === undefined
        ? {
            message: `a taint ${taint} keeps it away`.replace('  ', ' '),
            help: 'choose other nodes, or have the taint removed; `kubectl describe nodes` shows taints',
          }
        : { ...known, message: `its nodes are ${known.message}` }
    },
  ],
  [
    /didn't match PersistentVolume's node affinity|volume node affinity conflict/,
    () => ({
      message: 'its volume is only usable on another node',
      help: 'let it run on the node of the volume, or use a storage class that any node can mount',
    }),
  ],
  [
    /didn't match pod anti-affinity rules|didn't satisfy existing pods anti-affinity rules/,
    () => ({
      message: 'it must not share a node with pods that run on all nodes',
      help: 'run fewer replicas, or add a node',
    }),
  ],
  [
    /didn't match pod affinity rules/,
    () => ({
      message: 'it must run beside pods, none of which runs on a node it may use',
      help: 'services that share a volume run on one node: check that the others are running',
    }),
  ],
  [
    /didn't have free ports/,
    () => ({
      message: 'the node port it needs is taken on every node',
      help: 'run fewer replicas, or do without a host port',
    }),
  ],
  [
    /Too many pods/,
    () => ({ message: 'the nodes have as many pods as they may', help: 'remove something else, or add a node' }),
  ],
  [
    /were unschedulable/,
    () => ({ message: 'nodes are cordoned', help: 'wait for their maintenance to end, or uncordon them' }),
  ],
  [
    /exceed max volume count/,
    () => ({ message: 'the nodes can attach no more volumes', help: 'remove something else, or add a node' }),
  ],
  [
    /topology spread constraints/,
    () => ({ message: 'its topology spread constraint cannot be met', help: 'relax the constraint, or add a node' }),
  ],
  [
    /no nodes available/,
    () => ({
      message: 'the cluster has no node',
      help: 'wait until a node has joined, or ask a cluster administrator',
    }),
  ],
]

const sentenceOf = (pod: ClusterObject, reason: string): Sentence => {
  for (const [words, say] of sentences) {
    const match = words.exec(reason)
    if (match !== null) return say(pod, match)
  }
  return { message: reason, help: 'see the events of the scheduler' }
}

/** `(2 nodes)`, if the scheduler gave a number. */
const counted = (reason: string): string => {
  const [, count] = /^(\d+) /.exec(reason) ?? []
  return count === undefined ? '' : ` (${count} ${count === '1' ? 'node' : 'nodes'})`
}

/** Why a pod could not be scheduled, in the scheduler's words; `undefined` when it was scheduled, or not tried yet. */
export const refusalOfScheduler = (pod: ClusterObject): string | undefined => {
  const condition = conditionOf(pod, 'PodScheduled')
  const reason = textAt(condition, 'reason')
  if (textAt(condition, 'status') !== 'False' || reason === undefined) return undefined
  return textAt(condition, 'message') ?? reason
}

/** Names of the gates that keep the scheduler from looking at the pod. */
const gatesOf = (pod: ClusterObject): ReadonlyArray<string> =>
  textAt(conditionOf(pod, 'PodScheduled'), 'reason') === 'SchedulingGated'
    ? listAt(pod, 'spec', 'schedulingGates').flatMap((gate) => textAt(gate, 'name') ?? [])
    : []

const gated = (scene: Scene, pod: ClusterObject, gates: ReadonlyArray<string>): Cause =>
  causeOf(scene, pod, {
    code: 'DT3210',
    message: `${gates.length === 1 ? 'the scheduling gate' : 'the scheduling gates'} ${gates.join(', ')} ${gates.length === 1 ? 'keeps' : 'keep'} it from being scheduled`,
    help: 'the controller that has set a gate removes it: check that it runs, and what it waits for',
    next: kubectl(scene, 'describe', 'pod', pod.metadata.name),
    isFinal: false,
  })

/** Nodes come and go, so it is final only after a while. */
export const isStuck = (scene: Scene, pod: ClusterObject): boolean =>
  scene.seenForMs(pod.metadata.uid, 'Unschedulable') >= PATIENCE_MS

export const schedulingCauses = (scene: Scene, pod: ClusterObject): ReadonlyArray<Cause> => {
  const gates = gatesOf(pod)
  if (gates.length > 0) return [gated(scene, pod, gates)]
  const said = refusalOfScheduler(pod)
  if (said === undefined) return []
  const reasons = reasonsIn(said).filter((reason) => !aboutClaims.test(reason))
  if (reasons.length === 0) return []
  const found = reasons.map((reason) => ({ ...sentenceOf(pod, reason), count: counted(reason) }))
  const isResource = reasons.some((reason) => reason.includes('Insufficient'))
  return [
    causeOf(scene, pod, {
      code: 'DT3210',
      message: `no suitable node: ${found.map(({ count, message }) => message + count).join('; ')}`,
      help: [...new Set(found.map(({ help }) => help))].join('; '),
      next: isResource ? ['kubectl', 'describe', 'nodes'] : kubectl(scene, 'describe', 'pod', pod.metadata.name),
      isFinal: isStuck(scene, pod),
      event: `FailedScheduling: ${said}`,
    }),
  ]
}
