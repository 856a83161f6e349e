/** `history`, `rollback` and `deploy --atomic` on the command line, against a cluster in memory. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { listOf } from '../support/cluster/memory-objects.ts'
import { withControllers } from '../support/kube/controllers.ts'

const shop = (tag: string, ...more: ReadonlyArray<string>): string =>
  [
    'name: shop',
    'services:',
    `  web: {image: "nginx:${tag}", ports: [80], secrets: [token], volumes: ["data:/data"]}`,
    '  migrate: {image: busybox, restart: "no"}',
    ...more,
    'volumes: {data: {}}',
    'secrets: {token: {environment: TOKEN}}',
    '',
  ].join('\n')

const worker = '  worker: {image: busybox}'

const demo = (): MemoryCluster => {
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }] })
  withControllers(cluster)
  return cluster
}

const digests = () =>
  new Map(['nginx:1', 'nginx:2', 'nginx:3', 'busybox:latest'].map((name) => [`docker.io/library/${name}`, 'sha256:1']))

type Files = Readonly<Record<string, string>>

const run = (cluster: MemoryCluster, argv: ReadonlyArray<string>, files: Files, images = digests()) => {
  const clusters = memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']]))
  return devtool(argv, { files, env: { TOKEN: 'canary-one' }, memory: { ports: { clusters }, digests: images } })
}

const deploy = (cluster: MemoryCluster, compose: string, ...argv: ReadonlyArray<string>) =>
  run(cluster, ['deploy', '--yes', ...argv], { 'compose.yaml': compose })

const see = (cluster: MemoryCluster, ...argv: ReadonlyArray<string>) =>
  run(cluster, argv, { 'compose.yaml': 'name: shop\nservices: {web: {image: nginx}}\n' })

const imageOf = async (cluster: MemoryCluster): Promise<string> => {
  const { stdout } = await see(cluster, 'list', 'shop')
  return /nginx:\d/.exec(stdout)?.[0] ?? ''
}

const deployedTwice = async (): Promise<MemoryCluster> => {
  const cluster = demo()
  for (const compose of [shop('1'), shop('2', worker)]) {
    const { status, stderr } = await deploy(cluster, compose)
    assert.is(status, 0, stderr)
  }
  return cluster
}

const plansIn = async (cluster: MemoryCluster): Promise<ReadonlyArray<string>> =>
  (await listOf(cluster, 'Secret', 'demo')).filter((name) => name.startsWith('devtool-env-shop.'))

test('history lists the deployments, the newest first', async () => {
  const cluster = await deployedTwice()
  const { status, stdout } = await see(cluster, 'history')
  assert.is(status, 0)
  const rows = stdout.split('\n').slice(1, -1)
  assert.is(rows.length, 2)
  assert.match(rows[0] ?? '', /^2 +\S+ +dev@desk +deployed +2 created, 1 changed +yes/)
  assert.match(rows[1] ?? '', /^1 +\S+ +dev@desk +deployed +\d created +yes/)
  assert.match((await see(cluster, 'history', '--name', 'other')).stderr, 'DT3407')
})

test('the plan of a deployment is stored in a Secret, and its Secrets are shown only on request', async () => {
  const cluster = await deployedTwice()
  assert.equal(await plansIn(cluster), ['devtool-env-shop.1', 'devtool-env-shop.2'])
  const { stdout } = await see(cluster, 'history', '1', '-o', 'yaml')
  assert.match(stdout, 'image: nginx:1')
  assert.match(stdout, '# Secret token is left out')
  assert.not.match(stdout, btoa('canary-one'))
  assert.match((await see(cluster, 'history', '1', '-o', 'yaml', '--show-secrets')).stdout, btoa('canary-one'))
  assert.is((await see(cluster, 'history', '7')).status, 5)
  assert.is((await see(cluster, 'history', 'x')).status, 2)
})

test('a deployment without changes stores no second plan, and only the last ten are kept', async () => {
  const cluster = await deployedTwice()
  await deploy(cluster, shop('2', worker))
  assert.equal(await plansIn(cluster), ['devtool-env-shop.1', 'devtool-env-shop.2'])
  for (let tag = 3; tag < 14; tag += 1) await deploy(cluster, shop(String(tag)))
  assert.is((await plansIn(cluster)).length, 10)
  assert.not.ok((await plansIn(cluster)).includes('devtool-env-shop.2'))
  assert.is((await see(cluster, 'history', '-o', 'json')).stdout.match(/"number"/g)?.length, 10)
})

test('destroy removes the plans', async () => {
  const cluster = await deployedTwice()
  await see(cluster, 'destroy', '--yes', '--volumes')
  assert.equal(await plansIn(cluster), [])
})

test('rollback applies the previous plan as a new deployment, and a second rollback undoes the first', async () => {
  const cluster = await deployedTwice()
  const { status, stderr } = await see(cluster, 'rollback', '--yes')
  assert.is(status, 0, stderr)
  assert.match(stderr, 'shop is back at deployment 1, as deployment 3')
  assert.match(stderr, /^\+\+\+ deployment 1\/StatefulSet\/web$/m)
  assert.match(stderr, /^\+.*image: nginx:1$/m)
  assert.match(stderr, 'volumes and their data, Jobs, and what commands created stay as they are')
  assert.is(await imageOf(cluster), 'nginx:1')
  assert.equal(await listOf(cluster, 'Deployment', 'demo'), [])
  assert.match((await see(cluster, 'history')).stdout, /^3 .*deployed, back to 1/m)
  await see(cluster, 'rollback', '--yes')
  assert.is(await imageOf(cluster), 'nginx:2')
})

test('rollback runs no Job', async () => {
  const cluster = await deployedTwice()
  const jobs = () => cluster.asked().filter(({ what }) => what === 'Job/migrate').length
  const before = jobs()
  await see(cluster, 'rollback', '1', '--yes')
  assert.is(jobs(), before)
  assert.equal(await listOf(cluster, 'Job', 'demo'), ['migrate'])
})

test('rollback asks for confirmation, and without a terminal names the flag that gives it', async () => {
  const cluster = await deployedTwice()
  const { status, stderr } = await see(cluster, 'rollback', '--context', 'test')
  assert.is(status, 5, stderr)
  assert.match(stderr, /--yes/)
  assert.is(await imageOf(cluster), 'nginx:2')
})

test('rollback of an environment that is not here names the namespace that has it', async () => {
  const namespaces = ['demo', 'prod'].map((name) => ({ apiVersion: 'v1', kind: 'Namespace', metadata: { name } }))
  const cluster = memoryCluster({ objects: namespaces })
  withControllers(cluster)
  const deployed = await deploy(cluster, shop('1'), '--namespace', 'prod')
  assert.is(deployed.status, 0, deployed.stderr)
  const { status, stderr } = await see(cluster, 'rollback', '--yes')
  assert.match(stderr, 'environment shop is in namespace prod (--namespace prod)')
  assert.is(status, 5)
})

test('rollback to the current state changes nothing', async () => {
  const cluster = await deployedTwice()
  const { status, stderr } = await see(cluster, 'rollback', '2', '--yes')
  assert.is(status, 0, stderr)
  assert.match(stderr, 'nothing to change: shop is as deployment 2 left it')
})

test('a missing image prevents a rollback before anything is changed', async () => {
  const cluster = await deployedTwice()
  const files = { 'compose.yaml': shop('2') }
  const { status, stderr } = await run(cluster, ['rollback', '--yes'], files, new Map())
  assert.is(status, 1)
  assert.match(stderr, 'DT3144: the image nginx:1 is no longer in its registry')
  assert.is(await imageOf(cluster), 'nginx:2')
})

const refuseWeb = (cluster: MemoryCluster): void =>
  cluster.fail({ verb: 'patch', what: 'StatefulSet/web', status: 422, reason: 'Invalid', times: 1 })

test('--atomic rolls back when a deploy fails, with the status of the failure', async () => {
  const cluster = await deployedTwice()
  refuseWeb(cluster)
  const { status, stderr } = await deploy(cluster, shop('3'), '--atomic')
  assert.is(status, 1, stderr)
  assert.match(stderr, 'the deployment failed: going back to deployment 2')
  assert.match(stderr, 'back at deployment 2; volumes, Jobs and what commands created stay as they are')
  assert.is(await imageOf(cluster), 'nginx:2')
  assert.match((await see(cluster, 'list')).stdout, /^shop +deployed/m)
  assert.match((await see(cluster, 'history')).stdout, /^4 .*deployed, back to 2.*\n3 .*error/m)
})

test('--atomic deletes everything that a failed first deployment created, except volumes', async () => {
  const cluster = demo()
  refuseWeb(cluster)
  const { status, stderr } = await deploy(cluster, shop('1', worker), '--atomic')
  assert.is(status, 1, stderr)
  assert.match(stderr, 'what the first deployment created is deleted, except volumes and what commands created')
  assert.equal(await listOf(cluster, 'Deployment', 'demo'), [])
  assert.equal(await listOf(cluster, 'Service', 'demo'), [])
  assert.equal(await listOf(cluster, 'PersistentVolumeClaim', 'demo'), ['data'])
  assert.match((await see(cluster, 'list')).stdout, /^shop +error/m)
  assert.is((await deploy(cluster, shop('1'))).status, 0)
})

test('--atomic leaves changes that cannot be rolled back', async () => {
  const cluster = await deployedTwice()
  for (const name of await plansIn(cluster)) cluster.take('Secret', name, 'demo')
  refuseWeb(cluster)
  const { status, stderr } = await deploy(cluster, shop('3'), '--atomic')
  assert.is(status, 1)
  assert.match(stderr, 'DT3142: the plan of deployment 2 of "shop" is not kept')
  assert.not.equal(await listOf(cluster, 'StatefulSet', 'demo'), [])
})

test('a plan that names objects of others is not applied', async () => {
  const cluster = await deployedTwice()
  cluster.put({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name: 'devtool-env-shop.1', namespace: 'demo' },
    data: { plan: btoa('{}') },
  })
  const { status, stderr } = await see(cluster, 'rollback', '1', '--yes')
  assert.is(status, 5)
  assert.match(stderr, 'DT3143')
})

test.run()
