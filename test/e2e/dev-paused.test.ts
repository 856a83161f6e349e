/**
 * Controllers that scale a workload back each second: `up` pauses them and `down` lets them go on. Loops stand in for
 * the controllers, and the kinds of objects are theirs.
 */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at, type JsonObject, numberAt } from '../../src/domain/cluster/json.ts'
import { apiVersionOf, type Resource, resources } from '../../src/domain/cluster/resources.ts'
import { inRounds } from '../support/dev/rounds.ts'
import { type WorkloadParts, workload } from '../support/dev/workloads.ts'
import { killedDown, killedUp, manifestOf } from '../support/e2e/dev-kills.ts'
import { applied, keyOf, managersOf, type Place, rightOf, stateOf, untilRunning } from '../support/e2e/developed.ts'
import { openLab } from '../support/e2e/e2e.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'
import { down, up } from '../support/e2e/up-down.ts'
import { until } from '../support/process/until.ts'

const kustomizations: Resource = {
  group: 'kustomize.toolkit.fluxcd.io',
  version: 'v1',
  plural: 'kustomizations',
  kind: 'Kustomization',
  isNamespaced: true,
}
const kinds = [resources.ScaledObject, resources.Application, kustomizations]

const definitions: Resource = {
  group: 'apiextensions.k8s.io',
  version: 'v1',
  plural: 'customresourcedefinitions',
  kind: 'CustomResourceDefinition',
  isNamespaced: false,
}

const definitionKey = ({ group, plural }: Resource) => ({ resource: definitions, name: `${plural}.${group}` })

const definitionOf = (resource: Resource): JsonObject => ({
  apiVersion: apiVersionOf(definitions),
  kind: definitions.kind,
  metadata: { name: definitionKey(resource).name },
  spec: {
    group: resource.group,
    names: { kind: resource.kind, plural: resource.plural },
    scope: 'Namespaced',
    versions: [
      {
        name: resource.version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

const manager = 'devtool-test'
let world: Place | undefined
const ends: Array<() => unknown> = []

const current = (): Place => {
  if (world === undefined) throw new Error('no cluster')
  return world
}

test.before(async () => {
  const cluster = await connectReal()
  ends.push(() => cluster.close())
  const space = await withNamespace(cluster, 'paused')
  world = { cluster, namespace: space.name }
  for (const kind of kinds) {
    await rightOf(cluster.apply(definitionKey(kind), JSON.stringify(definitionOf(kind)), { manager }))
    ends.unshift(() => cluster.remove(definitionKey(kind), { propagation: 'Background' })())
  }
  ends.unshift(space.end)
})

test.after(async () => {
  for (const end of ends) await end()
})

const running = () => ({ ...current(), clock: systemClock })

type Controlling = { readonly resource: Resource; readonly name: string; readonly namespace: string }

const made = async (key: Controlling, spec: JsonObject): Promise<Controlling> => {
  const { kind } = key.resource
  const object = {
    apiVersion: apiVersionOf(key.resource),
    kind,
    metadata: { name: key.name, annotations: { note: 'kept' } },
    spec,
  }
  await until(`${kind} is served`, async () =>
    E.isRight(await current().cluster.apply(key, JSON.stringify(object), { manager })()),
  )
  return key
}

const readOf = (key: Controlling) => rightOf(current().cluster.get(key))
const annotationsOf = async (key: Controlling) => at(await readOf(key), 'metadata', 'annotations')
const deployment = (name: string) => keyOf(current(), 'Deployment', name)

/** Scales the workload back unless the object has the annotation. */
type Loop = {
  readonly workload: string
  readonly manager: string
  readonly pause: { readonly on: Controlling; readonly name: string; readonly value: string }
}

const turn = async ({ manager: by, pause, workload: name }: Loop): Promise<void> => {
  if (at(await annotationsOf(pause.on), pause.name) === pause.value) return
  await rightOf(current().cluster.merge(deployment(name), { spec: { replicas: 2 } }, { manager: by }))
}

const replicas = async (name: string) => numberAt(await readOf(deployment(name)), 'spec', 'replicas')

/** Each second for a while; `stopped`: the workloads that have no pods all the time. */
const turns = async (loops: ReadonlyArray<Loop>, stopped: ReadonlyArray<string>): Promise<void> => {
  for (let second = 0; second < 3; second += 1) {
    for (const loop of loops) {
      await turn(loop)
      assert.is(await replicas(loop.workload), stopped.includes(loop.workload) ? 0 : 2)
    }
    await systemClock.sleep(1000)
  }
}

const begin = (name: string, parts: WorkloadParts = {}) =>
  applied(current(), 'Deployment', name, workload('Deployment', { name, ...parts }))

const isAsBefore = async (key: Controlling): Promise<void> => {
  const live = await readOf(key)
  assert.equal(at(live, 'metadata', 'annotations'), { note: 'kept' })
  assert.equal(
    managersOf(live).filter((entry) => entry.includes('devtool-up')),
    [],
  )
}

const tracked = (application: Controlling, name: string): WorkloadParts => {
  const { namespace } = current()
  const text = `${application.namespace}_${application.name}:apps/Deployment:${namespace}/${name}`
  return { annotations: { 'argocd.argoproj.io/tracking-id': text } }
}

const byArgo = (on: Controlling, name: string): Loop => ({
  workload: name,
  manager: 'argocd-controller',
  pause: { on, name: 'argocd.argoproj.io/skip-reconcile', value: 'true' },
})

const healing = { syncPolicy: { automated: { selfHeal: true } } }

test('KEDA is paused, and resumed by down', async () => {
  const name = 'scaled'
  const { namespace } = current()
  const on = await made({ resource: resources.ScaledObject, name, namespace }, { scaleTargetRef: { name } })
  const loop: Loop = {
    workload: name,
    manager: 'keda-operator',
    pause: { on, name: 'autoscaling.keda.sh/paused', value: 'true' },
  }
  await begin(name)
  await inRounds(running(), up(name))
  await turns([loop], [name])
  await inRounds(running(), down('Deployment', name, true))
  await turns([loop], [])
  await isAsBefore(on)
})

test('an application of Argo CD with self-healing is paused, and resumed by down', async () => {
  const name = 'healed'
  const { namespace } = current()
  const application = await made({ resource: resources.Application, name, namespace }, healing)
  await begin(name, tracked(application, name))
  await inRounds(running(), up(name))
  await turns([byArgo(application, name)], [name])
  await inRounds(running(), down('Deployment', name, true))
  await turns([byArgo(application, name)], [])
  await isAsBefore(application)
})

test('of two applications of one name in two namespaces, only the one of the workload is paused', async () => {
  const { cluster, namespace } = current()
  const other = await withNamespace(cluster, 'paused-other')
  try {
    const [ours, theirs] = [
      await made({ resource: resources.Application, name: 'shop', namespace }, healing),
      await made({ resource: resources.Application, name: 'shop', namespace: other.name }, healing),
    ]
    await begin('web', tracked(ours, 'web'))
    await begin('mail', tracked(theirs, 'mail'))
    const loops = [byArgo(ours, 'web'), byArgo(theirs, 'mail')]
    await inRounds(running(), up('web'))
    await isAsBefore(theirs)
    await turns(loops, ['web'])
    await inRounds(running(), up('mail'))
    await turns(loops, ['web', 'mail'])
    await inRounds(running(), down('Deployment', 'web', true))
    await isAsBefore(ours)
    await turns(loops, ['mail'])
    await inRounds(running(), down('Deployment', 'mail', true))
    await isAsBefore(theirs)
    await turns(loops, [])
  } finally {
    await other.end()
  }
})

/** The labels of a workload of the Kustomization `apps`. */
const byFlux = () => ({
  'kustomize.toolkit.fluxcd.io/name': 'apps',
  'kustomize.toolkit.fluxcd.io/namespace': current().namespace,
})

test('Flux ignores a workload until down, and its Kustomization is not changed', async () => {
  const name = 'flown'
  const { namespace } = current()
  const kustomization = await made({ resource: kustomizations, name: 'apps', namespace }, { interval: '1m' })
  const before = await readOf(kustomization)
  await begin(name, { labels: byFlux(), annotations: { note: 'kept' } })
  const on = deployment(name)
  const pause = { on, name: 'kustomize.toolkit.fluxcd.io/reconcile', value: 'disabled' }
  const loop: Loop = { workload: name, manager: 'kustomize-controller', pause }
  await inRounds(running(), up(name))
  await turns([loop], [name])
  assert.equal(await readOf(kustomization), before)
  await inRounds(running(), down('Deployment', name, true))
  await turns([loop], [])
  assert.is(at(await annotationsOf(on), pause.name), undefined)
  assert.is(at(await annotationsOf(on), 'note'), 'kept')
  assert.equal(await readOf(kustomization), before)
})

/** More than `up` or `down` of a Deployment with a controller makes. */
const mostWrites = 9

const stateAround = async (on: Controlling, name: string): Promise<unknown> => [
  await annotationsOf(on),
  managersOf(await readOf(on)),
  at(await readOf(deployment(name)), 'spec'),
  await annotationsOf(deployment(name)),
]

test('KEDA and Flux are let go on by down after any prefix of the writes of up and of down', async () => {
  const name = 'killed'
  const { namespace } = current()
  const on = await made({ resource: resources.ScaledObject, name, namespace }, { scaleTargetRef: { name } })
  await begin(name, { labels: byFlux(), annotations: { note: 'kept' } })
  const withoutRevision = async (): Promise<string> =>
    JSON.stringify(await stateAround(on, name)).replaceAll(/"deployment\.kubernetes\.io\/revision":"\d+",?/g, '')
  await until(
    'the first revision is counted',
    async () => (await withoutRevision()) !== JSON.stringify(await stateAround(on, name)),
  )
  const before = await withoutRevision()
  for (let writes = 0; writes <= mostWrites; writes += 1) {
    await inRounds(running(), up(name), writes)
    await inRounds(running(), down('Deployment', name, true))
    assert.is(await withoutRevision(), before, `up was cut off after ${writes} writes`)
    await inRounds(running(), up(name))
    await inRounds(running(), down('Deployment', name, true), writes)
    await inRounds(running(), down('Deployment', name, true))
    assert.is(await withoutRevision(), before, `down was cut off after ${writes} writes`)
  }
})

test('down from elsewhere lets KEDA and Flux go on after up or down was killed', async () => {
  const lab = await openLab()
  await lab.within('paused-kills', { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }, async (space) => {
    const place = { cluster: current().cluster, namespace: space.namespace }
    const [kind, name] = ['Deployment', 'web'] as const
    const developed = { kind, name }
    const on = await made({ resource: resources.ScaledObject, ...place, name }, { scaleTargetRef: { name } })
    space.write('devtool.yml', manifestOf(developed))
    await applied(place, kind, name, workload(kind, { name, labels: byFlux(), annotations: { note: 'kept' } }))
    await untilRunning(place, developed)
    const trial = { space, place, developed, before: await stateOf(place, developed), isOther: true }
    for (const afterWrite of [2, 3, 4, 5, 6]) {
      await killedUp(trial, { afterWrite })
      await isAsBefore(on)
    }
    for (const afterWrite of [1, 2, 3]) {
      await killedDown(trial, { afterWrite })
      await isAsBefore(on)
    }
  })
})

test.run()
