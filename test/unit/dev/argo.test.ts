/** Applications of Argo CD, which are shared: with other workloads, and with other people. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { at, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { liveOf, type Observed } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { planUp, type UpPlan } from '../../../src/domain/dev/activate.ts'
import { applicationOf } from '../../../src/domain/dev/argo.ts'
import { mirrorName } from '../../../src/domain/dev/names.ts'
import { recordOf } from '../../../src/domain/dev/record.ts'
import type { UpRequest } from '../../../src/domain/dev/request.ts'
import { planDown } from '../../../src/domain/dev/restore.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { devOf, requestOf } from '../../support/dev/request.ts'
import { inRounds, observedIn } from '../../support/dev/rounds.ts'
import { workload } from '../../support/dev/workloads.ts'

const namespace = 'demo'
const skip = 'argocd.argoproj.io/skip-reconcile'

/** `web` is tracked as belonging to the application of this name. */
const world = async (
  application: JsonObject = { annotations: { note: 'kept' } },
  automated: JsonObject = { selfHeal: true },
  ofWeb = 'shop',
) => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] })
  for (const [name, owner] of [
    ['api', 'shop'],
    ['web', ofWeb],
  ] as const) {
    const annotations = { 'argocd.argoproj.io/tracking-id': `${owner}:apps/Deployment:${namespace}/${name}` }
    const object = JSON.stringify(workload('Deployment', { name, annotations }))
    await cluster.apply({ resource: resources.Deployment, name, namespace }, object, { manager: 'argocd-controller' })()
  }
  for (const of of ['argocd', 'team']) {
    cluster.put({
      apiVersion: 'argoproj.io/v1alpha1',
      kind: 'Application',
      metadata: { name: 'shop', namespace: of, ...application },
      spec: { syncPolicy: { automated } },
    })
  }
  const running = { cluster, namespace, clock: systemClock }
  const planned = (name: string, consents: UpRequest['consents'], observed: Observed): UpPlan => {
    const dev = devOf({ 'devtool.yml': `dev:\n  ${name}:\n    image: node:22\n` })
    const plan = planUp(requestOf(dev, { consents }), observed)
    if (E.isLeft(plan)) throw new Error(plan.left[0].message)
    return plan.right
  }
  const up = (name: string) => inRounds(running, (observed) => planned(name, new Set(['Application']), observed))
  const down = (name: string) =>
    inRounds(running, (observed) => {
      const found = liveOf(observed, 'ConfigMap', mirrorName('Deployment', name))
      const record = found === undefined ? undefined : recordOf(found)
      return record?._tag === 'Right'
        ? planDown({ record: record.right, withVolumes: false }, observed)
        : { actions: [], waitsFor: [] }
    })
  const annotations = async (of = 'argocd') => {
    const found = await cluster.get({ resource: resources.Application, name: 'shop', namespace: of })()
    return E.isRight(found) ? at(found.right, 'metadata', 'annotations') : undefined
  }
  const first = async () => planned('api', new Set(), await observedIn(running))
  return { annotations, cluster, down, first, running, up }
}

test('an application is found by the tracking annotation of its objects, but not of a copy of one', () => {
  const tracked = (id: string) =>
    applicationOf({
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'api', uid: 'u1', resourceVersion: '1', annotations: { 'argocd.argoproj.io/tracking-id': id } },
    })
  assert.equal(tracked('shop:apps/Deployment:demo/api'), { namespace: 'argocd', name: 'shop' })
  assert.equal(tracked('team_shop:apps/Deployment:demo/api'), { namespace: 'team', name: 'shop' })
  assert.is(tracked('shop:apps/Deployment:demo/web'), undefined)
  assert.is(tracked('shop:apps/StatefulSet:demo/api'), undefined)
  for (const text of ['', '_shop', 'team_', '../shop', '$(id)', '-n'])
    assert.is(tracked(`${text}:apps/Deployment:demo/api`), undefined, text)
})

test('an application with self-healing is paused after confirmation, and nothing is written before', async () => {
  const { first } = await world()
  const { actions, asks } = await first()
  assert.equal(actions, [])
  assert.equal(
    asks.map(({ consent }) => consent),
    ['Application'],
  )
  assert.match(asks[0]?.text ?? '', 'argocd/shop')
})

test('an application without self-healing, or that somebody has paused, is left alone', async () => {
  const idle = await (await world(undefined, { prune: true })).first()
  assert.equal([idle.asks, idle.notices.map(({ code }) => code)], [[], ['DT5013']])
  const paused = await world({ annotations: { [skip]: 'true' } })
  assert.equal((await paused.first()).asks, [])
  await paused.up('api')
  await paused.down('api')
  assert.equal(await paused.annotations(), { [skip]: 'true' })
})

test('restoring the last of its workloads resumes an application', async () => {
  for (const order of [
    ['api', 'web'],
    ['web', 'api'],
  ]) {
    const { annotations, down, up } = await world()
    await up('api')
    await up('web')
    const [one = '', other = ''] = order
    await down(one)
    assert.is(at(await annotations(), skip), 'true')
    await down(other)
    assert.equal(await annotations(), { note: 'kept' })
  }
})

test('two sessions that begin and end at the same time leave an application as it was', async () => {
  const { annotations, down, up } = await world()
  await Promise.all([up('api'), up('web')])
  assert.is(at(await annotations(), skip), 'true')
  await Promise.all([down('api'), down('web')])
  assert.equal(await annotations(), { note: 'kept' })
})

test('applications with one name are told apart by their namespaces', async () => {
  const { annotations, down, up } = await world(undefined, undefined, 'team_shop')
  await up('api')
  assert.is(at(await annotations(), skip), 'true')
  assert.equal(await annotations('team'), { note: 'kept' })
  await up('web')
  assert.is(at(await annotations('team'), skip), 'true')
  await down('api')
  assert.equal(await annotations(), { note: 'kept' })
  assert.is(at(await annotations('team'), skip), 'true')
  await down('web')
  assert.equal(await annotations('team'), { note: 'kept' })
})

test('a workload that moved to another application of the same name pauses both, and resumes both', async () => {
  const { annotations, cluster, down, up } = await world()
  await up('api')
  const given = { 'argocd.argoproj.io/tracking-id': `team_shop:apps/Deployment:${namespace}/api` }
  const target = { resource: resources.Deployment, name: 'api', namespace }
  await cluster.merge(target, { metadata: { annotations: given } }, { manager: 'argocd-controller' })()
  await up('api')
  assert.equal([at(await annotations(), skip), at(await annotations('team'), skip)], ['true', 'true'])
  await down('api')
  assert.equal([await annotations(), await annotations('team')], [{ note: 'kept' }, { note: 'kept' }])
})

test('applications of a large namespace are not all requested at once', async () => {
  const { cluster, running } = await world()
  for (let number = 0; number < 40; number += 1) {
    const name = `one-${number}`
    const annotations = { 'argocd.argoproj.io/tracking-id': `${name}:apps/Deployment:${namespace}/${name}` }
    cluster.put({ ...workload('Deployment', { name, annotations }), metadata: { name, namespace, annotations } })
  }
  let [now, most, asked] = [0, 0, 0]
  const get: typeof cluster.get = (key, signal) => async () => {
    now += 1
    asked += 1
    most = Math.max(most, now)
    await Promise.resolve()
    const found = await cluster.get(key, signal)()
    now -= 1
    return found
  }
  await observedIn({ ...running, cluster: { ...cluster, get } })
  assert.is(asked, 41)
  assert.ok(most <= 4, `${most} at once`)
})

test('down resumes an application even if the workload is gone', async () => {
  const { annotations, cluster, down, running, up } = await world()
  await up('api')
  const original = liveOf(await observedIn(running), 'Deployment', 'api')
  await cluster.remove(
    { resource: resources.Deployment, name: 'api', namespace },
    { uid: original?.metadata.uid ?? '', propagation: 'Background' },
  )()
  await down('api')
  assert.equal(await annotations(), { note: 'kept' })
})

test.run()
