/** `up` and `down` over workloads of every kind, cut off after any write. */

import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at, isObject, type Json, type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import { type ClusterObject, liveOf } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { planUp } from '../../src/domain/dev/activate.ts'
import { mirrorName, UP_SELECTOR } from '../../src/domain/dev/names.ts'
import { recordOf } from '../../src/domain/dev/record.ts'
import type { UpRequest } from '../../src/domain/dev/request.ts'
import { planDown } from '../../src/domain/dev/restore.ts'
import type { Round } from '../../src/domain/dev/round.ts'
import { type DevKind, devKinds } from '../../src/domain/dev/workload.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { devOf, requestOf } from '../support/dev/request.ts'
import { inRounds, observedIn } from '../support/dev/rounds.ts'
import { type WorkloadParts, workload } from '../support/dev/workloads.ts'

const namespace = 'demo'
const consents: UpRequest['consents'] = new Set(['Application', 'Nodes', 'RunningJob'])

const manifest = `dev:
  api:
    image: node:22
    metadata: { annotations: { note: mine, tool: mine, kustomize.toolkit.fluxcd.io/reconcile: enabled } }
`

type World = { readonly cluster: MemoryCluster; readonly kind: DevKind; readonly request: UpRequest }

const running = ({ cluster }: World) => ({ cluster, namespace, clock: systemClock })

const up =
  ({ request }: World) =>
  (observed: Parameters<typeof planUp>[1]): Round => {
    const planned = planUp(request, observed)
    if (E.isLeft(planned)) throw new Error(planned.left.map(({ message }) => message).join('\n'))
    return planned.right
  }

/** From the record alone, as somebody would who has nothing else. */
const down =
  ({ kind }: World) =>
  (observed: Parameters<typeof planDown>[1]): Round => {
    const live = liveOf(observed, 'ConfigMap', mirrorName(kind, 'api'))
    if (live === undefined) return { actions: [], waitsFor: [] }
    const record = recordOf(live)
    if (E.isLeft(record)) throw new Error(record.left.message)
    return planDown({ record: record.right, withVolumes: false }, observed)
  }

const keyOf = (kind: DevKind) => ({ resource: resources[kind], name: 'api', namespace })

const rightOf = <A>(result: E.Either<unknown, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const worldOf = async (kind: DevKind, parts: WorkloadParts, scaledBy?: string): Promise<World> => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } }] })
  const body = JSON.stringify(workload(kind, parts))
  rightOf(await cluster.apply(keyOf(kind), body, { manager: 'devtool' })())
  cluster.put({
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name: 'scaler', namespace, annotations: { note: 'kept' } },
    spec: { scaleTargetRef: { kind, name: 'api' } },
  })
  cluster.put({
    apiVersion: 'argoproj.io/v1alpha1',
    kind: 'Application',
    metadata: { name: 'shop', namespace: 'argocd', annotations: { note: 'kept' } },
    spec: { syncPolicy: { automated: { selfHeal: true } } },
  })
  if (scaledBy !== undefined) {
    rightOf(await cluster.merge(keyOf(kind), { spec: { replicas: 3 } }, { manager: scaledBy })())
  }
  const request = requestOf(devOf({ 'devtool.yml': manifest }), { consents })
  return { cluster, kind, request }
}

const textOf = (json: Json): string => JSON.stringify(json)

/** Their order has no meaning. */
const managersOf = (live: ClusterObject | undefined): ReadonlyArray<Json> =>
  listAt(live, 'metadata', 'managedFields').toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1))

/** What has to be the same afterwards. */
const stateOf = async ({ cluster, kind }: World): Promise<JsonObject> => {
  const live = rightOf(await cluster.get(keyOf(kind))())
  const annotations = at(live, 'metadata', 'annotations')
  const scaler = rightOf(await cluster.get({ resource: resources.ScaledObject, name: 'scaler', namespace })())
  const argo = { resource: resources.Application, name: 'shop', namespace: 'argocd' }
  const application = rightOf(await cluster.get(argo)())
  return {
    application: { annotations: at(application, 'metadata', 'annotations'), managers: managersOf(application) },
    scaler: at(scaler, 'metadata', 'annotations'),
    spec: live?.['spec'],
    managers: managersOf(live),
    annotations: isObject(annotations) ? annotations : {},
  }
}

const leftOf = async ({ cluster }: World): Promise<ReadonlyArray<string>> => {
  const kinds = ['ConfigMap', 'Secret', 'Deployment', 'Service'] as const
  const found = await Promise.all(
    kinds.map(async (kind) =>
      rightOf(await cluster.list({ resource: resources[kind], namespace, labels: UP_SELECTOR })()).items.map(
        ({ metadata }) => `${kind}/${metadata.name}`,
      ),
    ),
  )
  return found.flat()
}

const kindArbitrary = fc.constantFrom(...devKinds)

const partsArbitrary: fc.Arbitrary<WorkloadParts> = fc.record(
  {
    pod: fc.constantFrom<JsonObject>(
      {},
      { nodeSelector: { disk: 'ssd' } },
      { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: 'data' } }] },
    ),
    labels: fc.constantFrom<JsonObject>(
      {},
      { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
      { 'helm.toolkit.fluxcd.io/name': 'apps' },
      { 'argocd.argoproj.io/instance': 'shop' },
    ),
    annotations: fc.constant<JsonObject>({ note: 'kept' }),
  },
  { requiredKeys: [] },
)

const scaledArbitrary = fc.constantFrom(undefined, 'kubectl-scale', 'devtool')

const withSpec = (kind: DevKind, parts: WorkloadParts, isDeleting: boolean): WorkloadParts =>
  kind === 'StatefulSet' && isDeleting
    ? { ...parts, spec: { persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' } } }
    : parts

const isScaled = (kind: DevKind): boolean => kind === 'Deployment' || kind === 'StatefulSet'

test('down restores the workload and its managers after any prefix of the writes of up and of down', async () => {
  await fc.assert(
    fc.asyncProperty(
      kindArbitrary,
      partsArbitrary,
      fc.boolean(),
      scaledArbitrary,
      fc.nat(9),
      fc.nat(9),
      async (kind, parts, isDeleting, scaledBy, upWrites, downWrites) => {
        const world = await worldOf(kind, withSpec(kind, parts, isDeleting), isScaled(kind) ? scaledBy : undefined)
        const before = await stateOf(world)
        await inRounds(running(world), up(world), upWrites)
        await inRounds(running(world), down(world), downWrites)
        await inRounds(running(world), down(world))
        assert.equal(await stateOf(world), before)
        assert.equal(await leftOf(world), [])
      },
    ),
  )
})

test('an interrupted up is completed by the next one, after which nothing is left to do', async () => {
  await fc.assert(
    fc.asyncProperty(kindArbitrary, partsArbitrary, fc.nat(9), async (kind, parts, writes) => {
      const [cut, whole] = [await worldOf(kind, parts), await worldOf(kind, parts)]
      await inRounds(running(cut), up(cut), writes)
      await inRounds(running(cut), up(cut))
      await inRounds(running(whole), up(whole))
      assert.is(await inRounds(running(whole), up(whole)), 0)
      const [one, other] = await Promise.all([mirrorIn(cut), mirrorIn(whole)])
      assert.equal(one['spec'], other['spec'])
    }),
  )
})

const mirrorIn = async ({ cluster, kind }: World): Promise<ClusterObject> => {
  const name = mirrorName(kind, 'api')
  const live = rightOf(await cluster.get({ resource: resources.Deployment, name, namespace })())
  if (live === undefined) throw new Error('there is no mirror')
  return live
}

const labelsAt = (json: Json | undefined): Readonly<Record<string, unknown>> => (isObject(json) ? json : {})

test('the original gets the annotations of the section that it does not have', async () => {
  const world = await worldOf('CronJob', {
    annotations: { note: 'kept' },
    labels: { 'kustomize.toolkit.fluxcd.io/name': 'apps' },
  })
  await inRounds(running(world), up(world))
  const { annotations } = await stateOf(world)
  assert.equal(annotations, { note: 'kept', tool: 'mine', 'kustomize.toolkit.fluxcd.io/reconcile': 'disabled' })
})

test('the mirror selects no pod of the original, and carries no label by which a deploy would prune it', async () => {
  await fc.assert(
    fc.asyncProperty(kindArbitrary, partsArbitrary, async (kind, parts) => {
      const labels = { ...parts.labels, 'dev.devtool/environment': 'shop', 'app.kubernetes.io/managed-by': 'devtool' }
      const world = await worldOf(kind, { ...parts, labels })
      await inRounds(running(world), up(world))
      const mirror = await mirrorIn(world)
      const original = rightOf(await world.cluster.get(keyOf(kind))())
      const podLabels = labelsAt(at(original, 'spec', 'template', 'metadata', 'labels'))
      const selected = Object.entries(labelsAt(at(mirror, 'spec', 'selector', 'matchLabels')))
      assert.ok(selected.length > 0 && selected.every(([name, value]) => podLabels[name] !== value))
      assert.equal(Object.keys(labelsAt(mirror.metadata.labels)).toSorted(), ['dev.devtool/kind', 'dev.devtool/mirror'])
      assert.is(textAt(mirror, 'spec', 'template', 'metadata', 'labels', 'app'), 'api')
    }),
  )
})

test('up waits for what belonged to an earlier record', async () => {
  const world = await worldOf('Deployment', {})
  await inRounds(running(world), up(world))
  const observed = new Map(await observedIn(running(world)))
  const live = liveRecord(observed)
  const replaced = { ...live, metadata: { ...live.metadata, uid: 'another' } }
  observed.set('ConfigMap', new Map(observed.get('ConfigMap')).set(live.metadata.name, replaced))
  const mirror = mirrorName('Deployment', 'api')
  assert.equal(up(world)(observed), {
    ...up(world)(observed),
    actions: [],
    waitsFor: [`ConfigMap/${mirror}-agent`, `Secret/${mirror}`, `Deployment/${mirror}`],
  })
})

test('values set by somebody else meanwhile stay', async () => {
  const world = await worldOf('Deployment', {})
  await inRounds(running(world), up(world))
  rightOf(await world.cluster.merge(keyOf('Deployment'), { spec: { replicas: 5 } }, { manager: 'kubectl' })())
  await inRounds(running(world), down(world))
  assert.is(at(await stateOf(world), 'spec', 'replicas'), 5)
})

test('when the original is gone, down deletes the rest', async () => {
  const world = await worldOf('Deployment', {})
  await inRounds(running(world), up(world))
  const { record } = { record: rightOf(recordOf(liveRecord(await observedIn(running(world))))) }
  world.cluster.take('Deployment', 'api', namespace)
  await inRounds(running(world), (observed) => planDown({ record, withVolumes: true }, observed))
  assert.equal(await leftOf(world), [])
})

const liveRecord = (observed: Parameters<typeof planUp>[1]): ClusterObject => {
  const live = liveOf(observed, 'ConfigMap', mirrorName('Deployment', 'api'))
  if (live === undefined) throw new Error('there is no record')
  return live
}

test.run()
