/**
 * `up` and `down` of workloads of every kind, cut off after each write as by SIGKILL. Afterwards specs, managers and
 * claims are as before, and nothing is left.
 */
import { readdirSync, readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { at, type JsonObject, numberAt } from '../../src/domain/cluster/json.ts'
import { liveOf, type Observed } from '../../src/domain/cluster/live.ts'
import { apiVersionOf, type Resource, resources } from '../../src/domain/cluster/resources.ts'
import { planUp } from '../../src/domain/dev/activate.ts'
import { mirrorName, mirrorSelector } from '../../src/domain/dev/names.ts'
import { recordOf } from '../../src/domain/dev/record.ts'
import { planDown } from '../../src/domain/dev/restore.ts'
import type { Round } from '../../src/domain/dev/round.ts'
import type { DevKind } from '../../src/domain/dev/workload.ts'
import { devOf, requestOf } from '../support/dev/request.ts'
import { inRounds, observedIn } from '../support/dev/rounds.ts'
import { workload } from '../support/dev/workloads.ts'
import {
  applied,
  everyKind,
  keyOf,
  makeWorkload,
  managersOf,
  type Place,
  rightOf,
  stateOf,
  untilNothingIsLeft,
  untilRunning,
} from '../support/e2e/developed.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'
import { until } from '../support/process/until.ts'

let world: Place | undefined
let end = async (): Promise<void> => {}

const current = (): Place => {
  if (world === undefined) throw new Error('no cluster')
  return world
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

const base64 = (path: string): string => readFileSync(path).toString('base64')

const agentFiles = () =>
  Object.fromEntries(readdirSync('dist/agent').map((name) => [name, base64(`dist/agent/${name}`)]))

const requestFor = (name: string, volume: string) =>
  requestOf(devOf({ 'devtool.yml': `dev:\n  ${name}:\n    volumes: [${volume}]\n` }), {
    consents: new Set(['Application', 'Nodes', 'RunningJob']),
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

/** Of `up` and of `down`: more than either has. */
const mostWrites = 7

for (const developed of everyKind) {
  const { kind, name } = developed
  test(`${kind}: down restores it after any number of writes of up and of down`, async () => {
    await makeWorkload(current(), developed)
    const before = await stateOf(current(), developed)
    for (let writes = 0; writes <= mostWrites; writes += 1) {
      await inRounds(running(), up(name), writes)
      await inRounds(running(), down(kind, name))
      assert.equal(await stateOf(current(), developed), before, `up was cut off after ${writes} writes`)
      await untilNothingIsLeft(current())
      await inRounds(running(), up(name))
      await inRounds(running(), down(kind, name), writes)
      await inRounds(running(), down(kind, name))
      assert.equal(await stateOf(current(), developed), before, `down was cut off after ${writes} writes`)
      await untilNothingIsLeft(current())
    }
    await untilRunning(current(), developed)
  })

  test(`${kind}: its mirror runs only after its pods have ended, and only --volumes deletes the claim`, async () => {
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
    await current().cluster.remove(keyOf(current(), kind, name), { propagation: 'Background' })()
  })
}

test('a new claim is filled with the folder of the image, and any user may write to it', async () => {
  const name = 'filled'
  const { cluster, namespace } = current()
  const pod = { securityContext: { runAsUser: 1000, runAsNonRoot: true } }
  await applied(current(), 'Deployment', name, workload('Deployment', { name, pod }))
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

const definition = (name: string) => ({
  resource: {
    group: 'apiextensions.k8s.io',
    version: 'v1',
    plural: 'customresourcedefinitions',
    kind: 'CustomResourceDefinition',
    isNamespaced: false,
  },
  name,
})

const definitionOf = ({ group, kind, plural, version }: Resource): JsonObject => ({
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: `${plural}.${group}` },
  spec: {
    group,
    names: { kind, plural },
    scope: 'Namespaced',
    versions: [
      {
        name: version,
        served: true,
        storage: true,
        schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
      },
    ],
  },
})

/** `pause`: the annotation of `object` with which its controller leaves the workload alone. */
type Controller = {
  readonly name: string
  readonly manager: string
  readonly resource: Resource
  readonly pause: string
  readonly spec: JsonObject
  readonly annotations?: JsonObject
}

/** A loop in place of the controller scales back every second, as long as that is not paused. */
const isPausedMeanwhile = async ({ annotations = {}, manager, name, pause, resource, spec }: Controller) => {
  const kind = 'Deployment'
  const { cluster, namespace } = current()
  const crd = definition(`${resource.plural}.${resource.group}`)
  const key = { resource, name, namespace }
  const object = {
    apiVersion: apiVersionOf(resource),
    kind: resource.kind,
    metadata: { name, annotations: { note: 'kept' } },
    spec,
  }
  await rightOf(cluster.apply(crd, JSON.stringify(definitionOf(resource)), { manager: 'devtool-test' }))
  try {
    await until('the kind is served', async () =>
      E.isRight(await cluster.apply(key, JSON.stringify(object), { manager: 'devtool-test' })()),
    )
    await applied(current(), kind, name, workload(kind, { name, annotations }))
    const scaleBack = async (): Promise<void> => {
      const live = await rightOf(cluster.get(key))
      if (at(live, 'metadata', 'annotations', pause) === 'true') return
      await rightOf(cluster.merge(keyOf(current(), kind, name), { spec: { replicas: 2 } }, { manager }))
    }
    const replicas = async () => numberAt(await rightOf(cluster.get(keyOf(current(), kind, name))), 'spec', 'replicas')
    await inRounds(running(), up(name))
    for (let second = 0; second < 5; second += 1) {
      await scaleBack()
      assert.is(await replicas(), 0)
      await systemClock.sleep(1000)
    }
    await inRounds(running(), down(kind, name, true))
    assert.is(await replicas(), 2)
    const after = await rightOf(cluster.get(key))
    assert.equal(at(after, 'metadata', 'annotations'), { note: 'kept' })
    assert.equal(
      managersOf(after).filter((entry) => entry.includes('devtool-up')),
      [],
    )
  } finally {
    await cluster.remove(crd, { propagation: 'Background' })()
  }
}

test('KEDA is paused, and goes on after down', () =>
  isPausedMeanwhile({
    name: 'scaled',
    manager: 'keda-operator',
    resource: resources.ScaledObject,
    pause: 'autoscaling.keda.sh/paused',
    spec: { scaleTargetRef: { name: 'scaled' } },
  }))

test('an application of Argo CD that heals itself is paused, and goes on after down', () =>
  isPausedMeanwhile({
    name: 'healed',
    manager: 'argocd-controller',
    resource: resources.Application,
    pause: 'argocd.argoproj.io/skip-reconcile',
    spec: { syncPolicy: { automated: { selfHeal: true } } },
    annotations: {
      'argocd.argoproj.io/tracking-id': `${current().namespace}_healed:apps/Deployment:${current().namespace}/healed`,
    },
  }))

test.run()
