/** What a failed deploy says, and in which order. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { oldVersionOf } from '../../../src/domain/rollout/serving.ts'
import type { Cause } from '../../../src/domain/why/cause.ts'
import { causesInOrder, type FailedService, stillServes } from '../../../src/domain/why/failure.ts'
import { observedOf } from '../../support/kube/live.ts'
import { container, pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'

const test = suite('failure')

const crash = (subject: string): Cause => ({
  code: 'DT3207',
  subject,
  message: 'the container crashes',
  object: `Pod/${subject}`,
  isFinal: true,
  logs: { pod: subject, container: subject, isPrevious: false },
})
const secret = (subject: string): Cause => ({
  code: 'DT3216',
  subject,
  message: 'the Secret s does not exist',
  object: `Pod/${subject}`,
  isFinal: true,
})
const failed = (service: string, causes: ReadonlyArray<Cause>, ...dependsOn: ReadonlyArray<string>): FailedService => ({
  service,
  causes,
  dependsOn,
})
const subjects = (...all: ReadonlyArray<FailedService>): ReadonlyArray<string> =>
  causesInOrder(all).map(({ subject }) => subject)

test('the cause comes before its consequences, however long the chain', () => {
  const all = [failed('web', [crash('web')], 'api'), failed('api', [crash('api')], 'db'), failed('db', [crash('db')])]
  assert.equal(subjects(...all), ['db', 'api', 'web'])
  assert.equal(subjects(...all.toReversed()), ['db', 'api', 'web'])
})

test('services that wait for each other are each named once', () => {
  assert.equal(subjects(failed('a', [crash('a')], 'b'), failed('b', [crash('b')], 'a')).toSorted(), ['a', 'b'])
})

test('a cause of several services is reported once, with all of them', () => {
  assert.equal(subjects(failed('a', [secret('a')]), failed('b', [secret('b')]), failed('a', [secret('a')])), ['a, b'])
})

test('each crashing program is a separate cause, reported once', () => {
  assert.equal(subjects(failed('a', [crash('a')]), failed('b', [crash('b')]), failed('a', [crash('a')])), ['a', 'b'])
})

const creating = container({ waiting: { reason: 'ContainerCreating' } })

test('ready pods of older revisions are reported as serving', () => {
  const observed = observedOf([
    workload('Deployment', 'web', { spec: { replicas: 2 } }),
    replicaSet('web', '1'),
    replicaSet('web', '2'),
    pod('a', 'set-web-1', { status: readyStatus }),
    pod('b', 'set-web-1', { status: creating }),
    pod('c', 'set-web-2', { status: creating }),
  ])
  const old = oldVersionOf(observed, { kind: 'Deployment', name: 'web' })
  assert.equal(old, { pods: 1, images: ['shop/web:1'] })
  assert.is(old && stillServes('web', old, 3).message, 'web: the old version still serves: 1 pod with shop/web:1')
})

test('pods of the new revision, of other workloads, and of an unobserved generation are not old', () => {
  const ready = pod('a', 'set-web-2', { status: readyStatus })
  const others = [replicaSet('web', '2'), ready, pod('b', 'set-api-1', { status: readyStatus })]
  const ref = { kind: 'Deployment', name: 'web' }
  assert.is(oldVersionOf(observedOf([workload('Deployment', 'web'), ...others]), ref), undefined)
  const unseen = workload('Deployment', 'web', { status: { observedGeneration: 1 } })
  assert.is(oldVersionOf(observedOf([unseen, ...others]), ref), undefined)
})

test.run()
