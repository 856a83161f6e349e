/** Watches against an API server in memory, on a clock that the test turns. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Watching, watchEnvironment } from '../../../src/app/watch/watch.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { allOf } from '../../../src/domain/cluster/live.ts'
import type { KnownKind } from '../../../src/domain/cluster/resources.ts'
import { type MemoryClock, memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'

const labelled = (kind: string, name: string, service?: string, environment = 'shop'): JsonObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    namespace: 'dev',
    labels: {
      'dev.devtool/environment': environment,
      ...(service === undefined ? {} : { 'dev.devtool/service': service }),
    },
  },
})
const pod = (name: string, service: string): JsonObject => labelled('Pod', name, service)

type Scene = {
  readonly cluster: MemoryCluster
  readonly clock: MemoryClock
  readonly watching: Watching
  readonly stop: () => void
  readonly pods: (service: string) => ReadonlyArray<string>
  /** How often the environment was asked so. */
  readonly asked: (verb: string) => number
}

const kinds: ReadonlyArray<KnownKind> = ['Pod', 'PersistentVolumeClaim']

const scene = async (cluster: MemoryCluster): Promise<Scene> => {
  const clock = memoryClock()
  const stopped = new AbortController()
  const within = { environment: 'shop', kinds, namespace: 'dev' }
  const watching = watchEnvironment({ clock, cluster }, within, stopped.signal)
  void watching.begin()
  await clock.advance(0)
  return {
    cluster,
    clock,
    watching,
    stop: () => stopped.abort(),
    pods: (service) => allOf(watching.state.of(service), 'Pod').map(({ metadata: { name } }) => name),
    asked: (verb) => cluster.asked().filter((one) => one.verb === verb && one.what === 'pods').length,
  }
}

/** Tells whether it has ended. */
const ending = (promise: Promise<void>): (() => boolean) => {
  let isOver = false
  const follow = async (): Promise<void> => {
    await promise
    isOver = true
  }
  void follow()
  return () => isOver
}

test('listed and watched objects are seen once, of this environment only', async () => {
  const other = labelled('Pod', 'theirs', 'web', 'other')
  const { cluster, clock, pods, stop, watching } = await scene(memoryCluster({ objects: [pod('a', 'web'), other] }))
  await watching.begin()
  assert.equal(pods('web'), ['a'])
  cluster.put(pod('a', 'web'))
  cluster.put(pod('b', 'web'))
  cluster.take('Pod', 'a', 'dev')
  await clock.advance(0)
  assert.equal(pods('web'), ['b'])
  stop()
})

test('a watch that ends resumes without a list', async () => {
  const { asked, cluster, clock, pods, stop } = await scene(memoryCluster())
  cluster.put(pod('a', 'web'))
  await clock.advance(0)
  cluster.closeWatches()
  cluster.put(pod('b', 'web'))
  await clock.advance(1000)
  assert.equal(pods('web'), ['a', 'b'])
  assert.is(asked('list'), 1)
  assert.is(asked('watch'), 2)
  stop()
})

test('a watch that ends without an event is followed by a list at once, however often', async () => {
  const { asked, cluster, clock, pods, stop } = await scene(memoryCluster())
  const lists = []
  for (let ended = 0; ended < 6; ended += 1) {
    await clock.advance(35_000)
    cluster.closeWatches()
    await clock.advance(250)
    lists.push(asked('list'))
  }
  assert.equal(lists, [2, 3, 4, 5, 6, 7])
  cluster.put(pod('a', 'web'))
  await clock.advance(0)
  assert.equal(pods('web'), ['a'])
  stop()
})

test('an object whose event was lost is listed after a watch that had nothing but bookmarks', async () => {
  const memory = memoryCluster()
  let isLost = true
  const watch: MemoryCluster['watch'] = async function* (...asked) {
    for await (const event of memory.watch(...asked)) {
      yield isLost ? { _tag: 'Version', version: '1000' } : event
    }
  }
  const { clock, pods, stop } = await scene({ ...memory, watch })
  memory.put(pod('a', 'web'))
  await clock.advance(35_000)
  assert.equal(pods('web'), [])
  memory.closeWatches()
  await clock.advance(250)
  assert.equal(pods('web'), ['a'])
  isLost = false
  memory.put(pod('b', 'web'))
  await clock.advance(0)
  assert.equal(pods('web'), ['a', 'b'])
  stop()
})

test('watches that end at once without an event lead to lists with growing pauses', async () => {
  const { asked, cluster, clock, stop } = await scene(memoryCluster())
  for (let ended = 0; ended < 40; ended += 1) {
    cluster.closeWatches()
    await clock.advance(250)
  }
  assert.ok(asked('list') > 2 && asked('list') < 8, String(asked('list')))
  stop()
})

test('an expired version leads to a new list, which removes what was deleted meanwhile', async () => {
  const { asked, cluster, clock, pods, stop } = await scene(memoryCluster({ objects: [pod('a', 'web')] }))
  cluster.breakWatches((about) => ({ _tag: 'Gone', asked: about }))
  cluster.take('Pod', 'a', 'dev')
  cluster.put(pod('b', 'web'))
  cluster.forget()
  await clock.advance(1000)
  assert.is(asked('list'), 2)
  assert.equal(pods('web'), ['b'])
  stop()
})

test('a forbidden kind does not hold up the others and is reported', async () => {
  const cluster = memoryCluster({
    objects: [labelled('PersistentVolumeClaim', 'data')],
    failures: [{ verb: 'list', what: 'pods', status: 403, reason: 'Forbidden', message: 'no' }],
  })
  const { asked, clock, stop, watching } = await scene(cluster)
  await watching.begin()
  assert.is(watching.troubles().length, 1)
  assert.is(allOf(watching.state.of('web'), 'PersistentVolumeClaim').length, 1)
  await clock.advance(60_000)
  assert.is(asked('list'), 1)
  stop()
})

test('a failing list is retried with growing pauses', async () => {
  const failures = [{ verb: 'list', what: 'pods', status: 0, times: 3 }]
  const { asked, clock, pods, stop, watching } = await scene(memoryCluster({ failures, objects: [pod('a', 'web')] }))
  const isReady = ending(watching.begin())
  await clock.advance(249)
  assert.is(asked('list'), 1)
  await clock.advance(501)
  assert.is(asked('list'), 3)
  assert.not(isReady())
  assert.is(watching.troubles().length, 1)
  await clock.advance(1000)
  assert.ok(isReady())
  assert.equal([watching.troubles(), pods('web')], [[], ['a']])
  stop()
})

const dbPod = { name: 'b', uid: 'b', resourceVersion: '5', labels: { 'dev.devtool/service': 'db' } }

test('a change wakes waiters of its service, and a shared object none', async () => {
  const { cluster, clock, stop, watching } = await scene(memoryCluster())
  const [web, again, db] = ['web', 'web', 'db'].map((service) => ending(watching.changed(service, 5000)))
  cluster.put(labelled('PersistentVolumeClaim', 'data'))
  await clock.advance(0)
  assert.equal([web?.(), again?.(), db?.()], [false, false, false])
  cluster.put(pod('a', 'web'))
  await clock.advance(0)
  assert.equal([web?.(), again?.(), db?.()], [true, true, false])
  watching.state.see({ apiVersion: 'v1', kind: 'Pod', metadata: dbPod })
  await clock.advance(0)
  assert.ok(db?.(), 'the answer to a write is a change, too')
  stop()
})

test('waiting ends after its timeout and with the signal, and leaves no timer', async () => {
  const { cluster, clock, stop, watching } = await scene(memoryCluster())
  const before = clock.sleeping()
  const short = ending(watching.changed('web', 1000))
  const long = ending(watching.changed('web', 5000))
  await clock.advance(1000)
  assert.equal([short(), long()], [true, false])
  cluster.put(pod('a', 'web'))
  await clock.advance(0)
  assert.ok(long())
  assert.is(clock.sleeping(), before)
  const last = ending(watching.changed('db', 5000))
  stop()
  await clock.advance(0)
  assert.ok(last())
  assert.is(clock.sleeping(), 0)
  await watching.changed('db', 5000)
})

test.run()
