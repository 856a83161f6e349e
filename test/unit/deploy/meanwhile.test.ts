/** What commands and others change while a deploy runs. */
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { CommandResults } from '../../../src/app/commands/manifest-commands.ts'
import { at, textAt } from '../../../src/domain/cluster/json.ts'
import { type ObjectKey, resources } from '../../../src/domain/cluster/resources.ts'
import { type MemoryCluster } from '../../memory/cluster.ts'
import { listOf } from '../../support/cluster/memory-objects.ts'
import { clusterWith, codes, type DeployRun, deploy, plain } from '../../support/kube/deploying.ts'

const test = suite('changes during a deploy')

/** One service is. */
const changed = plain.replace('nginx}}', 'nginx:2}}')

const webKey = { resource: resources.Deployment, namespace: 'dev', name: 'web' }
const nothingMade: CommandResults = { inventory: [], foreign: [], findings: [] }

for (const isWaiting of [false, true]) {
  test(`an object deleted by a command exists again after a deploy that ${isWaiting ? 'waits' : 'does not wait'}`, async () => {
    const cluster = clusterWith()
    await deploy(cluster, plain)
    const before = async (): Promise<CommandResults> => {
      await cluster.remove(webKey, { propagation: 'Background' })()
      return nothingMade
    }
    const late = new AbortController()
    const run = await deploy(cluster, plain, { before, isWaiting, signal: late.signal }, (ms) => {
      if (ms === 20_000) late.abort('timeout')
    })
    assert.ok(run.asked.includes('patch Deployment/web'), run.asked.join('\n'))
    assert.equal(await listOf(cluster, 'Deployment', 'dev'), ['old', 'web'])
  })
}

test('a change made by a command is undone', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = async (): Promise<CommandResults> => {
    const spec = { template: { spec: { containers: [{ name: 'web', image: 'httpd' }] } } }
    const body = JSON.stringify({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web' }, spec })
    await cluster.apply(webKey, body, { manager: 'other', force: true })()
    return nothingMade
  }
  const run = await deploy(cluster, plain, { before, force: true })
  assert.is(run.asked.filter((line) => line === 'patch Deployment/web').length, 2, run.asked.join('\n'))
})

test('an object that a command created under the name of a service stops the deploy', async () => {
  const cluster = clusterWith()
  const before = async (): Promise<CommandResults> => {
    cluster.put({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'web', namespace: 'dev' } })
    return nothingMade
  }
  const run = await deploy(cluster, plain, { before })
  assert.equal(codes(run), ['DT3101'])
  assert.is(run.deployed.record?.status, 'error')
  assert.not.ok(run.asked.some((line) => line.startsWith('patch ')))
})

test('an object that was read long before its turn is sent, in case something has changed it', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const held = { go: () => {} }
  const replace: MemoryCluster['replace'] =
    (key, ...about) =>
    async () => {
      if (key.resource.kind === 'ConfigMap') {
        await new Promise<void>((go) => {
          held.go = go
        })
      }
      return cluster.replace(key, ...about)()
    }
  const run = await deploy({ ...cluster, replace }, changed, {}, (ms) => {
    if (ms >= 15_000) held.go()
  })
  assert.equal(
    run.asked.filter((line) => line.startsWith('patch Deployment/')),
    ['patch Deployment/web', 'patch Deployment/old'],
  )
})

const recordKey = { resource: resources.ConfigMap, namespace: 'dev', name: 'devtool-env-shop' }
const isRecord = ({ name, resource }: ObjectKey): boolean => resource.kind === 'ConfigMap' && name === recordKey.name

const statusIn = async (cluster: MemoryCluster): Promise<string | undefined> => {
  const found = await cluster.get(recordKey)()
  return E.isRight(found) ? textAt(found.right, 'data', 'status') : undefined
}

test('a record that takes too long to write is not written after the lock is released', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  let sent = 0
  const signals: Array<AbortSignal | undefined> = []
  const replace: MemoryCluster['replace'] = (key, body, options) => async () => {
    if (!isRecord(key)) return cluster.replace(key, body, options)()
    sent += 1
    if (sent === 1) return cluster.replace(key, body, options)()
    signals.push(options.signal)
    return new Promise<never>(() => {})
  }
  const run = await deploy({ ...cluster, replace }, changed)
  assert.ok(run.asked.includes('delete Lease/devtool-env-shop'), run.asked.join('\n'))
  assert.equal(
    signals.map((signal) => signal?.aborted),
    [true],
  )
})

test('objects created by commands are recorded within a time limit, even after an interruption', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const stop = new AbortController()
  const before = async (): Promise<CommandResults> => {
    stop.abort()
    return nothingMade
  }
  const replace: MemoryCluster['replace'] = (key, body, options) =>
    stop.signal.aborted && isRecord(key) ? () => new Promise<never>(() => {}) : cluster.replace(key, body, options)
  let lastMs = 0
  await deploy({ ...cluster, replace }, plain, { before, signal: stop.signal }, (ms) => {
    lastMs = ms
  })
  assert.ok(lastMs < 30_000, String(lastMs))
})

test('a record written by a run whose lock was broken is overwritten by the run with the lock', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = async (): Promise<CommandResults> => {
    const other = await cluster.get(recordKey)()
    if (E.isRight(other) && other.right !== undefined) cluster.put({ ...other.right, data: { status: 'destroying' } })
    return nothingMade
  }
  const run = await deploy(cluster, plain, { before })
  assert.not(codes(run).includes('DT3006'), codes(run).join())
  assert.is(await statusIn(cluster), 'deployed')
})

test('a record whose labels somebody changed is still written', async () => {
  const cluster = clusterWith()
  await deploy(cluster, plain)
  const before = async (): Promise<CommandResults> => {
    await cluster.merge(recordKey, { metadata: { labels: { team: 'a' } } }, { manager: 'kubectl-label' })()
    return nothingMade
  }
  const run = await deploy(cluster, plain, { before })
  assert.equal(codes(run), [])
  assert.is(await statusIn(cluster), 'deployed')
})

for (const isDone of [false, true]) {
  test(`a record is complete at the end though a response was lost and it was ${isDone ? 'written' : 'not written'} the first time`, async () => {
    const cluster = clusterWith()
    await deploy(cluster, plain)
    const what = 'ConfigMap/devtool-env-shop'
    cluster.fail({ verb: 'update', what, status: 0, mayHaveHappened: true, times: 1, isDone })
    const run = await deploy(cluster, plain)
    assert.equal(codes(run), [])
    assert.is(await statusIn(cluster), 'deployed')
  })
}

const database = { group: 'example.com', version: 'v1', plural: 'databases', kind: 'Database', name: 'db', uid: 'u' }
const databaseMade = () => Promise.resolve({ ...nothingMade, inventory: [database] })
const isDatabase = ({ name, resource }: ObjectKey): boolean => resource.kind === 'Database' && name === 'db'

/** Nothing else is waited for, which is DT3131. */
const nothingElse = 'services: {web: {image: nginx, deploy: {replicas: 0}}}'

const othersIn = (run: DeployRun) => codes(run).filter((code) => code !== 'DT3131')

/** As controllers do. */
const withStatus = (cluster: MemoryCluster): MemoryCluster => {
  cluster.onChange(({ object }) => {
    if (object.kind === 'Deployment' && at(object, 'status', 'observedGeneration') !== object.metadata.generation) {
      cluster.put({ ...object, status: { observedGeneration: object.metadata.generation ?? 1 } })
    }
  })
  return cluster
}

test('an object created by commands that the server fails to return is not ready', async () => {
  const cluster = withStatus(clusterWith())
  const message = 'conversion webhook failed'
  cluster.fail({ verb: 'get', what: 'Database.example.com/db', status: 500, reason: 'InternalError', message })
  const run = await deploy(cluster, nothingElse, { before: databaseMade, isWaiting: true })
  assert.equal(othersIn(run), ['DT3162'])
  const [said = ''] = run.deployed.findings.flatMap((found) => (found.code === 'DT3162' ? [found.message] : []))
  assert.match(said, 'Database.example.com/db: cannot be read: ')
  assert.match(said, message)
})

test('an object created by commands that nobody may read is not waited for', async () => {
  const cluster = withStatus(clusterWith())
  cluster.fail({ verb: 'get', what: 'Database.example.com/db', status: 403, reason: 'Forbidden' })
  assert.equal(othersIn(await deploy(cluster, nothingElse, { before: databaseMade, isWaiting: true })), [])
})

test('a timeout while reading objects of commands is a timeout, also when only some services are deployed', async () => {
  const cluster = withStatus(clusterWith())
  const late = new AbortController()
  const get: MemoryCluster['get'] = (key, signal) => {
    if (isDatabase(key)) late.abort('timeout')
    return cluster.get(key, signal)
  }
  const more = { before: databaseMade, isWaiting: true, isPartial: true, signal: late.signal }
  const run = await deploy({ ...cluster, get }, nothingElse, more)
  assert.equal(othersIn(run), ['DT3120'])
  assert.is(run.deployed.record?.status, 'error')
})

test.run()
