/** What the cluster in memory does beyond the contract: what tests bring about in it. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { withControllers } from '../support/kube/controllers.ts'

const namespace = 'default'
const key = (kind: 'ConfigMap' | 'Deployment' | 'Job' | 'Pod', name: string) => ({
  resource: resources[kind],
  namespace,
  name,
})

const deployment = (replicas: number, image = 'a:1'): JsonObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace },
  spec: {
    replicas,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image }] } },
  },
})

const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('failures happen as scripted', async () => {
  const cluster = memoryCluster({ failures: [{ verb: 'get', what: 'ConfigMap/a', status: 503, times: 1 }] })
  const first = await cluster.get(key('ConfigMap', 'a'))()
  assert.ok(E.isLeft(first) && first.left._tag === 'Refused' && first.left.status === 503)
  assert.equal(await cluster.get(key('ConfigMap', 'a'))(), E.right(undefined))
  cluster.fail({ verb: '*', what: '*', status: 0, mayHaveHappened: true })
  const none = await cluster.merge(key('ConfigMap', 'a'), {}, { manager: 'm' })()
  assert.ok(E.isLeft(none) && none.left._tag === 'Unreachable' && none.left.mayHaveHappened)
})

test('controllers create pods of a Deployment and complete a Job', async () => {
  const cluster = memoryCluster()
  withControllers(cluster)
  const pods = async (): Promise<ReadonlyArray<unknown>> => {
    const listed = await cluster.list({ resource: resources.Pod, namespace })()
    return E.isRight(listed) ? listed.right.items.map((pod) => pod['spec']) : []
  }
  await cluster.apply(key('Deployment', 'web'), JSON.stringify(deployment(2)), { manager: 'm' })()
  await settle()
  assert.is((await pods()).length, 2)
  await cluster.apply(key('Deployment', 'web'), JSON.stringify(deployment(1, 'a:2')), { manager: 'm' })()
  await settle()
  assert.equal(await pods(), [{ containers: [{ name: 'web', image: 'a:2' }] }])
  const job = { apiVersion: 'batch/v1', kind: 'Job', metadata: { name: 'j' }, spec: { template: { spec: {} } } }
  await cluster.apply(key('Job', 'j'), JSON.stringify(job), { manager: 'm' })()
  await settle()
  const live = await cluster.get(key('Job', 'j'))()
  assert.match(JSON.stringify(live), '"type":"Complete","status":"True"')
  await cluster.remove(key('Deployment', 'web'), { propagation: 'Foreground' })()
  await cluster.remove(key('Job', 'j'), { propagation: 'Background' })()
  assert.equal(await pods(), [])
  assert.equal(await cluster.get(key('Deployment', 'web'))(), E.right(undefined))
})

test('a dependent with a finalizer blocks foreground deletion of its owner', async () => {
  const cluster = memoryCluster()
  const owner = cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'owner' } })
  const ownerReferences = [{ uid: owner.metadata.uid, kind: 'ConfigMap', name: 'owner', apiVersion: 'v1' }]
  const metadata = { name: 'owned', ownerReferences, finalizers: ['x/y'] }
  cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata })
  assert.equal(await cluster.remove(key('ConfigMap', 'owner'), { propagation: 'Foreground' })(), E.right('Going'))
  const held = await cluster.get(key('ConfigMap', 'owner'))()
  assert.ok(E.isRight(held) && held.right?.metadata.deletionTimestamp)
  await cluster.merge(key('ConfigMap', 'owned'), { metadata: { finalizers: null } }, { manager: 'm' })()
  assert.equal(await cluster.get(key('ConfigMap', 'owner'))(), E.right(undefined))
})

test('watches end, break and expire as scripted', async () => {
  const cluster = memoryCluster()
  const select = { resource: resources.ConfigMap, namespace }
  const { signal } = new AbortController()
  const tagsOf = async (version?: string): Promise<ReadonlyArray<string>> => {
    const tags: Array<string> = []
    const from = version === undefined ? {} : { version }
    for await (const event of cluster.watch({ ...select, ...from }, signal)) {
      tags.push(event._tag === 'Failed' ? event.failure._tag : event._tag)
    }
    return tags
  }
  const ended = tagsOf()
  cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' } })
  cluster.bookmark()
  cluster.closeWatches()
  assert.equal(await ended, ['Version', 'Seen', 'Version'])
  const broken = tagsOf()
  cluster.breakWatches((asked) => ({ _tag: 'Gone', asked }))
  assert.equal(await broken, ['Seen', 'Version', 'Gone'])
  cluster.forget()
  assert.equal(await tagsOf('1000'), ['Gone'])
})

test('logs are followed until the pod ends', async () => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'p', namespace } }] })
  cluster.say('default/p', 'main', ['one', 'two'])
  const { signal } = new AbortController()
  const read = async (follow: boolean, tail?: number): Promise<ReadonlyArray<string>> => {
    const lines: Array<string> = []
    const some = tail === undefined ? {} : { tail }
    for await (const item of cluster.logs(key('Pod', 'p'), { container: 'main', follow, ...some }, signal)) {
      lines.push(item._tag === 'Line' ? item.text : item.failure._tag)
    }
    return lines
  }
  assert.equal(await read(false, 1), ['two'])
  const following = read(true)
  cluster.say('default/p', 'main', ['three'])
  cluster.say('default/p', 'other', ['no'])
  cluster.endLogs('default/p')
  assert.equal(await following, ['one', 'two', 'three'])
})

test('contexts are known, chosen, or missing', async () => {
  const clusters = memoryClusters(
    new Map([
      ['test', memoryCluster()],
      ['other', memoryCluster({ server: 'https://other' })],
    ]),
  )
  await clusters.select({ context: 'other', namespace: 'shop' })()
  const read = await clusters.kubeconfig()()
  assert.equal(E.isRight(read) ? [read.right.current, read.right.contexts[1]] : [], [
    'other',
    { name: 'other', server: 'https://other', namespace: 'shop' },
  ])
  const none = await memoryClusters(new Map()).connect({ context: 'test' })()
  const unknown = await clusters.connect({ context: 'tset' })()
  assert.equal([E.isLeft(none) && none.left.code, E.isLeft(unknown) && unknown.left.code], ['DT3008', 'DT3009'])
})

test.run()
