/** A platform as its users meet it: contexts, namespaces, members and variables. The API behind it is the real one. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { as, at, stored, URL_OF_IT } from '../support/platform/story.ts'
import {
  builderPod,
  idOf,
  sleepRecord,
  type TestPlatform,
  testPlatform,
  tokenIdOf,
  tokenOf,
} from '../support/platform/world.ts'

const compose =
  'services:\n  web:\n    image: nginx:${TAG:-none}\n    ports: [80:80]\n    environment: {COLOR: "${COLOR}"}\n'

test('context use with a token stores it for this user only, with the only namespace, and does not print it', async () => {
  const { home, run } = at()
  const token = tokenOf('owner')
  const used = await run('context', 'use', 'https://P.test/', '--token', token)
  assert.is(used.stderr, `using ${URL_OF_IT}: namespace shop at ${URL_OF_IT}\n`)
  assert.equal(stored(home), { kind: 'platform', token, namespace: 'shop' })
  const shown = JSON.parse((await run('context', 'show')).stdout)
  assert.is(shown.token, '<redacted>')
  assert.is(shown.isDevtool, true)
  assert.match((await run('context', 'list')).stdout, `${URL_OF_IT} *  shop`)
})

test('context asks for a context, or for the address of a new platform', async () => {
  const answers = {
    '`devtool context use NAME`': 'a platform, by its URL',
    '`devtool context use URL --token TOKEN`': 'https://P.test/',
  }
  const { home, run } = at({ answers })
  const { status, stderr } = await run('context', '--token', tokenOf('owner'))
  assert.is(status, 0, stderr)
  assert.is(stderr, `using ${URL_OF_IT}: namespace shop at ${URL_OF_IT}\n`)
  assert.is(stored(home).kind, 'platform')
  assert.is((await run('context', 'use', '--token', tokenOf('owner'))).stderr, stderr)
})

test('a token that is not valid, and a platform that does not answer, store nothing', async () => {
  const { home, run } = at()
  for (const [argv, status, code] of [
    [['context', 'use', URL_OF_IT, '--token', tokenOf('expired')], 4, 'DT6002'],
    [['context', 'use', URL_OF_IT, '--token', 'dvt_typo'], 4, 'DT6002'],
    [['context', 'use', URL_OF_IT], 4, 'DT6001'],
    [['login', URL_OF_IT], 4, 'DT6001'],
    [['context', 'use', 'https://q.test', '--token', tokenOf('owner')], 8, 'DT2110'],
    [['context', 'use', URL_OF_IT, '--token', tokenOf('owner'), '--namespace', 'foreign'], 5, 'DT2109'],
  ] as const) {
    const refused = await run(...argv)
    assert.is(refused.status, status, argv.join(' '))
    assert.match(refused.stderr, code)
    assert.not.match(refused.stderr, tokenOf('owner'))
  }
  assert.is(home.size, 0)
})

test('without a login, the error has the login command and status 4', async () => {
  const { run } = at({ env: { DEVTOOL_CONTEXT: URL_OF_IT } })
  for (const argv of [['list'], ['namespace', 'list'], ['kubetoken'], ['deploy'], ['logout', URL_OF_IT]]) {
    const { status, stderr } = await run(...argv)
    assert.is(status, 4, argv.join(' '))
    assert.match(stderr, 'DT6001')
    assert.match(stderr, `devtool context use ${URL_OF_IT}`)
  }
})

test('commands run in the cluster of the platform with a token of the user', async () => {
  const { platform, run } = as('member')
  const { status, stderr } = await run('list')
  assert.is(stderr, 'no environment in namespace shop\n')
  assert.is(status, 0)
  assert.ok(platform.served.some(({ route, status: said }) => route === 'createCredential' && said === 201))
  const { stdout } = await run('kubetoken')
  assert.is(JSON.parse(stdout).kind, 'ExecCredential')
  assert.ok(JSON.parse(stdout).status.expirationTimestamp)
})

test('a token with a scope is enough for commands within it, and selects its namespace', async () => {
  const { home, run } = at()
  assert.is((await run('context', 'use', URL_OF_IT, '--token', tokenOf('guest'))).status, 0)
  assert.is(stored(home).namespace, 'shop')
  for (const person of ['guest', 'reader'] as const) {
    const own = as(person)
    assert.is((await own.run('list')).status, 0)
    const { token } = JSON.parse((await own.run('kubetoken')).stdout).status
    assert.match(token, `${idOf(person)}-${tokenIdOf(person)}`)
  }
  assert.is((await run('namespace', 'list')).status, 4)
})

test('images are built by the build service of the platform, unless another builder is named', async () => {
  const files = { Dockerfile: 'FROM scratch' }
  const build = ['build', '-f', 'Dockerfile', '--tag', 'r.test/page:1']
  const used = async (env: Readonly<Record<string, string>>, builder: 'none' | 'ready' = 'ready') => {
    const { builders, platform, run } = as('member', { env, files, platform: testPlatform({ builder }) })
    const { status, stderr } = await run(...build)
    const asked = platform.served.some(({ route }) => route === 'createBuilderSession')
    const [chosen] = builders.choices()
    return { address: chosen?.address, tls: chosen?.tls, status, stderr, asked }
  }
  const own = await used({})
  assert.is(own.status, 0, own.stderr)
  assert.equal(own.address, { _tag: 'KubePod', pod: 'buildkitd-0', port: 1234, namespace: 'devtool-builder' })
  assert.is(own.tls?.serverName, 'builder.devtool')
  const named = await used({ BUILDKIT_HOST: 'tcp://b.test:1234' })
  assert.equal([named.address, named.asked], [{ _tag: 'Tcp', host: 'b.test', port: 1234 }, false])
  const none = await used({}, 'none')
  assert.is(none.status, 8)
  assert.match(none.stderr, /DT4001: .*this platform has no build service/)
  const unchosen = await used({ DEVTOOL_NAMESPACE: '' })
  assert.is(unchosen.status, 8)
  assert.match(unchosen.stderr, /no namespace of https:\/\/p.test is selected/)
})

test('a build waits for the build service while its pod is replaced, and not for long', async () => {
  const build = async (isReplaced: boolean) => {
    const platform = testPlatform({ builder: 'starting' })
    const send: TestPlatform['send'] = async (...asked) => {
      const answer = await platform.send(...asked)
      if (isReplaced) platform.cluster.put(builderPod('buildkitd-0'))
      return answer
    }
    const { run } = as('member', { files: { Dockerfile: 'FROM scratch' }, platform: { ...platform, send } })
    const { status, stderr } = await run('build', '-f', 'Dockerfile', '--tag', 'r.test/page:1')
    const times = platform.served.filter(({ route }) => route === 'createBuilderSession').length
    return { status, stderr, times }
  }
  const back = await build(true)
  assert.equal([back.status, back.times], [0, 2], back.stderr)
  assert.match(back.stderr, 'waiting for the build service of https://p.test: no pod of the build service is ready')
  const gone = await build(false)
  assert.is(gone.status, 8)
  assert.match(gone.stderr, /DT4001: .*no pod of the build service is ready/)
  assert.ok(gone.times > 10)
})

test('kubeconfig adds the platform under its host', async () => {
  const { run } = as('member')
  const { stderr } = await run('kubeconfig')
  assert.match(stderr, 'now uses p.test, namespace shop')
})

test('namespaces are created, selected, listed and deleted; members are added and removed', async () => {
  const platform = testPlatform()
  const home = new Map<string, string>()
  const { run } = at({ platform, home })
  await run('context', 'use', URL_OF_IT, '--token', tokenOf('owner'))
  assert.match((await run('namespace', 'create', 'shop-two')).stderr, 'created namespace shop-two')
  assert.is(stored(home).namespace, 'shop-two')
  assert.is((await run('namespace', 'list')).stdout, 'Namespace   Status\nshop        Active\nshop-two *  Active\n')
  platform.cluster.put(sleepRecord('shop'))
  assert.match((await run('namespace', 'list')).stdout, 'shop        Asleep\n')
  assert.match((await run('namespace', 'list', '-o', 'json')).stdout, '"isAsleep": true')
  assert.is((await run('namespace', 'members', 'add', 'stranger@example.com', '--role', 'viewer')).status, 0)
  assert.is((await run('namespace', 'members', 'list', '-o', 'name')).stdout.split('\n').length, 3)
  assert.is((await run('namespace', 'members', 'remove', 'stranger@example.com')).status, 0)
  assert.is((await run('namespace', 'members', 'remove', 'stranger@example.com')).status, 5)
  assert.is((await run('namespace', 'use', 'foreign')).status, 5)
  assert.is((await run('namespace', 'use', 'shop')).status, 0)
  assert.is((await run('namespace', 'create', 'kube-mine')).status, 7)
})

test('context use with the token of a disabled user ends with status 4, and the only namespace is used without a question', async () => {
  const { run } = at()
  const used = await run('context', 'use', URL_OF_IT, '--token', tokenOf('disabled'))
  assert.is(used.status, 4)
  const none = testPlatform()
  const two = at({ platform: none })
  await two.run('context', 'use', URL_OF_IT, '--token', tokenOf('stranger'))
  assert.is(stored(two.home).namespace, 'foreign')
})

test('namespace asks for a namespace, and offers to create one', async () => {
  const answers = { '`devtool namespace use NAME`': 'create one', '`devtool namespace create NAME`': 'shop-new' }
  const home = new Map<string, string>()
  const { run } = at({ answers, home })
  await run('context', 'use', URL_OF_IT, '--token', tokenOf('owner'))
  assert.match((await run('namespace')).stderr, 'using namespace shop-new')
  assert.is(stored(home).namespace, 'shop-new')
})

test('on a plain cluster, commands of a platform print what to use instead', async () => {
  const { run } = at()
  for (const argv of [['namespace', 'list'], ['namespace', 'create', 'x'], ['variable', 'list'], ['kubetoken']]) {
    const { status, stderr } = await run(...argv)
    assert.is(status, 5)
    assert.match(stderr, 'DT2107')
  }
})

test('variables of the platform have the lowest precedence', async () => {
  const { run } = as('member', { files: { 'compose.yaml': compose } })
  assert.is((await run('variable', 'set', 'TAG', '1.27')).status, 0)
  assert.is((await run('variable', 'list')).stdout, 'Variable  Scope\nCOLOR     namespace\nTAG       namespace\n')
  const dry = (...more: ReadonlyArray<string>) => run('deploy', '--dry-run', '--context', URL_OF_IT, ...more)
  const { stdout } = await dry()
  assert.match(stdout, 'nginx:1.27')
  assert.match(stdout, 'value: red')
  assert.match(stdout, 'web-shop.example.com')
  assert.match((await dry('--var', 'TAG=2')).stdout, 'nginx:2')
  assert.is((await run('variable', 'unset', 'TAG')).status, 0)
  assert.match((await dry()).stdout, 'nginx:none')
  assert.is((await run('variable', 'unset', 'TAG')).status, 5)
  assert.match((await run('deploy', '--dry-run')).stdout, 'nginx:none')
})

test('the switch for volume affinity may be a variable of the platform', async () => {
  const files = {
    'compose.yaml': 'services:\n  a: {image: x, volumes: [v:/v]}\n  b: {image: x, volumes: [v:/v]}\nvolumes: {v: {}}\n',
  }
  const { run } = as('member', { files })
  const dry = () => run('deploy', '--dry-run', '--context', URL_OF_IT)
  assert.match((await dry()).stdout, 'podAffinity')
  await run('variable', 'set', 'DEVTOOL_COMPOSE_VOLUME_AFFINITY_ENABLED', 'false')
  assert.not.match((await dry()).stdout, 'podAffinity')
})

test('only administrators set variables for all namespaces', async () => {
  assert.is((await as('member').run('variable', 'list', '--all')).status, 4)
  const { run } = as('admin')
  assert.is((await run('variable', 'set', 'MIRROR', 'm.test', '--all', '--previews')).status, 0)
  assert.match((await run('variable', 'list', '--all')).stdout, 'MIRROR    all, previews')
  assert.is((await run('variable', 'unset', 'MIRROR', '--all')).status, 0)
})

test.run()
