/** How the controller ends runs that cannot do it themselves: with the whole log, if their pod still has it. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { control } from '../../../src/app/platform/controller/controller.ts'
import { tendRuns } from '../../../src/app/platform/controller/runs.ts'
import { keyOf } from '../../../src/app/platform/controller/world.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, labelOf } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { RUN_STATUS_LABEL } from '../../../src/domain/k8s/labels.ts'
import { showRunLine, unpackLog } from '../../../src/domain/platform/run/log.ts'
import { hasEnded, logIn, runIn, runLabels, runName } from '../../../src/domain/platform/run/record.ts'
import { done } from '../../contract/cluster-world.ts'
import { memoryClock, settle } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { controllerWorld } from '../../support/platform/controller-world.ts'
import { linesOf, RUN, recordOf, runOf } from '../../support/platform/runs.ts'

const [NAME, POD] = [runName(RUN), 'shop/the-pod']
const [BEGAN, LATER] = ['2026-11-21T09:00:00Z', '2026-11-21T09:02:01Z']
const started = runOf({ status: 'running', started: BEGAN })

const jobOf = (more: JsonObject = {}, created = BEGAN): JsonObject => ({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: NAME, namespace: 'shop', creationTimestamp: created, labels: { ...runLabels(started) } },
  spec: { suspend: false },
  status: { startTime: BEGAN, ...more },
})
const failed = { conditions: [{ type: 'Failed', status: 'True', message: 'backoff' }] }

const podOf = (state: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'the-pod', namespace: 'shop', labels: { ...runLabels(started) } },
  status: { phase: 'Failed', containerStatuses: [{ name: 'run', state }] },
})
const killed = { terminated: { exitCode: 137, reason: 'OOMKilled' } }

/** A run whose pod was killed: what its record has, and what the pod has printed. */
const broken = (recorded: ReadonlyArray<string>, printed: ReadonlyArray<string>): MemoryCluster => {
  const cluster = memoryCluster()
  cluster.put(recordOf(started, ...recorded))
  cluster.put(jobOf(failed))
  cluster.put(podOf(killed))
  cluster.say(POD, 'run', printed)
  return cluster
}

/** One look of the controller at everything. */
const look = async (cluster: MemoryCluster, now = LATER): Promise<ReadonlyArray<string>> => {
  const acts: Array<string> = []
  const byKey = (all: ReadonlyArray<ClusterObject>) => new Map(all.map((one) => [keyOf(one), one]))
  const listed = async (kind: 'Job' | 'ConfigMap') => (await done(cluster.list({ resource: resources[kind] }))).items
  const namespace = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }
  cluster.put(namespace)
  const { items } = await done(cluster.list({ resource: resources.Namespace }))
  const records = (await listed('ConfigMap')).filter(
    (live) => !hasEnded({ status: labelOf(live, RUN_STATUS_LABEL) ?? '' }),
  )
  const known = { jobs: byKey(await listed('Job')), records: byKey(records), namespaces: byKey(items) }
  const clock = memoryClock(now)
  const looked = tendRuns(controllerWorld(cluster, { clock, count: (act) => void acts.push(act) }), known, true)
  await settle(20)
  await clock.advance(3000)
  await looked
  return acts
}

const closed = async (cluster: MemoryCluster) => {
  const live = await done(cluster.get({ resource: resources.ConfigMap, namespace: 'shop', name: NAME }))
  if (live === undefined) throw new Error('there is no record')
  const lines = unpackLog(logIn(live) ?? new Uint8Array())
  return { status: runIn(live)?.status, numbers: lines.map(({ n }) => n), texts: lines.map(({ text }) => text) }
}

const shown = (...texts: ReadonlyArray<string>): ReadonlyArray<string> => linesOf(...texts).map(showRunLine)

test('the lines that a killed run had printed but not recorded are read from its pod, each once', async () => {
  const cluster = broken(['one', 'two'], shown('one', 'two', 'three', 'four'))
  assert.equal(await look(cluster), ['closed'])
  const { numbers, status, texts } = await closed(cluster)
  assert.equal([status, numbers, texts], ['failed', [1, 2, 3, 4], ['one', 'two', 'three', 'four']])
})

test('what is no line of the run, or comes again, is left out', async () => {
  const printed = [...shown('one'), 'Killed', '{"n":0,"at":"","text":"zero"}', ...shown('one', 'two')]
  const cluster = broken([], printed)
  await look(cluster)
  assert.equal((await closed(cluster)).texts, ['one', 'two'])
})

test('a run is closed with what its record has when the log of its pod cannot be read', async () => {
  const cluster = broken(['one'], shown('one', 'two'))
  cluster.fail({ verb: 'get the log of', what: '*', status: 500, message: 'no route to the node', times: 9 })
  assert.equal(await look(cluster), ['closed'])
  const { status, texts } = await closed(cluster)
  assert.equal([status, texts], ['failed', ['one']])
})

test('a log that does not come within seconds keeps no run open', async () => {
  const cluster = broken(['one'], [])
  const silent: MemoryCluster = {
    ...cluster,
    logs: (key, options, signal) => cluster.logs(key, { ...options, follow: true }, signal),
  }
  assert.equal(await look(silent), ['closed'])
  assert.equal((await closed(cluster)).texts, ['one'])
})

test('no log is read of a pod whose program has not started, or that is gone', async () => {
  for (const pod of [podOf({ waiting: { reason: 'PodInitializing' } }), undefined]) {
    const cluster = broken(['one'], shown('one', 'two'))
    if (pod === undefined) cluster.take('Pod', 'the-pod', 'shop')
    else cluster.put(pod)
    assert.equal(await look(cluster), ['closed'])
    assert.equal((await closed(cluster)).texts, ['one'])
    assert.not(cluster.asked().some(({ verb }) => verb === 'get the log of'))
  }
})

const jobs = async (cluster: MemoryCluster): Promise<number> =>
  (await done(cluster.list({ resource: resources.Job }))).items.length

test('a Job whose request stopped before the record was written is deleted after two minutes', async () => {
  const cluster = memoryCluster()
  cluster.put({ ...jobOf(), spec: { suspend: true } })
  assert.equal(await look(cluster, '2026-11-21T09:01:59Z'), [])
  assert.is(await jobs(cluster), 1)
  assert.equal(await look(cluster, LATER), ['collected'])
  assert.is(await jobs(cluster), 0)
})

test('a Job that is over, or has a record that was not seen yet, is not taken for an orphan', async () => {
  const over = memoryCluster()
  over.put(jobOf(failed))
  assert.equal(await look(over, LATER), [])
  const ended = memoryCluster()
  ended.put(jobOf())
  ended.put(recordOf({ ...started, status: 'succeeded', ended: '2026-11-21T09:02:00Z' }))
  assert.equal(await look(ended, LATER), [])
  assert.is(await jobs(ended), 1)
})

test('a Job whose record cannot be read is kept', async () => {
  const cluster = memoryCluster()
  cluster.put({ ...jobOf(), spec: { suspend: true } })
  cluster.fail({ verb: 'get', what: '*', status: 500, message: 'no', times: 9 })
  assert.equal(await look(cluster, LATER), [])
  assert.is(await jobs(cluster), 1)
})

test('the controller acts when the status of a record changes, and not at each line of a log', async () => {
  const [cluster, clock, stopped] = [memoryCluster(), memoryClock(LATER), new AbortController()]
  cluster.put({
    apiVersion: 'v1',
    kind: 'Namespace',
    metadata: { name: 'shop', labels: { 'dev.devtool/managed': 'true' } },
  })
  cluster.put(recordOf(started, 'one'))
  cluster.put({ ...podOf({ running: {} }), status: { phase: 'Running' } })
  const ended = control(controllerWorld(cluster, { clock }), stopped.signal)
  const pass = async (): Promise<number> => {
    await settle(20)
    await clock.advance(1000)
    await settle(20)
    return cluster.asked().filter(({ verb }) => verb === 'get').length
  }
  const first = await pass()
  assert.ok(first > 0, 'its Job is gone, so it is inspected')
  assert.is(await pass(), first)
  cluster.put(recordOf(started, 'one', 'two'))
  assert.is(await pass(), first)
  cluster.put(recordOf({ ...started, commit: 'abc' }, 'one', 'two'))
  assert.ok((await pass()) > first)
  stopped.abort()
  await clock.advance(600_000)
  await ended
})

test.run()
