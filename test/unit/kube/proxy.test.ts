/** What the proxy does to requests that may make an object. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../../src/domain/cluster/json.ts'
import type { FakeApi } from '../../support/kube/api-fake.ts'
import { apply, json, map, maps, withProxy } from '../../support/kube/proxied.ts'

const LABEL = 'dev.devtool/environment'
const labelsOf = (api: FakeApi, path: string): unknown => at(api.objects.get(path), 'metadata', 'labels')

test('objects created in the namespace are labelled and recorded', () =>
  withProxy(async ({ api, ask, proxy }) => {
    const { headers, status } = await ask(`${maps}?fieldManager=kubectl`, {
      method: 'POST',
      headers: json,
      body: map('a'),
    })
    assert.is(status, 201)
    assert.equal(headers['warning'], ['299 - "a"', '299 - "b"'])
    assert.equal(labelsOf(api, `${maps}/a`), { [LABEL]: 'shop' })
    assert.is(api.asked.length, 1)
    const [created, ...others] = proxy.created()
    assert.equal(others, [])
    assert.match(created?.uid ?? '', /^uid-/)
    const { uid: _uid, ...rest } = created ?? { uid: '' }
    const resource = { group: '', version: 'v1', plural: 'configmaps', kind: 'ConfigMap' }
    assert.equal(rest, { ...resource, namespace: 'demo', name: 'a', isForeign: false })
  }))

test('apply labels what it creates, as YAML and as JSON, and keeps the label when it is applied again', () =>
  withProxy(async ({ api, ask, proxy }) => {
    for (const body of [map('a'), map('a')])
      await ask(`${maps}/a?fieldManager=x`, { method: 'PATCH', headers: apply, body })
    assert.equal(labelsOf(api, `${maps}/a`), { [LABEL]: 'shop' })
    assert.equal(
      api.asked.map(({ method }) => method),
      ['GET', 'PATCH', 'GET', 'PATCH'],
    )
    assert.is(proxy.created().length, 1)
  }))

test('existing objects pass unchanged and are not ours', () =>
  withProxy(async ({ api, ask, proxy }) => {
    for (const labels of [{}, { [LABEL]: 'blog' }]) {
      api.objects.set(`${maps}/a`, { kind: 'ConfigMap', metadata: { name: 'a', uid: 'old', labels } })
      const body = `${map('a')}  `
      for (const how of [
        { method: 'PUT', headers: json },
        { method: 'PATCH', headers: apply },
      ]) {
        await ask(`${maps}/a`, { ...how, body })
        assert.is(api.asked.at(-1)?.body, body)
      }
    }
    assert.equal(proxy.created(), [])
  }))

test('PUT of an object with the label keeps it', () =>
  withProxy(async ({ api, ask, proxy }) => {
    api.objects.set(`${maps}/a`, {
      kind: 'ConfigMap',
      metadata: { name: 'a', uid: 'ours', labels: { [LABEL]: 'shop' } },
    })
    await ask(`${maps}/a`, { method: 'PUT', headers: json, body: map('a') })
    assert.equal(labelsOf(api, `${maps}/a`), { [LABEL]: 'shop' })
    assert.equal(proxy.created(), [])
  }))

test('a concurrent creation by somebody else is returned unchanged', () => {
  let isFirst = true
  return withProxy(
    async ({ api, ask, proxy }) => {
      api.objects.set(`${maps}/a`, { kind: 'ConfigMap', metadata: { name: 'a', uid: 'theirs' } })
      const { status } = await ask(`${maps}/a`, { method: 'PATCH', headers: apply, body: map('a') })
      assert.is(status, 200)
      assert.equal(labelsOf(api, `${maps}/a`), {})
      assert.equal(proxy.created(), [])
    },
    ({ method }, response) => {
      if (method !== 'GET' || !isFirst) return false
      isFirst = false
      response.writeHead(404).end('{}')
      return true
    },
  )
})

test('objects in other encodings pass unchanged and are labelled afterwards', () =>
  withProxy(
    async ({ api, ask, proxy }) => {
      const body = Buffer.from([0x6b, 0x38, 0x73, 0, 1, 2, 3])
      const type = { 'content-type': 'application/vnd.kubernetes.protobuf' }
      const headers = { ...type, accept: 'application/vnd.kubernetes.protobuf,application/json' }
      const got = await ask(maps, { method: 'POST', headers, body })
      assert.is(got.status, 201)
      assert.is(JSON.parse(got.body).metadata.resourceVersion, '2')
      assert.equal(labelsOf(api, `${maps}/gen-1`), { [LABEL]: 'shop' })
      const [created, patched] = api.asked
      assert.equal(Buffer.from(created?.body ?? ''), body)
      assert.equal(created?.headers['accept'], ['application/json'])
      assert.is(patched?.path, `${maps}/gen-1?fieldManager=devtool-owner`)
      assert.equal(JSON.parse(patched?.body ?? ''), { metadata: { uid: 'u1', labels: { [LABEL]: 'shop' } } })
      assert.equal(patched?.headers['accept'], [headers.accept])
      assert.equal(
        proxy.created().map(({ name, uid }) => [name, uid]),
        [['gen-1', 'u1']],
      )
    },
    ({ method }, response) => {
      if (method !== 'POST') return false
      response.writeHead(201, json).end(JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'gen-1', uid: 'u1' } }))
      return true
    },
  ))

test('an object of a controller is neither labelled nor recorded', () =>
  withProxy(async ({ api, ask, proxy }) => {
    const ownerReferences = [{ kind: 'CronJob', name: 'c', uid: 'c', controller: true }]
    await ask(maps, { method: 'POST', headers: json, body: map('a', { ownerReferences }) })
    assert.is(labelsOf(api, `${maps}/a`), undefined)
    assert.is(api.asked.length, 1)
    assert.equal(proxy.created(), [])
  }))

test('other namespaces and the whole cluster are recorded as foreign, and not labelled', () =>
  withProxy(async ({ api, ask, proxy }) => {
    const elsewhere = '/api/v1/namespaces/other/configmaps'
    await ask(elsewhere, { method: 'POST', headers: json, body: map('a') })
    await ask('/api/v1/namespaces', {
      method: 'POST',
      headers: json,
      body: '{"kind":"Namespace","metadata":{"name":"n"}}',
    })
    await ask('/apis/rbac.authorization.k8s.io/v1/clusterroles/r', {
      method: 'PATCH',
      headers: apply,
      body: '{"kind":"ClusterRole","metadata":{"name":"r"}}',
    })
    assert.is(labelsOf(api, `${elsewhere}/a`), undefined)
    assert.equal(
      proxy.created().map(({ isForeign, kind, namespace }) => [kind, namespace, isForeign]),
      [
        ['ConfigMap', 'other', true],
        ['Namespace', undefined, true],
        ['ClusterRole', undefined, true],
      ],
    )
  }))

test('dry runs, refusals, deletes and subresources pass untouched', () =>
  withProxy(
    async ({ api, ask, proxy }) => {
      const body = `${map('a')} `
      await ask(`${maps}?dryRun=All`, { method: 'POST', headers: json, body })
      await ask('/api/v1/namespaces/demo/pods/a/eviction', { method: 'POST', headers: json, body })
      await ask('/apis/authorization.k8s.io/v1/selfsubjectaccessreviews', { method: 'POST', headers: json, body })
      await ask('/api/v1/namespaces/demo/events', { method: 'POST', headers: json, body })
      await ask(`${maps}?labelSelector=a`, { method: 'DELETE', headers: json, body })
      await ask(`${maps}/a`, { method: 'DELETE', headers: { ...json, 'transfer-encoding': 'chunked' }, body })
      for (const asked of api.asked) assert.is(asked.body, body, asked.path)
      const refused = await ask(maps, { method: 'POST', headers: json, body: map('refused') })
      assert.is(refused.status, 409)
      assert.is(refused.body, '{"reason":"AlreadyExists"}')
      assert.equal(proxy.created(), [])
    },
    ({ body }, response) => {
      if (!body.includes('refused')) return false
      response.writeHead(409, json).end('{"reason":"AlreadyExists"}')
      return true
    },
  ))

test('an oversized body is streamed to the server, which refuses it', () =>
  withProxy(async ({ api, ask, proxy }) => {
    const body = JSON.stringify({ kind: 'ConfigMap', metadata: { name: 'big' }, data: { x: 'y'.repeat(6_000_000) } })
    await ask(maps, { method: 'POST', headers: json, body })
    assert.is(api.asked[0]?.body.length, body.length)
    assert.is(labelsOf(api, `${maps}/big`), undefined)
    assert.equal(proxy.created(), [])
  }))

test('chunked bodies are labelled as well', () =>
  withProxy(async ({ api, ask }) => {
    await ask(maps, { method: 'POST', headers: { ...json, 'transfer-encoding': 'chunked' }, body: map('a') })
    assert.equal(labelsOf(api, `${maps}/a`), { [LABEL]: 'shop' })
  }))

test('a compressed body passes, and is labelled afterwards', () =>
  withProxy(
    async ({ api, ask }) => {
      await ask(maps, {
        method: 'POST',
        headers: { ...json, 'content-encoding': 'gzip' },
        body: Buffer.from([31, 139, 8]),
      })
      assert.equal(api.asked[0]?.headers['content-encoding'], ['gzip'])
      assert.equal(
        api.asked.map(({ method }) => method),
        ['POST', 'PATCH'],
      )
    },
    ({ method }, response) => {
      if (method !== 'POST') return false
      response.writeHead(201, json).end(map('a', { uid: 'u' }))
      return true
    },
  ))

test.run()
