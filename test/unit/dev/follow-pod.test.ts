import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { followPod } from '../../../src/app/dev/follow-pod.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { mirrorPod, startedIn as startOfPod } from '../../../src/domain/dev/mirror-pod.ts'
import type { LinkedPod } from '../../../src/domain/dev/session.ts'
import { memoryCluster } from '../../memory/cluster.ts'

const podOf = (status: JsonObject, conditions: ReadonlyArray<JsonObject> = []): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'api-1', uid: 'api-1', namespace: 'default', labels: { app: 'dev' } },
  status: {
    phase: 'Pending',
    conditions,
    containerStatuses: [{ name: 'app', ready: false, restartCount: 0, ...status }],
  },
})

const creating = { state: { waiting: { reason: 'ContainerCreating' } } }

const startOf = (container: string, uid = 'api-1'): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: `${uid}.${container}`, namespace: 'default' },
  reason: 'Started',
  involvedObject: { kind: 'Pod', name: uid, uid, fieldPath: `spec.containers{${container}}` },
})

const liveOf = (object: JsonObject): ClusterObject => memoryCluster({ objects: [] }).put(object)

const follow = (status: JsonObject, conditions: ReadonlyArray<JsonObject> = []) => {
  const cluster = memoryCluster({ objects: [podOf(status, conditions)] })
  const over = new AbortController()
  let looked = (): void => {}
  const { pod: now, waits } = followPod(
    { cluster, clock: systemClock, signal: over.signal },
    { namespace: 'default', pods: 'app=dev', container: 'app' },
    () => looked(),
  )
  /** Resolves once it is so. */
  const until = (wanted: (pod: LinkedPod | undefined) => boolean): Promise<void> =>
    new Promise((resolve) => {
      looked = () => (wanted(now()) ? resolve() : undefined)
      looked()
    })
  return { cluster, until, waits, end: () => over.abort() }
}

const isThere = (pod: LinkedPod | undefined): boolean => pod?.name === 'api-1'
const isAway = (pod: LinkedPod | undefined): boolean => pod === undefined

test('the connection to a container begins as soon as an event reports its start', async () => {
  const { cluster, end, until } = follow(creating)
  cluster.put(startOf('app'))
  await until(isThere)
  end()
})

test('the start of another container or another pod is ignored', () => {
  const pod = liveOf(podOf(creating))
  const startedIn = (...events: ReadonlyArray<JsonObject>) =>
    new Set(events.flatMap((event) => startOfPod(liveOf(event), 'app') ?? []))
  assert.is(mirrorPod([pod], 'app', startedIn(startOf('sidecar'), startOf('app', 'other-1'))), undefined)
  assert.equal(mirrorPod([pod], 'app', startedIn(startOf('app'))), { name: 'api-1', uid: 'api-1' })
})

test('what the next pod waits for is known', async () => {
  const { cluster, end, until, waits } = follow({ state: { running: { startedAt: '2026-11-21T10:00:00Z' } } })
  await until(isThere)
  const failing = { state: { waiting: { reason: 'ImagePullBackOff' } } }
  cluster.put(podOf(failing, [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable' }]))
  await until(isAway)
  assert.is(waits(), 'no suitable node')
  cluster.put(podOf(failing, [{ type: 'PodScheduled', status: 'True' }]))
  await until(() => waits() !== 'no suitable node')
  assert.is(waits(), 'image cannot be pulled')
  end()
})

test('while an image is pulled, that is what the next pod waits for', async () => {
  const scheduled = [{ type: 'PodScheduled', status: 'True' }]
  const { cluster, end, until, waits } = follow(creating, scheduled)
  const eventOf = (reason: string, message: string, second: number): JsonObject => ({
    ...startOf('app'),
    metadata: { name: reason, namespace: 'default' },
    reason,
    message,
    lastTimestamp: `2026-11-21T10:00:0${second}Z`,
  })
  cluster.put(eventOf('Pulling', 'Pulling image "shop/api:2"', 1))
  await until(() => waits() === 'pulling image shop/api:2')
  cluster.put(eventOf('Pulled', 'Successfully pulled image "shop/api:2"', 2))
  await until(() => waits() === 'creating container')
  cluster.put(startOf('app'))
  await until(isThere)
  end()
})

test('a container that has failed since it was started is waited for', async () => {
  const { cluster, end, until } = follow(creating)
  cluster.put(startOf('app'))
  await until(isThere)
  cluster.put(podOf({ restartCount: 1, state: { waiting: { reason: 'CrashLoopBackOff' } } }))
  await until(isAway)
  cluster.put(podOf({ restartCount: 1, state: { running: { startedAt: '2026-11-21T10:00:00Z' } } }))
  await until(isThere)
  end()
})

test.run()
