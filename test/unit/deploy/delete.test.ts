/** Deletions: of the object that was seen, until it is gone. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { awaitGone, deleteAndWait, deleteObject } from '../../../src/app/actions/delete.ts'
import type { Json } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Bound } from '../../../src/domain/plan/action.ts'
import { bindDeletion } from '../../../src/domain/plan/bind.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'

const reason = { propagation: 'Background', because: 'it is obsolete' } as const

const put = (cluster: MemoryCluster, name: string, metadata: Readonly<Record<string, Json>> = {}): Bound<'Delete'> => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'dev', ...metadata } }
  return bindDeletion({ resource: resources.ConfigMap, name }, cluster.put(object), reason)
}

const world = () => {
  const stop = new AbortController()
  const cluster = memoryCluster()
  const clock = memoryClock()
  return { cluster, clock, stop, deleting: { cluster, clock, namespace: 'dev', signal: stop.signal } }
}

test('an object without finalizers is deleted at once, and one that is already gone counts as deleted', async () => {
  const { cluster, deleting } = world()
  const deletion = put(cluster, 'a')
  assert.equal(await deleteObject(deleting, deletion)(), E.right('Gone'))
  assert.equal(await deleteObject(deleting, deletion)(), E.right('Gone'))
})

test('another object with the same name is left alone', async () => {
  const { cluster, deleting } = world()
  const deletion = put(cluster, 'a')
  cluster.take('ConfigMap', 'a', 'dev')
  put(cluster, 'a')
  assert.equal(await deleteObject(deleting, deletion)(), E.right('Replaced'))
  const waited = await deleteAndWait(deleting, deletion, () => {})()
  assert.is(E.isLeft(waited) ? waited.left.code : '', 'DT3103')
  const read = await cluster.get({ resource: resources.ConfigMap, namespace: 'dev', name: 'a' })()
  assert.ok(E.isRight(read) && read.right !== undefined)
})

test('an object with finalizers is waited for, and the finalizers are named', async () => {
  const { clock, cluster, deleting } = world()
  const deletion = put(cluster, 'held', { finalizers: ['example.com/keep'] })
  const told: Array<string> = []
  const waiting = deleteAndWait(deleting, deletion, (text) => told.push(text))()
  await clock.advance(3000)
  assert.is(told[0], 'waiting for the finalizer example.com/keep')
  const key = { resource: resources.ConfigMap, namespace: 'dev', name: 'held' }
  await cluster.merge(key, { metadata: { finalizers: null } }, { manager: 'test' })()
  await clock.advance(3000)
  assert.equal(await waiting, E.right(true))
})

test('many objects of one kind are checked with one list request, and those that remain are named', async () => {
  const { clock, cluster, deleting, stop } = world()
  const names = ['a', 'b', 'c', 'd', 'e']
  const deletions = names.map((name) => put(cluster, name, name === 'c' ? { finalizers: ['example.com/keep'] } : {}))
  for (const deletion of deletions) await deleteObject(deleting, deletion)()
  const before = cluster.asked().length
  const waiting = awaitGone(deleting, deletions, () => {})()
  await clock.advance(10)
  assert.equal(
    cluster
      .asked()
      .slice(before)
      .map(({ verb }) => verb),
    ['list'],
  )
  stop.abort()
  await clock.advance(3000)
  const left = await waiting
  assert.equal(
    E.isRight(left) ? left.right.map(({ deletion, finalizers }) => [deletion.target.name, ...finalizers]) : left,
    [['c', 'example.com/keep']],
  )
})

test('an object that may not be read counts as deleted, any other error ends the wait', async () => {
  const refusal = async (status: number) => {
    const { clock, cluster, deleting } = world()
    const deletion = put(cluster, 'held', { finalizers: ['example.com/keep'] })
    cluster.fail({ verb: 'get', what: '*', status })
    const waiting = awaitGone(deleting, [deletion], () => {})()
    await clock.advance(10)
    const waited = await waiting
    return E.isRight(waited) ? waited.right : waited.left._tag
  }
  assert.equal(await refusal(403), [])
  assert.is(await refusal(401), 'Refused')
})

test.run()
