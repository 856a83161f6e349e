/** The contract of connections to pods, through the real API server and kubelet. */
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { execCases } from '../contract/exec-suite.ts'
import { dialCases } from '../contract/pods-suite.ts'
import { asking, command, type PodsWorld, within } from '../contract/pods-world.ts'
import { cuttableCluster } from '../support/e2e/cuttable.ts'
import { startPod } from '../support/e2e/pod.ts'
import { withNamespace } from '../support/e2e/real-cluster.ts'

type OpenedWorld = PodsWorld & { readonly end: () => Promise<void> }

let opened: OpenedWorld | undefined

test.before(async () => {
  const { cluster, close, cut } = await cuttableCluster()
  const { end, name: namespace } = await withNamespace(cluster, 'streams')
  const server = readFileSync(new URL('../support/e2e/pod-server.cjs', import.meta.url), 'utf8')
  const pod = { namespace, name: 'server' }
  await startPod(cluster, pod, { image: 'node:22', command: ['node', '-e', `${server}\nlisten()`], port: 7000 })
  const endAll = async (): Promise<void> => {
    await end()
    await close()
  }
  opened = { cluster, pod, cut, end: endAll }
})

test.after(async () => {
  await opened?.end()
})

const world = (): OpenedWorld => {
  if (opened === undefined) throw new Error('no cluster')
  return opened
}

for (const [title, run] of [...dialCases(world), ...execCases(world)]) test(`real: ${title}`, run)

test('real: deleting a pod ends its connections', async () => {
  const { cluster, pod } = world()
  const other = { ...pod, name: 'leaves' }
  const key = await startPod(cluster, other, { image: 'busybox:latest', command: ['sleep', '100'] })
  const { exec } = asking(() => ({ ...world(), pod: other }))
  const { exit, stderr, stdout } = await exec({ command: ['sh', '-c', 'while true; do echo on; sleep 0.1; done'] })
  stderr.resume()
  stdout.once('data', () => void cluster.remove(key, { propagation: 'Background' })())
  const ended = await within('exit', exit())
  assert.ok(ended._tag === 'Left' || ended.right === 137, JSON.stringify(ended))
})

test('real: a connection to a program that ends is closed', async () => {
  const { dial, exec } = asking(world)
  const end = '(socket) => socket.once("data", () => process.exit())'
  const listen = `require('net').createServer(${end}).listen(7002, () => console.log('it listens'))`
  const { exit, stderr, stdout } = await exec({ command: ['node', '-e', listen] })
  stderr.resume()
  await once(stdout, 'data')
  stdout.resume()
  const { bytes, closed } = await dial(7002)
  bytes.write(command('s'))
  bytes.resume()
  assert.is((await within('closed', closed))?._tag ?? 'in order', 'in order')
  assert.equal(await within('exit', exit()), E.right(0))
})

test.run()
