/** A namespace sleeps and wakes, cut off after any write: everything is as it was before. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at, type Json, type JsonObject, listAt } from '../../src/domain/cluster/json.ts'
import { type ClusterObject, liveOf, type Observed } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { Round } from '../../src/domain/dev/round.ts'
import { SLEEP_NAME } from '../../src/domain/k8s/labels.ts'
import { planSleep } from '../../src/domain/sleep/sleep.ts'
import { planWake } from '../../src/domain/sleep/wake.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { inRounds, observedIn } from '../support/dev/rounds.ts'
import { workload } from '../support/dev/workloads.ts'

const namespace = 'demo'
const kinds = ['Deployment', 'StatefulSet', 'DaemonSet', 'CronJob'] as const
const nameOf = (kind: string): string => (kind === 'ScaledObject' ? 'scaler' : kind.toLowerCase())
const nothing: Round = { actions: [], waitsFor: [] }

const rightOf = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const sleeps = (observed: Observed): Round => rightOf(planSleep(observed, { now: '2026-01-01T00:00:00Z', who: 'ann' }))
const wakes = (observed: Observed): Round =>
  rightOf(planWake(observed, { now: '2026-01-02T00:00:00Z', who: 'ann', isOrdered: false })) ?? nothing

const worldOf = async (replicas: number, retention: string): Promise<MemoryCluster> => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] })
  for (const kind of kinds) {
    const spec: JsonObject =
      kind === 'Deployment'
        ? { replicas }
        : kind === 'StatefulSet'
          ? { persistentVolumeClaimRetentionPolicy: { whenScaled: retention } }
          : {}
    const body = JSON.stringify(workload(kind, { name: kind.toLowerCase(), spec }))
    const key = { resource: resources[kind], name: kind.toLowerCase(), namespace }
    rightOf(await cluster.apply(key, body, { manager: 'devtool' })())
  }
  const scaled = { resource: resources.StatefulSet, name: 'statefulset', namespace }
  rightOf(await cluster.merge(scaled, { spec: { replicas: 5 } }, { manager: 'somebody' })())
  const scaler = {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'scaler' },
    spec: { scaleTargetRef: { name: 'deployment' } },
  }
  const key = { resource: resources.ScaledObject, name: 'scaler', namespace }
  rightOf(await cluster.apply(key, JSON.stringify(scaler), { manager: 'helm' })())
  return cluster
}

const textOf = (json: Json): string => JSON.stringify(json)
const managersOf = (live: ClusterObject | undefined): ReadonlyArray<Json> =>
  listAt(live, 'metadata', 'managedFields').toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))

const stateOf = async (cluster: MemoryCluster): Promise<JsonObject> => {
  const observed = await observedIn({ cluster, clock: systemClock, namespace })
  return Object.fromEntries(
    [...kinds, 'ScaledObject'].map((kind) => {
      const live = liveOf(observed, kind, nameOf(kind))
      return [kind, { spec: live?.['spec'] ?? null, managers: managersOf(live) }]
    }),
  )
}

test('law: after sleep and wake, each interrupted after any write, everything is as before, including managers', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 3 }),
      fc.constantFrom('Delete', 'Retain'),
      fc.nat({ max: 14 }),
      fc.nat({ max: 14 }),
      async (replicas, retention, first, second) => {
        const cluster = await worldOf(replicas, retention)
        const running = { cluster, clock: systemClock, namespace }
        const before = await stateOf(cluster)
        await inRounds(running, sleeps, first)
        await inRounds(running, sleeps)
        const asleep = await observedIn(running)
        const asleepOf = (kind: string, ...path: ReadonlyArray<string>): Json | undefined =>
          at(liveOf(asleep, kind, kind.toLowerCase()), 'spec', ...path)
        assert.is(asleepOf('Deployment', 'replicas'), 0)
        assert.is(asleepOf('StatefulSet', 'replicas'), 0)
        assert.is(asleepOf('StatefulSet', 'persistentVolumeClaimRetentionPolicy', 'whenScaled'), 'Retain')
        assert.is(asleepOf('CronJob', 'suspend'), true)
        await inRounds(running, wakes, second)
        await inRounds(running, wakes)
        assert.equal(await stateOf(cluster), before)
        assert.is(await inRounds(running, wakes), 0)
      },
    ),
    { numRuns: 40 },
  )
})

test('law: a workload that somebody scales during sleep keeps that scale after wake', async () => {
  const cluster = await worldOf(2, 'Retain')
  const running = { cluster, clock: systemClock, namespace }
  await inRounds(running, sleeps)
  const key = { resource: resources.Deployment, name: 'deployment', namespace }
  rightOf(await cluster.merge(key, { spec: { replicas: 7 } }, { manager: 'somebody' })())
  await inRounds(running, wakes)
  assert.is(at(rightOf(await cluster.get(key)()), 'spec', 'replicas'), 7)
})

test('a workload deployed during sleep is stopped by the next sleep, and wake starts both', async () => {
  const cluster = await worldOf(2, 'Retain')
  const running = { cluster, clock: systemClock, namespace }
  await inRounds(running, sleeps)
  const key = { resource: resources.Deployment, name: 'late', namespace }
  rightOf(await cluster.apply(key, JSON.stringify(workload('Deployment', { name: 'late' })), { manager: 'devtool' })())
  await inRounds(running, sleeps)
  assert.is(at(rightOf(await cluster.get(key)()), 'spec', 'replicas'), 0)
  await inRounds(running, wakes)
  assert.is(at(rightOf(await cluster.get(key)()), 'spec', 'replicas'), 2)
  const record = rightOf(await cluster.get({ resource: resources.ConfigMap, name: SLEEP_NAME, namespace })())
  assert.is(record?.metadata.labels?.['dev.devtool/sleep'], 'awake')
})

test('a namespace with a development container is not put to sleep', async () => {
  const cluster = await worldOf(2, 'Retain')
  cluster.put({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'devtool-up-deployment-api', namespace, labels: { 'dev.devtool/kind': 'up' } },
    data: { record: '{}' },
  })
  const observed = await observedIn({ cluster, clock: systemClock, namespace })
  const planned = planSleep(observed, { now: '', who: '' })
  assert.equal(E.isLeft(planned) ? planned.left.map(({ code }) => code) : [], ['DT5061'])
})

test('with an unreadable record nothing is changed', async () => {
  const cluster = await worldOf(2, 'Retain')
  cluster.put({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: SLEEP_NAME, namespace },
    data: { record: '[]' },
  })
  const observed = await observedIn({ cluster, clock: systemClock, namespace })
  for (const planned of [
    planSleep(observed, { now: '', who: '' }),
    planWake(observed, { now: '', who: '', isOrdered: true }),
  ]) {
    assert.equal(E.isLeft(planned) ? planned.left.map(({ code }) => code) : [], ['DT5060'])
  }
})

test.run()
