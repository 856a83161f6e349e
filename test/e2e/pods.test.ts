/** What is asked of pods themselves, on the real cluster: their logs, and whether something listens on their ports. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ObjectKey } from '../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { startPod } from '../support/e2e/pod.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'
import { until } from '../support/process/until.ts'

const image = process.env['E2E_IMAGE'] ?? 'busybox:latest'

const withPod = async (script: string, run: (cluster: Cluster, key: ObjectKey) => Promise<void>): Promise<void> => {
  const cluster = await connectReal()
  const { end, name } = await withNamespace(cluster, 'pods')
  try {
    const container = { image, command: ['sh', '-c', script] }
    await run(cluster, await startPod(cluster, { namespace: name, name: 'one' }, container))
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

test('ports are reported as open or refused', () =>
  withPod('mkdir /tmp/www; httpd -f -p 8080 -h /tmp/www & sleep 100', async (cluster, key) => {
    const { signal } = new AbortController()
    await until('it listens', async () => {
      const state = await cluster.probePort(key, 8080, signal)()
      return E.isRight(state) && state.right === 'Open'
    })
    assert.equal(await cluster.probePort(key, 8081, signal)(), E.right('Refused'))
  }))

test.run()
