/** Causes are found in whatever a server sends: nothing throws, and the order of what it sends changes nothing. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Json, JsonObject } from '../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive, type Observed } from '../../src/domain/cluster/live.ts'
import { readRollout } from '../../src/domain/rollout/rollout.ts'
import { findCauses, ranked } from '../../src/domain/why/causes.ts'
import { toDiagnostic } from '../../src/domain/why/finding.ts'
import { causeReport, serviceReport } from '../../src/domain/why/report.ts'
import { showStory } from '../../src/domain/why/show.ts'
import { tellStory } from '../../src/domain/why/story.ts'
import { observedOf } from '../support/kube/live.ts'
import { container, event, pod, replicaSet, workload } from '../support/why/lives.ts'

const json: fc.Arbitrary<Json> = fc.jsonValue({ maxDepth: 2 }).map((value): Json => JSON.parse(JSON.stringify(value)))

/** Members that are looked at, with values of every type. */
const status = fc.dictionary(
  fc.constantFrom(
    'conditions',
    'containerStatuses',
    'initContainerStatuses',
    'phase',
    'reason',
    'message',
    'replicas',
    'updatedReplicas',
    'observedGeneration',
  ),
  fc.oneof(
    json,
    fc.array(
      fc.dictionary(
        fc.constantFrom('type', 'status', 'reason', 'message', 'name', 'state', 'lastState', 'ready'),
        json,
      ),
    ),
  ),
)

const kinds = ['Deployment', 'ReplicaSet', 'StatefulSet', 'DaemonSet', 'Job', 'Pod', 'PersistentVolumeClaim', 'Event']

const anything: fc.Arbitrary<ClusterObject> = fc
  .record({
    kind: fc.constantFrom(...kinds),
    name: fc.constantFrom('a', 'b'),
    metadata: fc.dictionary(fc.constantFrom('labels', 'annotations', 'ownerReferences', 'generation', 'uid'), json),
    spec: json,
    status,
  })
  .map(({ kind, metadata, name, spec, status: said }): JsonObject => {
    const ownerReferences = [{ controller: true, uid: 'u' }]
    const annotations = { 'deployment.kubernetes.io/revision': '1' }
    return {
      apiVersion: 'v1',
      kind,
      metadata: { uid: 'u', ownerReferences, annotations, ...metadata, name },
      involvedObject: { uid: 'u' },
      spec,
      status: said,
    }
  })
  .filter(isLive)

test('why: any objects are accepted', () => {
  fc.assert(
    fc.property(fc.array(anything, { maxLength: 6 }), (lives) => {
      const observed = observedOf(lives)
      for (const kind of kinds) {
        for (const name of ['a', 'b']) {
          readRollout(observed, { kind, name })
          for (const cause of findCauses(observed, { kind, name }, () => 0)) toDiagnostic(cause, ['line'])
        }
      }
      const states = tellStory({ observed, edges: new Map(), silent: new Map(), developed: new Map() }, lives, [])
      showStory({
        services: states.map(serviceReport),
        remarks: states.flatMap(({ remarks }) => remarks.map((cause) => causeReport({ cause, log: [] }))),
        causes: states.flatMap(({ causes }) => causes.map((cause) => causeReport({ cause, log: [] }))),
      })
    }),
  )
})

const reasons = ['ErrImagePull', 'CrashLoopBackOff', 'CreateContainerConfigError', 'RunContainerError', 'Odd']

const broken: fc.Arbitrary<ClusterObject> = fc
  .record({
    name: fc.constantFrom('a', 'b', 'c', 'd'),
    reason: fc.constantFrom(...reasons),
    message: fc.string(),
    exitCode: fc.nat(3),
  })
  .map(({ exitCode, message, name, reason }) =>
    pod(name, 'set-web-2', {
      status: container({ waiting: { reason, message } }, { lastState: { terminated: { exitCode, reason: 'Error' } } }),
    }),
  )

const worldOf = (pods: ReadonlyArray<ClusterObject>, events: ReadonlyArray<ClusterObject>): Observed =>
  observedOf([workload('Deployment', 'web', { spec: { replicas: 4 } }), replicaSet('web', '2'), ...pods, ...events])

test('why: the order of events does not matter', () => {
  const events = fc.array(
    fc
      .record({
        pod: fc.constantFrom('a', 'b'),
        reason: fc.constantFrom('Failed', 'Unhealthy', 'FailedMount'),
        at: fc.nat(3),
      })
      .map(({ at, pod: name, reason }) => event(`pod-${name}`, reason, 'said', `2026-11-21T10:00:0${at}Z`)),
  )
  fc.assert(
    fc.property(fc.array(broken), events, (pods, said) => {
      const causes = (list: ReadonlyArray<ClusterObject>) =>
        findCauses(worldOf(pods, list), { kind: 'Deployment', name: 'web' }, () => 0)
      const once = observedOf(said).get('Event') ?? new Map<string, ClusterObject>()
      assert.equal(causes([...once.values()]), causes([...once.values()].toReversed()))
    }),
  )
})

test('why: ranking is stable, and final causes come first', () => {
  fc.assert(
    fc.property(fc.array(broken), (pods) => {
      const causes = findCauses(worldOf(pods, []), { kind: 'Deployment', name: 'web' }, () => 0)
      assert.equal(ranked(causes), causes)
      const firstThatMayHeal = causes.findIndex(({ isFinal }) => !isFinal)
      if (firstThatMayHeal >= 0) assert.ok(causes.slice(firstThatMayHeal).every(({ isFinal }) => !isFinal))
    }),
  )
})

test.run()
