/** `destroy --dependencies` on the command line, in a namespace with several environments. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import type { EnvironmentRecord } from '../../src/domain/environment/record.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { record } from '../support/cluster/destroy.ts'
import { listOf } from '../support/cluster/memory-objects.ts'

const from = (name: string) => `github.com/acme/${name}`

const deployed = (environment: string, needs: ReadonlyArray<string>, change: Partial<EnvironmentRecord> = {}) => [
  record(
    {
      environment,
      source: { repository: from(environment), folder: '' },
      dependencies: needs.map((name) => ({ name, repository: `https://${from(name)}.git` })),
      ...change,
    },
    'demo',
  ),
  {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { namespace: 'demo', name: environment, labels: { 'dev.devtool/environment': environment } },
  },
]

const demo = (...objects: ReadonlyArray<JsonObject>): MemoryCluster =>
  memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }, ...objects] })

const destroy = (cluster: MemoryCluster, ...argv: ReadonlyArray<string>) =>
  devtool(['destroy', '--name', 'shop', '--dependencies', ...argv], {
    env: { DEVTOOL_CONTEXT: 'test' },
    memory: { ports: { clusters: memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']])) } },
  })

const left = (cluster: MemoryCluster) => listOf(cluster, 'Secret', 'demo')

const chain = () => [
  ...deployed('shop', ['api', 'auth']),
  ...deployed('api', ['db']),
  ...deployed('db', []),
  ...deployed('auth', []),
]

test('direct and indirect dependencies are destroyed as well, dependents first', async () => {
  const cluster = demo(...chain())
  const { status, stderr } = await destroy(cluster, '--yes')
  assert.is(status, 0, stderr)
  assert.equal(await left(cluster), [])
  assert.equal(await listOf(cluster, 'ConfigMap', 'demo'), [])
  assert.not.match(stderr, 'DT3181')
  const order = [...stderr.matchAll(/^destroyed environment (\w+)/gm)].map(([, name]) => name)
  assert.is(order[0], 'shop')
  assert.ok(order.indexOf('api') < order.indexOf('db'), stderr)
})

test('a dependency of another environment stays with its own dependencies, and is named', async () => {
  const cluster = demo(...chain(), ...deployed('other', ['api']))
  const { status, stderr } = await destroy(cluster, '--yes')
  assert.is(status, 0, stderr)
  assert.equal(await left(cluster), ['api', 'db', 'other'])
  assert.match(stderr, 'DT3181: the dependencies of "shop" are kept, since others may need them: api')
  assert.not.match(stderr, 'auth (from https')
})

test('an environment with the name of a dependency but from another repository stays', async () => {
  const cluster = demo(...deployed('shop', ['api']), ...deployed('api', [], { source: { repository: from('else') } }))
  const { status } = await destroy(cluster, '--yes')
  assert.is(status, 0)
  assert.equal(await left(cluster), ['api'])
})

test('without a terminal --yes is required, and nothing is changed without it', async () => {
  const cluster = demo(...chain())
  const { status, stderr } = await destroy(cluster)
  assert.is(status, 5, stderr)
  assert.match(stderr, '--yes')
  assert.equal(await left(cluster), ['api', 'auth', 'db', 'shop'])
  assert.not.ok(cluster.asked().some(({ verb }) => !['get', 'list'].includes(verb)))
})

test('an unreadable record might depend on any of them, so nothing is changed', async () => {
  const other = { ...record({ environment: 'other' }, 'demo'), binaryData: { record: 'AAAA' } }
  const cluster = demo(...chain(), other)
  const { status, stderr } = await destroy(cluster, '--yes')
  assert.ok(status !== 0)
  assert.match(stderr, 'error DT3113')
  assert.equal(await left(cluster), ['api', 'auth', 'db', 'shop'])
})

test('a dry run shows the objects of all of them and changes nothing', async () => {
  const cluster = demo(...chain())
  const { status, stdout } = await destroy(cluster, '--dry-run')
  assert.is(status, 0)
  for (const name of ['shop', 'api', 'auth', 'db']) assert.match(stdout, `delete  Secret/${name}\n`)
  const json = JSON.parse((await destroy(cluster, '--dry-run', '-o', 'json')).stdout)
  assert.equal(json.dependencies.map(({ environment }: { readonly environment: string }) => environment).toSorted(), [
    'api',
    'auth',
    'db',
  ])
  assert.equal(await left(cluster), ['api', 'auth', 'db', 'shop'])
})

test('the commands of a dependency do not run but are named, and its record stays', async () => {
  const api = deployed('api', [], { destroyCommands: [{ name: 'bye', command: 'bye' }] })
  const cluster = demo(...deployed('shop', ['api']), ...api)
  const { status, stderr } = await destroy(cluster, '--yes')
  assert.is(status, 0, stderr)
  assert.match(stderr, 'DT3180: its manifest is not here, so the destroy commands of "api"')
  assert.equal(await listOf(cluster, 'ConfigMap', 'demo'), ['devtool-env-api'])
})

test('environments that depend on each other are destroyed once each', async () => {
  const cluster = demo(...deployed('shop', ['api']), ...deployed('api', ['db']), ...deployed('db', ['api', 'shop']))
  const { status, stderr } = await destroy(cluster, '--yes')
  assert.is(status, 0, stderr)
  assert.equal(await left(cluster), [])
})

test.run()
