/** Destroying on a real cluster ($KUBECONFIG), in namespaces of this test: true finalizers, true garbage collection, pods that take their time. */
import { setMaxListeners } from 'node:events'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { destroy as destroyEnvironment } from '../../src/app/destroy/destroy.ts'
import type { Destruction } from '../../src/app/destroy/request.ts'
import type { Outcome } from '../../src/cli/outcome.ts'
import { showDestroyed } from '../../src/cli/view/destroy.ts'
import { viewed } from '../../src/cli/view/view.ts'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { type KnownKind, type ObjectKey, type Resource, resources } from '../../src/domain/cluster/resources.ts'
import { emptyRecord, type InventoryEntry, recordBody } from '../../src/domain/environment/record.ts'
import { printJson } from '../../src/domain/print/json.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { memoryMachine } from '../memory/machine.ts'
import { type MemoryProgress, memoryProgress } from '../memory/progress.ts'
import { memoryPrompt } from '../memory/prompt.ts'
import { codesOf, printed, releaseData } from '../support/cluster/destroy.ts'
import { connectReal, serviceAccounts, withNamespace } from '../support/e2e/real-cluster.ts'
import { until } from '../support/process/until.ts'

const test = suite<{ cluster: Cluster }>('destroy')

const SHOP = { 'dev.devtool/environment': 'shop' }
const MANAGER = { manager: 'devtool-test' }

type Space = {
  readonly cluster: Cluster
  readonly namespace: string
  readonly put: (kind: KnownKind | Resource, name: string, metadata?: JsonObject, rest?: JsonObject) => Promise<string>
  readonly remember: (
    inventory: ReadonlyArray<InventoryEntry>,
    foreign?: ReadonlyArray<InventoryEntry>,
  ) => Promise<void>
  readonly names: (kind: KnownKind) => Promise<ReadonlyArray<string>>
  readonly destroy: (
    change?: Partial<Destruction>,
    timeoutMs?: number,
  ) => Promise<Outcome & { readonly progress: MemoryProgress }>
}

const must = <L, A>(result: E.Either<L, A>): A => {
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  return result.right
}

const spaceIn = (cluster: Cluster, namespace: string): Space => {
  const resourceOf = (kind: KnownKind | Resource): Resource => (typeof kind === 'string' ? resources[kind] : kind)
  const keyOf = (kind: KnownKind | Resource, name: string): ObjectKey => ({
    resource: resourceOf(kind),
    namespace,
    name,
  })
  const apply = async (key: ObjectKey, body: JsonObject): Promise<string> => {
    const { group, kind, version } = key.resource
    const typed = { apiVersion: group === '' ? version : `${group}/${version}`, kind, ...body }
    return must(await cluster.apply(key, JSON.stringify(typed), MANAGER)()).object.metadata.uid
  }
  return {
    cluster,
    namespace,
    put: (kind, name, metadata = {}, rest = {}) =>
      apply(keyOf(kind, name), { metadata: { namespace, name, labels: SHOP, ...metadata }, ...rest }),
    remember: async (inventory, foreign = []) => {
      const body = must(recordBody(namespace, { ...emptyRecord('shop'), status: 'deployed', inventory, foreign }))
      await apply(keyOf('ConfigMap', 'devtool-env-shop'), JSON.parse(printJson(body)))
    },
    names: async (kind) =>
      must(await cluster.list({ resource: resources[kind], namespace })())
        .items.map(({ metadata }) => metadata.name)
        .filter((name) => name !== 'kube-root-ca.crt'),
    destroy: async (change = {}, timeoutMs = 90_000) => {
      const progress = memoryProgress()
      const late = new AbortController()
      setMaxListeners(0, late.signal)
      const timer = setTimeout(() => late.abort('timeout'), timeoutMs)
      const target = { cluster, context: 'test', namespace, settings: {}, isNamed: true, findings: [] }
      const machine = memoryMachine('tester', `tester ${process.pid}`)
      const outcome = await destroyEnvironment({ clock: systemClock, progress, machine, prompt: memoryPrompt() })({
        target,
        environment: 'shop',
        options: { withVolumes: false, isAll: false },
        isWaiting: true,
        isYes: true,
        isDryRun: false,
        allow: () => TE.right({ warnings: [], refusal: () => undefined }),
        commands: { judge: () => ({ _tag: 'None' }), judgeOther: () => ({ _tag: 'None' }), run: TE.right(undefined) },
        breaksLock: false,
        lockWaitMs: 0,
        signal: late.signal,
        ...change,
      })
      clearTimeout(timer)
      return { ...viewed(outcome, (report) => showDestroyed('text', report)), progress }
    },
  }
}

const podSpec = (claim?: string): JsonObject => ({
  terminationGracePeriodSeconds: 2,
  containers: [
    {
      name: 'main',
      image: 'busybox:latest',
      command: ['sh', '-c', 'sleep 3600'],
      ...(claim === undefined ? {} : { volumeMounts: [{ name: 'data', mountPath: '/data' }] }),
    },
  ],
  ...(claim === undefined ? {} : { volumes: [{ name: 'data', persistentVolumeClaim: { claimName: claim } }] }),
})

const deployment = (name: string, claim?: string, podLabels: JsonObject = {}): JsonObject => ({
  spec: {
    replicas: 2,
    selector: { matchLabels: { app: name } },
    template: { metadata: { labels: { app: name, ...podLabels } }, spec: podSpec(claim) },
  },
})

const claim: JsonObject = { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Mi' } } } }

const running = ({ cluster, namespace }: Space, count: number): Promise<void> =>
  until(`${count} pods run`, async () => {
    const pods = must(await cluster.list({ resource: resources.Pod, namespace, fields: 'status.phase=Running' })())
    return pods.items.length === count
  })

/** Without its finalizers. */
const release = async ({ cluster, namespace }: Space, name: string): Promise<void> => {
  const free = { metadata: { finalizers: null } }
  must(await cluster.merge({ resource: resources.ConfigMap, namespace, name }, free, MANAGER)())
}

const scenario = (title: string, run: (space: Space) => Promise<void>): void => {
  test(title, async ({ cluster }) => {
    const { end, name } = await withNamespace(cluster, 'devtool-e2e-destroy')
    try {
      await run(spaceIn(cluster, name))
    } finally {
      await end()
    }
  })
}

test.before(async (world) => {
  world.cluster = await connectReal()
  process.stdout.write(`cluster ${world.cluster.server}\n`)
})

test.after(({ cluster }) => cluster.close())

scenario('the environment and its pods are deleted; volumes and objects of others stay', async (space) => {
  const { destroy, names, put, remember } = space
  await put('PersistentVolumeClaim', 'data', {}, claim)
  // Pods of what kubectl made carry no label of ours.
  await put('Deployment', 'web', {}, deployment('web', 'data'))
  await put('Service', 'web', {}, { spec: { selector: { app: 'web' }, ports: [{ port: 80 }] } })
  await put('ConfigMap', 'web', {}, { data: { a: 'b' } })
  await put('ConfigMap', 'theirs', { labels: {} })
  await put('Job', 'migrate', {}, { spec: { template: { spec: { ...podSpec(), restartPolicy: 'Never' } } } })
  const uid = await put('Secret', 'unlabelled', { labels: {} })
  await remember([{ group: '', version: 'v1', plural: 'secrets', kind: 'Secret', name: 'unlabelled', uid }])
  await running(space, 3)
  const outcome = await destroy()
  assert.equal(codesOf(outcome), [])
  assert.equal(await names('Pod'), [])
  assert.equal(await names('Deployment'), [])
  assert.equal(await names('Secret'), [])
  assert.equal(await names('Lease'), [])
  assert.equal(await names('ConfigMap'), ['theirs'])
  assert.equal(await names('PersistentVolumeClaim'), ['data'])
  const again = await destroy()
  assert.match(again.said?.[0] ?? '', 'nothing to destroy')
  assert.equal(codesOf(await destroy({ options: { withVolumes: true, isAll: false } })), [])
  assert.equal(await names('PersistentVolumeClaim'), [])
})

scenario('--volumes waits for the pods, and keeps volumes that other pods use', async (space) => {
  const { destroy, names, put } = space
  await put('PersistentVolumeClaim', 'data', {}, claim)
  await put('PersistentVolumeClaim', 'shared', {}, claim)
  await put('Deployment', 'web', {}, deployment('web', 'data'))
  await put('Pod', 'theirs', { labels: {} }, { spec: podSpec('shared') })
  await running(space, 3)
  const outcome = await destroy({ options: { withVolumes: true, isAll: false } })
  assert.equal(codesOf(outcome), ['DT3306'])
  assert.equal(await names('PersistentVolumeClaim'), ['shared'])
  assert.equal(await names('Pod'), ['theirs'])
})

scenario('a StatefulSet with claims of its templates', async (space) => {
  const { destroy, names, put } = space
  const template = { metadata: { labels: { app: 'db' } }, spec: podSpec() }
  const volumeClaimTemplates = [{ metadata: { name: 'data' }, ...claim }]
  const selector = { matchLabels: { app: 'db' } }
  const spec = { serviceName: 'db', replicas: 1, selector, template, volumeClaimTemplates }
  await put('StatefulSet', 'db', {}, { spec })
  await running(space, 1)
  assert.match(printed(await destroy({ isDryRun: true })), 'keep    PersistentVolumeClaim/data-db-0')
  assert.equal(codesOf(await destroy({ options: { withVolumes: true, isAll: false } })), [])
  assert.equal(await names('PersistentVolumeClaim'), [])
})

scenario(
  'a finalizer that is not removed is named with status 6, and a second run without it succeeds',
  async (space) => {
    const { destroy, names, put, remember } = space
    await put('ConfigMap', 'stuck', { finalizers: ['example.com/guard'] })
    await put('Deployment', 'kept', { annotations: { 'dev.devtool/policy': 'keep' } }, deployment('kept'))
    await remember([])
    const outcome = await destroy({}, 30_000)
    assert.equal(codesOf(outcome), ['DT3301'])
    assert.match(outcome.findings[0]?.message ?? '', 'ConfigMap/stuck (waiting for the finalizer example.com/guard)')
    assert.ok((await names('ConfigMap')).includes('devtool-env-shop'))
    await release(space, 'stuck')
    const again = await destroy()
    assert.equal(codesOf(again), [])
    assert.equal(await names('ConfigMap'), [])
    assert.equal(await names('Deployment'), ['kept'])
  },
)

scenario('a kept workload keeps what its pods read and what leads to them, also with --volumes', async (space) => {
  const { cluster, destroy, names, namespace, put } = space
  const main = {
    name: 'db',
    image: 'busybox:latest',
    envFrom: [{ configMapRef: { name: 'db' } }, { secretRef: { name: 'db' } }],
  }
  const volumes = [{ name: 'data', persistentVolumeClaim: { claimName: 'db' } }]
  const pod = { metadata: { labels: { app: 'db' } }, spec: { serviceAccountName: 'db', containers: [main], volumes } }
  const spec = { replicas: 0, selector: { matchLabels: { app: 'db' } }, template: pod }
  await put('Deployment', 'db', { annotations: { 'dev.devtool/policy': 'keep' } }, { spec })
  for (const name of ['db', 'other']) {
    for (const kind of ['ConfigMap', 'Secret', serviceAccounts] as const) await put(kind, name)
    await put('PersistentVolumeClaim', name, {}, claim)
    await put('Service', name, {}, { spec: { selector: { app: name }, ports: [{ port: 80 }] } })
  }
  assert.equal(codesOf(await destroy({ options: { withVolumes: true, isAll: false } })), [])
  for (const kind of ['ConfigMap', 'Secret', 'PersistentVolumeClaim', 'Service'] as const) {
    assert.equal(await names(kind), ['db'], kind)
  }
  const account = { resource: serviceAccounts, namespace, name: 'db' }
  assert.is(must(await cluster.get(account)())?.metadata.name, 'db')
})

scenario('pods that end slowly are named, and how long they may take', async (space) => {
  const { destroy, put } = space
  const slow = {
    template: { metadata: { labels: { app: 'web' } }, spec: { ...podSpec(), terminationGracePeriodSeconds: 120 } },
  }
  await put('Deployment', 'web', {}, { spec: { selector: { matchLabels: { app: 'web' } }, replicas: 1, ...slow } })
  await running(space, 1)
  const [found] = (await destroy({}, 40_000)).findings
  assert.is(found?.code, 'DT3301')
  const pod = /Deployment\/web \(waiting for its pods to end: Pod\/web-[\w-]+ \(terminating, grace period 120 s\)\)/
  assert.match(found?.message ?? '', pod)
})

scenario('without --wait, destroy ends when all deletions are accepted', async (space) => {
  const { destroy, names, put } = space
  await put('ConfigMap', 'stuck', { finalizers: ['example.com/guard'] })
  await put('Deployment', 'web', {}, deployment('web'))
  await running(space, 2)
  assert.equal(codesOf(await destroy({ isWaiting: false })), [])
  assert.equal(await names('ConfigMap'), ['stuck'])
  await release(space, 'stuck')
  await until('no pod is left', async () => (await names('Pod')).length === 0)
})

scenario('a Helm release is deleted completely, its Secret last; foreign objects are listed', async (space) => {
  const { destroy, names, namespace, put } = space
  const manifest = [
    'apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: redis',
    'apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: view\n',
  ].join('\n---\n')
  await put('ConfigMap', 'redis', { labels: {}, annotations: { 'meta.helm.sh/release-name': 'redis' } })
  const data = { release: releaseData('redis', namespace, manifest) }
  await put('Secret', 'sh.helm.release.v1.redis.v1', {}, { type: 'helm.sh/release.v1', data })
  const outcome = await destroy()
  assert.equal(codesOf(outcome), ['DT3305'])
  assert.is(outcome.findings[0]?.help, '`kubectl delete clusterroles.rbac.authorization.k8s.io/view`')
  assert.equal(await names('ConfigMap'), [])
  assert.equal(await names('Secret'), [])
})

scenario('the lock of a killed deploy is taken once it has expired or is broken', async (space) => {
  const { destroy, names, put } = space
  await put('Deployment', 'web', {}, deployment('web'))
  const spec = { holderIdentity: 'gone', leaseDurationSeconds: 30, renewTime: '2026-01-01T00:00:00.000000Z' }
  await put('Lease', 'devtool-env-shop', {}, { spec })
  assert.equal(codesOf(await destroy({}, 3000)), ['DT3301'])
  assert.equal(await names('Deployment'), ['web'])
  assert.equal(codesOf(await destroy({ breaksLock: true })), [])
  assert.equal(await names('Deployment'), [])
  assert.equal(await names('Lease'), [])
})

scenario('--all deletes everything in the namespace that Kubernetes did not create', async (space) => {
  const { cluster, destroy, names, namespace, put, remember } = space
  await put('Deployment', 'web', {}, deployment('web'))
  await put('Deployment', 'theirs', { labels: {} }, deployment('theirs'))
  await put('Secret', 'theirs', { labels: {} })
  await put('PersistentVolumeClaim', 'data', { labels: {} }, claim)
  await put('ConfigMap', 'devtool-env-other', { labels: { 'dev.devtool/environment': 'other' } })
  await remember([])
  await running(space, 4)
  // The record of the other environment says nothing about its commands.
  assert.equal(codesOf(await destroy({ options: { withVolumes: true, isAll: true } })), ['DT3113'])
  const kinds = must(await cluster.resources()()).filter(
    ({ isNamespaced, plural }) => isNamespaced && plural !== 'events',
  )
  const left = await Promise.all(kinds.map((resource) => cluster.list({ resource, namespace })()))
  const shown = left
    .flatMap((list) => (E.isRight(list) ? list.right.items : []))
    .map(({ kind, metadata }) => `${kind}/${metadata.name}`)
  assert.equal(shown.toSorted(), ['ConfigMap/kube-root-ca.crt', 'ServiceAccount/default'])
  assert.equal(await names('Pod'), [])
})

test.run()
