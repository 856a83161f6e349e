/** What commands about an environment say of a service that somebody develops. */
import { strFromU8, unzipSync } from 'fflate'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { doctor } from '../../../src/app/inspect/doctor.ts'
import { type JsonObject, objectAt } from '../../../src/domain/cluster/json.ts'
import { isLive } from '../../../src/domain/cluster/live.ts'
import { type DevRecord, recordBody } from '../../../src/domain/dev/record.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryFiles } from '../../memory/files.ts'
import { memoryHome } from '../../memory/home.ts'
import { devtool, diskOf } from '../../support/cli/cli.ts'

const labels = { 'dev.devtool/environment': 'shop', 'dev.devtool/service': 'web' }
const mirror = 'devtool-up-deployment-web'

const original: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', namespace: 'default', uid: 'u1', resourceVersion: '1', labels },
  spec: {
    replicas: 0,
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [{ name: 'web', image: 'shop/web:1' }] } },
  },
}

const record: DevRecord = {
  schema: 1,
  dev: 'web',
  main: mirror,
  mirror,
  container: 'web',
  port: 2222,
  workload: { kind: 'Deployment', name: 'web', uid: 'u1' },
  touched: [],
  holder: { user: 'ann', machine: 'laptop', pid: 1, session: 's' },
  since: '2026-11-21T09:55:00Z',
  isCreated: false,
  isFilling: false,
  beat: '2026-11-21T09:55:00Z',
}

const recordObject = (): JsonObject => {
  if (!isLive(original)) throw new Error('no live object')
  const body = recordBody(record, '', original)
  return { ...body, metadata: { ...objectAt(body, 'metadata'), namespace: 'default' } }
}

const mirrorObject: JsonObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: mirror,
    namespace: 'default',
    uid: 'u2',
    labels: { 'dev.devtool/kind': 'up', 'dev.devtool/mirror': mirror },
  },
  spec: { replicas: 1, template: {} },
  status: { observedGeneration: 1 },
}

const podWith = (status: JsonObject): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: {
    name: `${mirror}-1`,
    namespace: 'default',
    uid: 'u3',
    labels: { ...labels, 'dev.devtool/kind': 'up', 'dev.devtool/mirror': mirror },
  },
  spec: { containers: [{ name: 'web', image: 'shop/web:1', resources: { limits: { memory: '64Mi' } } }] },
  status: { phase: 'Running', containerStatuses: [{ name: 'web', ready: true, restartCount: 0, ...status }] },
})

const running = { state: { running: { startedAt: '2026-11-21T09:55:01Z' } } }
const killed = { ...running, restartCount: 1, lastState: { terminated: { reason: 'OOMKilled', exitCode: 137 } } }

/** `answering`: ports of the pod that accept connections. */
const see = (argv: ReadonlyArray<string>, status: JsonObject = running, answering: ReadonlyArray<number> = []) => {
  const objects = [original, recordObject(), mirrorObject, podWith(status)]
  return devtool(argv, { memory: { cluster: { objects, open: { [`${mirror}-1`]: answering } } } })
}

test('list shows who develops a service, and the state of its development container', async () => {
  const { stdout } = await see(['list', 'shop', '-o', 'json'])
  const { services } = JSON.parse(stdout)
  assert.equal(services.length, 1)
  assert.equal([services[0].state, services[0].ready], ['developed', '1/1'])
  assert.match(services[0].reason, /^by ann on laptop for \d/)
})

test('why reports a developed workload without pods as healthy, and names its developer', async () => {
  const { status, stdout } = await see(['why', '--name', 'shop'])
  assert.is(status, 0, stdout)
  assert.match(stdout, 'healthy: web (developed by ann on laptop since 2026-11-21T09:55:00Z)')
})

test('why and status name the memory limit that a development container has exceeded', async () => {
  const { stdout } = await see(['why', '--name', 'shop'], killed)
  assert.match(stdout, 'the development container was killed: it exceeded its memory limit of 64Mi')
  const listed = await see(['status', 'web'], killed)
  assert.match(listed.stdout, 'running (OOMKilled at its memory limit of 64Mi)')
})

test('status shows a container as running as soon as its agent answers, and not before', async () => {
  const creating = { state: { waiting: { reason: 'ContainerCreating' } } }
  const states = async (status: JsonObject, answering: ReadonlyArray<number>) => {
    const { stdout } = await see(['status', 'web', '-o', 'json'], status, answering)
    const [{ reason, state }] = JSON.parse(stdout).devs
    return [state, reason]
  }
  assert.equal(await states(creating, []), ['starting', 'ContainerCreating'])
  assert.equal(await states(creating, [2222]), ['running', ''])
  const looping = { state: { waiting: { reason: 'CrashLoopBackOff' } } }
  assert.equal(await states(looping, [2222]), ['starting', 'CrashLoopBackOff'])
})

test('the report of doctor has the development container of a service', async () => {
  const cluster = memoryCluster({ objects: [original, recordObject(), mirrorObject, podWith(running)] })
  const disk = diskOf({})
  const files = memoryFiles(disk)
  await doctor({ clock: memoryClock(), files, home: memoryHome(), writer: files })({
    target: { cluster, context: 'lab', namespace: 'default', settings: {}, isNamed: true, findings: [] },
    environment: 'shop',
    service: 'web',
    files: [],
    facts: { version: '1.2.3', node: 'v22.0.0', os: 'linux', arch: 'x64' },
    signal: new AbortController().signal,
  })
  const [zip] = [...disk.values()]
  const bytes = zip?._tag === 'File' ? zip.bytes : new Uint8Array()
  const entries = unzipSync(bytes)
  const summary = strFromU8(entries['summary.txt'] ?? new Uint8Array())
  assert.match(
    summary,
    /developed: +web \(Deployment\/web\) by ann on laptop since .*: running, devtool-up-deployment-web-1/,
  )
  assert.ok(Object.keys(entries).includes(`objects/Deployment-${mirror}.json`))
})

test.run()
