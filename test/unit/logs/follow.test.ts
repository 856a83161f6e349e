import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { LogSink } from '../../../src/app/logs/batches.ts'
import { readLogs } from '../../../src/app/logs/logs.ts'
import type { ReadLogs } from '../../../src/app/logs/request.ts'
import { emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { memoryLogSink } from '../../memory/log-sink.ts'
import { memoryProgress } from '../../memory/progress.ts'
import { type LogCluster, logCluster, podOf, swiftClock } from '../../support/kube/log-cluster.ts'

const at = (second: number): string => `2026-11-21T10:00:${String(second).padStart(2, '0')}.000000001Z`

const wantedFrom = (world: LogCluster, signal: AbortSignal, sink: LogSink): ReadLogs => ({
  target: { cluster: world.cluster, namespace: 'demo' },
  environment: 'shop',
  includes: () => true,
  expression: '',
  excludes: () => false,
  sinceSeconds: 172_800,
  tail: 100,
  isPrevious: false,
  isFollowing: false,
  sink,
  signal,
})

const run = (world: LogCluster, more: Partial<ReadLogs> = {}, sink = memoryLogSink()) => {
  const stop = new AbortController()
  const progress = memoryProgress()
  const done = readLogs({ clock: swiftClock, progress })({ ...wantedFrom(world, stop.signal, sink), ...more })
  return { done, messages: sink.texts, announced: sink.announced, stop: () => stop.abort(), progress }
}

/** Until something holds, for as long as a test may take. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 5_000 && !holds(); turn += 1) await setImmediate()
  assert.ok(holds(), 'it never came to that')
}

test('without following, existing lines are printed sorted by time, then it ends', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.memory.put(podOf('db', 'db-0', 'over'))
  world.write('web-1', `${at(1)} one`, `${at(3)} three`)
  world.write('db-0', `${at(2)} two`, `${at(4)} four`)
  const { done, messages } = run(world)
  assert.equal((await done).findings, [])
  assert.equal(messages(), ['one', 'two', 'three', 'four'])
})

test('the first line comes within 2 requests', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} one`)
  let calls = -1
  const lines = (): Promise<boolean> => {
    if (calls === -1) calls = world.calls()
    return Promise.resolve(true)
  }
  await run(world, { sink: { ...memoryLogSink(), lines } }).done
  assert.is(calls, 2)
})

test('pods of other environments are left out, unless --all is given', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.memory.put({ ...podOf('job', 'job-1'), metadata: { name: 'job-1', namespace: 'demo', uid: 'j', labels: {} } })
  world.write('job-1', `${at(1)} foreign`)
  const one = run(world)
  await one.done
  assert.equal(one.messages(), [])
  const sink = memoryLogSink()
  const { environment: _, ...all } = wantedFrom(world, new AbortController().signal, sink)
  await readLogs({ clock: swiftClock, progress: memoryProgress() })(all)
  assert.equal(sink.texts(), ['foreign'])
})

test('pods of objects that commands created are found by the inventory, without our labels', async () => {
  const world = logCluster()
  const owner = { kind: 'ReplicaSet', name: 'cache-5d4f', controller: true, apiVersion: 'apps/v1', uid: 'r' }
  const metadata = {
    name: 'cache-5d4f-x',
    namespace: 'demo',
    uid: 'c',
    labels: { 'pod-template-hash': '5d4f' },
    ownerReferences: [owner],
  }
  world.memory.put({ ...podOf('cache', 'cache-5d4f-x'), metadata })
  world.write('cache-5d4f-x', `${at(1)} ready`)
  const entry = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', name: 'cache', uid: 'd' }
  const record = recordBody('demo', { ...emptyRecord('shop'), inventory: [entry] })
  if (record._tag === 'Right') world.memory.put(record.right)
  const { done, messages } = run(world)
  await done
  assert.equal(messages(), ['ready'])
})

test('an environment that was never deployed is an error', async () => {
  const { findings } = await run(logCluster()).done
  assert.equal(
    findings.map(({ code }) => code),
    ['DT3407'],
  )
})

test('an unknown service is an error that names the existing ones', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  const { findings } = await run(world, { includes: () => false }).done
  assert.equal(
    findings.map(({ code, help }) => [code, help]),
    [['DT3402', 'services with pods: web']],
  )
})

test('followed lines are printed once even if streams keep breaking', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.breakAfter(5)
  world.write('web-1', `${at(1)} 0`, `${at(1)} 1`)
  const { done, messages, stop } = run(world, { isFollowing: true })
  for (let line = 2; line < 30; line += 1) {
    world.write('web-1', `${at(Math.floor(line / 2))} ${line}`)
    await setImmediate()
  }
  await until(() => messages().length >= 30)
  stop()
  await done
  assert.equal(
    messages(),
    Array.from({ length: 30 }, (_, line) => String(line)),
  )
})

test('restarts are followed, and the last lines of the old instance are not lost', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} first`)
  const { done, messages, stop } = run(world, { isFollowing: true })
  await until(() => messages().length === 1)
  world.breakAfter(0)
  world.write('web-1', `${at(2)} last words`)
  await setImmediate()
  world.next('web-1')
  world.write('web-1', `${at(3)} again`)
  world.memory.put(podOf('web', 'web-1', 'running', 1))
  world.breakAfter(undefined)
  await until(() => messages().length === 3)
  stop()
  await done
  assert.equal(messages(), ['first', 'last words', 'again'])
})

test('the log of a container in back-off is not requested all the time', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} first`)
  const { done, messages, stop } = run(world, { isFollowing: true })
  await until(() => messages().length === 1)
  world.memory.put(podOf('web', 'web-1', 'waiting'))
  world.end('web-1')
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  const before = world.calls()
  for (let turn = 0; turn < 200; turn += 1) await setImmediate()
  assert.is(world.calls(), before)
  world.next('web-1')
  world.write('web-1', `${at(5)} second`)
  world.memory.put(podOf('web', 'web-1', 'running', 1))
  await until(() => messages().length === 2)
  stop()
  await done
  assert.equal(messages(), ['first', 'second'])
})

test('the log of a container is not requested until it runs', async () => {
  const world = logCluster()
  const asked: Array<string> = []
  const logs: typeof world.cluster.logs = (key, ...rest) => {
    asked.push(key.name)
    return world.cluster.logs(key, ...rest)
  }
  const created = { ...podOf('web', 'web-2'), status: { containerStatuses: [{ name: 'web', state: { waiting: {} } }] } }
  for (const pod of [podOf('web', 'web-1'), created]) world.memory.put(pod)
  world.write('web-1', `${at(1)} old`)
  const { done, messages, stop } = run({ ...world, cluster: { ...world.cluster, logs } }, { isFollowing: true })
  await until(() => messages().length === 1)
  assert.equal(asked, ['web-1'])
  world.write('web-2', `${at(2)} new`)
  world.memory.put(podOf('web', 'web-2'))
  await until(() => messages().length === 2)
  stop()
  await done
  assert.equal(messages(), ['old', 'new'])
})

test('new pods are followed from their first line, even when the watch has to restart', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} old`)
  const { done, messages, stop } = run(world, { isFollowing: true, tail: 1 })
  await until(() => messages().length === 1)
  world.memory.forget()
  world.memory.closeWatches()
  world.write('web-2', `${at(2)} new 1`, `${at(3)} new 2`)
  world.memory.put(podOf('web', 'web-2'))
  await until(() => messages().length === 3)
  stop()
  await done
  assert.equal(messages(), ['old', 'new 1', 'new 2'])
})

test('a pod that crashed before it was seen is read from its first container instance', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} old`)
  const { done, messages, stop } = run(world, { isFollowing: true })
  await until(() => messages().length === 1)
  world.write('web-2', `${at(2)} first crash`)
  world.next('web-2')
  world.write('web-2', `${at(3)} started again`)
  world.memory.put(podOf('web', 'web-2', 'running', 1))
  await until(() => messages().length === 3)
  stop()
  await done
  assert.equal(messages(), ['old', 'first crash', 'started again'])
})

test('all lines with the same timestamp are read, also those of an instance that ended before it was seen', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  const { done, messages, stop } = run(world, { isFollowing: true })
  await setImmediate()
  world.write('web-2', `${at(2)} first`, `${at(2)} second`)
  world.next('web-2')
  world.memory.put(podOf('web', 'web-2', 'running', 1))
  await until(() => messages().length === 2)
  stop()
  await done
  assert.equal(messages(), ['first', 'second'])
})

test('the log of a deleted pod ends, and a forbidden log ends the command', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} bye`)
  const { done, messages, stop } = run(world, { isFollowing: true })
  await until(() => messages().length === 1)
  world.end('web-1')
  world.memory.take('Pod', 'web-1', 'demo')
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  const before = world.calls()
  for (let turn = 0; turn < 100; turn += 1) await setImmediate()
  assert.is(world.calls(), before)
  stop()
  assert.equal((await done).findings, [])
})

test('a slow consumer slows down reading and misses no lines', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1', 'over'))
  const texts = Array.from({ length: 10_000 }, (_, index) => String(index))
  world.write('web-1', ...texts.map((text) => `${at(1)} ${text}`))
  world.end('web-1')
  let read = 0
  const { cluster } = world
  const counted: typeof cluster = {
    ...cluster,
    logs: async function* lines(...asked) {
      for await (const item of cluster.logs(...asked)) {
        read += 1
        yield item
      }
    },
  }
  const slow = memoryLogSink('Slow')
  const { done } = run({ ...world, cluster: counted }, { tail: texts.length }, slow)
  await until(() => read > 0)
  for (let turn = 0; turn < 500; turn += 1) await setImmediate()
  assert.ok(read <= 4_000, `${read} lines were read before one was taken`)
  slow.release()
  await done
  assert.equal(slow.texts(), texts)
})

test('the sources are known before their first line', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.memory.put(podOf('db', 'db-0'))
  world.write('web-1', `${at(1)} one`)
  const slow = memoryLogSink('Slow')
  const { announced, done, messages } = run(world, {}, slow)
  await until(() => announced().length > 0)
  assert.equal([announced(), messages()], [['web-1', 'db-0'], []])
  slow.release()
  await done
  assert.equal(messages(), ['one'])
})

test('logs end when the output is closed', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} one`)
  const { done } = run(world, { isFollowing: true }, memoryLogSink('Gone'))
  assert.equal((await done).findings, [])
})

test.run()
