/** The definition that waits for a restart, while the controller of the mirror writes its status. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { restartMirror } from '../../../src/app/dev/restart.ts'
import { at } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { done } from '../../contract/cluster-world.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { apiRecord } from '../../support/dev/record.ts'

const mirror = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'devtool-up-api', namespace: 'default', uid: 'u' },
  spec: { paused: true },
}
const conflict = { verb: 'patch', what: 'Deployment/devtool-up-api', status: 409, reason: 'Conflict' }
const key = { resource: resources.Deployment, namespace: 'default', name: 'devtool-up-api' }

const restarted = async (conflicts: number) => {
  const cluster = memoryCluster({ objects: [mirror], failures: [{ ...conflict, times: conflicts }] })
  const target = { cluster, namespace: 'default' }
  const clock = { ...systemClock, sleep: () => Promise.resolve() }
  const world = { ports: { clock }, target, signal: new AbortController().signal }
  const result = await restartMirror(Object(world), { ...apiRecord, mirror: 'devtool-up-api' })()
  return { result, paused: at(await done(cluster.get(key)), 'spec', 'paused') }
}

test('a conflict is no reason to leave it waiting', async () => {
  const { paused, result } = await restarted(2)
  assert.ok(E.isRight(result))
  assert.is(paused, undefined)
})

test('conflicts without end are reported', async () => {
  const { paused, result } = await restarted(100)
  assert.is(E.isLeft(result) && result.left[0]?.code, 'DT3103')
  assert.is(paused, true)
})

test.run()
