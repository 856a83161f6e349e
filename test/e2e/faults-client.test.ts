/** The real adapter through a proxy that goes wrong: everything that can be asked twice arrives, and nothing is asked for ever. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isLive } from '../../src/domain/cluster/live.ts'
import { type ObjectKey, resources } from '../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../src/ports/cluster.ts'
import { underFaults } from '../support/e2e/fault-proxy.ts'
import { connectReal, withNamespace } from '../support/e2e/real-cluster.ts'

const kubeconfig = process.env['KUBECONFIG'] ?? ''
const manager = 'devtool'

const configMap = (name: string, value: string, uid?: string): string =>
  JSON.stringify({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, labels: { faults: 'yes' }, ...(uid === undefined ? {} : { uid }) },
    data: { value },
  })

const inNamespace = async (run: (direct: Cluster, namespace: string) => Promise<void>): Promise<void> => {
  const direct = await connectReal()
  const { end, name } = await withNamespace(direct, 'faults')
  try {
    await run(direct, name)
  } finally {
    await end()
    direct.close()
  }
}

const keyOf = (namespace: string, name: string): ObjectKey => ({ resource: resources.ConfigMap, namespace, name })

const rates = { Throttled: 0.1, Broken: 0.03, Unavailable: 0.03, ResetBefore: 0.03, ResetAfter: 0.03, Truncated: 0.03 }

for (const seed of [1, 2, 3]) {
  test(`lists, and applies of existing objects, are retried until they succeed (seed ${seed})`, () =>
    inNamespace(async (direct, namespace) => {
      const names = Array.from({ length: 30 }, (_, index) => `c${index}`)
      for (const name of names) await direct.apply(keyOf(namespace, name), configMap(name, '0'), { manager })()
      await underFaults(kubeconfig, { seed, rates, isFirstWriteRefused: true, retryAfterSeconds: 0 }, async (proxy) => {
        const cluster = await connectReal(proxy.kubeconfig)
        const select = { resource: resources.ConfigMap, namespace, labels: 'faults=yes' }
        const listed = await cluster.list(select)()
        if (E.isLeft(listed)) throw new Error(JSON.stringify(listed.left))
        assert.is(listed.right.items.length, names.length)
        const written = await Promise.all(
          listed.right.items.map(({ metadata: { name, uid } }) =>
            cluster.apply(keyOf(namespace, name), configMap(name, '1', uid), { manager })(),
          ),
        )
        assert.equal(written.filter(E.isLeft), [])
        const after = await cluster.list(select)()
        assert.ok(
          E.isRight(after) && after.right.items.every((live) => JSON.stringify(live['data']) === '{"value":"1"}'),
        )
        const removed = await Promise.all(
          listed.right.items.map(({ metadata: { name, uid } }) =>
            cluster.remove(keyOf(namespace, name), { uid, propagation: 'Background' })(),
          ),
        )
        assert.equal(removed.filter(E.isLeft), [])
        const calls = proxy.log().length
        assert.ok(calls <= 2 * (2 * names.length + 2) + names.length, `${calls} calls`)
        cluster.close()
      })
    }))
}

test('a creation that may have succeeded is not repeated', () =>
  inNamespace(async (direct, namespace) => {
    await underFaults(kubeconfig, { seed: 1, rates: { ResetAfter: 1 } }, async (proxy) => {
      const cluster = await connectReal(proxy.kubeconfig)
      const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'once' } }
      const made = await cluster.create({ resource: resources.ConfigMap, namespace }, body, { manager })()
      assert.ok(E.isLeft(made) && made.left._tag === 'Unreachable' && made.left.mayHaveHappened)
      const applied = await cluster.apply(keyOf(namespace, 'new'), configMap('new', '1'), { manager })()
      assert.ok(E.isLeft(applied) && applied.left._tag === 'Unreachable' && applied.left.mayHaveHappened)
      assert.is(proxy.log().length, 2)
      const kept = await direct.get(keyOf(namespace, 'once'))()
      assert.ok(E.isRight(kept) && isLive(kept.right))
      cluster.close()
    })
  }))

test('a request that always fails is tried eight times', () =>
  inNamespace(async (_direct, namespace) => {
    await underFaults(kubeconfig, { seed: 1, rates: { Unavailable: 1 } }, async (proxy) => {
      const cluster = await connectReal(proxy.kubeconfig)
      const got = await cluster.get(keyOf(namespace, 'x'))()
      assert.ok(E.isLeft(got) && got.left._tag === 'Refused' && got.left.status === 503)
      assert.is(proxy.log().length, 8)
      cluster.close()
    })
  }))

/** What a watcher knows after it went on, however its streams ended, up to the moment at which it knows everything. */
const follow = async (cluster: Cluster, namespace: string, isAll: (known: ReadonlyMap<string, string>) => boolean) => {
  const select = { resource: resources.ConfigMap, namespace, labels: 'faults=yes' }
  const known = new Map<string, string>()
  const stop = new AbortController()
  const timer = setTimeout(() => stop.abort(), 30_000)
  let streams = 0
  let version: string | undefined
  while (!stop.signal.aborted) {
    streams += 1
    const from = version === undefined ? {} : { version }
    for await (const event of cluster.watch({ ...select, ...from }, stop.signal)) {
      if (event._tag === 'Failed') version = event.failure._tag === 'Gone' ? undefined : version
      else if (event._tag === 'Version') version = event.version
      else {
        version = event.object.metadata.resourceVersion
        if (event._tag === 'Removed') known.delete(event.object.metadata.name)
        else known.set(event.object.metadata.name, JSON.stringify(event.object['data']))
      }
      if (isAll(known)) stop.abort()
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  clearTimeout(timer)
  return { known, streams }
}

for (const seed of [1, 2, 3]) {
  test(`a watch that is interrupted, repeated and expired converges (seed ${seed})`, () =>
    inNamespace(async (direct, namespace) => {
      const eventRates = { Cut: 0.1, Gone: 0.1, Doubled: 0.2 }
      await underFaults(kubeconfig, { seed, rates: { Unavailable: 0.05 }, eventRates }, async (proxy) => {
        const cluster = await connectReal(proxy.kubeconfig)
        const names = Array.from({ length: 20 }, (_, index) => `c${index}`)
        const isAll = (known: ReadonlyMap<string, string>): boolean =>
          names.every((name) => known.get(name) === '{"value":"2"}')
        const following = follow(cluster, namespace, isAll)
        for (const value of ['1', '2']) {
          for (const name of names) await direct.apply(keyOf(namespace, name), configMap(name, value), { manager })()
        }
        const { known, streams } = await following
        assert.is(known.size, names.length)
        assert.ok(streams < 60, `${streams} streams`)
        cluster.close()
      })
    }))
}

test.run()
