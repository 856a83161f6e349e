import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isHeldByPods, waitsFor } from '../../../src/domain/cluster/finalizers.ts'
import { podsHolding } from '../../../src/domain/cluster/holders.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'

const object = (kind: string, name: string, metadata: JsonObject = {}, rest: JsonObject = {}): ClusterObject => ({
  apiVersion: 'v1',
  kind,
  metadata: { name, uid: `uid-${name}`, resourceVersion: '1', ...metadata },
  ...rest,
})

const ownedBy = (name: string) => ({ ownerReferences: [{ uid: `uid-${name}`, controller: true }] })
const ending = { deletionTimestamp: '2026-01-01T00:00:00Z', deletionGracePeriodSeconds: 30 }
const mounting = { spec: { volumes: [{ name: 'x', persistentVolumeClaim: { claimName: 'data' } }] } }

const owners = [object('ReplicaSet', 'web-1', ownedBy('web')), object('Job', 'nightly-1', ownedBy('nightly'))]
const pods = [
  object('Pod', 'web-1-a', { ...ownedBy('web-1'), ...ending }),
  object('Pod', 'web-1-b', { ...ownedBy('web-1'), ...ending, finalizers: ['acme.io/drain'] }),
  object('Pod', 'nightly-1-a', { ...ownedBy('nightly-1') }, { status: { phase: 'Running' } }),
  object('Pod', 'db-0', { ...ownedBy('db'), ...ending, deletionGracePeriodSeconds: 0 }, mounting),
  object('Pod', 'shell', {}, { ...mounting, status: { phase: 'Pending' } }),
]

const cases: ReadonlyArray<readonly [string, string, ReadonlyArray<string>]> = [
  [
    'Deployment',
    'web',
    [
      'Pod/web-1-a (terminating, grace period 30 s)',
      'Pod/web-1-b (terminating, grace period 30 s, finalizer acme.io/drain)',
    ],
  ],
  ['CronJob', 'nightly', ['Pod/nightly-1-a (running)']],
  ['StatefulSet', 'db', ['Pod/db-0 (terminating)']],
  ['PersistentVolumeClaim', 'data', ['Pod/db-0 (terminating)', 'Pod/shell (pending)']],
  ['Deployment', 'other', []],
]

for (const [kind, name, expected] of cases) {
  test(`holders: the pods of ${kind}/${name}, with their state`, () =>
    assert.equal(podsHolding(object(kind, name), pods, owners), expected))
}

test('holders: of many pods, only a few are named', () => {
  const many = Array.from({ length: 9 }, (_, index) => object('Pod', `p-${index}`, ownedBy('db')))
  assert.equal(podsHolding(object('StatefulSet', 'db'), many, []).slice(2), ['Pod/p-2 (running)', '6 more'])
})

test('holders: an object that waits is reported with its finalizers, or with the pods behind finalizers of Kubernetes', () => {
  assert.is(waitsFor(['foregroundDeletion'], ['Pod/a (running)']), 'waiting for its pods to end: Pod/a (running)')
  assert.is(waitsFor(['kubernetes.io/pvc-protection']), 'waiting for the pods that use it')
  assert.is(waitsFor(['acme.io/backup'], ['Pod/a']), 'waiting for the finalizer acme.io/backup')
  assert.is(waitsFor([]), 'still there')
  assert.ok(isHeldByPods(['acme.io/backup', 'foregroundDeletion']))
  assert.not.ok(isHeldByPods(['acme.io/backup']))
})

test.run()
