import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { watchRecord, whileDeveloped } from '../../../src/app/dev/watch-record.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { type DevRecord, recordBody } from '../../../src/domain/dev/record.ts'
import type { SessionEnd } from '../../../src/domain/dev/session.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { apiRecord as record } from '../../support/dev/record.ts'

const owner: ClusterObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'api', uid: 'u', resourceVersion: '1' },
}

const keep = (cluster: MemoryCluster, kept: DevRecord): void => {
  const body = recordBody(kept, '', owner)
  cluster.put({ ...body, metadata: { ...Object(body['metadata']), namespace: 'default' } })
}

const world = () => {
  const cluster = memoryCluster({})
  keep(cluster, record)
  const over = new AbortController()
  let end = (_end: SessionEnd): void => {}
  const ended = new Promise<SessionEnd>((resolve) => {
    end = resolve
  })
  const inIt = { ports: { clock: systemClock }, target: { cluster, namespace: 'default' }, signal: over.signal }
  return { cluster, ended, inIt, session: { end: (why: SessionEnd) => end(why) }, stop: () => over.abort() }
}

const bob = { ...record, holder: { user: 'bob', machine: 'desk', pid: 1, session: 'bob-1' } }

test('work that belongs to a session ends when the development container is deleted', async () => {
  const { cluster, ended, inIt, session } = world()
  const work = whileDeveloped(inIt, record, session)(() => ended)()
  cluster.take('ConfigMap', record.mirror, 'default')
  assert.equal(await work, {
    _tag: 'RecordGone',
    reason: 'it was taken down, or destroyed with its environment',
  })
})

test('work that belongs to a session continues when another session takes over', async () => {
  const { cluster, ended, inIt, session } = world()
  const work = whileDeveloped(inIt, record, session)(() => ended)()
  keep(cluster, bob)
  cluster.take('ConfigMap', record.mirror, 'default')
  assert.match((await work).reason, /taken down/)
})

test('a session ends when another one takes over', async () => {
  const { cluster, ended, inIt, session, stop } = world()
  void watchRecord(inIt, record, session)
  keep(cluster, bob)
  assert.equal(await ended, { _tag: 'RecordGone', reason: 'bob on desk has taken it over' })
  stop()
})

test.run()
