import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { at, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { liveOf } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { planUp } from '../../../src/domain/dev/activate.ts'
import { type Followed, follow, restarted, startedBy } from '../../../src/domain/dev/follow.ts'
import type { DevRecord } from '../../../src/domain/dev/record.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { devOf, requestOf } from '../../support/dev/request.ts'
import { inRounds, observedIn } from '../../support/dev/rounds.ts'
import { workload } from '../../support/dev/workloads.ts'

const namespace = 'demo'
const mirror = 'devtool-up-deployment-api'
const request = requestOf(devOf({ 'devtool.yml': 'dev:\n  api:\n    image: node:22\n' }))

const developed = async () => {
  const cluster = memoryCluster()
  const object = workload('Deployment')
  cluster.put({ ...object, metadata: { name: 'api', namespace, labels: { app: 'api' } } })
  const running = { cluster, namespace, clock: systemClock }
  const records: Array<DevRecord> = []
  await inRounds(running, (observed) => {
    const planned = planUp(request, observed)
    if (E.isLeft(planned)) throw new Error(planned.left[0].message)
    if (planned.right.record !== undefined) records.push(planned.right.record)
    return planned.right
  })
  const [record] = records
  if (record === undefined) throw new Error('there is no record')
  const edit = (body: JsonObject) =>
    cluster.merge({ resource: resources.Deployment, name: 'api', namespace }, body, { manager: 'kubectl' })()
  const followed = async (): Promise<Followed> => follow(record, await observedIn(running))
  const starter = async (): Promise<string | undefined> => startedBy(record, await observedIn(running))
  const applied = async () => restarted(record, await observedIn(running))
  return { applied, cluster, edit, followed, record, running, starter }
}

const tolerations = [{ key: 'gpu', operator: 'Exists' }]
const newPod = { spec: { template: { spec: { tolerations } } } }

test('an original that did not change, or was only scaled, changes nothing', async () => {
  const { edit, followed } = await developed()
  assert.equal(await followed(), { _tag: 'Same' })
  await edit({ spec: { replicas: 4 }, metadata: { labels: { team: 'a' } } })
  assert.equal(await followed(), { _tag: 'Same' })
})

test('if somebody starts the original beside its mirror, the manager is named', async () => {
  const { edit, starter } = await developed()
  assert.is(await starter(), undefined)
  await edit({ spec: { replicas: 4 } })
  assert.is(await starter(), 'kubectl')
})

test('a changed pod is applied to the definition of the mirror, but to its container only at a restart', async () => {
  const { applied, edit, followed, running } = await developed()
  await edit(newPod)
  const changed = await followed()
  assert.ok(changed._tag === 'Changed')
  if (changed._tag !== 'Changed') return
  assert.equal(changed.fields, ['spec.tolerations'])
  await inRounds(running, () => ({ actions: changed.actions, waitsFor: [] }), 1)
  const live = liveOf(await observedIn(running), 'Deployment', mirror)
  assert.ok(live)
  assert.is(at(live, 'spec', 'paused'), true)
  assert.equal(at(live, 'spec', 'template', 'spec', 'tolerations'), tolerations)
  assert.equal(await followed(), { _tag: 'Same' })
  const actions = await applied()
  await inRounds(running, () => ({ actions, waitsFor: [] }), 1)
  assert.is(at(liveOf(await observedIn(running), 'Deployment', mirror), 'spec', 'paused'), undefined)
  assert.equal(await applied(), [])
})

test('a restart applies a change that no session has seen', async () => {
  const { applied, edit, running } = await developed()
  assert.equal(await applied(), [])
  await edit(newPod)
  const actions = await applied()
  await inRounds(running, () => ({ actions, waitsFor: [] }), 1)
  const live = liveOf(await observedIn(running), 'Deployment', mirror)
  assert.equal(at(live, 'spec', 'template', 'spec', 'tolerations'), tolerations)
  assert.equal(at(live, 'spec', 'template', 'spec', 'containers', 1, 'image'), 'node:22')
  assert.is(at(live, 'spec', 'paused'), undefined)
  assert.equal(await applied(), [])
})

test('without a recipe that can be read, a restart applies what a session has written', async () => {
  const { applied, cluster, edit, followed, record, running } = await developed()
  await edit(newPod)
  const changed = await followed()
  if (changed._tag === 'Changed') await inRounds(running, () => ({ actions: changed.actions, waitsFor: [] }), 1)
  const key = { resource: resources.ConfigMap, name: record.mirror, namespace }
  await cluster.merge(key, { data: { recipe: '{"dev":{}}' } }, { manager: 'kubectl' })()
  await edit({ spec: { template: { spec: { tolerations: null } } } })
  assert.equal(await followed(), { _tag: 'Same' })
  const actions = await applied()
  await inRounds(running, () => ({ actions, waitsFor: [] }), 1)
  const live = liveOf(await observedIn(running), 'Deployment', mirror)
  assert.is(at(live, 'spec', 'paused'), undefined)
  assert.equal(at(live, 'spec', 'template', 'spec', 'tolerations'), tolerations)
})

test('up applies pending changes when it starts', async () => {
  const { edit, followed, running } = await developed()
  await edit(newPod)
  const changed = await followed()
  if (changed._tag === 'Changed') await inRounds(running, () => ({ actions: changed.actions, waitsFor: [] }), 1)
  await inRounds(running, (observed) => {
    const planned = planUp(request, observed)
    return E.isRight(planned) ? planned.right : { actions: [], waitsFor: [] }
  })
  assert.is(at(liveOf(await observedIn(running), 'Deployment', mirror), 'spec', 'paused'), undefined)
})

test('up knows where the container has volumes', async () => {
  const { edit, running } = await developed()
  const volumeMounts = [{ name: 'data', mountPath: '/app/data' }]
  const volumes = [{ name: 'data', emptyDir: {} }]
  await edit({ spec: { template: { spec: { containers: [{ name: 'app', image: 'a', volumeMounts }], volumes } } } })
  const planned = planUp(request, await observedIn(running))
  assert.ok(E.isRight(planned) && planned.right.mounts.includes('/app/data'))
})

test('a session ends with its original, its mirror or its container', async () => {
  const ends = async (change: (world: Awaited<ReturnType<typeof developed>>) => unknown) => {
    const world = await developed()
    await change(world)
    return world.followed()
  }
  assert.equal(await ends(({ cluster }) => cluster.take('Deployment', 'api', namespace)), {
    _tag: 'Ended',
    missing: 'Original',
  })
  assert.equal(await ends(({ cluster }) => cluster.take('Deployment', mirror, namespace)), {
    _tag: 'Ended',
    missing: 'Mirror',
  })
  const other = { spec: { template: { spec: { containers: [{ name: 'other', image: 'a' }] } } } }
  assert.equal(await ends(({ edit }) => edit(other)), { _tag: 'Ended', missing: 'Container' })
})

test.run()
