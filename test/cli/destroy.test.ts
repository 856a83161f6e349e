/** Destroying with a manifest, on the command line. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Commands } from '../../src/ports/commands.ts'
import { type MemoryCluster, memoryCluster } from '../memory/cluster.ts'
import { memoryClusters } from '../memory/clusters.ts'
import { memoryCommands, textOf } from '../memory/commands.ts'
import { devtool } from '../support/cli/cli.ts'
import { record } from '../support/cluster/destroy.ts'
import { listOf } from '../support/cluster/memory-objects.ts'

const recorded = record(
  { source: { files: ['devtool.yml'] }, destroyCommands: [{ name: 'bye', command: 'bye' }] },
  'demo',
)

const demo = (): MemoryCluster =>
  memoryCluster({
    objects: [
      { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'demo' } },
      {
        apiVersion: 'v1',
        kind: 'Secret',
        metadata: { namespace: 'demo', name: 'web', labels: { 'dev.devtool/environment': 'shop' } },
      },
      recorded,
    ],
  })

type Strings = Readonly<Record<string, string>>

const ran: Array<string> = []
const succeeding = memoryCommands(new Map())
const commands: Commands = {
  ...succeeding,
  run: (command, ...rest) => {
    ran.push(textOf(command.line))
    return succeeding.run(command, ...rest)
  },
}
test.before.each(() => void ran.splice(0))

const destroyIn =
  (env: Strings) =>
  (cluster: MemoryCluster, files: Strings, ...argv: ReadonlyArray<string>) =>
    devtool(['destroy', '--name', 'shop', '--yes', ...argv], {
      files,
      env: { DEVTOOL_CONTEXT: 'test', ...env },
      memory: {
        ports: { commands, clusters: memoryClusters(new Map([['test', cluster]]), new Map([['test', 'demo']])) },
      },
    })

const destroy = destroyIn({})

const secrets = (cluster: MemoryCluster) => listOf(cluster, 'Secret', 'demo')

const invalid: ReadonlyArray<readonly [string, Readonly<Record<string, string>>]> = [
  ['that is no YAML', { 'devtool.yml': 'destroy: [\n' }],
  ['with an unknown key', { 'devtool.yml': 'destroy: [bye]\ndestory: [bye]\n' }],
  ['with a command that is none', { 'devtool.yml': 'destroy: [{cmd: bye}]\n' }],
]

for (const [what, files] of invalid) {
  test(`A manifest ${what} ends destroy before anything is changed, unless its commands are skipped`, async () => {
    const cluster = demo()
    const refused = await destroy(cluster, files)
    assert.is(refused.status, 3, refused.stderr)
    assert.not.ok(cluster.asked().some(({ verb }) => !['get', 'list'].includes(verb)))
    const { status, stderr } = await destroy(cluster, files, '--skip-commands')
    assert.is(status, 0, stderr)
    assert.match(stderr, 'warning DT3180: --skip-commands is given')
    assert.equal(await secrets(cluster), [])
    assert.equal(await listOf(cluster, 'ConfigMap', 'demo'), [])
  })
}

test('A Compose file with errors does not prevent destroy', async () => {
  const cluster = demo()
  const { status, stderr } = await destroy(cluster, { 'compose.yaml': 'services: {web: {imgae: nginx}}\n' })
  assert.is(status, 0, stderr)
  assert.equal(await secrets(cluster), [])
})

const elsewhere = record(
  {
    source: { files: ['devtool.yml'], folder: '', repository: 'github.com/acme/api' },
    destroyCommands: [{ name: 'bye', command: 'bye' }],
  },
  'demo',
)

for (const flags of [[], ['--take-over'], ['--all']]) {
  test(`The commands of another project do not run with ${['--name', ...flags].join(' ')}, and those on record stay`, async () => {
    const cluster = demo()
    cluster.put(elsewhere)
    const { status, stderr } = await destroy(cluster, { 'devtool.yml': 'destroy: [echo ours]\n' }, ...flags)
    assert.is(status, 0, stderr)
    assert.match(stderr, 'warning DT3180: it was deployed from elsewhere')
    assert.equal(ran, [])
    assert.equal(await listOf(cluster, 'ConfigMap', 'demo'), ['devtool-env-shop'])
  })
}

test('Without the manifest, the recorded commands are listed and stay recorded', async () => {
  const cluster = demo()
  const { status, stderr } = await destroy(cluster, {})
  assert.is(status, 0, stderr)
  assert.match(stderr, 'warning DT3180: its manifest is not here')
  assert.equal(await secrets(cluster), [])
  assert.equal(await listOf(cluster, 'ConfigMap', 'demo'), ['devtool-env-shop'])
})

test('A run of the platform runs the commands on record of a repository that it does not have', async () => {
  const cluster = demo()
  cluster.put(elsewhere)
  const files = { 'devtool.yml': '{"destroy":[{"name":"bye","command":"echo so long"}]}' }
  const { status, stderr } = await destroyIn({ DEVTOOL_RECORDED_COMMANDS: 'true' })(cluster, files)
  assert.is(status, 0, stderr)
  assert.equal(ran, ['echo so long'])
  assert.equal(await listOf(cluster, 'ConfigMap', 'demo'), [])
})

test('A destroy command on record that destroys another environment does not run again for that one', async () => {
  const cluster = demo()
  cluster.put(elsewhere)
  const env = { DEVTOOL_RECORDED_COMMANDS: 'true', DEVTOOL_WITHIN_COMMAND: 'true' }
  const files = { 'devtool.yml': '{"destroy":[{"name":"shop","command":"devtool destroy --name shop"}]}' }
  const { stderr } = await destroyIn(env)(cluster, files)
  assert.match(stderr, 'warning DT3180: it was deployed from elsewhere')
  assert.equal(ran, [])
})

test.run()
