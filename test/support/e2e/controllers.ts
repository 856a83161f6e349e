/**
 * Stands in for KEDA, Argo CD and Flux: definitions of their kinds, with the required fields and those that devtool
 * reads, and loops that scale a workload back each second, as their controllers would.
 */
import * as E from 'fp-ts/lib/Either.js'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { at, type JsonObject, numberAt } from '../../../src/domain/cluster/json.ts'
import { apiVersionOf, type Resource, resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { until } from '../process/until.ts'
import { rightOf } from './developed.ts'

export const kustomizations: Resource = {
  group: 'kustomize.toolkit.fluxcd.io',
  version: 'v1',
  plural: 'kustomizations',
  kind: 'Kustomization',
  isNamespaced: true,
}

const [text, flag, count] = [{ type: 'string' }, { type: 'boolean' }, { type: 'integer' }]

const object = (required: JsonObject, optional: JsonObject = {}): JsonObject => ({
  type: 'object',
  required: Object.keys(required),
  properties: { ...required, ...optional },
})

const anything: JsonObject = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true }

const specs: ReadonlyArray<readonly [Resource, JsonObject]> = [
  [
    resources.ScaledObject,
    object(
      {
        scaleTargetRef: object({ name: text }, { apiVersion: text, kind: text }),
        triggers: { type: 'array', items: object({ type: text, metadata: anything }) },
      },
      { minReplicaCount: count, maxReplicaCount: count },
    ),
  ],
  [
    resources.Application,
    object(
      { destination: object({}, { namespace: text, server: text }), project: text },
      {
        syncPolicy: object({}, { automated: object({}, { enabled: flag, prune: flag, selfHeal: flag }) }),
      },
    ),
  ],
  [kustomizations, object({ interval: text, prune: flag, sourceRef: object({ kind: text, name: text }) })],
]

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  isNamespaced: false,
}

const definitionKey = ({ group, plural }: Resource) => ({ resource: definitions, name: `${plural}.${group}` })

const definitionOf = (resource: Resource, spec: JsonObject): JsonObject => ({
  apiVersion: apiVersionOf(definitions),
  kind: definitions.kind,
  metadata: { name: definitionKey(resource).name },
  spec: {
    group: resource.group,
    names: { kind: resource.kind, plural: resource.plural },
    scope: 'Namespaced',
    versions: [{ name: resource.version, served: true, storage: true, schema: { openAPIV3Schema: object({ spec }) } }],
  },
})

const manager = 'devtool-test'

/** Returns what removes them. */
export const defineControllers = async (cluster: Cluster): Promise<() => Promise<void>> => {
  for (const [kind, spec] of specs) {
    await rightOf(cluster.apply(definitionKey(kind), JSON.stringify(definitionOf(kind, spec)), { manager }))
  }
  return async () => {
    for (const [kind] of specs) await cluster.remove(definitionKey(kind), { propagation: 'Background' })()
  }
}

export type Controlling = { readonly resource: Resource; readonly name: string; readonly namespace: string }

const required = {
  ScaledObject: { triggers: [{ type: 'cron', metadata: {} }] },
  Application: { project: 'default', destination: {} },
  Kustomization: { interval: '1m', prune: false, sourceRef: { kind: 'GitRepository', name: 'apps' } },
} as const

/** With the annotation `note: kept`, as soon as its kind is served. */
export const made = async (cluster: Cluster, key: Controlling, spec: JsonObject = {}): Promise<Controlling> => {
  const { kind } = key.resource
  const body = {
    apiVersion: apiVersionOf(key.resource),
    kind,
    metadata: { name: key.name, annotations: { note: 'kept' } },
    spec: { ...Object.entries(required).find(([one]) => one === kind)?.[1], ...spec },
  }
  await until(`${kind} is served`, async () => E.isRight(await cluster.apply(key, JSON.stringify(body), { manager })()))
  return key
}

/** The application `shop`, which heals itself. */
export const healing = (cluster: Cluster, namespace: string): Promise<Controlling> => {
  const automatic = { syncPolicy: { automated: { selfHeal: true } } }
  return made(cluster, { resource: resources.Application, name: 'shop', namespace }, automatic)
}

/** Scales the Deployment to 2 unless the object has the annotation. */
export type Loop = {
  readonly workload: Controlling
  readonly manager: string
  readonly pause: { readonly on: Controlling; readonly name: string; readonly value: string }
}

export const byKeda = (workload: Controlling, on: Controlling): Loop => ({
  workload,
  manager: 'keda-operator',
  pause: { on, name: 'autoscaling.keda.sh/paused', value: 'true' },
})

export const byArgo = (workload: Controlling, on: Controlling): Loop => ({
  workload,
  manager: 'argocd-controller',
  pause: { on, name: 'argocd.argoproj.io/skip-reconcile', value: 'true' },
})

/** Flux looks at the workload itself. */
export const byFlux = (workload: Controlling): Loop => ({
  workload,
  manager: 'kustomize-controller',
  pause: { on: workload, name: 'kustomize.toolkit.fluxcd.io/reconcile', value: 'disabled' },
})

/** Nothing when somebody has written after it has read the workload. */
const turn = async (cluster: Cluster, { manager: by, pause, workload }: Loop): Promise<void> => {
  const live = await rightOf(cluster.get(workload))
  const controlling = await rightOf(cluster.get(pause.on))
  if (live === undefined || at(controlling, 'metadata', 'annotations', pause.name) === pause.value) return
  const { resourceVersion } = live.metadata
  await cluster.merge(workload, { metadata: { resourceVersion }, spec: { replicas: 2 } }, { manager: by })()
}

/** `afterTurns`: waits for three turns of all loops, and returns the replicas after each. */
type Looping = { readonly afterTurns: (workload: Controlling) => Promise<ReadonlyArray<number | undefined>> }

export const whileLooping = async (
  cluster: Cluster,
  loops: ReadonlyArray<Loop>,
  use: (looping: Looping) => Promise<void>,
): Promise<void> => {
  const over = new AbortController()
  let turns = 0
  const run = async (): Promise<void> => {
    for (; !over.signal.aborted; turns += 1) {
      for (const loop of loops) await turn(cluster, loop)
      await systemClock.sleep(1000, over.signal)
    }
  }
  const afterTurns: Looping['afterTurns'] = async (workload) => {
    const seen: Array<number | undefined> = []
    for (let time = 0; time < 3; time += 1) {
      // One that is under way may have begun before.
      const last = turns + 2
      await until('the loops have turned', () => turns >= last)
      seen.push(numberAt(await rightOf(cluster.get(workload)), 'spec', 'replicas'))
    }
    return seen
  }
  const running = run()
  running.catch(() => {})
  try {
    await use({ afterTurns })
  } finally {
    over.abort()
    await running
  }
}
