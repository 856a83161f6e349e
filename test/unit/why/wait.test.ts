/** The clock of a wait, and the logs that it follows meanwhile. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../../../src/app/watch/wait.ts'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { observedOf } from '../../support/kube/live.ts'
import { pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'
import { wanted } from '../../support/why/waiting.ts'

const running = {
  ...readyStatus,
  containerStatuses: [{ name: 'web', ready: true, restartCount: 0, state: { running: {} } }],
}

const deployment: Observed = observedOf([
  workload('Deployment', 'web', {
    spec: { replicas: 1 },
    status: { updatedReplicas: 1, replicas: 1, availableReplicas: 1 },
  }),
  replicaSet('web', '2', { availableReplicas: 1 }),
  pod('a', 'set-web-2', { status: running }),
])

const waitWith = async (cluster: MemoryCluster, clock: Clock, pause: (ms: number) => Promise<void>): Promise<void> => {
  const nothing = (): void => {}
  const state = { see: nothing, forget: nothing, reset: nothing, latest: () => undefined, of: () => deployment }
  const changed = (_service: string, ms: number): Promise<void> => pause(ms)
  const watching = { state, changed, pause, begin: async () => {}, troubles: () => [] }
  const { signal } = new AbortController()
  const options = { cluster, clock, namespace: 'default', watching, signal, failsFast: false, tell: nothing }
  const waited = await waitFor(options, wanted(), () => ({ isUnchanged: false, publicPorts: [] }))
  assert.is(waited._tag, 'Met')
}

/** How often it looked until the Deployment was done; each pause lasts as long as `lasted` says. */
const looks = async (lasted: (askedMs: number, count: number) => number): Promise<number> => {
  let [nowMs, count] = [0, 0]
  await waitWith(memoryCluster(), { ...memoryClock(), now: () => nowMs }, async (ms) => {
    nowMs += lasted(ms, count)
    count += 1
  })
  return count
}

test('while the process stands still, a container does not prove that it keeps running', async () => {
  const usual = await looks((ms) => ms)
  assert.is(await looks((ms, count) => (count === 0 ? 60_000 : ms)), usual)
})

/** How long the wait took, in seconds. */
const secondsWith = async (cluster: MemoryCluster, during: (atMs: number) => void): Promise<number> => {
  const clock = memoryClock()
  const ends: Array<number> = []
  const done = waitWith(cluster, clock, (ms) => clock.sleep(ms)).then(() => ends.push(clock.now()))
  for (let atMs = 0; atMs < 15_000; atMs += 100) {
    during(atMs)
    await clock.advance(100)
  }
  await done
  return Math.round((ends[0] ?? 0) / 1000)
}

const withPod = (): MemoryCluster =>
  memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' } }] })

test('a log that stays open proves that its container runs; one that ends, or cannot be read, does not', async () => {
  assert.is(await secondsWith(withPod(), () => {}), 3)
  const ending = withPod()
  assert.is(await secondsWith(ending, (atMs) => atMs === 2000 && ending.endLogs('default/a')), 10)
  assert.is(await secondsWith(memoryCluster(), () => {}), 10)
})

test.run()
