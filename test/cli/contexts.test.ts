/** Contexts as a user meets them: chosen, shown, forgotten, and asked about before a cluster is changed. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { missingNamespace } from '../../src/app/context/connect.ts'
import { devtool } from '../support/cli/cli.ts'
import type { MemoryWorld } from '../support/cluster/memory-ports.ts'

const CONFIG = 'context/config.json'
const CLUSTERS = 'context/clusters.json'
const TOKEN = 'canary-5f1d'

type Folder = Map<string, string>

const run = (
  argv: ReadonlyArray<string>,
  home: Folder = new Map(),
  env: Readonly<Record<string, string>> = {},
  memory: Partial<MemoryWorld> = {},
) => devtool(argv, { env, memory: { home, ...memory } })

const stored = (text: object): Folder => new Map([[CONFIG, JSON.stringify(text)]])

const platform = stored({
  schema: 1,
  current: 'https://p.test',
  contexts: { 'https://p.test': { token: TOKEN, namespace: 'shop' } },
})

test('context use makes a context current and stores its settings', async () => {
  const home: Folder = new Map()
  const used = await run(['context', 'use', 'test', '--namespace', 'shop', '--registry', 'r.test/team'], home)
  assert.is(used.status, 0)
  assert.is(used.stderr, 'using test: namespace shop at https://test\n')
  assert.is(used.stdout, '')
  const { stdout } = await run(['context', 'list'], home)
  assert.is(stdout, 'Name    Namespace  Builder  Registry\ntest *  shop       docker   r.test/team\n')
  assert.is((await run(['context', 'list', '-o', 'name'], home)).stdout, 'test\n')
})

test('without stored contexts, the current context of the kubeconfig is used', async () => {
  const { status, stdout } = await run(['context', 'show'])
  assert.is(status, 0)
  assert.equal(JSON.parse(stdout), {
    schema: 1,
    name: 'test',
    kind: 'kubernetes',
    token: '',
    namespace: 'default',
    builder: 'docker',
    registry: '',
    isDevtool: false,
    server: 'https://test',
  })
})

test('variables take precedence over stored values, and flags over both', async () => {
  const home = stored({ current: 'test', contexts: { test: { namespace: 'kept' } } })
  const namespaceOf = async (argv: ReadonlyArray<string>, env = {}) =>
    JSON.parse((await run(['context', 'show', ...argv], home, env)).stdout).namespace
  assert.is(await namespaceOf([]), 'kept')
  assert.is(await namespaceOf([], { DEVTOOL_NAMESPACE: 'variable' }), 'variable')
  assert.is(await namespaceOf(['-n', 'flag'], { DEVTOOL_NAMESPACE: 'variable' }), 'flag')
  assert.is((await run(['context', 'show'], home, { DEVTOOL_CONTEXT: 'nope' })).status, 5)
})

test('an empty value removes the stored one', async () => {
  const home = stored({ current: 'test', contexts: { test: { domain: 'a.test', registry: 'r.test' } } })
  assert.is((await run(['context', 'use', 'test', '--domain='], home)).status, 0)
  assert.equal(JSON.parse(home.get(CONFIG) ?? '').contexts.test, { registry: 'r.test', kind: 'kubernetes' })
})

test('invalid values are refused, and nothing is stored', async () => {
  for (const flags of [
    ['--namespace', 'No'],
    ['--builder', 'here'],
    ['--registry', 'a b'],
    ['--pull-registry', '/'],
    ['--domain', '.test'],
    ['--token', 'a\nb'],
  ]) {
    const home: Folder = new Map()
    assert.is((await run(['context', 'use', 'test', ...flags], home)).status, 2, flags.join(' '))
    assert.is(home.size, 0)
  }
})

test('a platform that does not answer is not stored; its context can be deleted', async () => {
  const home = new Map(platform)
  const used = await run(['context', 'use', 'https://Q.test/', '--token', TOKEN], home)
  assert.is(used.status, 8)
  assert.match(used.stderr, 'the platform https://q.test cannot be reached')
  assert.equal(home, platform)
  assert.equal(JSON.parse((await run(['context', 'show'], home)).stdout).token, '<redacted>')
  assert.is((await run(['list'], home)).status, 8)
  assert.is((await run(['list', '--context', 'test'], home)).status, 0)
  assert.is((await run(['context', 'delete', 'https://P.test/'], home)).status, 0)
  assert.not.match(home.get(CONFIG) ?? '', TOKEN)
})

test('the token is never printed, whatever fails', async () => {
  for (const argv of [
    ['context', 'use', 'https://q.test', '--token', TOKEN, '--domian', 'x'],
    ['context', 'use', 'https://q.test', `--token=${TOKEN}`, '--namespace', 'No'],
    ['context', '--token', TOKEN, 'use', 'https://q.test', '--loglevel', 'debug'],
    ['context', 'use', '--token', TOKEN, 'nope'],
    ['context', 'use', `https://user:${TOKEN}@q.test`, '--token', TOKEN],
    ['preview', 'deploy', '--token', TOKEN],
    ['context', 'show'],
    ['context', 'show', '-o', 'yaml'],
    ['context', 'list', '-o', 'json'],
    ['list'],
    ['namespace', 'use', 'x'],
  ]) {
    const { stderr, stdout } = await run(argv, new Map(platform), { DEVTOOL_TOKEN: TOKEN })
    assert.not.match(stdout + stderr, TOKEN, argv.join(' '))
  }
  const broken = new Map([[CONFIG, `{"contexts": {"https://p.test": {"token": "${TOKEN}",}}}`]])
  for (const argv of [['context', 'list'], ['list'], ['context', 'use', 'test']]) {
    const { status, stderr } = await run(argv, broken)
    assert.is(status, 3)
    assert.match(stderr, /config\.json:1:\d+/)
    assert.not.match(stderr, TOKEN)
  }
})

test('a context that is only in the kubeconfig is not deleted', async () => {
  const { status, stderr } = await run(['context', 'delete', 'test'])
  assert.is(status, 5)
  assert.match(stderr, 'kubectl config delete-context test')
})

test('the context is printed if no flag names it', async () => {
  assert.match((await run(['list'])).stderr, 'using test, namespace default\n')
  assert.not.match((await run(['list', '--context', 'test'])).stderr, 'using')
  assert.not.match((await run(['list'], new Map(), { DEVTOOL_CONTEXT: 'test' })).stderr, 'using')
})

const destroy = ['destroy', '--name', 'shop']

test('an unknown cluster is not changed without confirmation', async () => {
  const home: Folder = new Map()
  const refused = await run(destroy, home)
  assert.is(refused.status, 5)
  assert.match(refused.stderr, 'DT2102')
  assert.is(home.size, 0)
  const declined = await run(destroy, home, {}, { answers: new Map([['--yes', 'no']]) })
  assert.is(declined.status, 5)
  assert.match(declined.stderr, 'error DT3116: nothing was changed: the question was answered with no')
  assert.not.match(declined.stderr, '--yes')
  assert.is(home.size, 0)
})

test('a wrong name and an invalid file are refused before an unknown cluster is asked about', async () => {
  const sound = 'services: { web: { image: nginx } }'
  const invalid = 'services: { web: { image: {} } }'
  for (const [command, text, code, expected] of [
    ['up wrong', sound, 'DT5051: there is no development container "wrong"', 2],
    ['up wrong', invalid, 'DT1002', 3],
    ['deploy wrong', sound, 'DT2005: there is no service "wrong"', 2],
    ['deploy wrong', invalid, 'DT1002', 3],
    ['restart wrong', sound, 'DT5053: "wrong" is not active', 5],
    ['rollback 99', sound, 'DT3407: there is no environment "shop"', 5],
    ['platform restore missing.yaml', sound, 'missing.yaml', 3],
    ['destroy', `destroy: 7\n${sound}`, 'DT1002: destroy', 3],
  ] as const) {
    const home: Folder = new Map()
    const files = { 'compose.yaml': `name: shop\n${text}` }
    const options = { files, memory: { home, answers: new Map([['--yes', 'yes']]) } }
    const { status, stderr } = await devtool(command.split(' '), options)
    assert.is(status, expected, `${command}: ${stderr}`)
    assert.match(stderr, code)
    assert.is(home.size, 0, 'the cluster is not known afterwards')
  }
})

test('down restores workloads in an unknown cluster, which stays unknown', async () => {
  const home: Folder = new Map()
  const { status, stderr } = await run(['down', 'api'], home)
  assert.is(status, 0, stderr)
  assert.match(stderr, 'nothing to do')
  assert.is(home.size, 0)
})

for (const [how, argv, env, answers] of [
  ['--yes', [...destroy, '--yes'], {}, []],
  ['--context', [...destroy, '--context', 'test'], {}, []],
  ['DEVTOOL_CONTEXT', destroy, { DEVTOOL_CONTEXT: 'test' }, []],
  ['an answer', destroy, {}, [['--yes', 'yes']]],
] as const) {
  test(`a cluster confirmed by ${how} is not asked about again`, async () => {
    const home: Folder = new Map()
    const first = await run(argv, home, env, { answers: new Map(answers) })
    assert.not.match(first.stderr, 'DT2102')
    assert.is(Object.keys(JSON.parse(home.get(CLUSTERS) ?? '{}').clusters).length, 1)
    assert.not.match((await run(destroy, home)).stderr, 'DT2102')
  })
}

test('a missing namespace is refused with the command that creates it', async () => {
  for (const argv of [
    ['list', '-n', 'nope'],
    [...destroy, '-n', 'nope'],
    ['namespace', 'use', 'nope'],
  ]) {
    const { status, stderr } = await run(argv)
    assert.is(status, 5, argv.join(' '))
    assert.match(stderr, 'kubectl create namespace nope')
  }
})

test('names in the command that creates a namespace are quoted for the shell', () => {
  const place = {
    context: "it's a; b",
    namespace: 'nope',
    isCurrent: false,
    isNamed: true,
    settings: {},
    origin: 'Flag',
  } as const
  const { help } = missingNamespace(place, { kubeconfig: 'my config', isYes: false })
  assert.match(help ?? '', String.raw`nope --context 'it'\''s a; b' --kubeconfig 'my config'`)
})

test('a namespace is chosen by name or from the list, and stored with the context', async () => {
  const home: Folder = new Map()
  const namespaces = { objects: [{ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } }] }
  const used = await run(['namespace', 'use', 'shop'], home, {}, { cluster: namespaces })
  assert.is(used.stderr, 'using namespace shop of test\n')
  assert.equal(JSON.parse(home.get(CONFIG) ?? ''), {
    schema: 1,
    contexts: { test: { kind: 'kubernetes', namespace: 'shop' } },
  })
  const answers = new Map([['`devtool namespace use NAME`', 'default']])
  assert.is((await run(['namespace'], home, {}, { answers })).status, 0)
  assert.is(JSON.parse(home.get(CONFIG) ?? '').contexts.test.namespace, 'default')
})

test('kubeconfig reports which file it changed', async () => {
  const { status, stderr } = await run(['kubeconfig', '--namespace', 'shop'])
  assert.is(status, 0)
  assert.is(stderr, '/home/dev/.kube/config now uses test, namespace shop\n')
})

test('without a kubeconfig, stored contexts can still be listed', async () => {
  const memory = { hasNoCluster: true }
  assert.is((await run(['context', 'list'], new Map(), {}, memory)).status, 3)
  const { status, stderr, stdout } = await run(['context', 'list'], new Map(platform), {}, memory)
  assert.is(status, 0)
  // Who uses a platform needs none.
  assert.is(stderr, '')
  const plain = new Map([[CONFIG, JSON.stringify({ contexts: { test: { kind: 'kubernetes' } } })]])
  assert.match((await run(['context', 'list'], plain, {}, memory)).stderr, 'warning DT3008')
  assert.match(stdout, 'https://p.test *')
})

for (const [argv, status, words] of [
  [['preview', 'deploy', 'x', '--repository', 'https://git.test/a', '--wait'], 5, 'DT2107'],
  [['pipeline', 'destroy', '--volumes'], 5, 'DT2107'],
  [['namespace', 'create', 'x'], 5, 'kubectl create namespace'],
  [['namespace', '--loglevel', 'debug', 'list'], 5, 'DT2107'],
  [['context', 'lsit'], 2, 'did you mean "context list"?'],
  [['context', 'delete'], 2, 'context delete needs a name'],
  [['context', 'use', 'a', 'b'], 2, 'unexpected argument "b"'],
  [['context', 'show', '--outptu', 'json'], 2, 'did you mean "--output"?'],
  [['context'], 5, 'DT2101'],
  [['namespace'], 5, 'DT2101'],
] as const) {
  test(`${argv.join(' ')} ends with ${status} and prints ${words}`, async () => {
    const ran = await run(argv)
    assert.is(ran.status, status)
    assert.ok(ran.stderr.includes(words), ran.stderr)
    assert.is(ran.stdout, '')
  })
}

test('arguments may be placed between flags, and help finds the command all the same', async () => {
  assert.is((await run(['context', '-o', 'name', 'list'])).stdout, 'test\n')
  assert.is((await run(['--loglevel', 'error', 'context', 'list', '-o', 'name'])).stdout, 'test\n')
  const help = (await run(['help', 'context', 'use'])).stdout
  assert.match(help, 'usage: devtool context use [flags] [name]')
  assert.is((await run(['context', 'use', '--help'])).stdout, help)
  assert.match((await run(['preview', '--help'])).stdout, 'preview destroy')
})

test('completion offers subcommands and contexts', async () => {
  const offered = async (...words: ReadonlyArray<string>) =>
    (await run(['__complete', '--', ...words])).stdout.split('\n').filter((word) => word !== '')
  assert.equal(await offered('context', ''), ['delete', 'list', 'show', 'use'])
  assert.equal(await offered('context', 'use', ''), ['test'])
  assert.equal(await offered('list', '--context', 't'), ['test'])
  assert.equal(await offered('context', 'list', '-o', 'n'), ['name'])
  assert.equal(await offered('contex'), ['context'])
})

test.run()
