/** Whose environment it is, on the command line: the name of a project is used from several folders and repositories. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { record } from '../support/cluster/destroy.ts'
import { listOf, writesAmong } from '../support/cluster/memory-objects.ts'
import { noGit } from '../support/cluster/memory-ports.ts'

const shop = 'name: app\nservices: {web: {image: nginx}, db: {image: postgres}}\n'
const blog = 'name: app\nservices: {ghost: {image: ghost}}\n'

const demo = (): MemoryCluster =>
  memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }] })

type RunFolder = { readonly repository?: string; readonly folder?: string }

const atShop: RunFolder = { repository: 'https://git.example.com/acme/shop.git', folder: '' }
const atBlog: RunFolder = { repository: 'git@git.example.com:acme/blog.git', folder: '' }

const gitAt = (place: RunFolder): Ports['git'] => ({ ...noGit, head: () => Promise.resolve(place) })

type RunOptions = {
  readonly place?: RunFolder
  readonly files?: Readonly<Record<string, string>>
  readonly env?: Readonly<Record<string, string>>
  readonly answers?: ReadonlyMap<string, string>
  readonly ports?: Partial<Ports>
}

const run = (cluster: MemoryCluster, argv: ReadonlyArray<string>, given: RunOptions = {}) => {
  const { answers, env = {}, files = { 'compose.yaml': shop }, place = atShop, ports } = given
  const clusters = memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']]))
  return devtool(argv, {
    files,
    env: { DEVTOOL_CONTEXT: 'test', ...env },
    memory: { ...(answers === undefined ? {} : { answers }), ports: { clusters, git: gitAt(place), ...ports } },
  })
}

const deployed = async (): Promise<MemoryCluster> => {
  const cluster = demo()
  const { status, stderr } = await run(cluster, ['deploy', '--yes'])
  assert.is(status, 0, stderr)
  return cluster
}

const workloads = (cluster: MemoryCluster) => listOf(cluster, 'Deployment', 'demo')

for (const command of [['deploy'], ['rollback', '1']]) {
  test(`An environment of another repository is not taken over by ${command[0]}, and nothing is changed`, async () => {
    const cluster = await deployed()
    const before = cluster.asked().length
    const elsewhere = { place: atBlog, files: { 'compose.yaml': blog } }
    const { status, stderr } = await run(cluster, [...command, '--yes'], elsewhere)
    assert.is(status, 7)
    assert.match(
      stderr,
      'error DT3114: the environment "app" in namespace demo belongs to git.example.com/acme/shop, not to git.example.com/acme/blog',
    )
    assert.equal(writesAmong(cluster.asked().slice(before)), [])
    assert.equal(await workloads(cluster), ['db', 'web'])
  })
}

test('The source is compared before anything is cloned or built and before a command begins', async () => {
  const cluster = await deployed()
  const asked: Array<string> = []
  const dependencies = '{database: {repository: "https://git.example.com/acme/database.git"}}'
  const manifest = `name: app\ndependencies: ${dependencies}\nbuild: {api: {context: api}}\ndeploy: [echo hello]\n`
  const never = (what: string) => () => {
    asked.push(what)
    throw new Error(what)
  }
  const { status } = await run(cluster, ['deploy', '--yes'], {
    place: atBlog,
    files: { 'devtool.yml': manifest, 'api/Dockerfile': 'FROM scratch\n' },
    ports: {
      builders: { connect: never('builder') },
      commands: { run: never('command'), scratch: never('scratch') },
      git: { ...gitAt(atBlog), clone: never('clone'), tip: never('tip') },
    },
  })
  assert.equal([status, asked], [7, []])
})

test('The same repository over SSH and HTTPS is the same source', async () => {
  const cluster = await deployed()
  const place = { repository: 'ssh://git@GIT.example.com:2222/acme/shop', folder: '' }
  const { status, stderr } = await run(cluster, ['deploy', '--yes'], { place })
  assert.is(status, 0, stderr)
  assert.not.match(stderr, 'DT311')
})

test('A moved project is deployed with one warning, and the record gets the new source', async () => {
  const cluster = await deployed()
  const place = { ...atShop, folder: 'apps/shop' }
  const first = await run(cluster, ['deploy', '--yes'], { place })
  assert.is(first.status, 0, first.stderr)
  assert.is(first.stderr.split('warning DT3115').length, 2)
  const second = await run(cluster, ['deploy', '--yes'], { place })
  assert.not.match(second.stderr, 'DT3115')
})

test('--take-over makes the environment belong to this project', async () => {
  const cluster = await deployed()
  const files = { 'compose.yaml': blog }
  const { status, stderr } = await run(cluster, ['deploy', '--yes', '--take-over'], { place: atBlog, files })
  assert.is(status, 0, stderr)
  assert.equal(await workloads(cluster), ['ghost'])
  const again = await run(cluster, ['deploy', '--yes'], { place: atBlog, files })
  assert.is(again.status, 0, again.stderr)
})

test('A name given explicitly is accepted, but deleting all services needs confirmation', async () => {
  const files = { 'compose.yaml': blog }
  for (const how of [{ argv: ['--name', 'app'] }, { argv: [], env: { DEVTOOL_NAME: 'app' } }]) {
    const { argv, ...given } = how
    const cluster = await deployed()
    const alone = await run(cluster, ['deploy', '--yes', ...argv], { place: atBlog, files, ...given })
    assert.is(alone.status, 5)
    assert.match(alone.stderr, 'delete every service of the environment "app" (web, db)?')
    assert.match(alone.stderr, '--take-over')
    assert.equal(await workloads(cluster), ['db', 'web'])
    const answers = new Map([['--take-over', 'yes']])
    const answered = await run(cluster, ['deploy', '--yes', ...argv], { place: atBlog, files, answers, ...given })
    assert.is(answered.status, 0, answered.stderr)
    assert.equal(await workloads(cluster), ['ghost'])
  }
})

test('A service disabled by its profile still counts as a service of the file', async () => {
  const cluster = await deployed()
  const files = {
    'compose.yaml': `name: app
services:
  web: {image: nginx, profiles: [all]}
  db: {image: postgres, profiles: [all]}
  site: {image: nginx}
`,
  }
  const { status, stderr } = await run(cluster, ['deploy', '--yes'], { files, place: { ...atShop, folder: 'moved' } })
  assert.is(status, 0, stderr)
})

/** A cluster where `act` happens just before the first write, which is that of the lock. */
const beforeFirstWrite = (cluster: MemoryCluster, act: () => Promise<unknown>) => {
  let acted: Promise<unknown> | undefined
  const after =
    <A extends ReadonlyArray<unknown>, B>(write: (...args: A) => () => Promise<B>) =>
    (...args: A) =>
    async (): Promise<B> => {
      acted ??= act()
      await acted
      return write(...args)()
    }
  const create: typeof cluster.create = (where, ...rest) =>
    (where.resource.kind.endsWith('Review') ? cluster.create : after(cluster.create))(where, ...rest)
  const slow = { ...cluster, create, replace: after(cluster.replace) }
  return memoryClusters(new Map([['test', slow]]), new Map([['test', 'demo']]))
}

test('A deploy of another source during the build is noticed under the lock', async () => {
  const cluster = demo()
  const clusters = beforeFirstWrite(cluster, () => run(cluster, ['deploy', '--yes']))
  const files = { 'compose.yaml': blog }
  const { status, stderr } = await run(cluster, ['deploy', '--yes'], { files, place: atBlog, ports: { clusters } })
  assert.is(status, 7, stderr)
  assert.match(stderr, 'DT3114')
  assert.equal(await workloads(cluster), ['db', 'web'])
})

test('Dry runs and read-only commands print the source of the environment in one line', async () => {
  const cluster = await deployed()
  const files = { 'compose.yaml': blog }
  const line = 'the environment "app" was deployed from git.example.com/acme/shop'
  for (const argv of [
    ['deploy', '--dry-run=server'],
    ['deploy', '--diff'],
    ['destroy', '--dry-run'],
    ['endpoints'],
    ['why'],
    ['logs', '--no-follow'],
  ]) {
    const { stderr } = await run(cluster, argv, { place: atBlog, files })
    assert.is(stderr.split(line).length, 2, `${argv.join(' ')}\n${stderr}`)
    const own = await run(cluster, argv)
    assert.not.match(own.stderr, line, argv.join(' '))
  }
})

test('destroy does not delete an environment of another repository', async () => {
  const cluster = await deployed()
  const files = { 'compose.yaml': blog }
  const refused = await run(cluster, ['destroy', '--yes'], { place: atBlog, files })
  assert.is(refused.status, 7, refused.stderr)
  assert.match(refused.stderr, 'DT3114')
  assert.equal(await workloads(cluster), ['db', 'web'])
  for (const argv of [['--take-over'], ['--name', 'app']]) {
    const other = await deployed()
    const { status, stderr } = await run(other, ['destroy', ...argv], { place: atBlog, files })
    assert.is(status, 0, stderr)
    assert.equal(await workloads(other), [])
  }
})

test('destroy in a folder without files asks for confirmation if only the name of the folder matches', async () => {
  const cluster = demo()
  const named = shop.replace('name: app', 'name: shop')
  await run(cluster, ['deploy', '--yes'], { files: { 'compose.yaml': named } })
  const alone = await run(cluster, ['destroy', '--yes'], { files: {}, place: {} })
  assert.is(alone.status, 5, alone.stderr)
  assert.match(alone.stderr, '--name shop')
  assert.equal(await workloads(cluster), ['db', 'web'])
  const no = new Map([['--name shop', 'no']])
  assert.is((await run(cluster, ['destroy'], { files: {}, place: {}, answers: no })).status, 5)
  const yes = new Map([['--name shop', 'yes']])
  const { status, stderr } = await run(cluster, ['destroy'], { files: {}, place: {}, answers: yes })
  assert.is(status, 0, stderr)
  assert.equal(await workloads(cluster), [])
})

test('destroy in the folder of the deploy needs no confirmation, with or without files', async () => {
  for (const files of [{ 'compose.yaml': shop.replace('app', 'shop') }, {}]) {
    const cluster = demo()
    await run(cluster, ['deploy', '--yes'], { files: { 'compose.yaml': shop.replace('app', 'shop') } })
    const { status, stderr } = await run(cluster, ['destroy'], { files })
    assert.is(status, 0, stderr)
    assert.equal(await workloads(cluster), [])
  }
})

test('destroy asks for confirmation if the source differs, even if half of the services are the same', async () => {
  const cluster = await deployed()
  const place = { repository: 'https://git.example.com/zed/app.git', folder: '' }
  const files = { 'compose.yaml': 'name: app\nservices: {web: {image: nginx}}\n' }
  const { status, stderr } = await run(cluster, ['destroy', '--yes', '--volumes'], { place, files })
  assert.is(status, 5, stderr)
  assert.match(stderr, 'answer it with --name app')
  assert.equal(await workloads(cluster), ['db', 'web'])
})

test('If destroy refuses, it prints the command that destroys the environment anyway', async () => {
  const { stderr } = await run(await deployed(), ['destroy'], { place: atBlog, files: { 'compose.yaml': blog } })
  assert.match(stderr, 'help: --name app destroys it all the same')
})

/** As a newer devtool writes it. */
const withUnreadableRecord = async (): Promise<MemoryCluster> => {
  const cluster = await deployed()
  const key = { resource: resources.ConfigMap, namespace: 'demo', name: 'devtool-env-app' }
  const found = await cluster.get(key)()
  if (found._tag === 'Left' || found.right === undefined) throw new Error('no record')
  cluster.put({ ...found.right, binaryData: { record: 'bm90IGd6aXA=' } })
  return cluster
}

test('destroy asks for confirmation if the record cannot be read, since it may belong to another project', async () => {
  const cluster = await withUnreadableRecord()
  const files = { 'compose.yaml': blog }
  const { status, stderr } = await run(cluster, ['destroy', '--yes'], { place: atBlog, files })
  assert.is(status, 5, stderr)
  assert.equal(await workloads(cluster), ['db', 'web'])
  const said = await run(cluster, ['destroy', '--name', 'app'], { place: atBlog, files })
  assert.is(said.status, 0, said.stderr)
  assert.equal(await workloads(cluster), [])
})

test('destroy --name runs no command of the manifest here when the record cannot be read', async () => {
  const cluster = await withUnreadableRecord()
  const files = { 'devtool.yml': 'name: app\ndestroy: [drop-tables]\nservices: {web: {image: nginx}}\n' }
  const { status, stderr } = await run(cluster, ['destroy', '--name', 'app'], { files })
  assert.is(status, 0, stderr)
  assert.match(stderr, 'its record cannot be read, so the destroy commands of "app" were not run')
  assert.match(stderr, '  drop-tables')
  assert.equal(await workloads(cluster), [])
})

test('deploy ends before the build if the record cannot be read', async () => {
  const asked: Array<string> = []
  const { status, stderr } = await run(await withUnreadableRecord(), ['deploy', '--yes'], {
    files: { 'compose.yaml': 'name: app\nservices: {web: {build: web}}\n', 'web/Dockerfile': 'FROM scratch\n' },
    ports: {
      builders: {
        connect: () => {
          asked.push('builder')
          throw new Error('builder')
        },
      },
    },
  })
  assert.equal([status, asked], [1, []], stderr)
  assert.match(stderr, 'DT3113')
})

test('destroy compares the record again under the lock', async () => {
  const cluster = await deployed()
  const take = { place: atBlog, files: { 'compose.yaml': blog } }
  const clusters = beforeFirstWrite(cluster, () => run(cluster, ['deploy', '--yes', '--take-over'], take))
  const { status, stderr } = await run(cluster, ['destroy', '--yes'], { ports: { clusters } })
  assert.is(status, 7, stderr)
  assert.equal(await workloads(cluster), ['ghost'])
})

for (const [what, source] of [
  ['of another repository', { repository: 'git.test/team/other', folder: '' }],
  ['of a folder', { folder: '/home/ann/lib', machine: 'laptop' }],
] as const) {
  for (const status of ['deployed', 'error', 'progressing'] as const) {
    test(`A dependency does not take over an environment ${what} that is ${status}`, async () => {
      const cluster = demo()
      cluster.put(record({ environment: 'lib', status, source }, 'demo'))
      const asked: Array<string> = []
      const git = {
        ...gitAt(atShop),
        clone: (repository: string) => {
          asked.push(repository)
          return noGit.clone(repository, undefined, new AbortController().signal)
        },
      }
      const files = {
        'devtool.yml': 'name: app\ndependencies: {lib: "https://git.test/team/lib.git"}\ndeploy: [echo hello]\n',
      }
      const refused = await run(cluster, ['deploy', '--yes'], { files, ports: { git } })
      assert.equal([refused.status, asked], [7, []], refused.stderr)
      assert.match(refused.stderr, 'DT3153')
    })
  }
}

test.run()
