import { setImmediate } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { printLogs } from '../../../src/app/logs/print.ts'
import type { PrintLogs } from '../../../src/app/logs/request.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { memoryProgress } from '../../memory/progress.ts'
import { type LogCluster, logCluster, swiftClock } from '../../support/kube/log-cluster.ts'

type State = 'running' | 'waiting' | 'over'

const podOf = (service: string, name: string, state: State = 'running', restarts = 0): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name,
    namespace: 'demo',
    uid: `uid-${name}`,
    labels: { 'dev.devtool/environment': 'shop', 'dev.devtool/service': service },
  },
  spec: { restartPolicy: state === 'over' ? 'Never' : 'Always', containers: [{ name: service }] },
  status: {
    phase: 'Running',
    containerStatuses: [
      {
        name: service,
        restartCount: restarts,
        state:
          state === 'running' ? { running: {} } : state === 'over' ? { terminated: { exitCode: 0 } } : { waiting: {} },
        ...(restarts > 0 || state === 'waiting' ? { lastState: { terminated: { exitCode: 1 } } } : {}),
      },
    ],
  },
})

const at = (second: number): string => `2026-11-21T10:00:${String(second).padStart(2, '0')}.000000001Z`

const wantedFrom = (world: LogCluster, signal: AbortSignal, out: PrintLogs['out']): PrintLogs => ({
  session: { cluster: world.cluster, namespace: 'demo' },
  environment: 'shop',
  includes: () => true,
  expression: '',
  excludes: () => false,
  sinceSeconds: 172_800,
  tail: 100,
  isFollowing: false,
  look: { form: 'text', isRaw: false, isColored: false, hasTimes: false },
  out,
  signal,
})

const collecting = () => {
  const texts: Array<string> = []
  const out = (text: string): Promise<boolean> => {
    texts.push(text)
    return Promise.resolve(true)
  }
  return {
    out,
    messages: () =>
      texts
        .join('')
        .split('\n')
        .slice(0, -1)
        .map((line) => line.split(' | ')[1] ?? ''),
  }
}

const run = (world: LogCluster, more: Partial<PrintLogs> = {}) => {
  const stop = new AbortController()
  const { messages, out } = collecting()
  const progress = memoryProgress()
  const done = printLogs({ clock: swiftClock, progress })({ ...wantedFrom(world, stop.signal, out), ...more })
  return { done, messages, stop: () => stop.abort(), progress }
}

/** Until something holds, for as long as a test may take. */
const until = async (holds: () => boolean): Promise<void> => {
  for (let turn = 0; turn < 5_000 && !holds(); turn += 1) await setImmediate()
  assert.ok(holds(), 'it never came to that')
}

test('without following, what is there is printed in the order of time, then it ends', async () => {
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
  const out = (): Promise<boolean> => {
    if (calls === -1) calls = world.calls()
    return Promise.resolve(true)
  }
  await run(world, { out }).done
  assert.is(calls, 2)
})

test('pods of other environments are left out, but not with --all', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.memory.put({ ...podOf('job', 'job-1'), metadata: { name: 'job-1', namespace: 'demo', uid: 'j', labels: {} } })
  world.write('job-1', `${at(1)} foreign`)
  const one = run(world)
  await one.done
  assert.equal(one.messages(), [])
  const { environment: _, ...all } = wantedFrom(world, new AbortController().signal, () => Promise.resolve(true))
  const { messages, out } = collecting()
  await printLogs({ clock: swiftClock, progress: memoryProgress() })({ ...all, out })
  assert.equal(messages(), ['foreign'])
})

test('what a command of the manifest made is found by the inventory, its pods carry no label of ours', async () => {
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

test('an environment that nobody deployed is an error', async () => {
  const { findings } = await run(logCluster()).done
  assert.equal(
    findings.map(({ code }) => code),
    ['DT3407'],
  )
})

test('a service that nobody has is an error that names those that are there', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  const { findings } = await run(world, { includes: () => false }).done
  assert.equal(
    findings.map(({ code, help }) => [code, help]),
    [['DT3402', 'services with pods: web']],
  )
})

test('followed lines come once, though streams break all the time', async () => {
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

test('restarts are followed, and what the old instance said last is not lost', async () => {
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

test('a container that waits to be started again is not asked all the time', async () => {
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

test('a container that has not started yet is not asked for its log until it runs', async () => {
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

test('new pods are picked up from their first line, also when the watch has to begin anew', async () => {
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

test('a pod that has crashed before it was seen is read from its first instance', async () => {
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

test('a pod that is gone ends its log, and a log that may not be read ends the command', async () => {
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

test('when nobody reads any more, it ends', async () => {
  const world = logCluster()
  world.memory.put(podOf('web', 'web-1'))
  world.write('web-1', `${at(1)} one`)
  const { done } = run(world, { isFollowing: true, out: () => Promise.resolve(false) })
  assert.equal((await done).findings, [])
})

test.run()
