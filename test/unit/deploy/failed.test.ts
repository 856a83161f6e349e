/** In which order a failed deploy is explained. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nothingDone } from '../../../src/app/deploy/executed.ts'
import { explainFailure } from '../../../src/app/deploy/failed.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { container, deployed, pod, readyStatus, replicaSet } from '../../support/why/lives.ts'

/** A service whose new version cannot be pulled, while a pod of the old one is ready. */
const observed = deployed(
  [
    pod('web-2-a', 'set-web-2', {
      status: container({ waiting: { reason: 'ImagePullBackOff', message: 'Back-off pulling image "shop/web:1"' } }),
    }),
    pod('web-1-a', 'set-web-1', { status: readyStatus }),
  ],
  replicaSet('web', '1'),
)

const wanted = { ref: { kind: 'Deployment', name: 'web' }, service: 'web', condition: 'available' } as const
const pending = [{ name: 'web', detail: '0 of 1 ready', wanted }]

const explained = async (reason: string) => {
  const ended = new AbortController()
  ended.abort(reason)
  const never = async (): Promise<void> => {}
  const state = { of: () => observed, see: () => {}, forget: () => {}, reset: () => {}, latest: () => undefined }
  const found = await explainFailure(
    {
      target: { cluster: memoryCluster(), namespace: 'demo' },
      watching: { state, changed: never, pause: never, begin: never, troubles: () => [] },
      signal: ended.signal,
      ports: { clock: memoryClock() },
    },
    { ...nothingDone, pending, isComplete: false },
  )
  return found.map(({ code }) => code)
}

test('after a timeout the cause is named first, then the timeout, then what still serves', async () => {
  assert.equal(await explained('timeout'), ['DT3206', 'DT3120', 'DT3161'])
})

test('after an interruption the cause is named first, too', async () => {
  assert.equal(await explained('interrupted'), ['DT3206', 'DT3121', 'DT3161'])
})

test.run()
