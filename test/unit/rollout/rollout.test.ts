import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { isPodFailed } from '../../../src/domain/rollout/pod.ts'
import { readRollout } from '../../../src/domain/rollout/rollout.ts'
import { observedOf } from '../../support/kube/live.ts'
import { container, event, pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'

const test = suite('rollout')

const counts = (updatedReplicas: number, replicas: number, availableReplicas: number) => ({
  updatedReplicas,
  replicas,
  availableReplicas,
})

const web = (status: object, spec = { replicas: 2 }) =>
  workload('Deployment', 'web', { spec, status: JSON.parse(JSON.stringify(status)) })

test('a Deployment is available when its new pods are and the old ones are gone', () => {
  const pods = [
    pod('a', 'set-web-2', { status: readyStatus }),
    pod('b', 'set-web-2', { status: readyStatus }),
    pod('old', 'set-web-1', { status: readyStatus }),
  ]
  const sets = [replicaSet('web', '1', { availableReplicas: 1 }), replicaSet('web', '2', { availableReplicas: 2 })]
  const still = readRollout(observedOf([web(counts(2, 3, 3)), ...sets, ...pods]), { kind: 'Deployment', name: 'web' })
  assert.is(still?.isAvailable, false)
  assert.is(still?.detail, '2 of 2 ready, 1 old pod to go')
  const done = readRollout(observedOf([web(counts(2, 2, 2)), ...sets, ...pods]), { kind: 'Deployment', name: 'web' })
  assert.is(done?.isAvailable, true)
  assert.is(done?.available, 2)
  assert.equal(
    done?.pods.map(({ metadata: { name } }) => name),
    ['a', 'b'],
  )
  assert.is(done?.detail, '2 of 2 ready')
})

test('pods do not count until the controller has observed the generation', () => {
  const stale = web({ ...counts(1, 1, 1), observedGeneration: 1 })
  const observed = observedOf([stale, replicaSet('web', '2'), pod('a', 'set-web-2', { status: readyStatus })])
  const rollout = readRollout(observed, { kind: 'Deployment', name: 'web' })
  assert.equal([rollout?.isCurrent, rollout?.ready, rollout?.isAvailable], [false, 0, false])
  assert.is(rollout?.detail, 'waiting for the controller')
})

test('pods being deleted and pods of other owners are not counted', () => {
  const going = { deletionTimestamp: '2026-11-21T10:00:00Z', deletionGracePeriodSeconds: 600 }
  const observed = observedOf([
    web(counts(1, 1, 0)),
    replicaSet('web', '2'),
    pod('a', 'set-web-2', { status: readyStatus, metadata: going }),
    pod('other', 'set-shop-2', { status: readyStatus }),
  ])
  const rollout = readRollout(observed, { kind: 'Deployment', name: 'web' })
  assert.equal([rollout?.pods.length, rollout?.ready, rollout?.started], [0, 0, 0])
  assert.is(rollout?.detail, '0 of 2 ready, waiting for 1 pod to stop (within 600 s)')
})

test('the detail describes the first pod that is not ready', () => {
  const wordsOf = (status: object, ...events: ReadonlyArray<ReturnType<typeof event>>) =>
    readRollout(
      observedOf([
        web(counts(1, 1, 0), { replicas: 1 }),
        replicaSet('web', '2'),
        pod('a', 'set-web-2', { status: JSON.parse(JSON.stringify(status)) }),
        ...events,
      ]),
      { kind: 'Deployment', name: 'web' },
    )?.detail
  const creating = container({ waiting: { reason: 'ContainerCreating' } })
  assert.is(wordsOf(creating, event('pod-a', 'Pulling', 'Pulling image')), '0 of 1 ready, pulling image')
  assert.is(
    wordsOf(creating, event('pod-a', 'Pulling', 'Pulling image "shop/web:1"')),
    '0 of 1 ready, pulling image shop/web:1',
  )
  assert.is(wordsOf(creating), '0 of 1 ready, creating container')
  assert.is(wordsOf(container({ waiting: { reason: 'ImagePullBackOff' } })), '0 of 1 ready, image cannot be pulled')
  assert.is(wordsOf(container({ running: {} })), '0 of 1 ready, running, not ready yet')
  assert.is(wordsOf(container({ terminated: { exitCode: 3 } })), '0 of 1 ready, exited with 3')
  const unstarted = { terminated: { exitCode: 128, reason: 'StartError' } }
  const again = container({ waiting: { reason: 'CrashLoopBackOff' } }, { lastState: unstarted })
  for (const one of [container(unstarted), again]) {
    assert.is(wordsOf(one), '0 of 1 ready, container cannot be started')
  }
  assert.is(wordsOf({ conditions: [] }), '0 of 1 ready, waiting for a node')
})

test('a StatefulSet counts pods of its update revision', () => {
  const set = workload('StatefulSet', 'db', {
    spec: { replicas: 2 },
    status: { ...counts(1, 2, 2), readyReplicas: 2, updateRevision: 'db-2', currentRevision: 'db-1' },
  })
  const pods = [
    pod('db-0', 'workload-db', { status: readyStatus, labels: { 'controller-revision-hash': 'db-1' } }),
    pod('db-1', 'workload-db', { status: readyStatus, labels: { 'controller-revision-hash': 'db-2' } }),
  ]
  const rollout = readRollout(observedOf([set, ...pods]), { kind: 'StatefulSet', name: 'db' })
  assert.equal([rollout?.ready, rollout?.isAvailable, rollout?.isOnDelete], [1, false, false])
})

test('a DaemonSet needs one pod of its current template per node', () => {
  const status = { desiredNumberScheduled: 2, currentNumberScheduled: 2, updatedNumberScheduled: 1, numberAvailable: 2 }
  const annotations = { 'deprecated.daemonset.template.generation': '4' }
  const pods = [
    pod('x', 'workload-agent', { status: readyStatus, labels: { 'pod-template-generation': '3' } }),
    pod('y', 'workload-agent', { status: readyStatus, labels: { 'pod-template-generation': '4' } }),
  ]
  const read = (changed: object) =>
    readRollout(
      observedOf([workload('DaemonSet', 'agent', { annotations, status: { ...status, ...changed } }), ...pods]),
      { kind: 'DaemonSet', name: 'agent' },
    )
  assert.equal([read({})?.ready, read({})?.isAvailable], [1, false])
  const rolledBack = read({ updatedNumberScheduled: 2 })
  assert.equal([rolledBack?.ready, rolledBack?.isAvailable], [2, true])
})

test('a Job is complete, failed, or judged by its pods', () => {
  const job = (conditions: ReadonlyArray<{ type: string; status: string }>, ready = 0) =>
    observedOf([
      workload('Job', 'migrate', { spec: { completions: 1, parallelism: 1 }, status: { conditions, ready } }),
      pod('m', 'workload-migrate', { status: ready === 1 ? readyStatus : {} }),
    ])
  const ref = { kind: 'Job', name: 'migrate' }
  const complete = readRollout(job([{ type: 'Complete', status: 'True' }]), ref)
  assert.equal([complete?.isComplete, complete?.isAvailable, complete?.detail], [true, true, 'complete'])
  assert.is(readRollout(job([{ type: 'FailureTarget', status: 'True' }]), ref)?.isFailed, true)
  const running = readRollout(job([], 1), ref)
  assert.equal([running?.isComplete, running?.isAvailable, running?.started], [false, true, 1])
  assert.is(readRollout(job([]), ref)?.isAvailable, false)
})

test('a Job has failed as soon as more of its pods have failed than it may replace', () => {
  const isFailed = (spec: JsonObject, conditions: ReadonlyArray<JsonObject> = []): boolean | undefined =>
    readRollout(
      observedOf([
        workload('Job', 'migrate', { spec: { completions: 1, parallelism: 1, ...spec }, status: { conditions } }),
        pod('a', 'workload-migrate', { status: { phase: 'Failed' } }),
        pod('b', 'workload-migrate', { status: { phase: 'Failed' } }),
        pod('c', 'workload-migrate', { status: { phase: 'Running' } }),
      ]),
      { kind: 'Job', name: 'migrate' },
    )?.isFailed
  assert.is(isFailed({ backoffLimit: 1 }), true)
  assert.is(isFailed({ backoffLimit: 2 }), false)
  assert.is(isFailed({ backoffLimit: 1, podFailurePolicy: { rules: [] } }), false)
  assert.is(isFailed({}), false)
  assert.is(isFailed({ backoffLimit: 1 }, [{ type: 'Complete', status: 'True' }]), false)
})

test('a pod has failed when all its containers have ended, one of them badly, and none is started again', () => {
  const isFailed = (restartPolicy: string, ...exitCodes: ReadonlyArray<number | undefined>): boolean => {
    const statuses = exitCodes.map((exitCode, index) => ({
      name: `c${index}`,
      state: exitCode === undefined ? { running: {} } : { terminated: { exitCode, reason: 'Error' } },
    }))
    return isPodFailed(
      pod('m', 'workload-migrate', {
        spec: { restartPolicy },
        status: { phase: 'Running', containerStatuses: statuses },
      }),
    )
  }
  assert.is(isFailed('Never', 0, 5), true)
  assert.is(isFailed('Never', undefined, 5), false)
  assert.is(isFailed('Never', 0, 0), false)
  assert.is(isFailed('Never'), false)
  assert.is(isFailed('OnFailure', 5), false)
})

const cronJob = workload('CronJob', 'web')

test('an absent object, or one that is not a workload, has no rollout', () => {
  assert.is(readRollout(new Map(), { kind: 'Deployment', name: 'web' }), undefined)
  assert.is(readRollout(observedOf([cronJob]), { kind: 'CronJob', name: 'web' }), undefined)
})

test.run()
