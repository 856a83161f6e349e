/** Which runs reach the build service, as the controller grants it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { control } from '../../../src/app/platform/controller/controller.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { at, listAt, objectAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { builderNamespace } from '../../../src/domain/platform/manifests/builder.ts'
import { namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { builderBinding } from '../../../src/domain/platform/run/builder-binding.ts'
import { recordObject } from '../../../src/domain/platform/run/record.ts'
import { queuedRun, type RunRequest, runJob } from '../../../src/domain/platform/run/request.ts'
import { done } from '../../contract/cluster-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { controllerWorld } from '../../support/platform/controller-world.ts'
import { until } from '../../support/process/until.ts'

const programs = { image: 'image', domain: 'apps.example.com', registry: '' }

const requestOf = (namespace: string, more: Partial<RunRequest> = {}): RunRequest => ({
  id: '1'.repeat(16),
  action: 'deploy',
  environment: 'web',
  namespace,
  who: { user: 'u-1', email: 'ann@example.com' },
  now: systemClock.date(),
  nowMs: systemClock.wallMs(),
  timeoutSeconds: 300,
  ...more,
})

const put = (cluster: MemoryCluster, request: RunRequest): void => {
  cluster.put(recordObject(queuedRun(request), request.nowMs))
  cluster.put(runJob(programs, request))
}

const jobOf = ({ id, namespace }: RunRequest) => ({ resource: resources.Job, namespace, name: `devtool-run-${id}` })

const change = (cluster: MemoryCluster, request: RunRequest, body: JsonObject) =>
  done(cluster.merge(jobOf(request), body, { manager: 'test' }))

const bindingsIn = async (cluster: MemoryCluster): Promise<ReadonlyArray<string>> => {
  const { items } = await done(cluster.list({ resource: resources.RoleBinding, namespace: 'devtool-builder' }))
  return items.map(({ metadata: { name } }) => name).toSorted()
}

const isResumed = async (cluster: MemoryCluster, request: RunRequest): Promise<boolean> =>
  at(await done(cluster.get(jobOf(request))), 'spec', 'suspend') === false

const clusterWith = (...namespaces: ReadonlyArray<string>): MemoryCluster =>
  memoryCluster({ objects: [builderNamespace, ...namespaces.map((name) => namespaceObject(name, 'namespace', 'u-1'))] })

const controlled = async (cluster: MemoryCluster, hasBuilder: boolean, use: () => Promise<void>): Promise<void> => {
  const stopped = new AbortController()
  const ended = control({ ...controllerWorld(cluster, { hasBuilder }), clock: systemClock }, stopped.signal)
  try {
    await use()
  } finally {
    stopped.abort()
    await ended
  }
}

const comeTo = (cluster: MemoryCluster, ...names: ReadonlyArray<string>) =>
  until(`the bindings are ${names.join()}`, async () => (await bindingsIn(cluster)).join() === names.join())

test('the account of runs of a namespace is bound before its run begins, until no run of it is under way', async () => {
  const cluster = clusterWith('shop', 'idle')
  const [web, api] = [requestOf('shop'), requestOf('shop', { id: '2'.repeat(16), environment: 'api' })]
  let [isBound, isBoundFirst] = [false, false]
  cluster.onChange(({ object }) => {
    if (object.kind === 'RoleBinding') isBound = true
    if (object.kind === 'Job' && at(object, 'spec', 'suspend') === false) isBoundFirst ||= isBound
  })
  await controlled(cluster, true, async () => {
    put(cluster, web)
    await until('it is resumed', () => isResumed(cluster, web))
    assert.ok(isBoundFirst)
    await comeTo(cluster, 'devtool-runner-shop')
    const key = { resource: resources.RoleBinding, namespace: 'devtool-builder', name: 'devtool-runner-shop' }
    const binding = await done(cluster.get(key))
    assert.equal(objectAt(binding, 'roleRef'), {
      apiGroup: 'rbac.authorization.k8s.io',
      kind: 'Role',
      name: 'devtool-users',
    })
    assert.equal(listAt(binding, 'subjects'), [{ kind: 'ServiceAccount', name: 'devtool-runner', namespace: 'shop' }])
    put(cluster, api)
    await until('the other is resumed', () => isResumed(cluster, api))
    const over = { status: { conditions: [{ type: 'Complete', status: 'True' }] } }
    await change(cluster, web, over)
    await change(cluster, api, { metadata: { labels: { seen: 'true' } } })
    assert.equal(await bindingsIn(cluster), ['devtool-runner-shop'])
    await change(cluster, api, over)
    await comeTo(cluster)
  })
})

test('what a controller left behind when it died is removed, and what runs still need is kept or made', async () => {
  const cluster = clusterWith('shop', 'team')
  for (const namespace of ['shop', 'gone']) cluster.put(builderBinding(namespace))
  const users = { ...builderBinding('x'), metadata: { name: 'devtool-users', namespace: 'devtool-builder' } }
  cluster.put(users)
  for (const namespace of ['shop', 'team', 'foreign']) {
    put(cluster, requestOf(namespace))
    await change(cluster, requestOf(namespace), { spec: { suspend: false } })
  }
  await controlled(cluster, true, () => comeTo(cluster, 'devtool-runner-shop', 'devtool-runner-team', 'devtool-users'))
  const binding = await done(
    cluster.get({ resource: resources.RoleBinding, namespace: 'devtool-builder', name: 'devtool-runner-team' }),
  )
  assert.is(textAt(binding, 'subjects', 0, 'namespace'), 'team')
})

test('without a build service nothing is bound', async () => {
  const cluster = clusterWith('shop')
  await controlled(cluster, false, async () => {
    put(cluster, requestOf('shop'))
    await until('it is resumed', () => isResumed(cluster, requestOf('shop')))
  })
  assert.equal(await bindingsIn(cluster), [])
})

test('a run begins although its account cannot be bound', async () => {
  const cluster = clusterWith('shop')
  const create: MemoryCluster['create'] = (place, body, options) =>
    body['kind'] === 'RoleBinding'
      ? async () => ({ _tag: 'Left', left: { _tag: 'Aborted', asked: { verb: 'create', what: 'rolebindings' } } })
      : cluster.create(place, body, options)
  await controlled({ ...cluster, create }, true, async () => {
    put(cluster, requestOf('shop'))
    await until('it is resumed', () => isResumed(cluster, requestOf('shop')))
  })
})

test.run()
