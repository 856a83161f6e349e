/** The deletion of a namespace, as a machine. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { objectAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { managedIn } from '../../../src/domain/platform/access.ts'
import { deletionIn, type NamespaceDeletion } from '../../../src/domain/platform/deletion-record.ts'
import { deletionChange, destroyRunId, stepDeletion } from '../../../src/domain/platform/namespace/deletion.ts'
import { hasEnded, type RunRecord, type RunStatus } from '../../../src/domain/platform/run/record.ts'
import { queuedRun } from '../../../src/domain/platform/run/request.ts'
import { liveFrom } from '../../support/kube/live.ts'

const since = '2026-11-21T10:00:00Z'
const soon = '2026-11-21T10:01:00Z'
const late = '2026-11-21T10:06:00Z'
const deletion: NamespaceDeletion = { since, user: 'u-1', email: 'ann@example.com', force: false }

const runOf = (environment: string, status: RunStatus): readonly [string, RunRecord] => {
  const id = destroyRunId('acme', deletion, environment)
  const who = { user: 'u-1', email: '' }
  const request = {
    id,
    action: 'destroy',
    environment,
    namespace: 'acme',
    who,
    now: since,
    timeoutSeconds: 300,
  } as const
  return [environment, { ...queuedRun(request), status }]
}

const step = (statuses: Readonly<Record<string, RunStatus | undefined>>, now = soon, force = false) => {
  const runs = Object.entries(statuses).flatMap(([name, status]) => (status === undefined ? [] : [runOf(name, status)]))
  return stepDeletion({
    deletion: { ...deletion, force },
    environments: Object.keys(statuses),
    runs: new Map(runs),
    now,
  })
}

test('every environment is destroyed, then the namespace is deleted', () => {
  assert.equal(step({}), { _tag: 'End' })
  assert.equal(step({ a: undefined, b: 'running' }), { _tag: 'Destroy', environments: ['a'] })
  assert.equal(step({ a: 'queued', b: 'succeeded' }), { _tag: 'Wait' })
  assert.equal(step({ a: 'succeeded', b: 'succeeded' }), { _tag: 'End' })
})

test('a failure is recorded with its run, and force skips the commands', () => {
  const failed = step({ a: 'failed', b: 'succeeded' })
  assert.ok(failed._tag === 'Fail' && failed.deletion.run === destroyRunId('acme', deletion, 'a'))
  const slow = step({ a: 'running' }, late)
  assert.ok(slow._tag === 'Fail' && slow.deletion.reason?.includes('5 minutes'))
  assert.equal(step({ a: 'failed' }, soon, true), { _tag: 'End' })
  // Asked for again, it is another run.
  assert.is.not(destroyRunId('acme', deletion, 'a'), destroyRunId('acme', { ...deletion, since: late }, 'a'))
})

test('nothing is deleted before all destroy runs have succeeded', () => {
  const status = fc.constantFrom<RunStatus | undefined>(
    undefined,
    'queued',
    'running',
    'succeeded',
    'failed',
    'cancelled',
  )
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom('a', 'b', 'c'), status), fc.constantFrom(soon, late), (statuses, now) => {
      const act = step(statuses, now)
      const all = Object.values(statuses)
      assert.is(
        act._tag === 'End',
        all.every((one) => one === 'succeeded'),
      )
      if (act._tag === 'Wait') assert.ok(all.some((one) => one !== undefined && !hasEnded({ status: one })))
    }),
  )
})

const live = liveFrom({
  apiVersion: 'v1',
  kind: 'Namespace',
  metadata: { name: 'acme', labels: { 'dev.devtool/managed': 'true' } },
})
const recorded = (status: 'Deleting' | 'DeleteFailed', progress: NamespaceDeletion): ClusterObject =>
  liveFrom(live, objectAt(deletionChange(live, status, progress), 'metadata'))

test('the annotations of the Namespace have the progress of its deletion', () => {
  assert.is(managedIn(live)?.status, 'Active')
  const changed = recorded('DeleteFailed', { ...deletion, reason: 'why' })
  assert.is(managedIn(changed)?.status, 'DeleteFailed')
  assert.equal(deletionIn(changed), { ...deletion, reason: 'why' })
  assert.is(deletionIn(live), undefined)
})

test('a deletion that a later version records keeps what only that version knows', () => {
  const later: NamespaceDeletion = Object.assign({ ...deletion }, { approvedBy: 'u-2' })
  const read = deletionIn(recorded('Deleting', later))
  assert.ok(read !== undefined)
  const changed = recorded('DeleteFailed', { ...read, reason: 'why' })
  assert.match(JSON.stringify(changed), 'approvedBy')
})

test.run()
