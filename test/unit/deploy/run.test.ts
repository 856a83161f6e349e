/** The whole of deploy against an API server in memory, on a clock that the test turns. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { deployPlan } from '../../../src/app/deploy/deploy.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { type MemoryCluster } from '../../memory/cluster.ts'
import { listOf } from '../../support/cluster/memory-objects.ts'
import {
  clusterWith,
  codes,
  type DeployRun,
  deploy,
  deploymentOf,
  plain,
  portsOf,
} from '../../support/kube/deploying.ts'

const shop = `
services:
  web: {image: nginx, ports: [80], depends_on: [db]}
  db: {image: postgres, ports: [5432], volumes: ["data:/data"]}
volumes: {data: {}}
`
test('a deploy creates everything, writes the record and releases the lock', async () => {
  const cluster = clusterWith()
  const run = await deploy(cluster, plain)
  assert.equal(codes(run), [])
  assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['old', 'web'])
  assert.is(run.deployed.record?.status, 'deployed')
  assert.equal(
    run.deployed.record?.inventory.map(({ kind, name, uid }) => `${kind}/${name} ${uid === '' ? '?' : 'known'}`),
    ['Deployment/web known', 'Service/web known', 'Deployment/old known', 'Service/old known'],
  )
  const again = await deploy(cluster, plain)
  assert.equal(codes(again), [], 'the lock is free')
})

test('the record lists the objects before any of them is created', async () => {
  const { asked } = await deploy(clusterWith(), plain)
  const recorded = asked.indexOf('create configmaps')
  const first = asked.indexOf('patch Deployment/web')
  assert.ok(recorded >= 0 && recorded < first, asked.join('\n'))
})

test('objects that are no longer in the file are deleted and removed from the record', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const { deployed } = await deploy(cluster, 'services: {web: {image: nginx}}')
  assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['web'])
  assert.equal(
    deployed.record?.inventory.map(({ name }) => name),
    ['web', 'web'],
  )
})

test('an object deleted by hand is removed from the record once it is no longer in the file', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const key = { resource: resources.Deployment, namespace: 'dev', name: 'old' }
  await cluster.remove(key, { propagation: 'Background' })()
  const { deployed } = await deploy(cluster, 'services: {web: {image: nginx}}')
  assert.equal(
    deployed.record?.inventory.map(({ name }) => name),
    ['web', 'web'],
  )
})

test('a timeout while old objects are deleted names their finalizers', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const old = { resource: resources.Service, namespace: 'dev', name: 'old' }
  await cluster.merge(old, { metadata: { finalizers: ['example.com/wait'] } }, { manager: 'test' })()
  const late = new AbortController()
  const run = await deploy(cluster, 'services: {web: {image: nginx}}', { signal: late.signal }, (ms) => {
    if (ms === 5000) late.abort('timeout')
  })
  assert.equal(codes(run), ['DT3120'])
  assert.match(run.deployed.findings[0]?.message ?? '', 'example.com/wait')
  assert.is(run.deployed.record?.status, 'error')
})

test('deploying some services leaves the others alone', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  await deploy(cluster, 'services: {web: {image: nginx}}', { isPartial: true })
  assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['old', 'web'])
})

test('an object of another owner stops a deploy before anything is written', async () => {
  const metadata = { name: 'web', namespace: 'dev' }
  const cluster = clusterWith({ apiVersion: 'apps/v1', kind: 'Deployment', metadata })
  const run = await deploy(cluster, plain)
  assert.equal(codes(run), ['DT3101'])
  assert.not.ok(run.asked.some((line) => line.startsWith('patch ')))
})

test('an object that already is in the desired state is not sent again', async () => {
  const cluster = clusterWith()
  const compose = 'services: {web: {image: nginx, ports: [80], configs: [a]}}\nconfigs: {a: {content: hello}}'
  await deploy(cluster, compose)
  const again = await deploy(cluster, compose)
  assert.equal(codes(again), [])
  assert.equal(
    again.asked.filter((line) => line.startsWith('patch ')),
    [],
  )
  const changed = await deploy(cluster, compose.replace('hello', 'bye'))
  assert.equal(
    changed.asked.filter((line) => line.startsWith('patch ')),
    ['patch ConfigMap/a', 'patch Deployment/web'],
  )
})

const recordWrites = ({ asked }: DeployRun): ReadonlyArray<string> =>
  asked.filter((line) => /^(?:create|update|patch) .*(?:configmaps|devtool-env)/i.test(line) && !/lease/i.test(line))

test('a deploy that has nothing to do writes its record once, with an entry in the history', async () => {
  const cluster = clusterWith()
  const { deployed: first } = await deploy(cluster, plain)
  const again = await deploy(cluster, plain)
  assert.is(recordWrites(again).length, 1, again.asked.join('\n'))
  const { record } = again.deployed
  assert.is(record?.status, 'deployed')
  assert.equal(record?.inventory, first.record?.inventory)
  assert.equal(
    record?.history?.map(({ changes, number, plan, status }) => ({ changes, number, plan, status })),
    [
      { changes: { created: 4, changed: 0, deleted: 0 }, number: 1, plan: 1, status: 'deployed' },
      { changes: { created: 0, changed: 0, deleted: 0 }, number: 2, plan: 1, status: 'deployed' },
    ],
  )
})

test('the record is written before anything is changed, deleted or created', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const changed = plain.replace('nginx}', 'nginx:2}')
  const removed = 'services: {web: {image: nginx:2}}'
  const added = 'services: {web: {image: nginx:2}, new: {image: nginx}}'
  for (const compose of [changed, removed, added]) {
    const run = await deploy(cluster, compose)
    assert.is(recordWrites(run).length, 2, run.asked.join('\n'))
  }
})

test('after a failed deploy the record is written first, even if nothing has to be sent', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  cluster.fail({ verb: 'patch', what: 'Deployment/web', status: 422, reason: 'Invalid', message: 'no' })
  await deploy(cluster, plain.replace('nginx}', 'nginx:2}'))
  const again = await deploy(cluster, plain)
  assert.is(recordWrites(again).length, 2, again.asked.join('\n'))
  assert.is(again.deployed.record?.status, 'deployed')
})

test('a failed deploy prunes nothing, says why, and is recorded', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  cluster.fail({ verb: 'patch', what: 'Deployment/web', status: 422, reason: 'Invalid', message: 'no' })
  const run = await deploy(cluster, 'services: {web: {image: nginx:2}}')
  assert.equal(codes(run), ['DT3006'])
  assert.is(run.deployed.record?.status, 'error')
  assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['old', 'web'])
})

test('a timeout names what was still waited for', async () => {
  const late = new AbortController()
  const run = await deploy(clusterWith(), shop, { signal: late.signal }, (ms) => {
    if (ms === 5000) late.abort('timeout')
  })
  assert.equal(codes(run), ['DT3120'])
  assert.match(run.deployed.findings[0]?.message ?? '', 'still waiting for StatefulSet/db')
})

test('the lock of a live holder is respected, that of a dead one expires', async () => {
  const lease = (renewTime: string) => ({
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'devtool-env-shop', namespace: 'dev' },
    spec: { holderIdentity: 'other', renewTime },
  })
  const alive = clusterWith(lease('1'))
  const refused = await deploy(alive, plain, {}, (ms) => {
    if (ms % 10_000 === 0) alive.put(lease(String(ms)))
  })
  assert.equal(codes(refused), ['DT3110'])
  const dead = clusterWith(lease('1'))
  assert.equal(codes(await deploy(dead, plain)), [])
  const broken = clusterWith(lease('1'))
  assert.equal(codes(await deploy(broken, plain, { breaksLock: true })), [])
})

for (const [what, reason, longestMs] of [
  ['interrupted', undefined, 16_500],
  ['late', 'timeout', 3500],
] as const) {
  test(`a deploy that is ${what} ends soon even if the cluster no longer responds`, async () => {
    const cluster = clusterWith()
    const stop = new AbortController()
    const never = () => new Promise<never>(() => {})
    const silent: MemoryCluster = {
      ...cluster,
      replace: (...about) => (stop.signal.aborted ? never : cluster.replace(...about)),
      remove: (...about) => (stop.signal.aborted ? never : cluster.remove(...about)),
      list: (...about) => (stop.signal.aborted ? never : cluster.list(...about)),
      get: (...about) => (stop.signal.aborted ? never : cluster.get(...about)),
    }
    let lastMs = 0
    await deploy(silent, shop, { signal: stop.signal }, (ms) => {
      lastMs = ms
      if (ms === 5000) stop.abort(reason)
    })
    assert.ok(lastMs > 5000 && lastMs <= 5000 + longestMs, String(lastMs))
  })
}

test('an existing Job is run again only on request', async () => {
  const job = 'services: {migrate: {image: nginx, deploy: {mode: replicated-job}}}'
  const cluster = clusterWith()
  await deploy(cluster, job)
  assert.equal(await listOf(cluster, 'Job', 'dev'), ['migrate'])
  const again = await deploy(cluster, job)
  assert.not.ok(again.asked.includes('delete Job/migrate'), again.asked.join('\n'))
  const forced = await deploy(cluster, job, { jobs: { _tag: 'All' } })
  assert.ok(forced.asked.includes('delete Job/migrate'), forced.asked.join('\n'))
})

test('a Job runs again when it failed or its config changed, and only then', async () => {
  const compose = (content: string): string => `
services: {migrate: {image: nginx, deploy: {mode: replicated-job}, configs: [app]}}
configs: {app: {content: ${content}}}
`
  const cluster = clusterWith()
  const runsAgain = async (content: string): Promise<boolean> =>
    (await deploy(cluster, compose(content))).asked.includes('delete Job/migrate')
  await deploy(cluster, compose('one'))
  assert.not.ok(await runsAgain('one'))
  assert.ok(await runsAgain('two'))
  const status = { conditions: [{ type: 'Failed', status: 'True' }] }
  const failed = await cluster.get({ resource: resources.Job, namespace: 'dev', name: 'migrate' })()
  if (E.isRight(failed) && failed.right !== undefined) cluster.put({ ...failed.right, status })
  assert.ok(await runsAgain('two'))
  assert.not.ok(await runsAgain('two'))
})

test('a deploy that loses its lock writes nothing more', async () => {
  const cluster = clusterWith()
  const thief = {
    apiVersion: 'coordination.k8s.io/v1',
    kind: 'Lease',
    metadata: { name: 'devtool-env-shop', namespace: 'dev' },
    spec: { holderIdentity: 'thief' },
  }
  const late = new AbortController()
  const run = await deploy(cluster, shop, { signal: late.signal }, (ms) => {
    if (ms === 1000) cluster.put(thief)
    if (ms === 60_000) late.abort('timeout')
  })
  assert.ok(codes(run).includes('DT3120') || codes(run).includes('DT3111'))
  assert.equal(await listOf(cluster, 'Deployment', 'dev'), [])
})

test('deleted and recreated objects are reported differently', async () => {
  const cluster = clusterWith()
  const job = 'migrate: {image: nginx, deploy: {mode: replicated-job}}'
  await deploy(cluster, `services: {web: {image: nginx}, ${job}}`)
  const { said } = await deploy(cluster, `services: {web: {image: nginx, volumes: ["/data"]}, ${job}}`, {
    jobs: { _tag: 'All' },
  })
  const told = said.filter((text) => text.includes(' will be '))
  assert.equal(
    told.map((text) => text.split(':')[0]),
    ['Deployment/web will be deleted', 'Job/migrate will be recreated'],
  )
})

test('an exception leaves no watch running', async () => {
  const cluster = clusterWith()
  const signals: Array<AbortSignal | undefined> = []
  const seen: MemoryCluster = {
    ...cluster,
    watch: (selection, signal) => {
      signals.push(signal)
      return cluster.watch(selection, signal)
    },
  }
  const ports = portsOf()
  const date = (): string => {
    if (signals.length > 0) throw new Error('defect')
    return ports.clock.date()
  }
  const failing = { ...ports, clock: { ...ports.clock, date } }
  cluster.onChange(({ object }) => {
    if (object.kind === 'Deployment' && object['status'] === undefined) {
      cluster.put({ ...object, status: { observedGeneration: 1 } })
    }
  })
  const nothingDesired = deploymentOf(seen, 'services: {web: {image: nginx, scale: 0}}')
  const running = deployPlan(failing)({ ...nothingDesired, isWaiting: true }).catch(String)
  await ports.clock.advance(2000)
  const failed = await running
  assert.is(failed, 'Error: defect')
  assert.ok(signals.length > 0 && signals.every((signal) => signal?.aborted === true))
})

test.run()
