/** The clock of a wait: only time in which the cluster was watched counts. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { waitFor } from '../../../src/app/watch/wait.ts'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { observedOf } from '../../support/kube/live.ts'
import { pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'

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

/** How often it looked until the Deployment was done; each pause lasts as long as `lasted` says. */
const looks = async (lasted: (askedMs: number, count: number) => number): Promise<number> => {
  let [nowMs, count] = [0, 0]
  const pause = async (ms: number): Promise<void> => {
    nowMs += lasted(ms, count)
    count += 1
  }
  const nothing = (): void => {}
  const state = { see: nothing, forget: nothing, reset: nothing, latest: () => undefined, of: () => deployment }
  const waited = await waitFor(
    {
      cluster: memoryCluster(),
      clock: { ...memoryClock(), now: () => nowMs },
      namespace: 'default',
      watching: { state, changed: (_service, ms) => pause(ms), pause, begin: async () => {}, troubles: () => [] },
      signal: new AbortController().signal,
      failsFast: false,
      tell: () => {},
    },
    { ref: { kind: 'Deployment', name: 'web' }, condition: 'available', service: 'web' },
    () => ({ isUnchanged: false, publicPorts: [] }),
  )
  assert.is(waited._tag, 'Met')
  return count
}

test('while the process stands still, a container does not prove that it keeps running', async () => {
  const usual = await looks((ms) => ms)
  assert.is(await looks((ms, count) => (count === 0 ? 60_000 : ms)), usual)
})

test.run()
