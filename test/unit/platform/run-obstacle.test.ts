/** Runs whose pod does not start. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json, JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import type { RunRecord } from '../../../src/domain/platform/run/record.ts'
import { stepRun } from '../../../src/domain/platform/run/step.ts'
import { liveFrom } from '../../support/kube/live.ts'
import { runOf } from '../../support/platform/runs.ts'

const queued = runOf({ status: 'queued', created: '2026-11-21T10:00:00Z' })
const job = liveFrom({
  apiVersion: 'batch/v1',
  kind: 'Job',
  metadata: { name: 'devtool-run', uid: 'job' },
  spec: { suspend: false, completions: 1, parallelism: 1, backoffLimit: 0 },
  status: { startTime: '2026-11-21T10:00:10Z' },
})

const podOf = (status: JsonObject): ClusterObject =>
  liveFrom({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: 'pod',
      uid: 'pod',
      creationTimestamp: '2026-11-21T10:00:10Z',
      ownerReferences: [{ kind: 'Job', name: 'devtool-run', uid: 'job', controller: true }],
    },
    spec: {
      initContainers: [{ name: 'clone', image: 'registry.example.com/platform:1' }],
      containers: [{ name: 'run', image: 'registry.example.com/platform:1', resources: { requests: { cpu: '50m' } } }],
    },
    status: { phase: 'Pending', ...status },
  })

const cloning = (state: Json): ClusterObject =>
  podOf({
    initContainerStatuses: [{ name: 'clone', image: 'registry.example.com/platform:1', state }],
    containerStatuses: [{ name: 'run', state: { waiting: { reason: 'PodInitializing' } } }],
  })
const waits = (reason: string, message = ''): ClusterObject => cloning({ waiting: { reason, message } })

const soon = '2026-11-21T10:00:20Z'
const later = '2026-11-21T10:01:20Z'
const late = '2026-11-21T10:06:00Z'

const eventOf = (uid: string, reason: string, message: string): ClusterObject =>
  liveFrom({
    apiVersion: 'v1',
    kind: 'Event',
    metadata: { name: 'event', uid: 'event' },
    involvedObject: { uid },
    ...{ type: 'Warning', reason, message, lastTimestamp: '2026-11-21T10:00:12Z' },
  })

const closed = (
  pod: ClusterObject | undefined,
  now: string,
  events: ReadonlyArray<ClusterObject> = [],
): RunRecord | undefined => {
  const pods = pod === undefined ? [] : [pod]
  const act = stepRun({ run: queued, isCancelled: false, job, pods, events, now })
  return act._tag === 'Close' ? act.run : undefined
}
const said = (pod: ClusterObject | undefined, now: string, events?: ReadonlyArray<ClusterObject>): string => {
  const run = closed(pod, now, events)
  return run === undefined ? 'Wait' : `${run.status} ${run.failure?.code}: ${run.failure?.message}`
}

test('a run whose image never comes fails at once', () => {
  assert.match(said(waits('ErrImageNeverPull'), soon), /^failed DT6401: .*pod cannot start: .*pull policy is Never/)
  assert.match(said(waits('InvalidImageName'), soon), /^failed DT6401: .*is not a valid image name/)
  const invalid =
    'failed to parse image reference "NO/x:1": invalid reference format: repository name must be lowercase'
  assert.match(said(waits('ErrImagePull', invalid), soon), /^failed DT6401: .*is not a valid image name/)
})

test('an image that cannot be pulled ends the run after a minute, with the advice of `why`', () => {
  const absent = waits('ImagePullBackOff', 'failed to pull: registry.example.com/platform:1: not found')
  assert.is(said(absent, soon), 'Wait')
  assert.match(
    said(absent, later),
    /^failed DT6401: .*the image registry.example.com\/platform:1 is not in its registry/,
  )
  assert.match(closed(absent, later)?.failure?.help ?? '', 'check the name and the tag')
  assert.match(
    said(waits('ImagePullBackOff', 'dial tcp: connection refused'), later),
    /^failed .*cannot reach the registry/,
  )
})

test('an image is pulled for a minute, however long the pod has waited for a node', () => {
  const placed = { type: 'PodScheduled', status: 'True', lastTransitionTime: '2026-11-21T10:01:00Z' }
  const status = { name: 'clone', state: { waiting: { reason: 'ErrImagePull', message: 'dial tcp: i/o timeout' } } }
  const pod = podOf({ conditions: [placed], initContainerStatuses: [status] })
  assert.is(said(pod, later), 'Wait')
  assert.match(said(pod, '2026-11-21T10:02:20Z'), /^failed .*cannot reach the registry/)
})

test('a run that no node has room for waits until its timeout, which then names the reason', () => {
  const message = '0/2 nodes are available: 2 Insufficient cpu.'
  const pod = podOf({ conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message }] })
  assert.is(said(pod, later), 'Wait')
  assert.match(said(pod, late), /^timed-out DT6402: .*has not started: no suitable node: not enough free cpu/)
  assert.not.match(closed(pod, late)?.failure?.help ?? '', '--timeout')
  assert.is(closed(pod, late)?.exitStatus, 6)
  assert.match(said(waits('ContainerCreating'), late), /^timed-out DT6402: .*has not started: ContainerCreating/)
})

test('a run that still clones at its timeout needs more time', () => {
  assert.is(said(cloning({ running: {} }), later), 'Wait')
  assert.match(closed(cloning({ running: {} }), late)?.failure?.help ?? '', '--timeout')
})

test('a run whose pod the cluster does not make says why: at once what no time heals, a full quota after a while', () => {
  const refused = (text: string) => [eventOf('job', 'FailedCreate', `Error creating: pods "a" is forbidden: ${text}`)]
  const secure = refused('violates PodSecurity "restricted:latest": seccompProfile')
  assert.is(said(undefined, soon, secure), 'Wait')
  assert.match(said(undefined, later, secure), /^failed DT6401: .*cannot start: Pod Security "restricted:latest"/)
  const account = refused(
    'error looking up service account acme/devtool-runner: serviceaccount "devtool-runner" not found',
  )
  assert.match(said(undefined, later, account), /^failed .*the service account devtool-runner does not exist/)
  const full = refused('exceeded quota: devtool, requested: pods=1, used: pods=50, limited: pods=50')
  assert.is(said(undefined, later, full), 'Wait')
  assert.match(said(undefined, '2026-11-21T10:02:20Z', full), /^failed DT6401: .*the quota devtool leaves no room/)
  assert.match(closed(undefined, late, full)?.failure?.help ?? '', 'have the quota raised')
  assert.match(said(undefined, late), /^failed DT6401: .*the cluster has made no pod for it/)
})

test('a run whose volume is not mounted names it', () => {
  const failed = (text: string) => [eventOf('pod', 'FailedMount', `MountVolume.SetUp failed for volume "${text}`)]
  const made = waits('PodInitializing')
  const absent = failed('account" : configmap "kube-root-ca.crt" not found')
  assert.is(said(made, soon, absent), 'Wait')
  assert.match(said(made, later, absent), /^failed DT6401: .*kube-root-ca.crt/)
  const slow = failed('work" : timed out waiting for the condition')
  assert.is(said(made, later, slow), 'Wait')
  assert.match(said(made, late, slow), /^timed-out DT6402: .*has not started: the volume work/)
})

test.run()
