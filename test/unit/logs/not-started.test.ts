/** What `logs` says of containers that have no log, since they have not started. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readLogs } from '../../../src/app/logs/logs.ts'
import type { ReadLogs } from '../../../src/app/logs/request.ts'
import type { Json, JsonObject } from '../../../src/domain/cluster/json.ts'
import { memoryLogSink } from '../../memory/log-sink.ts'
import { memoryProgress } from '../../memory/progress.ts'
import { type LogCluster, logCluster, podOf, swiftClock } from '../../support/kube/log-cluster.ts'
import { until } from '../../support/process/until.ts'

const waits = (service: string, state: Json, more: JsonObject = {}): JsonObject => ({
  ...podOf(service, `${service}-1`),
  spec: { restartPolicy: 'Always', containers: [{ name: service, image: 'shop/web:9' }] },
  status: { phase: 'Pending', containerStatuses: [{ name: service, restartCount: 0, state, ...more }] },
})
const imageless = waits('web', {
  waiting: { reason: 'ImagePullBackOff', message: 'failed to resolve reference "shop/web:9": shop/web:9: not found' },
})
const programless = waits(
  'web',
  { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
  {
    lastState: {
      terminated: { reason: 'StartError', exitCode: 128, message: 'exec: "web": executable file not found' },
    },
  },
)
const message = '0/2 nodes are available: 2 Insufficient cpu.'
const placeless: JsonObject = {
  ...podOf('web', 'web-1'),
  status: {
    phase: 'Pending',
    conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }],
  },
}

const read = async ({ cluster }: LogCluster, more: Partial<ReadLogs> = {}, progress = memoryProgress()) => {
  const all = { includes: () => true, expression: '', excludes: () => false, sinceSeconds: 60 }
  const how = { isPrevious: false, isFollowing: false, signal: new AbortController().signal, sink: memoryLogSink() }
  const target = { cluster, namespace: 'demo' }
  const done = await readLogs({ clock: swiftClock, progress })({ target, ...all, ...how, ...more })
  return { findings: done.findings.map((found) => `${found.severity} ${found.code}: ${found.message}`), progress }
}

for (const [what, pod, expected] of [
  ['without an image', imageless, 'the image shop/web:9 is not in its registry'],
  ['without a program', programless, 'the container cannot be started: web is not a program in the image'],
  ['without a node', placeless, 'no suitable node: not enough free cpu'],
] as const) {
  test(`the log of a container ${what} is an error with the reason`, async () => {
    const world = logCluster()
    world.memory.put(pod)
    const [found = ''] = (await read(world)).findings
    assert.ok(found.startsWith(`error DT3403: web has not started: ${expected}`), found)
    world.memory.put(podOf('db', 'db-1'))
    const beside = (await read(world)).findings
    assert.equal(
      beside.map((text) => text.slice(0, 35)),
      ['warning DT3403: web has not started'],
    )
    assert.equal((await read(world, { includes: (name) => name === 'db' })).findings, [])
  })
}

test('an init container that runs or fails has a log, so nothing else is said', async () => {
  const world = logCluster()
  const initContainerStatuses = [{ name: 'prepare', restartCount: 0, state: { running: {} } }]
  const status = { phase: 'Pending', initContainerStatuses, containerStatuses: [] }
  world.memory.put({ ...podOf('web', 'web-1'), status })
  assert.equal((await read(world)).findings, [])
})

test('beside a sidecar that runs, the log of a container that cannot start is explained', async () => {
  const world = logCluster()
  const [sidecar, waiting] = [{ running: {} }, { waiting: { reason: 'ImagePullBackOff' } }]
  const status = {
    phase: 'Pending',
    conditions: ['PodScheduled', 'Initialized'].map((type) => ({ type, status: 'True' })),
    initContainerStatuses: [{ name: 'proxy', restartCount: 0, state: sidecar }],
    containerStatuses: [{ name: 'web', restartCount: 0, state: waiting }],
  }
  world.memory.put({ ...podOf('web', 'web-1'), status })
  assert.match((await read(world)).findings[0] ?? '', 'warning DT3403: web has not started')
})

test('with --previous, an instance that could not be started has no log and says why', async () => {
  const world = logCluster()
  const lastState = { terminated: { reason: 'StartError', exitCode: 128, message: 'context deadline exceeded' } }
  world.memory.put(waits('web', { running: {} }, { restartCount: 1, lastState }))
  const told = 'DT3403: the instance of web before this one could not be started: context deadline exceeded'
  assert.equal((await read(world, { isPrevious: true })).findings, [`error ${told}`])
  assert.equal((await read(world)).findings, [])
  const ended = { terminated: { reason: 'Error', exitCode: 1 } }
  world.memory.put(waits('db', { running: {} }, { restartCount: 1, lastState: ended }))
  world.next('db-1')
  assert.equal((await read(world, { isPrevious: true })).findings, [`warning ${told}`])
})

test('with --previous, a log that the node has removed is said to be gone', async () => {
  const world = logCluster()
  world.memory.put(waits('web', { running: {} }, { restartCount: 2, lastState: {} }))
  const told = 'error DT3403: web was restarted, but its node has not kept the earlier log'
  assert.equal((await read(world, { isPrevious: true })).findings, [told])
})

test('with --previous, a container that never started is said once', async () => {
  const world = logCluster()
  world.memory.put(programless)
  assert.is((await read(world, { isPrevious: true })).findings.length, 1)
})

test('following says what it waits for', async () => {
  const world = logCluster()
  const said = async () => {
    const [stop, progress] = [new AbortController(), memoryProgress()]
    void until('it is told', () => progress.events().length > 0).then(() => stop.abort())
    await read(world, { isFollowing: true, signal: stop.signal }, progress)
    return progress.events().map((event) => (event._tag === 'Said' ? event.text : ''))
  }
  assert.equal(await said(), ['no pods yet'])
  world.memory.put(imageless)
  assert.match((await said())[0] ?? '', /^web has not started: .* is not in its registry \(check .*`devtool why web`/)
})

test.run()
