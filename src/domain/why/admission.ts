/** Pods that a controller is not allowed to create: quotas, limits, Pod Security, policies, webhooks, permissions. */

import { textAt } from '../cluster/json.ts'
import type { ClusterObject } from '../cluster/live.ts'
import { podSecurityHelp } from '../cluster/pod-security.ts'
import type { Code } from '../diagnostic/codes.ts'
import { defined } from '../object/defined.ts'
import { conditionOf } from '../rollout/pod.ts'
import { newReplicaSet } from '../rollout/revision.ts'
import type { Cause } from './cause.ts'
import { keysOf } from './keys.ts'
import { causeOf, describe, evidence, kubectl, newest, PATIENCE_MS, type Scene } from './scene.ts'

type Explanation = {
  readonly code: Code
  readonly message: string
  readonly help: string
  readonly next?: ReadonlyArray<string>
  readonly mayHeal?: boolean
  /** The message already quotes the cluster, so the event need not be repeated. */
  readonly isQuoted?: boolean
}

type Rule = readonly [RegExp, (scene: Scene, match: RegExpExecArray) => Explanation]

const quotaRules: ReadonlyArray<Rule> = [
  [
    /exceeded quota: (\S+), requested: (\S*), used: (\S*), limited: (\S*)/,
    (scene, [, name = '', requested = '', used = '', limited = '']) => ({
      code: 'DT3211',
      message: `the quota ${name} leaves no room: asked for ${requested}, used ${used}, limit ${limited}`,
      help: 'request less, remove something else, or have the quota raised',
      next: kubectl(scene, 'describe', 'quota', name),
    }),
  ],
  [
    /failed quota: ([^:]+): must specify (.*)/,
    (scene, [, name = '', rest = '']) => ({
      code: 'DT3211',
      message: `the quota ${name} wants every container to set its ${rest
        .replace(/ for: .*/, '')
        .split(',')
        .join(', ')}`,
      help: 'set it with deploy.resources (reservations are requests, limits are limits)',
      next: kubectl(scene, 'describe', 'quota', name),
    }),
  ],
  [
    /is forbidden: ((?:\[?(?:maximum|minimum) \S+ usage per |\S+ max limit to request ratio per )[\s\S]*)/,
    (scene, [, text = '']) => ({
      code: 'DT3222',
      isQuoted: true,
      message: `the namespace limits resources: ${text}`,
      help: `request resources within the limits (${limitedKeys(text)}), or have the limits changed`,
      next: kubectl(scene, 'describe', 'limitranges'),
    }),
  ],
]

const admissionRules: ReadonlyArray<Rule> = [
  [
    /violates PodSecurity "([^"]+)": ([\s\S]*)/,
    (scene, [, level = '', text = '']) => ({
      code: 'DT3214',
      isQuoted: true,
      message: `Pod Security "${level}" does not allow its pods: ${text}`,
      help:
        podSecurityHelp(`PodSecurity ${text}`) ??
        'change what it names (user, cap_drop, security_opt, privileged), or use a namespace that allows it',
      next: ['kubectl', 'get', 'namespace', scene.namespace, '--show-labels'],
    }),
  ],
  [
    /admission webhook "([^"]+)" denied the request: ?([\s\S]*)/,
    (_, [, name = '', text = '']) => ({
      code: 'DT3214',
      isQuoted: true,
      message: `the webhook ${name} does not allow its pods: ${text}`,
      help: 'change what it names, or ask a cluster administrator',
    }),
  ],
  [
    /failed calling webhook "([^"]+)": ([\s\S]*)/,
    (_, [, name = '', text = '']) => ({
      code: 'DT3214',
      isQuoted: true,
      message: `the webhook ${name}, which must admit its pods, cannot be reached: ${text}`,
      help: 'check that the service behind the webhook is running, or ask a cluster administrator',
      next: ['kubectl', 'get', 'validatingwebhookconfigurations,mutatingwebhookconfigurations'],
      mayHeal: true,
    }),
  ],
  [
    /ValidatingAdmissionPolicy '([^']+)'(?: with binding '[^']+')? denied request: ([\s\S]*)/,
    (_, [, name = '', text = '']) => ({
      code: 'DT3214',
      isQuoted: true,
      message: `the policy ${name} does not allow its pods: ${text}`,
      help: 'change what it names, or ask a cluster administrator',
    }),
  ],
]

const referenceRules: ReadonlyArray<Rule> = [
  [
    /serviceaccount "([^"]+)" not found/,
    (scene, [, name = '']) => ({
      code: 'DT3216',
      message: `the service account ${name} does not exist`,
      help: `create it in the namespace ${scene.namespace}, or correct its name`,
      next: kubectl(scene, 'get', 'serviceaccounts'),
    }),
  ],
  [
    /no PriorityClass with name (\S+) was found/,
    (_, [, name = '']) => ({
      code: 'DT3216',
      message: `the priority class ${name} does not exist`,
      help: 'correct its name, or have it created',
      next: ['kubectl', 'get', 'priorityclasses'],
    }),
  ],
  [
    /[Uu]ser "([^"]+)" cannot (\S+) resource "([^"]+)"/,
    (_, [, user = '', verb = '', resource = '']) => ({
      code: 'DT3215',
      message: `${user} is not allowed to ${verb} ${resource}`,
      help: 'ask a cluster administrator for this permission',
    }),
  ],
]

/** The field of the first amount in the message. */
const limitedKeys = (text: string): string => {
  const [, bound, resource = ''] = /(maximum|minimum) (\w+) usage/.exec(text) ?? []
  return keysOf(`${bound === 'minimum' ? 'requests' : 'limits'}.${resource}`)
}

const rules: ReadonlyArray<Rule> = [...quotaRules, ...admissionRules, ...referenceRules]

const sayRefused = (scene: Scene, workload: ClusterObject, text: string): Explanation => {
  for (const [words, say] of rules) {
    const match = words.exec(text)
    if (match !== null) return say(scene, match)
  }
  return {
    code: 'DT3224',
    isQuoted: true,
    message: `its pods cannot be created: ${text}`,
    help: 'see the events of the cluster',
    next: describe(scene, workload),
    mayHeal: true,
  }
}

type Refusal = { readonly by: ClusterObject; readonly text: string; readonly since?: string }

/** The condition of a workload describes its current state; for kinds without one, the newest event is used. */
const refusalOf = (scene: Scene): Refusal | undefined => {
  const { observed, workload } = scene
  const set = workload.kind === 'Deployment' ? newReplicaSet(observed, workload) : undefined
  for (const by of set === undefined ? [workload] : [set, workload]) {
    const condition = conditionOf(by, 'ReplicaFailure')
    const text = textAt(condition, 'message')
    if (textAt(condition, 'status') === 'True' && text !== undefined) {
      return { by, text, since: textAt(condition, 'lastTransitionTime') ?? '' }
    }
  }
  if (workload.kind === 'Deployment') return undefined
  const said = newest(scene, workload, ({ reason }) => reason === 'FailedCreate' || reason === 'SuccessfulCreate')
  return said?.reason === 'FailedCreate'
    ? { by: workload, text: said.message, since: evidence(said).since ?? '' }
    : undefined
}

export const admissionCauses = (scene: Scene): ReadonlyArray<Cause> => {
  if (scene.rollout.pods.length >= scene.rollout.desired) return []
  const refusal = refusalOf(scene)
  if (refusal === undefined) return []
  const { by, since, text } = refusal
  const { isQuoted = false, mayHeal = false, ...said } = sayRefused(scene, by, text.trim())
  const isOld = scene.seenForMs(by.metadata.uid, `FailedCreate ${said.code}`) >= PATIENCE_MS
  return [
    causeOf(scene, by, {
      ...said,
      isFinal: !mayHeal || isOld,
      ...(isQuoted ? {} : { event: `FailedCreate: ${text.trim()}` }),
      ...defined({ since }),
    }),
  ]
}
