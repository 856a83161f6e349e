/** Scaling and patching what is there, as part of a plan: carried out, and on trial. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { patchObject } from '../../../src/app/actions/patch.ts'
import { deployPlan } from '../../../src/app/deploy/deploy.ts'
import type { DeployRequest } from '../../../src/app/deploy/request.ts'
import { previewDeploy } from '../../../src/app/deploy/server-dry-run.ts'
import { at, type JsonObject, textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { type Action, type Exists, type PatchFields, targetOf } from '../../../src/domain/plan/action.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryMachine } from '../../memory/machine.ts'
import { memoryProgress } from '../../memory/progress.ts'
import { deploymentOf as deploymentOfYaml, plain } from '../../support/kube/deploying.ts'
import { planOfYaml } from '../../support/kube/live.ts'

const manager = 'devtool-up'
const web = targetOf({ kind: 'Deployment', name: 'web' })
const key = { resource: resources.Deployment, namespace: 'dev', name: 'web' }

const deployment = (environment = 'shop'): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { 'dev.devtool/environment': environment } },
  spec: { replicas: 3, paused: false },
})

const world = async (...objects: ReadonlyArray<JsonObject>): Promise<MemoryCluster> => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } }] })
  for (const object of objects) await cluster.apply(key, JSON.stringify(object), { manager: 'devtool' })()
  return cluster
}

const scale: Action<'Scale'> = {
  _tag: 'Scale',
  id: 'scale/Deployment/web',
  after: [],
  target: web,
  replicas: 0,
  manager,
  because: 'it is being developed',
}

const patch = (fields: PatchFields): Action<'Patch'> => ({
  _tag: 'Patch',
  id: 'patch/Deployment/web',
  after: [],
  target: web,
  fields,
  manager,
  because: 'nothing is to roll',
})

const deploymentOf = (cluster: MemoryCluster, actions: ReadonlyArray<Action>): DeployRequest => ({
  ...deploymentOfYaml(cluster, plain),
  plan: { schema: 1, environment: 'shop', actions },
  isPartial: true,
})

const liveIn = async (cluster: MemoryCluster): Promise<ClusterObject> => {
  const read = await cluster.get(key)()
  if (E.isLeft(read) || read.right === undefined) throw new Error('no Deployment')
  return read.right
}

const carryOut = async (cluster: MemoryCluster, ...actions: ReadonlyArray<Action>) => {
  const progress = memoryProgress()
  const ports = {
    clock: memoryClock(),
    machine: memoryMachine('me', 'me (1)'),
    progress,
  }
  const { findings } = await deployPlan(ports)(deploymentOf(cluster, actions))
  return { progress, findings: findings.map(({ code, message }) => `${code} ${message}`) }
}

test('scaling changes the number of replicas, as a field of its own manager', async () => {
  const cluster = await world(deployment())
  const { findings, progress } = await carryOut(cluster, scale)
  assert.equal(findings, [])
  const live = await liveIn(cluster)
  assert.is(at(live, 'spec', 'replicas'), 0)
  assert.is(at(live, 'spec', 'paused'), false)
  const again = await cluster.apply(key, JSON.stringify(deployment()), { manager: 'devtool' })()
  assert.is(E.isLeft(again) && again.left._tag === 'Refused' ? again.left.causes[0]?.field : '', '.spec.replicas')
  const steps = progress.events().flatMap((event) => (event._tag === 'Step' ? [`${event.state} ${event.detail}`] : []))
  assert.equal(steps, ['Running it is being developed: scaling to 0', 'Done scaled to 0'])
})

test('a patch runs after the actions it depends on, and applying single fields leaves the others alone', async () => {
  const cluster = await world(deployment())
  const fields: PatchFields = { strategy: 'apply', body: { metadata: { annotations: { by: 'me' } } }, force: false }
  const { findings } = await carryOut(cluster, { ...patch(fields), after: [scale.id] }, scale)
  assert.equal(findings, [])
  const live = await liveIn(cluster)
  assert.is(textAt(live, 'metadata', 'annotations', 'by'), 'me')
  assert.is(textAt(live, 'metadata', 'labels', 'dev.devtool/environment'), 'shop')
  assert.is(at(live, 'spec', 'replicas'), 0)
})

test('a field of another manager is named, and nothing is changed', async () => {
  const cluster = await world(deployment())
  const { findings } = await carryOut(
    cluster,
    patch({ strategy: 'apply', body: { spec: { paused: true } }, force: false }),
  )
  assert.equal(findings, [
    'DT3102 Deployment/web: spec.paused is set to false by "devtool", the patch by "devtool-up" says true',
  ])
  assert.is(at(await liveIn(cluster), 'spec', 'paused'), false)
  const forced = await carryOut(cluster, patch({ strategy: 'apply', body: { spec: { paused: true } }, force: true }))
  assert.equal(forced.findings, [])
  assert.is(at(await liveIn(cluster), 'spec', 'paused'), true)
})

test('a change to an object that is absent or owned by somebody else is refused before anything is written', async () => {
  const nothing = await carryOut(await world(), scale)
  assert.equal(nothing.findings, ['DT3005 cannot scale Deployment/web: it does not exist'])
  const cluster = await world(deployment('other'))
  const foreign = await carryOut(cluster, scale)
  assert.equal(foreign.findings, ['DT3101 Deployment/web exists and belongs to the environment "other"'])
  assert.is(at(await liveIn(cluster), 'spec', 'replicas'), 3)
})

const { actions: made } = planOfYaml(`
services: {web: {image: nginx, ports: [80], configs: [app]}}
configs: {app: {content: hello}}
`)
const after = made.map(({ id }) => id)
const paused: PatchFields = { strategy: 'merge', body: { spec: { paused: true } } }

test('an object that the plan applies first is scaled and patched, whether it existed before or not', async () => {
  const cluster = await world()
  for (const _ of ['absent', 'present']) {
    const { findings } = await carryOut(cluster, { ...patch(paused), after: [scale.id] }, { ...scale, after }, ...made)
    assert.equal(findings, [])
    const live = await liveIn(cluster)
    assert.equal([at(live, 'spec', 'replicas'), at(live, 'spec', 'paused')], [0, true])
  }
})

test('an object that the plan recreates, or creates before all workloads, is patched', async () => {
  const headless = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web', labels: { 'dev.devtool/environment': 'shop' } },
    spec: { clusterIP: 'None' },
  }
  const cluster = await world()
  const service = { resource: resources.Service, namespace: 'dev', name: 'web' }
  await cluster.apply(service, JSON.stringify(headless), { manager: 'devtool' })()
  const fields: PatchFields = { strategy: 'apply', body: { metadata: { annotations: { by: 'me' } } }, force: false }
  const targets = ['Service/web', ...after.flatMap((id) => /^apply\/(ConfigMap\/.*)/.exec(id)?.[1] ?? [])]
  const patches = targets.map((name): Action<'Patch'> => {
    const [kind, object] = name.split('/')
    const target = targetOf({ kind: kind === 'Service' ? 'Service' : 'ConfigMap', name: object ?? '' })
    return { ...patch(fields), id: `patch/${name}`, target, after }
  })
  assert.equal((await carryOut(cluster, ...patches, ...made)).findings, [])
  for (const { target } of patches) {
    const live = await cluster.get({ ...target, namespace: 'dev' })()
    assert.is(E.isRight(live) ? textAt(live.right, 'metadata', 'annotations', 'by') : '', 'me')
  }
  assert.is(patches.length, 2)
})

test('a scaling that does not come after the creation is refused', async () => {
  const { findings } = await carryOut(await world(), scale, ...made)
  assert.equal(findings, ['DT3005 cannot scale Deployment/web: it does not exist'])
})

test('an object that was deleted, replaced or changed meanwhile is left alone', async () => {
  const cluster = await world(deployment())
  const { uid, resourceVersion } = (await liveIn(cluster)).metadata
  const writing = {
    cluster,
    clock: memoryClock(),
    namespace: 'dev',
    environment: 'shop',
    force: false,
    isDryRun: false,
    signal: new AbortController().signal,
  }
  const fields: PatchFields = { strategy: 'merge', body: { spec: { paused: true } } }
  const tell = async (precondition: Exists): Promise<string> => {
    const result = await patchObject(writing, { ...patch(fields), precondition })()
    return E.isLeft(result) ? result.left.map(({ code, message }) => `${code} ${message}`).join() : 'done'
  }
  await cluster.merge(key, { spec: { replicas: 2 } }, { manager: 'kubectl' })()
  const meanwhile = 'by something else in the meantime'
  assert.is(await tell({ _tag: 'Exists', uid, resourceVersion }), `DT3103 Deployment/web was changed ${meanwhile}`)
  assert.is(await tell({ _tag: 'Exists', uid: 'gone' }), `DT3103 Deployment/web was replaced ${meanwhile}`)
  assert.is(at(await liveIn(cluster), 'spec', 'paused'), false)
  assert.is(await tell({ _tag: 'Exists', uid }), 'done')
  cluster.take('Deployment', 'web', 'dev')
  assert.is(await tell({ _tag: 'Exists', uid }), `DT3103 Deployment/web was deleted ${meanwhile}`)
})

test('a server dry run names a change to an object that the plan creates first without trying it', async () => {
  const wanted = deploymentOf(await world(), [...made, { ...scale, after }])
  const { findings, previews } = await previewDeploy({ clock: memoryClock() })(wanted)
  assert.equal(findings, [])
  const [last] = previews.slice(-1)
  assert.is(`${last?.what} ${last?.name}: ${last?.because}`, 'Change Deployment/web: it is being developed')
  assert.is(last?.diff, '--- created/Deployment/web\n+++ patched/Deployment/web\n')
})

test('a server dry run shows the change and persists nothing', async () => {
  const cluster = await world(deployment())
  const same = patch({ strategy: 'merge', body: { spec: { paused: false } } })
  const { findings, previews } = await previewDeploy({ clock: memoryClock() })(deploymentOf(cluster, [scale, same]))
  assert.equal(findings, [])
  assert.equal(
    previews.map(({ because, name, what }) => `${what} ${name}: ${because}`),
    ['Change Deployment/web: it is being developed', 'Same Deployment/web: nothing is to roll'],
  )
  assert.match(
    previews[0]?.diff ?? '',
    /^--- live\/Deployment\/web\n\+\+\+ patched\/Deployment\/web\n[^]*-  replicas: 3\n\+  replicas: 0\n/,
  )
  assert.is(previews[1]?.diff, '')
  assert.is(at(await liveIn(cluster), 'spec', 'replicas'), 3)
})

test.run()
