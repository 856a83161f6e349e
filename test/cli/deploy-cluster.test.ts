/** `deploy` on the command line, against a cluster in memory that lasts from one command to the next. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AppliedObject } from '../../src/ports/cluster.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { listOf } from '../support/cluster/memory-objects.ts'

const shop = `name: shop
services:
  web:
    image: nginx:1
    ports: [80]
    depends_on: [db]
    secrets: [token]
  db: {image: postgres}
  worker: {image: busybox}
secrets:
  token: {environment: TOKEN}
`

const demo = (): MemoryCluster =>
  memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }] })

/** `compose` and the value of the secret are what the folder has at that time. */
const run = (cluster: MemoryCluster, argv: ReadonlyArray<string>, compose = shop, TOKEN = 'canary-one') => {
  const clusters = memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']]))
  return devtool(['deploy', ...argv], {
    files: { 'compose.yaml': compose },
    env: { TOKEN },
    memory: { ports: { clusters } },
  })
}

const isolated = shop.replace('    depends_on: [db]\n', '')

const deployed = async (cluster = demo()): Promise<MemoryCluster> => {
  const { status, stderr } = await run(cluster, ['--yes'], isolated)
  assert.is(status, 0, stderr)
  return cluster
}

/** A server that adds a default to the pods of Deployments. */
const defaulting = (cluster: MemoryCluster): MemoryCluster => ({
  ...cluster,
  apply: (key, body, options) => {
    const sent = JSON.parse(body)
    if (sent.kind === 'Deployment') sent.spec.template.spec.schedulerName = 'default-scheduler'
    return cluster.apply(key, JSON.stringify(sent), options)
  },
})

const writes = new Set(['create', 'update', 'delete'])

const writtenBy = (cluster: MemoryCluster): ReadonlyArray<string> =>
  cluster
    .asked()
    .filter(({ verb, what }) => writes.has(verb) && !what.includes('review'))
    .map(({ verb, what }) => `${verb} ${what}`)

test('--diff prints nothing and succeeds when nothing would change', async () => {
  const { status, stderr, stdout } = await run(await deployed(), ['--diff'], isolated)
  assert.equal([status, stdout], [0, ''], stderr)
})

test('warnings show their lines while a deploy runs, as before it', async () => {
  const compose = isolated.replace('{image: postgres}', '{image: postgres, ports: ["5432:5432"]}')
  const { status, stderr } = await run(demo(), ['--yes'], compose)
  assert.is(status, 0, stderr)
  assert.match(stderr, /warning DT1105: .*\n {2}compose\.yaml:\d+:\d+\n +\d+ \| {3}db: \{image: postgres, ports: /)
})

test('--diff names the line behind each change, and exits with 1', async () => {
  const cluster = await deployed()
  const changed = isolated.replace('nginx:1', 'nginx:2').replace('  worker: {image: busybox}\n', '')
  const { status, stderr, stdout } = await run(cluster, ['--diff'], changed)
  assert.is(status, 1)
  assert.match(stderr, 'error DT3140: the cluster differs from the file: 1 to change, 2 to delete, 4 unchanged')
  assert.match(stdout, /^-.*image: nginx:1$/m)
  assert.match(stdout, /^\+.*image: nginx:2 # from compose\.yaml:4$/m)
  assert.match(stdout, /^--- live\/Deployment\/worker\n\+\+\+ \/dev\/null$/m)
  assert.equal(await listOf(cluster, 'Deployment', 'demo'), ['db', 'web', 'worker'], 'nothing was done')
})

test('--diff shows what is new or changed without the defaults of the server', async () => {
  const added = await run(defaulting(demo()), ['--diff'], isolated)
  assert.is(added.status, 1, added.stderr)
  assert.match(added.stdout, /^\+.*image: nginx:1 # from compose\.yaml:4$/m)
  assert.not.match(added.stdout, 'schedulerName')
  const cluster = await deployed(defaulting(demo()))
  const same = await run(cluster, ['--diff'], isolated)
  assert.equal([same.status, same.stdout], [0, ''], same.stderr)
  const changed = await run(cluster, ['--diff'], isolated.replace('nginx:1', 'nginx:2'))
  assert.is(changed.status, 1, changed.stderr)
  assert.match(changed.stdout, /^\+.*image: nginx:2/m)
  assert.not.match(changed.stdout, /^[+-].*schedulerName/m)
})

test('--diff reports that a Secret changes without showing its values', async () => {
  const cluster = await deployed()
  for (const argv of [
    ['--diff'],
    ['--diff', '-o', 'json'],
    ['--diff', '-o', 'yaml'],
    ['--dry-run=server', '-o', 'json'],
  ]) {
    const { status, stderr, stdout } = await run(cluster, argv, isolated, 'canary-two')
    assert.is(status, argv[0] === '--diff' ? 1 : 0, stderr)
    assert.match(stdout, 'value 1')
    assert.match(stdout, 'value 2')
    for (const value of ['canary-one', 'canary-two']) {
      for (const text of [value, btoa(value)]) assert.not.match(`${stdout}${stderr}`, text)
    }
  }
})

test('--dry-run=server asks the server and persists nothing', async () => {
  const cluster = demo()
  const { status, stderr, stdout } = await run(cluster, ['--dry-run=server'])
  assert.is(status, 0, stderr)
  assert.match(stdout, /^create {2}Deployment\/web$/m)
  assert.match(stderr, '7 to create')
  assert.ok(cluster.asked().some(({ verb, what }) => verb === 'patch' && what === 'Deployment/web'))
  assert.equal(await listOf(cluster, 'Deployment', 'demo'), [])
  assert.equal(new Set(writtenBy(cluster)), new Set(['create pods']), 'neither lock nor record')
  assert.equal(await listOf(cluster, 'Pod', 'demo'), [])
})

test('--dry-run=server reports what the server refuses, at its line', async () => {
  const cluster = demo()
  const causes = [
    { reason: 'FieldValueInvalid', message: 'Invalid value', field: 'spec.template.spec.containers[0].image' },
  ]
  cluster.fail({ verb: 'patch', what: 'Deployment/web', status: 422, reason: 'Invalid', causes })
  const { status, stderr, stdout } = await run(cluster, ['--dry-run=server'])
  assert.equal([status, stdout], [1, ''], stderr)
  assert.match(stderr, 'error DT3006: Deployment/web')
  assert.match(stderr, 'compose.yaml:4:12')
})

test('--dry-run=server reports which pods the namespace would refuse, and the missing lines', async () => {
  const cluster = demo()
  const message =
    'pods "web-dry-run" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true (pod or container "web" must set securityContext.runAsNonRoot=true)'
  cluster.fail({ verb: 'create', what: 'pods', status: 403, reason: 'Forbidden', message })
  const { status, stderr, stdout } = await run(cluster, ['--dry-run=server'])
  assert.is(status, 0, stderr)
  assert.match(stdout, /^create {2}Deployment\/web$/m)
  assert.match(
    stderr,
    'warning DT3132: Deployment/web: its pods will be refused: violates PodSecurity "restricted:latest"',
  )
  assert.match(stderr, 'compose.yaml:')
  assert.match(stderr, 'add to the service: user: "1000"')
})

test('--dry-run=server does not report a pod that is refused only because it has no controller', async () => {
  for (const message of ['pods is forbidden: User "dev" cannot create resource "pods"', 'exceeded quota']) {
    const cluster = demo()
    cluster.fail({ verb: 'create', what: 'pods', status: 403, reason: 'Forbidden', message })
    const { status, stderr } = await run(cluster, ['--dry-run=server'])
    assert.is(status, 0, stderr)
    assert.not.match(stderr, 'DT3132')
  }
})

/** Pod Security warns about every Deployment, and refuses the pods of `web`. */
const strict = (): MemoryCluster => {
  const cluster = demo()
  cluster.onChange(({ object }) => {
    if (object.kind !== 'Deployment' || object.metadata.name !== 'web' || object['status'] !== undefined) return
    const message = 'pods "web-1" is forbidden: violates PodSecurity "restricted:latest": runAsNonRoot != true'
    const conditions = [{ type: 'ReplicaFailure', status: 'True', reason: 'FailedCreate', message }]
    cluster.put({ ...object, status: { observedGeneration: 1, conditions } })
  })
  const apply: MemoryCluster['apply'] = (key, body, options) => {
    const about = key.resource.kind === 'Deployment' ? ['would violate PodSecurity "x": runAsNonRoot != true'] : []
    return TE.map((applied: AppliedObject) => ({ ...applied, warnings: about }))(cluster.apply(key, body, options))
  }
  return { ...cluster, apply }
}

test('a refusal of pods replaces the warning about them, and no warning about others', async () => {
  const { status, stderr } = await run(strict(), ['--yes', '--wait'], isolated)
  assert.is(status, 1, stderr)
  assert.match(stderr, 'DT3214: web: Pod Security "restricted:latest" does not allow its pods')
  assert.not.match(stderr, 'DT3132: Deployment/web')
  assert.match(stderr, 'DT3132: Deployment/worker')
})

test('-o json is one document on stdout, with the addresses', async () => {
  const published = isolated.replace('ports: [80]', 'ports: ["80:80"]')
  const { status, stderr, stdout } = await run(demo(), ['--yes', '-o', 'json'], published)
  assert.is(status, 0, stderr)
  const { endpoints, environment, namespace, schema, status: state } = JSON.parse(stdout)
  assert.equal([schema, environment, namespace, state], [1, 'shop', 'demo', 'deployed'])
  assert.equal(endpoints, ['http://web-demo.localhost'])
})

test('-o json of a diff has one entry for each object', async () => {
  const { status, stdout } = await run(demo(), ['--diff', '-o', 'json'])
  assert.is(status, 1)
  const { changes } = JSON.parse(stdout)
  assert.equal(
    changes.map(({ change, object }: Readonly<Record<string, string>>) => `${change} ${object}`).slice(0, 2),
    ['create Secret/token', 'create Deployment/web'],
  )
})

test('only services named as arguments are deployed, and nothing is deleted', async () => {
  const cluster = await deployed()
  const changed = isolated.replace('nginx:1', 'nginx:2').replace('postgres', 'postgres:16')
  const before = cluster.asked().length
  const { status, stderr } = await run(cluster, ['--yes', 'web'], changed)
  assert.is(status, 0, stderr)
  const asked = cluster.asked().slice(before)
  assert.ok(asked.some(({ verb, what }) => verb === 'patch' && what === 'Deployment/web'))
  assert.not.ok(asked.some(({ what }) => what === 'Deployment/db'))
  assert.equal(await listOf(cluster, 'Deployment', 'demo'), ['db', 'web', 'worker'])
})

test('a service named as an argument is deployed with its dependencies', async () => {
  const cluster = demo()
  const { status, stdout } = await run(cluster, ['--diff', '-o', 'json', 'web'])
  assert.is(status, 1)
  assert.match(stdout, 'Deployment/db')
  assert.not.match(stdout, 'Deployment/worker')
})

test.run()
