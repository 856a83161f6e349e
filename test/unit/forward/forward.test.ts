/** `forward` against a cluster in memory: which pod a connection reaches, and what is said when none can be. */
import { once } from 'node:events'
import { text as readAll } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { main } from '../../../src/cli/main.ts'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { memoryNetwork } from '../../memory/network.ts'
import { worldOf } from '../../support/cli/cli.ts'
import { record } from '../../support/cluster/destroy.ts'

const labels = { 'dev.devtool/environment': 'shop', 'dev.devtool/service': 'web' }

const service = (ports: ReadonlyArray<JsonObject>): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'web', namespace: 'default', labels },
  spec: { selector: labels, ports },
})

const pod = (name: string, isReady: boolean, day = 1): JsonObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', labels, creationTimestamp: `2026-11-0${day}T00:00:00Z` },
  spec: { containers: [{ name: 'web', ports: [{ name: 'http', containerPort: 8000 }] }] },
  status: { phase: 'Running', conditions: [{ type: 'Ready', status: isReady ? 'True' : 'False' }] },
})

const shop = record({ environment: 'shop', services: ['web'] }, 'default')

const forwarding = (objects: ReadonlyArray<JsonObject>, ...argv: ReadonlyArray<string>) => {
  const network = memoryNetwork()
  const given = worldOf({ memory: { cluster: { objects: [shop, ...objects] }, ports: { network } } })
  const { err, out, ports, world } = given
  const interruption = new AbortController()
  const ended = main(['forward', '--name', 'shop', ...argv], { ...world, interruption: () => interruption.signal })
  const opened = async (): Promise<void> => {
    while (out() === '') await ports.clock.sleep(10)
  }
  const serve = (name: string, port: number, says: string): void =>
    ports.cluster.serve(`default/${name}`, port, (stream) => stream.end(says))
  const ask = async (port: number): Promise<string> => {
    const bytes = await network.connect(port)
    return bytes === undefined ? 'nothing' : readAll(bytes)
  }
  const stop = (): Promise<number> => {
    interruption.abort()
    return ended
  }
  return { ask, cluster: ports.cluster, ended, err, network, opened, out, serve, stop }
}

test('each local port is forwarded to the port of the pod behind the port of the service', async () => {
  const ports = [
    { port: 80, targetPort: 'http' },
    { port: 90, targetPort: 9000 },
  ]
  const { ask, opened, out, serve, stop } = forwarding(
    [service(ports), pod('web-1', true)],
    'web',
    '8080:80',
    '8090:90',
    ':7',
  )
  serve('web-1', 8000, 'page')
  serve('web-1', 9000, 'metrics')
  serve('web-1', 7, 'debugger')
  await opened()
  assert.is(out(), '127.0.0.1:8080 -> web:80\n127.0.0.1:8090 -> web:90\n127.0.0.1:49152 -> web:7\n')
  assert.equal([await ask(8080), await ask(8090), await ask(49_152)], ['page', 'metrics', 'debugger'])
  assert.is(await stop(), 0)
})

test('a connection goes to a pod that is ready, and to the new one after a rollout', async () => {
  const { ask, cluster, opened, serve, stop } = forwarding(
    [service([]), pod('old', true), pod('new', false, 2)],
    'web',
    '8000',
  )
  serve('old', 8000, 'old')
  serve('new', 8000, 'new')
  await opened()
  assert.is(await ask(8000), 'old')
  cluster.take('Pod', 'old', 'default')
  cluster.put(pod('new', true, 2))
  assert.is(await ask(8000), 'new')
  await stop()
})

test('a connection waits for a pod, with a message', async () => {
  const { ask, cluster, err, opened, serve, stop } = forwarding([service([])], 'web', '8000')
  await opened()
  serve('late', 8000, 'at last')
  assert.match(err(), 'no pod of web is running: waiting for one')
  const asked = ask(8000)
  cluster.put(pod('late', true))
  assert.is(await asked, 'at last')
  await stop()
})

test('if no pod is ready, a running one is used', async () => {
  const { ask, opened, serve, stop } = forwarding([service([]), pod('web-1', false)], 'web', '8000')
  serve('web-1', 8000, 'not ready')
  await opened()
  assert.is(await ask(8000), 'not ready')
  await stop()
})

test('a refusal by the pod is reported once', async () => {
  const { err, network, opened, stop } = forwarding([service([]), pod('web-1', true)], 'web', '8000')
  await opened()
  for (let i = 0; i < 2; i += 1) {
    const bytes = await network.connect(8000)
    if (bytes !== undefined && !bytes.destroyed) await once(bytes, 'close')
  }
  await stop()
  assert.is(err().split('connection refused on port 8000').length, 2, err())
})

test('a local port in use is status 7, and no other port stays open', async () => {
  const { ended, err, network, out } = forwarding([service([]), pod('web-1', true)], 'web', '8000', '9000')
  network.taken.add(9000)
  assert.is(await ended, 7)
  assert.is(out(), '')
  assert.match(err(), /DT3409: port 9000 of this machine is in use/)
  assert.equal(network.listening(), [])
})

test('a reserved local port is explained', async () => {
  const { ended, err } = forwarding([service([]), pod('web-1', true)], 'web', '80')
  assert.is(await ended, 1)
  assert.match(err(), /this user may not listen on port 80/)
})

test('an unknown service is status 5 and suggests a similar one', async () => {
  const { ended, err } = forwarding([service([])], 'wbe', '80')
  assert.is(await ended, 5)
  assert.match(err(), /did you mean "web"\?/)
})

test('ports are checked before anything is connected', async () => {
  for (const ports of [[], ['x'], ['0'], ['65536'], ['70000:80'], ['80:90', '80']]) {
    const { ended } = forwarding([], 'web', ...ports)
    assert.is(await ended, 2, ports.join(' '))
  }
})

test.run()
