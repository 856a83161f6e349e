/** When a workload counts as deployed: one table of what is seen over time, and how the wait ends. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject, Observed } from '../../../src/domain/cluster/live.ts'
import { beginWaiting, type Sight, stepWaiting } from '../../../src/domain/why/waiting.ts'
import { observedOf } from '../../support/kube/live.ts'
import { container, deployed, pod, readyStatus, replicaSet, workload } from '../../support/why/lives.ts'
import { commandsAfter, type Moment, outcomes, wanted } from '../../support/why/waiting.ts'

const test = suite('waiting')

const available = { updatedReplicas: 1, replicas: 1, availableReplicas: 1 }

const deployment = (pods: ReadonlyArray<ClusterObject>, spec: JsonObject = {}, status: JsonObject = available) =>
  observedOf([
    workload('Deployment', 'web', { spec: { replicas: 1, ...spec }, status }),
    replicaSet('web', '2', { availableReplicas: 1 }),
    ...pods,
  ])

const running = (restartCount = 0): JsonObject => ({
  ...readyStatus,
  containerStatuses: [{ name: 'web', ready: true, restartCount, state: { running: {} } }],
})
const up = (restarts = 0, uid = 'a'): Observed => deployment([pod(uid, 'set-web-2', { status: running(restarts) })])

const probe = { spec: { nodeName: 'n', containers: [{ name: 'web', readinessProbe: { exec: {} } }] } }

test('a container without a health check has to run for 3 seconds by our clock', () => {
  const looks = [{ atMs: 500 }, { atMs: 1500 }, { atMs: 3499 }, { atMs: 3500 }].map((at) => ({ ...at, observed: up() }))
  assert.equal(outcomes(wanted(), looks), ['look after 1000', 'look after 1000', 'look after 1', 'done'])
})

test('another pod starts the 3 seconds again', () => {
  const looks = [0, 2999, 3000, 5999, 6000].map((atMs) => ({ atMs, observed: up(0, atMs < 3000 ? 'a' : 'b') }))
  assert.equal(outcomes(wanted(), looks).slice(2), ['look after 1000', 'look after 1', 'done'])
})

test('one that has ended before, whose log ends, or whose log cannot be followed, has to run for 10 seconds', () => {
  const slowly = (observed: Observed, ends = false): ReadonlyArray<string> =>
    outcomes(
      wanted(),
      [0, 3000, 9999, 10_000].map((atMs) => ({ atMs, ends, observed })),
    )
  const after = ['look after 1000', 'look after 1000', 'look after 1', 'done']
  assert.equal(slowly(up(0), true), after)
  assert.equal(slowly(up(1)), after)
})

test('a container that ran before the deploy began need not wait', () => {
  assert.equal(outcomes(wanted(), [{ atMs: 7, observed: up(), isUnchanged: true }]), ['done'])
  assert.equal(outcomes(wanted(), [{ atMs: 7, observed: up(4), isUnchanged: true }]), ['look after 1000'])
})

test('a Deployment that still counts a pod that has just ended is not available', () => {
  const ended = {
    phase: 'Running',
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'False' },
    ],
  }
  const evicted = pod('b', 'set-web-2', { status: { phase: 'Failed', reason: 'Evicted' } })
  const stale = deployment([pod('a', 'set-web-2', { status: ended }), evicted])
  const looks = [
    { atMs: 0, observed: stale },
    { atMs: 9000, observed: deployment([pod('a', 'set-web-2', { status: running() }), evicted]) },
  ]
  assert.equal(
    outcomes(
      wanted(),
      looks.map((look) => ({ ...look, isUnchanged: true })),
    ),
    ['look after 1000', 'look after 1000'],
  )
})

test('a passed health check counts at once', () => {
  const observed = deployment([pod('a', 'set-web-2', { status: running(), ...probe })])
  assert.equal(outcomes(wanted(), [{ atMs: 0, observed }]), ['done'])
})

test('a readiness gate that is closed keeps a pod from being available', () => {
  const gated = {
    nodeName: 'n',
    containers: [{ name: 'web' }],
    readinessGates: [{ conditionType: 'lb.example.com/up' }],
  }
  const status = {
    ...running(),
    conditions: [
      { type: 'PodScheduled', status: 'True' },
      { type: 'Ready', status: 'False' },
    ],
  }
  const observed = deployment(
    [pod('a', 'set-web-2', { status, spec: gated })],
    {},
    { ...available, availableReplicas: 0 },
  )
  let state = beginWaiting
  const seen: Sight = { publicPorts: [], isUnchanged: false, isBlocked: false, observed }
  for (const atMs of [0, 60_000]) {
    const step = stepWaiting(wanted(), state, { _tag: 'Looked', atMs, seen })
    state = step.state
    assert.is(step.command._tag, 'Watch')
  }
  assert.is(state.detail, '0 of 1 ready, waiting for the readiness gate lb.example.com/up')
})

const sliceOf = (name: string, ...ready: ReadonlyArray<boolean>): ClusterObject => ({
  apiVersion: 'discovery.k8s.io/v1',
  kind: 'EndpointSlice',
  metadata: { name, uid: name, resourceVersion: '1', labels: { 'kubernetes.io/service-name': name } },
  endpoints: ready.map((isReady) => ({ conditions: { ready: isReady } })),
})

const slice = (...ready: ReadonlyArray<boolean>): ClusterObject => sliceOf('web', ...ready)

const portsOf = (backend: string, ...ports: ReadonlyArray<number>) => ports.map((port) => ({ port, backend }))

test('with public ports, its Service has to have an address that is ready', () => {
  const checked = pod('a', 'set-web-2', { status: running(), ...probe })
  const seen = (atMs: number, ...slices: ReadonlyArray<ClusterObject>): Moment => ({
    atMs,
    publicPorts: portsOf('web', 80),
    observed: new Map([...observedOf(slices), ...deployment([checked], { template: probe })]),
  })
  const looks = [seen(0, slice()), seen(9000, slice(false)), seen(9100, slice(false, true))]
  assert.equal(outcomes(wanted(), looks), ['look after 1000', 'look after 1000', 'done'])
  const others = [seen(0, sliceOf('web-all', true)), seen(9000, sliceOf('web-all', true), slice(true))]
  assert.equal(outcomes(wanted(), others), ['look after 1000', 'done'], 'the Ingress does not name it')
  assert.equal(outcomes(wanted(), [seen(0), seen(2999), seen(3000)]), ['look after 1000', 'look after 1000', 'done'])
})

const serving = (atMs: number, open: ReadonlyArray<number> | undefined): Moment => ({
  atMs,
  open,
  observed: new Map([...observedOf([slice(true)]), ...up()]),
  publicPorts: portsOf('web', 80, 81),
})

test('with public ports, one of them has to accept connections', () => {
  const looks = [serving(0, []), serving(60_000, []), serving(61_000, [80, 81])]
  assert.equal(outcomes(wanted(), looks), ['Pause', 'Pause', 'done'])
})

test('public ports that refuse for 3 more seconds are one warning that names those that accept', () => {
  const looks = [serving(0, [80]), serving(2999, []), serving(3000, [])]
  assert.equal(outcomes(wanted(), looks), ['Pause', 'Pause', 'done DT3160'])
  const end = commandsAfter(wanted(), looks).at(-1)
  const messages =
    end?._tag === 'End' && end.waited._tag === 'Met' ? end.waited.findings.map(({ message }) => message) : []
  assert.equal(messages, ['service "web": nothing listens on public port 81, but 80 accepts connections'])
})

test('public ports that may not be checked are a warning, and the containers still have to run', () => {
  const looks = [serving(0, undefined), serving(3000, undefined)]
  assert.equal(outcomes(wanted(), looks), ['look after 1000', 'done DT3133'])
})

const restarted = (restartCount: number, exitCode = 1): Observed => {
  const ended = { lastState: { terminated: { exitCode, reason: exitCode === 0 ? 'Completed' : 'Error' } } }
  const waiting = { waiting: { reason: 'CrashLoopBackOff', message: 'back-off' } }
  return deployed([pod('a', 'set-web-2', { status: container(waiting, { restartCount, ...ended }) })])
}

for (const exitCode of [0, 1, 137]) {
  test(`a container that ends with ${exitCode} fails when it ends after its third restart`, () => {
    const looks = [0, 1, 2, 3].map((restarts, turn) => ({
      atMs: turn * 10_000,
      observed: restarted(restarts, exitCode),
    }))
    assert.equal(outcomes(wanted(), looks).at(-2), 'look after 1000')
    assert.equal(outcomes(wanted(), looks).at(-1), 'failed DT3207')
  })
}

test('with --fail-fast a container fails when it ends after its first restart', () => {
  const looks = [0, 1].map((restarts) => ({ atMs: restarts * 10_000, observed: restarted(restarts), failsFast: true }))
  assert.equal(outcomes(wanted(), looks), ['look after 1000', 'failed DT3207'])
})

test('restarts from before the deploy do not count, and neither do those while a dependency is not ready', () => {
  const before = [
    { atMs: 0, observed: restarted(7) },
    { atMs: 1000, observed: restarted(9) },
  ]
  assert.equal(outcomes(wanted(), before).at(-1), 'look after 1000')
  const blocked = [0, 1, 2, 3, 4].map((restarts) => ({
    atMs: restarts * 1000,
    observed: restarted(restarts),
    isBlocked: true,
  }))
  const freed = [
    { atMs: 6000, observed: restarted(6) },
    { atMs: 7000, observed: restarted(7) },
  ]
  assert.equal(outcomes(wanted(), [...blocked, ...freed]).slice(-3), [
    'look after 1000',
    'look after 1000',
    'failed DT3207',
  ])
})

test('a crash loop from before the deploy that no longer restarts fails after 30 seconds', () => {
  const looks = [0, 29_999, 30_000].map((atMs) => ({ atMs, observed: restarted(9), isUnchanged: true }))
  assert.equal(outcomes(wanted(), looks).slice(1), ['look after 1000', 'failed DT3207'])
})

test('a command that cannot be run fails at once', () => {
  for (const exitCode of [126, 127]) {
    assert.equal(outcomes(wanted(), [{ atMs: 0, observed: restarted(0, exitCode) }]), ['failed DT3207'])
  }
})

const set = (kind: string, spec: JsonObject, status: JsonObject, pods: ReadonlyArray<ClusterObject> = []): Observed =>
  observedOf([workload(kind, 'web', { spec, status: { updateRevision: 'r2', ...status } }), ...pods])

const revised = (name: string, revision: string, status: JsonObject) =>
  pod(name, 'workload-web', { status, labels: { 'controller-revision-hash': revision } })

const absent = container({ waiting: { reason: 'ErrImagePull', message: 'shop/web:1: not found' } })
const onDelete = { replicas: 1, updateStrategy: { type: 'OnDelete' } }
const counts = (updatedReplicas: number) => ({ ...available, updatedReplicas, readyReplicas: 1 })

const kinds: ReadonlyArray<readonly [what: string, kind: string, observed: Observed, outcome: string]> = [
  ['a Deployment that asks for no pods', 'Deployment', deployment([], { replicas: 0 }, {}), 'done DT3131'],
  ['a DaemonSet that no node matches', 'DaemonSet', set('DaemonSet', {}, { desiredNumberScheduled: 0 }), 'done DT3131'],
  [
    'a paused Deployment',
    'Deployment',
    deployment([], { paused: true }, { replicas: 1, availableReplicas: 1 }),
    'done DT3131',
  ],
  ['a suspended Job', 'Job', set('Job', { suspend: true }, {}), 'done DT3131'],
  [
    'a Job that runs',
    'Job',
    set('Job', {}, { ready: 1, active: 1 }, [pod('j', 'workload-web', { status: running() })]),
    'look after 1000',
  ],
  ['a Job that is complete', 'Job', set('Job', {}, { conditions: [{ type: 'Complete', status: 'True' }] }), 'done'],
  ['a Job that failed', 'Job', set('Job', {}, { conditions: [{ type: 'Failed', status: 'True' }] }), 'failed DT3219'],
  [
    'old pods that stay until they are deleted',
    'StatefulSet',
    set('StatefulSet', onDelete, counts(0), [revised('web-0', 'r1', readyStatus)]),
    'done DT3131',
  ],
  [
    'on-delete, made now, with an image that does not come',
    'StatefulSet',
    set('StatefulSet', onDelete, { replicas: 1, updatedReplicas: 1 }, [revised('web-0', 'r2', absent)]),
    'failed DT3201',
  ],
  [
    'on-delete, and the pod that was deleted does not come back',
    'StatefulSet',
    set('StatefulSet', { ...onDelete, replicas: 2 }, { replicas: 2, updatedReplicas: 1, readyReplicas: 1 }, [
      revised('web-0', 'r1', readyStatus),
      revised('web-1', 'r2', absent),
    ]),
    'failed DT3201',
  ],
  [
    'a StatefulSet below its partition',
    'StatefulSet',
    set(
      'StatefulSet',
      { replicas: 2, updateStrategy: { rollingUpdate: { partition: 2 } } },
      { replicas: 2, updatedReplicas: 0, readyReplicas: 2, availableReplicas: 2 },
    ),
    'done',
  ],
  [
    'a status of an older generation',
    'Deployment',
    deployment([], {}, { ...available, observedGeneration: 1 }),
    'look after 1000',
  ],
  [
    'a ReplicaSet without its pods',
    'ReplicaSet',
    set('ReplicaSet', { replicas: 2 }, { replicas: 1, availableReplicas: 1 }),
    'look after 1000',
  ],
  ['a ReplicaSet', 'ReplicaSet', set('ReplicaSet', { replicas: 2 }, { replicas: 2, availableReplicas: 2 }), 'done'],
]

for (const [what, kind, observed, outcome] of kinds) {
  test(`${what}: ${outcome}`, () => assert.equal(outcomes(wanted(kind), [{ atMs: 0, observed }]), [outcome]))
}

test.run()
