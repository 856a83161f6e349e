/**
 * `up` and `down` of workloads of every kind, cut off after each write as by SIGKILL. Afterwards specs, managers and
 * claims are as before, and nothing is left.
 */
import { readdirSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at, type Json, type JsonObject, listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import { liveOf, type Observed } from '../../src/domain/cluster/live.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { planUp } from '../../src/domain/dev/activate.ts'
import { mirrorName, mirrorSelector, UP_SELECTOR } from '../../src/domain/dev/names.ts'
import { recordOf } from '../../src/domain/dev/record.ts'
import { planDown } from '../../src/domain/dev/restore.ts'
import type { Round } from '../../src/domain/dev/round.ts'
import type { DevKind } from '../../src/domain/dev/workload.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { devOf, requestOf } from '../support/dev/request.ts'
import { inRounds, observedIn } from '../support/dev/rounds.ts'
import { workload } from '../support/dev/workloads.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'

type World = { readonly cluster: Cluster; readonly namespace: string }
let world: World | undefined
let end = async (): Promise<void> => {}

const current = (): World => {
  if (world === undefined) throw new Error('no cluster')
  return world
}

const rightOf = async <A>(task: TE.TaskEither<unknown, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

test.before(async () => {
  const cluster = await connectReal()
  const space = await withNamespace(cluster, 'restore')
  world = { cluster, namespace: space.name }
  end = async () => {
    await space.end()
    cluster.close()
  }
})

test.after(() => end())

const running = () => ({ ...current(), clock: systemClock })

const keyOf = (kind: DevKind | 'HorizontalPodAutoscaler' | 'PodDisruptionBudget', name: string) => ({
  resource: resources[kind],
  name,
  namespace: current().namespace,
})

const applied = (kind: Parameters<typeof keyOf>[0], name: string, object: JsonObject) =>
  rightOf(current().cluster.apply(keyOf(kind, name), JSON.stringify(object), { manager: 'devtool' }))

const base64 = (path: string): string => readFileSync(path).toString('base64')

const agentFiles = () =>
  Object.fromEntries(readdirSync('dist/agent').map((name) => [name, base64(`dist/agent/${name}`)]))

const requestFor = (name: string, volume: string) =>
  requestOf(devOf({ 'devtool.yml': `dev:\n  ${name}:\n    volumes: [${volume}]\n` }), {
    consents: new Set(['Nodes', 'RunningJob']),
    agent: {
      image: 'node:22.23-bookworm-slim',
      files: agentFiles(),
      keys: { host_key: 'YQ==', 'client_key.pub': 'Yg==' },
    },
  })

const up =
  (name: string, volume = '/cache') =>
  (observed: Observed): Round => {
    const planned = planUp(requestFor(name, volume), observed)
    if (E.isLeft(planned)) throw new Error(planned.left.map(({ message }) => message).join('\n'))
    return planned.right
  }

const down =
  (kind: DevKind, name: string, withVolumes = false) =>
  (observed: Observed): Round => {
    const live = liveOf(observed, 'ConfigMap', mirrorName(kind, name))
    if (live === undefined) return { actions: [], waitsFor: [] }
    const record = recordOf(live)
    if (E.isLeft(record)) throw new Error(record.left.message)
    return planDown({ record: record.right, withVolumes }, observed)
  }

/** Controllers write the status; the time of an entry is that of its last write. */
const managersOf = (live: Json | undefined): ReadonlyArray<string> =>
  listAt(live, 'metadata', 'managedFields')
    .filter((entry) => textAt(entry, 'subresource') !== 'status')
    .map((entry) =>
      JSON.stringify({
        manager: at(entry, 'manager'),
        operation: at(entry, 'operation'),
        subresource: at(entry, 'subresource'),
        fields: at(entry, 'fieldsV1'),
      }),
    )
    .toSorted()

const claimsIn = async (): Promise<ReadonlyArray<string>> => {
  const { cluster, namespace } = current()
  const { items } = await rightOf(cluster.list({ resource: resources.PersistentVolumeClaim, namespace }))
  return items
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined && !metadata.name.startsWith('devtool-up-'))
    .map(({ metadata: { name, uid } }) => `${name} ${uid}`)
    .toSorted()
}

const stateOf = async (kind: DevKind, name: string): Promise<unknown> => {
  const live = await rightOf(current().cluster.get(keyOf(kind, name)))
  return { spec: live?.['spec'], managers: managersOf(live), claims: await claimsIn() }
}

const leftOf = async (): Promise<ReadonlyArray<string>> => {
  const { cluster, namespace } = current()
  const found = await Promise.all(
    (['ConfigMap', 'Secret', 'Deployment'] as const).map(async (kind) => {
      const { items } = await rightOf(cluster.list({ resource: resources[kind], namespace, labels: UP_SELECTOR }))
      return items.map(({ metadata }) => `${kind}/${metadata.name}`)
    }),
  )
  return found.flat()
}

const until = async (what: string, isSo: () => Promise<boolean>): Promise<void> => {
  for (let left = 150; left > 0; left -= 1) {
    if (await isSo()) return
    await systemClock.sleep(200)
  }
  throw new Error(`it never came: ${what}`)
}

const isRunning = (kind: DevKind, name: string) => async (): Promise<boolean> => {
  const live = await rightOf(current().cluster.get(keyOf(kind, name)))
  const ready = { Deployment: 'readyReplicas', StatefulSet: 'readyReplicas', DaemonSet: 'numberReady', Job: 'ready' }
  return kind === 'CronJob' || (numberAt(live, 'status', ready[kind]) ?? 0) > 0
}

/** Of `up` and of `down`: more than either has. */
const mostWrites = 7

const cases: ReadonlyArray<readonly [DevKind, string, JsonObject]> = [
  ['Deployment', 'web', {}],
  [
    'StatefulSet',
    'db',
    {
      persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } },
        },
      ],
    },
  ],
  ['DaemonSet', 'node', {}],
  ['Job', 'import', {}],
  ['CronJob', 'nightly', {}],
]

for (const [kind, name, spec] of cases) {
  test(`${kind}: down restores it after any number of writes of up and of down`, async () => {
    await applied(kind, name, workload(kind, { name, spec }))
    if (kind === 'Deployment') {
      await applied('HorizontalPodAutoscaler', name, {
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name },
        spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind, name }, minReplicas: 2, maxReplicas: 3 },
      })
      await applied('PodDisruptionBudget', name, {
        apiVersion: 'policy/v1',
        kind: 'PodDisruptionBudget',
        metadata: { name },
        spec: { minAvailable: 1, selector: { matchLabels: { app: name } } },
      })
    }
    await until(`${kind} runs`, isRunning(kind, name))
    const before = await stateOf(kind, name)
    for (let writes = 0; writes <= mostWrites; writes += 1) {
      await inRounds(running(), up(name), writes)
      await inRounds(running(), down(kind, name))
      assert.equal(await stateOf(kind, name), before, `up was cut off after ${writes} writes`)
      await until('nothing is left', async () => (await leftOf()).length === 0)
      await inRounds(running(), up(name))
      await inRounds(running(), down(kind, name), writes)
      await inRounds(running(), down(kind, name))
      assert.equal(await stateOf(kind, name), before, `down was cut off after ${writes} writes`)
      await until('nothing is left', async () => (await leftOf()).length === 0)
    }
    await until(`${kind} runs again`, isRunning(kind, name))
  })

  test(`${kind}: its mirror runs beside no pod of it, and only --volumes takes the claim`, async () => {
    const mirror = mirrorName(kind, name)
    await inRounds(running(), up(name))
    await until('the mirror is available', async () => {
      const live = liveOf(await observedIn(running()), 'Deployment', mirror)
      return numberAt(live, 'status', 'availableReplicas') === 1
    })
    await until('its own pods are gone', async () => {
      const { cluster, namespace } = current()
      const { items } = await rightOf(
        cluster.list({ resource: resources.Pod, namespace, labels: `app=${name},!dev.devtool/mirror` }),
      )
      return items.length === 0
    })
    await inRounds(running(), down(kind, name))
    assert.ok(liveOf(await observedIn(running()), 'PersistentVolumeClaim', mirror))
    await inRounds(running(), up(name))
    await inRounds(running(), down(kind, name, true))
    await until('the claim is gone', async () => {
      return liveOf(await observedIn(running()), 'PersistentVolumeClaim', mirror) === undefined
    })
    await current().cluster.remove(keyOf(kind, name), { propagation: 'Background' })()
  })
}

test('a new claim gets what the image has in its folders, and any user may write to it', async () => {
  const name = 'filled'
  const { cluster, namespace } = current()
  const pod = { securityContext: { runAsUser: 1000, runAsNonRoot: true } }
  await applied('Deployment', name, workload('Deployment', { name, pod }))
  await inRounds(running(), up(name, '/etc'))
  const labels = mirrorSelector(mirrorName('Deployment', name))
  const command = ['sh', '-c', 'grep -c root /etc/passwd && touch /etc/written']
  await until('the files are there', async () => {
    const { items } = await rightOf(cluster.list({ resource: resources.Pod, namespace, labels }))
    const [first] = items
    if (first === undefined) return false
    const never = new AbortController().signal
    const started = await cluster.pods.exec(
      { namespace, name: first.metadata.name },
      { command, container: 'app' },
      never,
    )()
    if (E.isLeft(started)) return false
    started.right.stdout.resume()
    started.right.stderr.resume()
    const exit = await started.right.exit()
    return E.isRight(exit) && exit.right === 0
  })
  await inRounds(running(), down('Deployment', name, true))
})

const crdKey = {
  resource: {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    isNamespaced: false,
  },
  name: 'scaledobjects.keda.sh',
}

const crd: JsonObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: crdKey.name },
  spec: {
    group: 'keda.sh',
    names: { kind: 'ScaledObject', plural: 'scaledobjects' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1alpha1',
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
}

test('a controller that scales back each second is paused, and goes on after down', async () => {
  const [name, kind] = ['scaled', 'Deployment'] as const
  const { cluster, namespace } = current()
  const scalerKey = { resource: resources.ScaledObject, name, namespace }
  const scaler = {
    apiVersion: 'keda.sh/v1alpha1',
    kind: 'ScaledObject',
    metadata: { name, annotations: { note: 'kept' } },
    spec: { scaleTargetRef: { name } },
  }
  await rightOf(cluster.apply(crdKey, JSON.stringify(crd), { manager: 'devtool-test' }))
  try {
    await until('the kind is served', async () =>
      E.isRight(await cluster.apply(scalerKey, JSON.stringify(scaler), { manager: 'devtool-test' })()),
    )
    await applied(kind, name, workload(kind, { name }))
    /** As KEDA does: not while the annotation is there. */
    const scaleBack = async (): Promise<void> => {
      const live = await rightOf(cluster.get(scalerKey))
      if (at(live, 'metadata', 'annotations', 'autoscaling.keda.sh/paused') === 'true') return
      await rightOf(cluster.merge(keyOf(kind, name), { spec: { replicas: 2 } }, { manager: 'keda-operator' }))
    }
    const replicas = async () => numberAt(await rightOf(cluster.get(keyOf(kind, name))), 'spec', 'replicas')
    await inRounds(running(), up(name))
    for (let second = 0; second < 5; second += 1) {
      await scaleBack()
      assert.is(await replicas(), 0)
      await systemClock.sleep(1000)
    }
    await inRounds(running(), down(kind, name, true))
    assert.is(await replicas(), 2)
    const after = await rightOf(cluster.get(scalerKey))
    assert.equal(at(after, 'metadata', 'annotations'), { note: 'kept' })
    assert.equal(
      managersOf(after).filter((entry) => entry.includes('devtool-up')),
      [],
    )
  } finally {
    await cluster.remove(crdKey, { propagation: 'Background' })()
  }
})

test.run()
