/** What commands print with `-o json` is what docs/json.md says: each document is read by the codec it is published with. */
import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type * as t from 'io-ts'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { documents } from '../../scripts/json-reference.ts'
import { installed } from '../../src/cli/installed.ts'
import { main } from '../../src/cli/main.ts'
import type { BuildEvent } from '../../src/domain/build/event.ts'
import type { JsonObject } from '../../src/domain/cluster/json.ts'
import { Diagnostic } from '../../src/domain/diagnostic/codec.ts'
import type { HistoryEntry } from '../../src/domain/environment/history.ts'
import { emptyRecord, recordBody } from '../../src/domain/environment/record.ts'
import { planBody, planText } from '../../src/domain/environment/stored-plan.ts'
import { ForwardList } from '../../src/domain/forward/document.ts'
import { LogDocument } from '../../src/domain/logs/document.ts'
import { defined } from '../../src/domain/object/defined.ts'
import { printJson } from '../../src/domain/print/json.ts'
import { progressDocuments } from '../../src/domain/progress/documents.ts'
import { memoryPlatforms } from '../memory/platforms.ts'
import { buildWorld, scripted } from '../support/build/world.ts'
import { worldOf } from '../support/cli/cli.ts'
import { garbage, platformObjects } from '../support/flags/installed.ts'
import { filledPlatform } from '../support/flags/recorded-platforms.ts'
import { planOfYaml } from '../support/kube/live.ts'
import { RUN } from '../support/platform/runs.ts'
import { tokenOf } from '../support/platform/world.ts'
import { keptShop } from '../support/sync/kept-shop.ts'

const team = 'registry.example.com/team'
const digests = new Map([['docker.io/library/nginx:latest', 'sha256:1']])
const files = {
  'compose.yaml': `name: shop
services:
  web:
    build: web
    ports: ["80"]
    secrets: [key]
secrets: { key: { environment: KEY } }
`,
  'web/Dockerfile': 'FROM scratch\nCOPY page /\n',
  'web/page': 'one',
}
const workload = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'web' } },
    template: { metadata: {}, spec: { containers: [] } },
  },
}
const first: HistoryEntry = {
  ...{ number: 1, plan: 1, when: '2026-11-21T10:00:00Z', who: 'ann@box', status: 'deployed', images: ['nginx'] },
  ...{ source: {}, changes: { created: 2, changed: 0, deleted: 0 } },
}
const record = E.toUnion(recordBody('demo', { ...emptyRecord('shop'), status: 'deployed', history: [first] }))
const published: JsonObject = JSON.parse(printJson(record))
const plan = planOfYaml('name: shop\nservices: {web: {image: nginx}}')
const kept = planBody('demo', 1, planText(plan), {
  ...{ plan, source: {}, settings: {}, services: ['web'], switchedOff: [], external: [] },
})
const ingress = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'Ingress',
  metadata: { name: 'web', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
  spec: { rules: [{ host: 'shop.test', http: { paths: [{ path: '/', backend: { service: { name: 'web' } } }] } }] },
}

const service = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
  spec: { selector: { app: 'web' }, ports: [{ port: 8080 }] },
}

/** A workload and the record of its development. */
const developed: { readonly objects: ReadonlyArray<JsonObject> } = JSON.parse(
  readFileSync('test/golden/codes/DT5058/cluster.json', 'utf8').replaceAll(
    '"namespace": "default"',
    '"namespace": "demo"',
  ),
)

const PLATFORM = 'https://p.test'
const REPOSITORY = 'https://git.test/team/web'
const inShop = `--context ${PLATFORM} -n shop`

/** The name of a document, and a command line that prints it. */
const commands: ReadonlyArray<readonly [name: string, line: string]> = [
  ['deploy', `deploy --yes --registry ${team} -f compose.yaml`],
  ['deploy --dry-run', `deploy --dry-run --registry ${team}`],
  ['deploy --diff', `deploy --diff --registry ${team}`],
  ['deploy --dry-run=server', `deploy --dry-run=server --registry ${team}`],
  ['build', `build --registry ${team}`],
  ['destroy', 'destroy --yes'],
  ['destroy', 'destroy --dry-run'],
  ['why', 'why'],
  ['list', 'list'],
  ['list ENVIRONMENT', 'list shop'],
  ['endpoints', 'endpoints'],
  ['preview endpoints', `preview endpoints look --context ${PLATFORM}`],
  ['history', 'history'],
  ['history NUMBER', 'history 1'],
  ['rollback', 'rollback 1 --yes'],
  ['restart', 'restart api --context test'],
  ['status', 'status api'],
  ['down', 'down api --take-over'],
  ['sync kept', 'sync kept'],
  ['sync restore', 'sync restore old.ts'],
  ['sync conflicts', 'sync conflicts'],
  ['sync explain', 'sync explain node_modules/'],
  ['doctor --check', 'doctor --check'],
  ['validate', 'validate'],
  ['build --check', `build --check --registry ${team}`],
  ['platform status', 'platform status'],
  ['platform gc', 'platform gc --dry-run'],
  ['platform gc', 'platform gc --yes'],
  ['namespace sleep', 'namespace sleep --yes'],
  ['namespace wake', 'namespace wake'],
  ['context list', 'context list'],
  ['context show', 'context show'],
  ['namespace list', `namespace list --context ${PLATFORM}`],
  ['namespace members list', `namespace members list --context ${PLATFORM} -n shop`],
  ['variable list', `variable list --context ${PLATFORM} -n shop`],
  ['pipeline deploy', `pipeline deploy --repository ${REPOSITORY} ${inShop}`],
  ['pipeline destroy', `pipeline destroy --name shop ${inShop}`],
  ['pipeline cancel', `pipeline cancel --run ${RUN} ${inShop}`],
  ['pipeline list', `pipeline list ${inShop}`],
  ['pipeline logs', `pipeline logs --run ${RUN} ${inShop}`],
  ['preview deploy', `preview deploy --repository ${REPOSITORY} --context ${PLATFORM}`],
  ['preview destroy', `preview destroy going --context ${PLATFORM}`],
  ['preview list', `preview list --context ${PLATFORM}`],
  ['explain CODE', 'explain DT1012'],
  ['explain FIELD', 'explain services.web.image'],
  ['explain', 'explain'],
  ['version', 'version'],
  ['analytics', 'analytics'],
]

const objectsFor = (name: string): ReadonlyArray<JsonObject> => {
  if (name.startsWith('deploy')) return []
  if (name.startsWith('platform ')) return [...platformObjects, ...garbage]
  if (['restart', 'status', 'down'].includes(name)) return developed.objects
  return [...(name === 'rollback' ? [] : [workload]), ingress, published, ...(kept === undefined ? [] : [kept])]
}

const isPublished = (codec: t.Mixed, text: string): void => {
  const printed: { readonly schema?: unknown } = JSON.parse(text)
  assert.is(printed.schema, 1)
  const read = codec.decode(printed)
  assert.ok(E.isRight(read), `${text}\n${JSON.stringify(E.isLeft(read) ? read.left.slice(0, 2) : [])}`)
  assert.equal(JSON.parse(JSON.stringify(codec.encode(printed))), printed)
}

test('there is a command line for each document', () => {
  const named = documents.filter((document) => document !== LogDocument && document !== ForwardList)
  const known = new Set(commands.map(([name]) => name))
  assert.equal(
    named.flatMap(({ name }) => name.split(', ')).filter((name) => !known.has(name)),
    [],
  )
})

for (const [name, line] of commands) {
  test(`devtool ${line} -o json prints its documented JSON, and nothing else`, async () => {
    const document = documents.find((one) => one.name.split(', ').includes(name))
    if (document === undefined) throw new Error(`there is no document ${name}`)
    const objects = objectsFor(name)
    const { home, ports } = keptShop()
    const platforms = memoryPlatforms({ url: PLATFORM, send: filledPlatform().send })
    const { run } = buildWorld({
      files,
      env: { KEY: 'secret', DEVTOOL_TOKEN: tokenOf('owner') },
      digests: new Map(digests),
      memory: { namespace: 'demo', cluster: { objects }, ...defined({ home }), ports: { ...ports, platforms } },
    })
    const { stderr, stdout } = await run(...line.split(' '), '-o', 'json')
    assert.is.not(stdout, '', stderr)
    isPublished(document.codec, stdout)
  })
}

test('every command that prints JSON is documented', () => {
  const printing = installed.filter(({ command }) => command.flags['output'] !== undefined && command.isHidden !== true)
  const known = documents.flatMap(({ name }) => name.split(', '))
  const missing = printing.filter(({ command: { name } }) => !known.some((one) => `${one} `.startsWith(`${name} `)))
  assert.equal(
    missing.map(({ command }) => command.name),
    [],
  )
})

test('forward prints its documented JSON as soon as it listens', async () => {
  const interruption = new AbortController()
  const { out, ports, world } = worldOf({ memory: { namespace: 'demo', cluster: { objects: [published, service] } } })
  const running = main(['forward', 'web', '8080', '--name', 'shop', '-o', 'json'], {
    ...world,
    interruption: () => interruption.signal,
  })
  while (out() === '') await ports.clock.sleep(10)
  interruption.abort()
  assert.is(await running, 0)
  isPublished(ForwardList.codec, out())
  assert.equal(JSON.parse(out()).forwards, [{ address: '127.0.0.1:8080', port: 8080 }])
})

for (const argv of [['list'], ['list', 'shop'], ['status', 'api']]) {
  const name = argv[0] === 'list' && argv.length > 1 ? 'list ENVIRONMENT' : argv[0]
  test(`${argv.join(' ')} --watch prints its documented JSON in one line`, async () => {
    const interruption = new AbortController()
    const objects = argv[0] === 'status' ? developed.objects : [published, workload]
    const { out, ports, world } = worldOf({ memory: { namespace: 'demo', cluster: { objects } } })
    const running = main([...argv, '--watch', '-o', 'json'], { ...world, interruption: () => interruption.signal })
    while (out() === '') await ports.clock.sleep(10)
    interruption.abort()
    await running
    const document = documents.find((one) => one.name === name)
    const printed = out().split('\n').slice(0, -1)
    assert.ok(document !== undefined && printed.length > 0)
    for (const line of printed) isPublished(document.codec, line)
  })
}

test('logs prints its documented JSON for every line', async () => {
  const { out, ports, world } = worldOf({ memory: { namespace: 'demo' } })
  const running = { name: 'web', restartCount: 0, state: { running: {} } }
  ports.cluster.put({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'web-1', namespace: 'demo', labels: { 'dev.devtool/environment': 'shop' } },
    spec: { containers: [{ name: 'web' }] },
    status: { containerStatuses: [running] },
  })
  ports.cluster.say('demo/web-1', 'web', ['listening', '{"level":"info","port":8080}'])
  await main(['logs', '--name', 'shop', '--no-follow', '-o', 'json'], world)
  const printed = out().split('\n').slice(0, -1)
  for (const line of printed) isPublished(LogDocument.codec, line)
  assert.equal(
    printed.map((line) => Object.keys(JSON.parse(line)).at(-1)),
    ['message', 'fields'],
  )
})

const vertex = { _tag: 'Vertex', digest: 'v1', name: '[1/1] COPY page /', isCached: false } as const
const events: ReadonlyArray<BuildEvent> = [
  { ...vertex, startedMs: 1000 },
  { _tag: 'Transfer', vertex: 'v1', id: 'layer', name: 'layer', current: 5, total: 10 },
  { _tag: 'Log', vertex: 'v1', isError: false, text: 'hello\n' },
  { ...vertex, startedMs: 1000, endedMs: 3000 },
  {
    _tag: 'Lint',
    ...{ text: 'JSONArgsRecommended: use JSON', details: ['a'], url: 'https://example.com/rule' },
    source: { file: 'Dockerfile', text: files['web/Dockerfile'], ranges: [{ start: 2, end: 2 }] },
  },
]

/** A manifest that builds, runs a command and applies services, with a file that is warned of. */
const project = {
  ...files,
  'compose.yaml': `services: {web: {image: "${team}/web:1", build: web, ports: ["80"], mac_address: "02:42:ac:11:65:43"}}\n`,
  'devtool.yml': 'name: shop\ndeploy: {compose: compose.yaml, commands: [migrate]}\n',
}

const isFinding = (line: string): boolean => E.isRight(Diagnostic.decode(JSON.parse(line)))

/** Types of the events among lines of JSON; the other lines are findings. */
const typesIn = (stderr: string): ReadonlyArray<string> =>
  stderr
    .split('\n')
    .slice(0, -1)
    .flatMap((line): ReadonlyArray<string> => {
      const { type }: { readonly type?: unknown } = JSON.parse(line)
      const event = progressDocuments.find(({ name }) => name === type)
      if (event === undefined) assert.ok(type === undefined && isFinding(line), line)
      else isPublished(event.codec, line)
      return event === undefined ? [] : [event.name]
    })

const ran = async (...argv: ReadonlyArray<string>) => {
  const world = buildWorld({
    files: project,
    builder: { images: scripted({ [`${team}/web:1`]: { events } }) },
    exit: { status: 0, output: 'migrated\n' },
    memory: { namespace: 'demo' },
  })
  return world.run(...argv, '--registry', team)
}

test('build and deploy print the documented progress events, and nothing else but findings', async () => {
  const built = await ran('build', '--progress', 'json')
  const deployed = await ran('deploy', '--yes', '--progress', 'json')
  const seen = new Set([...typesIn(built.stderr), ...typesIn(deployed.stderr)])
  assert.equal(
    [...seen].toSorted(),
    progressDocuments.map(({ name }) => name).toSorted(),
    built.stderr + deployed.stderr,
  )
})

for (const name of ['build', 'deploy']) {
  test(`${name} -o json prints only its document on stdout and only JSON on stderr`, async () => {
    const { stderr, stdout } = await ran(name, '-o', 'json', ...(name === 'deploy' ? ['--yes'] : []))
    JSON.parse(stdout)
    assert.ok(typesIn(stderr).includes('durations'), stderr)
  })
}

test('deploy -o yaml keeps the output of commands out of its document', async () => {
  const { stderr, stdout } = await ran('deploy', '-o', 'yaml', '--yes')
  assert.not.match(stdout, 'migrated')
  assert.match(stderr, 'migrated')
})

test.run()
