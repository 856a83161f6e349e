/** The devtool of a dependency, and what its environment gives to the commands of a manifest. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { variablesBody } from '../../src/domain/environment/variables.ts'
import type { Invocation } from '../../src/ports/commands.ts'
import type { Ports } from '../../src/ports/ports.ts'
import { memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { devtool } from '../support/cli/cli.ts'
import { record } from '../support/cluster/destroy.ts'
import { noGit } from '../support/cluster/memory-ports.ts'

const repository = 'https://git.example.com/acme/database.git'

const manifest = `name: shop
dependencies: {database: {repository: '${repository}'}}
deploy: [echo hello]
services: {web: {image: nginx}}
`

const kept = variablesBody('demo', 'database', { given: new Map(), exported: new Map([['URL', 'db:1']]) })

const deployedFrom = (source: string): ReadonlyArray<JsonObject> => [
  record({ environment: 'database', source: { repository: source, folder: '' } }, 'demo'),
  kept,
]

/** The commands that a deploy runs: the devtool of the dependency, and the manifest's own. */
const deploy = async (
  env: Readonly<Record<string, string>>,
  objects: ReadonlyArray<JsonObject> = [],
  { args = [], ports = {} }: { readonly args?: ReadonlyArray<string>; readonly ports?: Partial<Ports> } = {},
) => {
  const ran: Array<Invocation> = []
  const cluster = memoryCluster({
    objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } }, ...objects],
  })
  const { status, stderr } = await devtool(['deploy', '--yes', ...args], {
    files: { 'devtool.yml': manifest, 'shop.env': '' },
    env: { DEVTOOL_CONTEXT: 'test', ...env },
    memory: {
      ports: {
        clusters: memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']])),
        git: { ...noGit, clone: () => TE.right({ folder: '/clone', remove: () => Promise.resolve() }) },
        commands: {
          run: (invocation) => {
            ran.push(invocation)
            return TE.right(0)
          },
          scratch: () => TE.right({ path: '/env', read: () => TE.right(''), remove: () => Promise.resolve() }),
        },
        ...ports,
      },
    },
  })
  const given = ran.find(({ line }) => line._tag === 'Shell')?.env.get('DEVTOOL_DEPENDENCY_DATABASE_VARIABLE_URL')
  return { status, stderr, ran, given, child: ran.find(({ line }) => line._tag === 'Program') }
}

test('A dependency is not deployed from files that variables of this shell name', async () => {
  const { child, ran, status, stderr } = await deploy({
    COMPOSE_FILE: '/home/ann/shop/compose.yaml',
    COMPOSE_PATH_SEPARATOR: ':',
    COMPOSE_ENV_FILES: 'shop.env',
    GIT_DIR: '/home/ann/shop/.git',
    COMPOSE_PROFILES: 'debug',
  })
  assert.is(status, 0, stderr)
  assert.is(child?.folder, '/clone')
  const names = [...(child?.env.keys() ?? [])].filter((name) => /^(?:COMPOSE|GIT)_/.test(name))
  assert.equal(names, ['COMPOSE_PROFILES'])
  assert.is(ran.length, 2)
})

test('What an environment exported counts if it was deployed from the repository of the dependency', async () => {
  const { given, ran, status, stderr } = await deploy({}, deployedFrom('git.example.com/acme/database'))
  assert.is(status, 0, stderr)
  assert.is(given, 'db:1')
  assert.is(ran.length, 1, 'it is not deployed again')
})

test('Exports of an environment from another repository do not count, even in a circle of dependencies', async () => {
  const chain = { DEVTOOL_DEPENDENCY_CHAIN: 'git.example.com/acme/database\n' }
  const own = await deploy(chain, deployedFrom('git.example.com/acme/database'))
  assert.is(own.status, 0, own.stderr)
  assert.is(own.given, 'db:1')
  const foreign = await deploy(chain, deployedFrom('git.example.com/other/database'))
  assert.is(foreign.status, 7, foreign.stderr)
  assert.match(foreign.stderr, 'error DT3153')
  assert.equal(foreign.ran, [])
})

const atTheEnd =
  <A>(signal: AbortSignal, result: A) =>
  (): Promise<A> =>
    new Promise((resolve) => signal.addEventListener('abort', () => resolve(result), { once: true }))

test('A dependency that is not cloned or deployed in time ends the run as any other wait does', async () => {
  const clone: Ports['git']['clone'] = (_repository, _branch, signal) =>
    atTheEnd(signal, E.left(error('DT3150', 'it cannot be cloned', { help: 'check the address' })))
  const run: Ports['commands']['run'] = (_invocation, _tell, signal) => atTheEnd(signal, E.right(143))
  const scratch = () => TE.right({ path: '/env', read: () => TE.right(''), remove: () => Promise.resolve() })
  for (const ports of [{ git: { ...noGit, clone } }, { commands: { run, scratch } }]) {
    const { status, stderr } = await deploy({}, [], { args: ['--timeout', '200ms'], ports })
    assert.match(stderr, 'DT3120: timed out while the dependency "database" was deployed')
    assert.not.match(stderr, /DT315/)
    assert.is(status, 6)
  }
})

test.run()
