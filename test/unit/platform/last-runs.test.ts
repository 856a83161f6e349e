/** How the last run of a preview goes, as the controller notes it on the preview. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { control } from '../../../src/app/platform/controller/controller.ts'
import { noteLastRuns } from '../../../src/app/platform/controller/last-runs.ts'
import { keyOf } from '../../../src/app/platform/controller/world.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { managedIn } from '../../../src/domain/platform/access.ts'
import {
  cancellation,
  hasEnded,
  type RunRecord,
  recordObject,
  runIn,
  runName,
} from '../../../src/domain/platform/run/record.ts'
import { done } from '../../contract/cluster-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { controllerWorld } from '../../support/platform/controller-world.ts'
import { previewObject, runOf } from '../../support/platform/runs.ts'
import { until } from '../../support/process/until.ts'

const preview = async (cluster: MemoryCluster): Promise<ClusterObject> => {
  const live = await done(cluster.get({ resource: resources.Namespace, name: 'look' }))
  assert.ok(live !== undefined)
  return live
}

/** What is noted after one look of the controller. */
const noted = async (cluster: MemoryCluster) => {
  const live = await preview(cluster)
  const { items } = await done(cluster.list({ resource: resources.ConfigMap, namespace: 'look' }))
  const active = items.filter((one) => !hasEnded(runIn(one) ?? { status: 'failed' }))
  const byKey = (all: ReadonlyArray<ClusterObject>) => new Map(all.map((one) => [keyOf(one), one]))
  await noteLastRuns(controllerWorld(cluster), { namespaces: byKey([live]), records: byKey(active) })
  return managedIn(await preview(cluster))?.run
}

const [first, second] = ['1'.repeat(16), '2'.repeat(16)]

test('a preview says how its last run goes, and how it has ended', async () => {
  const cluster = memoryCluster()
  cluster.put(previewObject('look', 'owner', {}))
  const put = (id: string, status: RunRecord['status'], queuedMs: number) =>
    cluster.put(recordObject(runOf({ id, status, namespace: 'look' }), queuedMs))
  assert.is(await noted(cluster), undefined)
  put(first, 'running', 1)
  assert.equal(await noted(cluster), { id: first, status: 'running' })
  put(second, 'queued', 2)
  assert.equal(await noted(cluster), { id: second, status: 'queued' })
  put(first, 'succeeded', 1)
  put(second, 'failed', 2)
  assert.equal(await noted(cluster), { id: second, status: 'failed' })
  const { resourceVersion } = (await preview(cluster)).metadata
  assert.equal(await noted(cluster), { id: second, status: 'failed' })
  assert.is((await preview(cluster)).metadata.resourceVersion, resourceVersion, 'nothing is written again')
})

test('a run whose record is gone is not said to go on', async () => {
  const cluster = memoryCluster()
  cluster.put(previewObject('look', 'owner', {}))
  cluster.put(recordObject(runOf({ id: first, status: 'running', namespace: 'look' })))
  assert.is((await noted(cluster))?.status, 'running')
  cluster.take('ConfigMap', runName(first), 'look')
  assert.is(await noted(cluster), undefined)
})

test('a run that was cancelled while no controller ran is noted as well', async () => {
  const cluster = memoryCluster()
  cluster.put(previewObject('look', 'owner', {}))
  const record = recordObject(runOf({ id: first, status: 'queued', namespace: 'look' }))
  cluster.put(record)
  const key = { resource: resources.ConfigMap, namespace: 'look', name: runName(first) }
  await done(cluster.merge(key, cancellation({ user: 'u-1', email: 'ann@example.com' }), { manager: 'api' }))
  const stopped = new AbortController()
  const ended = control({ ...controllerWorld(cluster), clock: systemClock }, stopped.signal)
  try {
    await until('it is noted', async () => managedIn(await preview(cluster))?.run?.status === 'cancelled')
  } finally {
    stopped.abort()
    await ended
  }
})

test.run()
