import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { watchAccess } from '../../../src/app/platform/watching.ts'
import { textAt } from '../../../src/domain/cluster/json.ts'
import { accessState } from '../../../src/domain/platform/access.ts'
import type { RunningApi } from '../../../src/server/serve.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { startApi } from '../../support/platform/api.ts'
import { idOf, objects, tokenOf } from '../../support/platform/world.ts'
import { until } from '../../support/process/until.ts'

const DRAIN_MS = 7_777_777

/** `drained`: how long requests are still taken at the end. */
const serving = async (
  use: (api: RunningApi, lines: ReadonlyArray<string>) => Promise<void>,
  drained = Promise.resolve(),
): Promise<void> => {
  const lines: Array<string> = []
  const api = await startApi({
    cluster: memoryCluster({ objects: objects() }),
    clock: { ...systemClock, sleep: (ms, signal) => (ms === DRAIN_MS ? drained : systemClock.sleep(ms, signal)) },
    random: { bytes: (count) => new Uint8Array(count).fill(7) },
    write: (line) => void lines.push(line),
  })
  try {
    await until('it is ready', async () => (await page(api, '/readyz')).status === 200)
    await use(api, lines)
  } finally {
    await api.stop(DRAIN_MS)
  }
}

const page = ({ clusterPort }: RunningApi, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${clusterPort}${path}`)

const ask = ({ port }: RunningApi, path: string): Promise<Response> =>
  fetch(`http://127.0.0.1:${port}${path}`, { headers: { authorization: `Bearer ${tokenOf('viewer')}` } })

test('the API server knows the namespaces of a user as soon as it is ready', () =>
  serving(async (api) => {
    const { namespaces } = JSON.parse(await (await ask(api, '/api/v1/namespaces')).text())
    assert.is(textAt(namespaces, 0, 'name'), 'shop')
  }))

test('each request is a log line without the token, and is counted', () =>
  serving(async (api, lines) => {
    await ask(api, '/api/v1/namespaces/absent')
    const requests = lines.map((line) => JSON.parse(line)).filter(({ kind }) => kind === 'request')
    assert.equal(
      requests.map(({ code, route, status, target, user }) => [route, target, user, status, code]),
      [['getNamespace', { namespace: 'absent' }, idOf('viewer'), 404, 'DT6004']],
    )
    assert.not.match(lines.join(), /dvt_/)
    const metrics = await (await page(api, '/metrics')).text()
    assert.match(metrics, /^devtool_requests_total\{route="getNamespace",status="404"\} 1$/m)
  }))

test('metrics and probes are not served on the port of users', () =>
  serving(async (api) => {
    for (const path of ['/metrics', '/readyz', '/livez']) assert.is((await ask(api, path)).status, 404)
    assert.is((await page(api, '/livez')).status, 200)
    assert.is((await page(api, '/api/v1/meta')).status, 404)
  }))

test('while the API server shuts down it is not ready, and still answers', async () => {
  let drain = (): void => {}
  const drained = new Promise<void>((resolve) => {
    drain = resolve
  })
  await serving(async (api, lines) => {
    const stopped = api.stop(DRAIN_MS)
    assert.is((await page(api, '/readyz')).status, 503)
    assert.is((await ask(api, '/api/v1/me')).status, 200)
    drain()
    await stopped
    assert.ok(lines.some((line) => line.includes('"stopped"')))
  }, drained)
})

test('the API server is not ready until it may list', async () => {
  const access = accessState()
  const stopped = new AbortController()
  const cluster = memoryCluster({
    objects: objects(),
    failures: [{ verb: 'list', what: 'namespaces', status: 403, message: 'not yet', times: 2 }],
  })
  let pauses = 0
  const sleep = async (): Promise<void> => {
    pauses += 1
    await Promise.resolve()
  }
  await watchAccess({ cluster, clock: { now: () => 0, sleep }, signal: stopped.signal }, access, () => {})
  stopped.abort()
  assert.ok(pauses >= 2)
  assert.equal(
    access.of(idOf('viewer')).map(({ namespace }) => namespace.name),
    ['shop'],
  )
})

test('the API server ends if one of its ports is taken', () =>
  serving(async ({ clusterPort }) => {
    const second = startApi({ cluster: memoryCluster(), ports: { users: 0, cluster: clusterPort } })
    await second.then(
      () => assert.unreachable(),
      (cause: unknown) => assert.match(String(cause), 'EADDRINUSE'),
    )
  }))

test.run()
