/** Nothing of anybody else is taken over, whatever happens between looking and writing. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ApplyContext, applyObject } from '../../../src/app/actions/apply.ts'
import { labelOf } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { type Bound, partition } from '../../../src/domain/plan/action.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { planOfYaml } from '../../support/kube/live.ts'

const toMake = (): Bound<'Apply'> => {
  const { actions } = planOfYaml('services: {web: {image: nginx, ports: [80]}}')
  const action = partition(actions).Apply.find(({ object }) => object.kind === 'Service')
  if (action === undefined) throw new Error('no Service')
  return { ...action, precondition: { _tag: 'Absent' } }
}

const key = { resource: resources.Service, namespace: 'dev', name: 'web' }

const world = () => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'dev' } }] })
  const writing: ApplyContext = {
    cluster,
    clock: memoryClock(),
    namespace: 'dev',
    environment: 'shop',
    force: false,
    isDryRun: false,
    signal: new AbortController().signal,
  }
  return { cluster, writing }
}

test('an object that somebody else created meanwhile is left as it was', async () => {
  const { cluster, writing } = world()
  const foreign = { apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec: { type: 'ClusterIP' } }
  await cluster.create({ resource: resources.Service, namespace: 'dev' }, foreign, { manager: 'kubectl' })()
  const result = await applyObject(writing, toMake())()
  assert.equal(E.isLeft(result) ? result.left.map(({ code }) => code) : [], ['DT3103'])
  const left = await cluster.get(key)()
  const live = E.isRight(left) ? left.right : undefined
  assert.is(live === undefined ? 'gone' : labelOf(live, 'dev.devtool/environment'), undefined)
  assert.is(live === undefined ? 'gone' : labelOf(live, 'app.kubernetes.io/managed-by'), undefined)
})

test('an absent object is created exactly once', async () => {
  const { writing } = world()
  const result = await applyObject(writing, toMake())()
  assert.ok(E.isRight(result) && result.right.isNew)
})

test.run()
