/** What is asked of pods themselves, on the real cluster: their logs, and whether something listens on their ports. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { type ObjectKey, resources } from '../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { connectReal, realClusters, withNamespace } from '../support/e2e/real-cluster.ts'

const image = process.env['E2E_IMAGE'] ?? 'busybox:latest'

const podOf = (name: string, script: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name },
  spec: {
    restartPolicy: 'Never',
    terminationGracePeriodSeconds: 0,
    containers: [{ name: 'main', image, command: ['sh', '-c', script] }],
  },
})

const running = async (cluster: Cluster, key: ObjectKey, script: string): Promise<void> => {
  const made = await cluster.apply(key, JSON.stringify(podOf(key.name, script)), { manager: 'devtool' })()
  if (E.isLeft(made)) throw new Error(JSON.stringify(made.left))
  const stop = AbortSignal.timeout(60_000)
  const namespace = key.namespace === undefined ? {} : { namespace: key.namespace }
  const select = { resource: resources.Pod, ...namespace, fields: `metadata.name=${key.name}` }
  for await (const event of cluster.watch(select, stop)) {
    const phase = event._tag === 'Seen' ? textAt(event.object, 'status', 'phase') : undefined
    if (phase === 'Running' || phase === 'Succeeded') return
  }
  throw new Error(`pod ${key.name} does not run`)
}

const withPod = async (script: string, run: (cluster: Cluster, key: ObjectKey) => Promise<void>): Promise<void> => {
  const cluster = await connectReal()
  const { end, name } = await withNamespace(cluster, 'pods')
  try {
    const key = { resource: resources.Pod, namespace: name, name: 'one' }
    await running(cluster, key, script)
    await run(cluster, key)
  } finally {
    await end()
    cluster.close()
  }
}

const read = async (items: ReturnType<Cluster['logs']>): Promise<ReadonlyArray<string>> => {
  const lines: Array<string> = []
  for await (const item of items)
    lines.push(item._tag === 'Line' ? item.text : `failed: ${JSON.stringify(item.failure)}`)
  return lines
}

test('a log ends with its container, its lines are whole and bounded', () =>
  withPod(
    "echo one; printf 'two\\r\\n'; printf '\\377\\n'; head -c 200000 /dev/zero | tr '\\0' x; echo; sleep 1; printf last",
    async (cluster, key) => {
      const { signal } = new AbortController()
      const lines = await read(cluster.logs(key, { container: 'main', follow: true }, signal))
      assert.equal([lines[0], lines[1], lines[2], lines[4]], ['one', 'two', '\ufffd', 'last'])
      assert.is(lines[3]?.length, 64 * 1024 + 1)
      const tail = await read(
        cluster.logs(key, { container: 'main', follow: false, tail: 1, timestamps: true }, signal),
      )
      assert.match(tail[0] ?? '', /^\d{4}-\d\d-\d\dT\S+ last$/)
    },
  ))

test('following ends with the signal', () =>
  withPod('echo one; sleep 100', async (cluster, key) => {
    const stop = new AbortController()
    const lines: Array<string> = []
    for await (const item of cluster.logs(key, { container: 'main', follow: true }, stop.signal)) {
      lines.push(item._tag)
      stop.abort()
    }
    assert.equal(lines, ['Line'])
  }))

test('a port that accepts is open, one that does not is refused', () =>
  withPod('mkdir /tmp/www; httpd -f -p 8080 -h /tmp/www & sleep 100', async (cluster, key) => {
    const { signal } = new AbortController()
    for (let times = 0; times < 20; times += 1) {
      const state = await cluster.knock(key, 8080, signal)()
      if (E.isRight(state) && state.right === 'Open') break
      await new Promise((resolve) => setTimeout(resolve, 200))
    }
    assert.equal(await cluster.knock(key, 8080, signal)(), E.right('Open'))
    assert.equal(await cluster.knock(key, 8081, signal)(), E.right('Refused'))
  }))

test('a forwarded port carries bytes in both directions', () =>
  withPod('nc -ll -p 8080 -e cat & sleep 100', async (_cluster, { name, namespace = '' }) => {
    const { signal } = new AbortController()
    const { dialPod } = realClusters()
    const pod = { pod: name, namespace }
    const sent = Buffer.alloc(300_000, 'devtool ')
    const echo = async (): Promise<Buffer> => {
      const opened = await dialPod({ ...pod, port: 8080 }, signal)
      if (E.isLeft(opened)) throw new Error(opened.left)
      const stream = opened.right
      const chunks: Array<Buffer> = []
      stream.write(sent)
      for await (const chunk of stream) {
        chunks.push(chunk)
        if (chunks.reduce((size, { length }) => size + length, 0) >= sent.length) break
      }
      return Buffer.concat(chunks)
    }
    // Until it listens, the server says on the error channel that nobody does.
    let got = await echo().catch(() => undefined)
    for (let times = 0; times < 20 && got === undefined; times += 1) {
      await new Promise((resolve) => setTimeout(resolve, 200))
      got = await echo().catch(() => undefined)
    }
    assert.ok(got?.equals(sent))
    const refused = await dialPod({ ...pod, port: 8081 }, signal)
    if (E.isLeft(refused)) throw new Error(refused.left)
    const cause = await new Promise<Error>((resolve) => refused.right.once('error', resolve).resume())
    assert.match(cause.message, /8081/)
    assert.match(JSON.stringify(await dialPod({ ...pod, pod: 'none', port: 8080 }, signal)), /Left.*not found/)
  }))

test.run()
