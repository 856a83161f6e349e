/** Pods that only somebody who deletes them replaces. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { beginWaiting, stepWaiting } from '../../../src/domain/why/waiting.ts'
import { observedOf } from '../../support/kube/live.ts'
import { container, pod, readyStatus, workload } from '../../support/why/lives.ts'

const set = workload('StatefulSet', 'web', {
  spec: { replicas: 1, updateStrategy: { type: 'OnDelete' } },
  status: { updateRevision: 'r2', replicas: 1, updatedReplicas: 0, readyReplicas: 1, availableReplicas: 1 },
})

const warned = (old: ClusterObject): ReadonlyArray<string> => {
  const wanted = { ref: { kind: 'StatefulSet', name: 'web' }, condition: 'available', service: 'web' } as const
  const seen = { publicPorts: [], isUnchanged: false, isBlocked: false, observed: observedOf([set, old]) }
  const { command } = stepWaiting(wanted, beginWaiting, { _tag: 'Looked', atMs: 0, seen })
  return command._tag === 'End' && command.waited._tag === 'Met'
    ? command.waited.findings.map(({ message }) => message)
    : []
}

const labels = { 'controller-revision-hash': 'r1' }
const old = pod('web-0', 'workload-web', { status: readyStatus, labels })
const broken = pod('web-0', 'workload-web', {
  status: container({ waiting: { reason: 'ErrImagePull', message: 'shop/web:1: not found' } }),
  labels,
})
const stay = 'service "web" is not waited for: its old pods stay until they are deleted'

test('old pods stay, and those that do not run are named', () => {
  assert.equal(warned(old), [stay])
  assert.equal(warned(broken), [`${stay}, also web-0, which is not ready`])
})

test('an old pod that is being deleted does not stay', () => {
  const metadata = { ...old.metadata, deletionTimestamp: '2026-11-21T10:00:00Z' }
  assert.equal(warned({ ...old, metadata }), [])
})

test.run()
