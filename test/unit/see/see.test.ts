import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { askedOf } from '../../../src/domain/environment/endpoints.ts'
import { type EnvironmentRecord, emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { printTable } from '../../../src/domain/print/table.ts'
import { showAge } from '../../../src/domain/text/moment.ts'
import type { Network } from '../../../src/ports/network.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { memoryNetwork } from '../../memory/network.ts'
import { devtool } from '../../support/cli/cli.ts'

const recordOf = (environment: string, more: Partial<EnvironmentRecord> = {}): JsonObject => {
  const entry = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', name: 'web', uid: 'u' }
  const record = {
    ...emptyRecord(environment),
    status: 'deployed',
    who: 'ann@box',
    when: '2026-11-21T07:55:00Z',
  } as const
  const body = recordBody('default', { ...record, inventory: [entry], endpoints: ['https://web.test/'], ...more })
  if (body._tag === 'Left') throw new Error(body.left.message)
  return body.right
}

const ingress = (host: string, isSecure: boolean, path = '/'): JsonObject => ({
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: host, namespace: 'default', labels: { 'dev.devtool/environment': 'shop' } },
  spec: {
    ...(isSecure ? { tls: [{ hosts: [host] }] } : {}),
    rules: [{ host, http: { paths: [{ path, backend: { service: { name: 'web', port: { number: 80 } } } }] } }],
  },
})

const see = (argv: ReadonlyArray<string>, objects: ReadonlyArray<JsonObject>, more: { network?: Network } = {}) =>
  devtool(argv, { memory: { cluster: { objects }, ports: more } })

test('list prints the environments of the namespace, with one request for them', async () => {
  const { status, stdout } = await see(['list'], [recordOf('shop'), recordOf('blog')])
  assert.is(status, 0)
  assert.is(
    stdout,
    [
      'Name  Status    Services  Endpoints  Age   Who',
      'blog  deployed  1         1          2h5m  ann@box',
      'shop  deployed  1         1          2h5m  ann@box',
      '',
    ].join('\n'),
  )
})

test('list says who deployed last, and when, also after a destroy that failed', async () => {
  const changes = { created: 1, changed: 0, deleted: 0 }
  const deployed = { number: 1, when: '2026-11-20T10:00:00Z', who: 'bob@box', status: 'deployed' } as const
  const history = [{ ...deployed, changes, source: {}, images: [] }]
  const { stdout } = await see(['list'], [recordOf('shop', { status: 'error', history })])
  assert.match(stdout, /shop +error +1 +1 +1d +bob@box/)
})

test('an empty list says so and succeeds', async () => {
  const { status, stderr, stdout } = await see(['list'], [])
  assert.equal([status, stdout], [0, ''])
  assert.match(stderr, /no environment in namespace default/)
})

test('the JSON of list has a schema', async () => {
  const { stdout } = await see(['list', '-o', 'json'], [recordOf('shop')])
  const data: unknown = JSON.parse(stdout)
  const row = { name: 'shop', status: 'deployed', services: 1, endpoints: 1, age: '2h5m', who: 'ann@box' }
  assert.equal(data, { schema: 1, namespace: 'default', environments: [row] })
})

test('a record that cannot be read is listed with a warning', async () => {
  const broken = { ...recordOf('shop'), binaryData: {} }
  const { status, stderr, stdout } = await see(['list'], [broken])
  assert.is(status, 0)
  assert.match(stderr, /warning DT3113/)
  assert.match(stdout, /^shop +error/m)
})

test('an unknown name suggests a similar one', async () => {
  const { status, stderr } = await see(['list', 'shpo'], [recordOf('shop')])
  assert.is(status, 5)
  assert.match(stderr, /did you mean "shop"\?/)
})

const network: Network = memoryNetwork({
  ask: (url) => () =>
    Promise.resolve(
      url.includes('web')
        ? { _tag: 'Answered', status: 404, ms: 12 }
        : { _tag: 'Silent', because: 'UnknownName', text: 'ENOTFOUND' },
    ),
  reach: () => () => Promise.resolve({ _tag: 'Open' }),
})

test('endpoints shows whether each address responds; those with TLS use https', async () => {
  const objects = [ingress('web.test', true), ingress('api.test', false, '/v1(/|$)(.*)')]
  const { status, stdout } = await see(['endpoints', '--name', 'shop'], objects, { network })
  assert.is(status, 0)
  assert.is(
    stdout,
    [
      'Service  URL                 Answers',
      'web      http://api.test/v1  no, the name does not resolve; no Ingress controller has given it an address',
      'web      https://web.test/   yes, 404',
      '',
    ].join('\n'),
  )
})

test('endpoints prints Markdown for a comment, and JSON for programs', async () => {
  const objects = [ingress('web.test', true)]
  const md = await see(['endpoints', '--name', 'shop', '-o', 'md'], objects, { network })
  assert.is(md.stdout, '### Endpoints of shop\n\n- web: [https://web.test/](https://web.test/)\n')
  const json: unknown = JSON.parse(
    (await see(['endpoints', '--name', 'shop', '-o', 'json'], objects, { network })).stdout,
  )
  const one = { url: 'https://web.test/', service: 'web', answers: true, status: 404, ms: 12 }
  assert.equal(json, { schema: 1, environment: 'shop', namespace: 'default', endpoints: [one] })
})

test('having no addresses is reported on standard error', async () => {
  const { status, stderr, stdout } = await see(['endpoints', '--name', 'shop'], [recordOf('shop')])
  assert.equal([status, stdout], [0, ''])
  assert.match(stderr, /has no public addresses/)
})

test('without an environment, endpoints fails', async () => {
  const { status, stderr } = await see(['endpoints', '--name', 'shop'], [])
  assert.is(status, 5)
  assert.match(stderr, /DT3407/)
})

test('external addresses of the manifest are listed too', async () => {
  const record = recordOf('shop', { external: [{ name: 'db/console', url: 'https://console.test/' }] })
  const { stdout } = await see(['endpoints', '--name', 'shop', '-o', 'name'], [record, ingress('web.test', true)])
  assert.is(stdout, 'https://web.test/\nhttps://console.test/\n')
})

test('list and endpoints request only what they print', async () => {
  for (const argv of [['list'], ['endpoints', '--name', 'shop']]) {
    const cluster = memoryCluster({ objects: [recordOf('shop'), ingress('web.test', true)] })
    await devtool(argv, { memory: { ports: { network, clusters: memoryClusters(new Map([['test', cluster]])) } } })
    const asked = cluster.asked().length
    assert.ok(asked >= 1 && asked <= 4, `${argv[0]} asked ${asked} times`)
  }
})

test('analytics can be disabled permanently or by a variable, and enabled again', async () => {
  const home = new Map<string, string>()
  const run = (args: ReadonlyArray<string>, env = {}) => devtool(['analytics', ...args], { env, memory: { home } })
  assert.match((await run([])).stdout, /switched on; no collector is configured/)
  assert.is((await run([], { DO_NOT_TRACK: '1' })).stdout, 'analytics are switched off by DO_NOT_TRACK\n')
  assert.is((await run([], { CI: 'true' })).stdout, 'analytics are switched off by CI\n')
  assert.is((await run(['--disable'])).stdout, 'analytics are switched off\n')
  assert.is((await run([])).stdout, 'analytics are switched off\n')
  assert.match((await run(['--enable', '-o', 'json'])).stdout, /"enabled": true/)
  assert.is((await run(['--enable', '--disable'])).status, 2)
})

test('init -v1 writes a development container and nothing to deploy', async () => {
  const { status, stderr } = await devtool(['init', '-v1', '--replace'], { files: { 'go.mod': 'module x' } })
  assert.is(status, 0, stderr)
  assert.match(stderr, /development containers for go/)
})

test('ages have one or two units', () => {
  const age = (since: string): string => showAge(since, '2026-11-21T10:00:00Z')
  const known = ['2026-11-21T09:59:20Z', '2026-11-21T09:56:40Z', '2026-11-21T07:55:00Z', '2026-11-18T06:00:00Z', 'x']
  assert.equal(known.map(age), ['40s', '3m20s', '2h5m', '3d4h', ''])
})

test('a table is aligned by visible width, and no cell can control the terminal', () => {
  assert.is(
    printTable(
      ['A', 'B'],
      [
        ['日本', '\u001b[2J'],
        ['x', ''],
      ],
    ),
    'A     B\n日本  \\x1b[2J\nx\n',
  )
})

test('a proxy without an application counts as no response', () => {
  for (const status of [502, 503, 504]) {
    const { answers, reason } = askedOf({ _tag: 'Answered', status, ms: 1 })
    assert.is(answers, false)
    assert.match(reason ?? '', new RegExp(`^no, ${status}: the `))
  }
  assert.is(askedOf({ _tag: 'Answered', status: 500, ms: 1 }).answers, true)
})

test('an untrusted certificate is a remark, whether there is an application behind it or not', async () => {
  const behind = (status: number) =>
    memoryNetwork({
      ask: (_url, _timeoutMs, isLenient) => () =>
        Promise.resolve(
          isLenient === true
            ? { _tag: 'Answered', status, ms: 12 }
            : { _tag: 'Silent', because: 'Untrusted', text: 'its certificate is self-signed' },
        ),
    })
  const rowOf = async (status: number) =>
    (await see(['endpoints', '--name', 'shop'], [ingress('web.test', true)], { network: behind(status) })).stdout
  assert.match(await rowOf(200), 'yes, 200, but not trusted here: its certificate is self-signed\n')
  assert.match(await rowOf(503), /no, 503: .*, but not trusted here: its certificate is self-signed\n/)
})

test.run()
