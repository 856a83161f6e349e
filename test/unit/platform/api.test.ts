import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { isTooOld } from '../../../src/domain/platform/client-version.ts'
import { bindingObject } from '../../../src/domain/platform/namespace/objects.ts'
import { takeFrom } from '../../../src/domain/platform/rate.ts'
import { readToken, showToken } from '../../../src/domain/platform/token.ts'
import { emailOf, idOf, type Person, type TestPlatform, testPlatform, tokenOf } from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

const members = async (send: TestPlatform['send'], as: Person) => {
  const answer = await send('GET', '/api/v1/namespaces/foreign/members', { as })
  return { status: answer.status, json: listAt(await json(answer), 'members') }
}

test('a new namespace has labels, a quota, limits, network policies and its owner', async () => {
  const { cluster, send } = testPlatform()
  assert.is((await send('POST', '/api/v1/namespaces', { as: 'member', body: { name: 'blog' } })).status, 201)
  const kept = async (resource: (typeof resources)[keyof typeof resources], name: string) => {
    const got = await cluster.get({ resource, name, ...(resource.isNamespaced ? { namespace: 'blog' } : {}) })()
    return got._tag === 'Right' ? got.right : undefined
  }
  const namespace = await kept(resources.Namespace, 'blog')
  assert.equal(namespace?.metadata.labels, {
    'dev.devtool/managed': 'true',
    'dev.devtool/kind': 'namespace',
    'dev.devtool/owner': idOf('member'),
    'pod-security.kubernetes.io/enforce': 'baseline',
    'pod-security.kubernetes.io/audit': 'restricted',
  })
  for (const resource of [resources.ResourceQuota, resources.LimitRange, resources.NetworkPolicy]) {
    const object = await kept(resource, 'devtool')
    assert.is(object?.metadata.labels?.['dev.devtool/platform'], 'template', resource.kind)
  }
  const binding = await kept(resources.RoleBinding, `devtool-${idOf('member')}-owner`)
  assert.is(binding?.metadata.labels?.['dev.devtool/platform'], 'access')
})

test('a namespace that cannot be completed is deleted again', async () => {
  const failures = [{ verb: 'patch', what: 'LimitRange/devtool', status: 403, message: 'no', times: 9 }]
  const { cluster, send } = testPlatform({ failures })
  assert.is((await send('POST', '/api/v1/namespaces', { as: 'member', body: { name: 'blog' } })).status, 503)
  const left = await cluster.get({ resource: resources.Namespace, name: 'blog' })()
  assert.equal(left, { _tag: 'Right', right: undefined })
  assert.is((await send('GET', '/api/v1/namespaces/blog', { as: 'member' })).status, 404)
})

test('names that are taken or reserved are refused', async () => {
  const { send } = testPlatform()
  for (const name of ['shop', 'kube-system', 'prod', 'devtool-x', 'my-foreign']) {
    assert.is((await send('POST', '/api/v1/namespaces', { as: 'owner', body: { name } })).status, 409, name)
  }
})

test('each page of namespaces continues where the last one ended', async () => {
  const { send } = testPlatform()
  for (const name of ['b1', 'c1', 'a1']) await send('POST', '/api/v1/namespaces', { as: 'owner', body: { name } })
  const first = await json(await send('GET', '/api/v1/namespaces?limit=3', { as: 'owner' }))
  const names = (page: Json) => listAt(page, 'namespaces').map((one) => textAt(one, 'name'))
  assert.equal([names(first), textAt(first, 'next')], [['a1', 'b1', 'c1'], 'shop'])
  const last = await json(
    await send('GET', `/api/v1/namespaces?limit=3&continue=${textAt(first, 'next')}`, { as: 'owner' }),
  )
  assert.equal([names(last), textAt(last, 'next')], [['shop'], undefined])
  assert.equal(names(await json(await send('GET', '/api/v1/namespaces?q=1', { as: 'owner' }))), ['a1', 'b1', 'c1'])
  assert.equal(names(await json(await send('GET', '/api/v1/namespaces?q=B1', { as: 'owner' }))), ['b1'])
})

test('a role is replaced, but the last owner stays owner', async () => {
  const { send } = testPlatform()
  const put = (who: string, role: string) =>
    send('PUT', `/api/v1/namespaces/foreign/members/${who}`, { as: 'stranger', body: { role } })
  assert.is((await put(idOf('stranger'), 'viewer')).status, 409)
  assert.is(
    (await send('DELETE', `/api/v1/namespaces/foreign/members/${idOf('stranger')}`, { as: 'stranger' })).status,
    409,
  )
  assert.is((await put(emailOf('member'), 'viewer')).status, 200)
  assert.is((await send('DELETE', '/api/v1/namespaces/foreign', { as: 'member' })).status, 403)
  assert.is((await put(idOf('member'), 'owner')).status, 200)
  assert.is((await put(idOf('stranger'), 'viewer')).status, 200)
  assert.is(
    (await send('DELETE', `/api/v1/namespaces/foreign/members/${emailOf('stranger')}`, { as: 'member' })).status,
    204,
  )
  assert.is((await send('GET', '/api/v1/namespaces/foreign', { as: 'stranger' })).status, 404)
  const left = await json(await send('GET', '/api/v1/namespaces/foreign/members', { as: 'member' }))
  assert.equal(listAt(left, 'members'), [{ user: idOf('member'), email: emailOf('member'), role: 'owner' }])
})

test('an email address that several members have selects none of them', async () => {
  const { cluster, send } = testPlatform()
  const twin = { id: idOf('member'), email: emailOf('stranger') }
  cluster.put(bindingObject('foreign', twin, 'owner'))
  const remove = (who: string) => send('DELETE', `/api/v1/namespaces/foreign/members/${who}`, { as: 'stranger' })
  const answer = await remove(emailOf('stranger'))
  assert.is(answer.status, 409)
  assert.match(await answer.text(), twin.id)
  const { json: left } = await members(send, 'stranger')
  assert.is(left.length, 2)
  assert.is((await remove(twin.id)).status, 204)
})

test('a removed role allows no change, even before the removal is seen', async () => {
  const { access, cluster, send } = testPlatform()
  const before = access.grants('shop').find(({ user }) => user === idOf('owner'))
  const binding = { resource: resources.RoleBinding, namespace: 'shop', name: before?.binding.name ?? '' }
  const seen = await cluster.get(binding)()
  cluster.take('RoleBinding', binding.name, 'shop')
  // The watch of this replica is behind.
  if (seen._tag === 'Right' && seen.right !== undefined) access.see(seen.right)
  assert.is((await send('DELETE', '/api/v1/namespaces/shop', { as: 'owner' })).status, 404)
  const kept = await cluster.get({ resource: resources.Namespace, name: 'shop' })()
  assert.ok(kept._tag === 'Right' && kept.right !== undefined)
})

test('a user who has never logged in cannot be added', async () => {
  const { send } = testPlatform()
  for (const who of ['nobody@example.com', `u-${'0'.repeat(32)}`]) {
    const answer = await send('PUT', `/api/v1/namespaces/shop/members/${who}`, {
      as: 'owner',
      body: { role: 'viewer' },
    })
    assert.is(answer.status, 404)
  }
})

test('a token is shown once, works, and ends when it is revoked', async () => {
  const { cluster, send } = testPlatform()
  const made = await json(await send('POST', '/api/v1/tokens', { as: 'owner', body: { name: 'ci', days: 1 } }))
  const headers = { authorization: `Bearer ${textAt(made, 'token')}` }
  assert.is(textAt(made, 'expires'), '2026-11-22T10:00:00Z')
  assert.is((await send('GET', '/api/v1/me', { headers })).status, 200)
  const stored = await cluster.list({ resource: resources.Secret, namespace: 'devtool-users' })()
  assert.not.match(JSON.stringify(stored), String(textAt(made, 'token')).slice(17, 40))
  assert.is((await send('DELETE', `/api/v1/tokens/${textAt(made, 'id')}`, { as: 'owner' })).status, 204)
  assert.is((await send('GET', '/api/v1/me', { headers })).status, 401)
  assert.is((await send('DELETE', `/api/v1/tokens/${textAt(made, 'id')}`, { as: 'owner' })).status, 404)
})

test("a credential for Kubernetes is for the user's service account", async () => {
  const { send } = testPlatform()
  const made = await json(await send('POST', '/api/v1/kubernetes/token', { as: 'owner' }))
  assert.equal(made, { token: `token of serviceaccounts/${idOf('owner')}/token`, expires: '2026-11-21T11:00:00Z' })
})

test('bodies that are too large, invalid JSON, or of another type are refused', async () => {
  const { failures, send } = testPlatform()
  const bodies = ['{', '"text"', '[]', 'null', '{"name":3}', `{"name":"${'x'.repeat(70_000)}"}`, '{"name":"a\\u0000b"}']
  for (const body of bodies) {
    assert.is((await send('POST', '/api/v1/tokens', { as: 'owner', body })).status, 400, body.slice(0, 30))
  }
  const headers = { 'content-type': 'text/plain' }
  assert.is((await send('POST', '/api/v1/tokens', { as: 'owner', body: '{"name":"ci"}', headers })).status, 400)
  assert.equal(failures, [])
})

test('an unsupported method is refused with the supported ones', async () => {
  const { send } = testPlatform()
  const answer = await send('PATCH', '/api/v1/namespaces/shop', { as: 'owner' })
  assert.equal([answer.status, answer.headers.get('allow')], [405, 'GET, DELETE'])
})

test('every response has an id that is also in the audit log, and is not cached', async () => {
  const { send, served } = testPlatform()
  const answer = await send('GET', '/api/v1/namespaces/shop', { as: 'viewer' })
  assert.is(answer.headers.get('x-request-id'), served[0]?.id)
  assert.is(answer.headers.get('cache-control'), 'no-store')
  assert.equal(served, [
    {
      id: 'request-1',
      address: '192.0.2.1',
      method: 'GET',
      route: 'getNamespace',
      target: { namespace: 'shop' },
      user: idOf('viewer'),
      status: 200,
      code: undefined,
      ms: 0,
    },
  ])
  assert.not.match(JSON.stringify(served), tokenOf('viewer'))
})

test('requests are limited for each user, and allowed again after a while', async () => {
  const { pass, send } = testPlatform()
  const ask = async (as: 'owner' | 'member') => (await send('GET', '/api/v1/me', { as })).status
  for (let count = 0; count < 60; count += 1) assert.is(await ask('owner'), 200)
  assert.is(await ask('owner'), 429)
  assert.is(await ask('member'), 200)
  pass(1000)
  assert.is(await ask('owner'), 200)
})

test('a token with a wrong secret is refused like one that does not exist', async () => {
  const { send } = testPlatform()
  const right = readToken(tokenOf('owner'))
  assert.ok(right)
  const me = async (secret: string): Promise<readonly [number, string | undefined]> => {
    const token = showToken({ ...right, secret })
    const answer = await send('GET', '/api/v1/me', { headers: { authorization: `Bearer ${token}` } })
    return [answer.status, textAt(await json(answer), 'code')]
  }
  assert.equal(await me(right.secret), [200, undefined])
  for (const secret of [`${right.secret.slice(0, -1)}z`, 'a'.repeat(right.secret.length)])
    assert.equal(await me(secret), [401, 'DT6002'])
})

test('a member of a deleted namespace has no rights in a new one of the same name', async () => {
  const { access, cluster, send } = testPlatform()
  const remembered = access.find(idOf('owner'), 'shop')
  cluster.take('RoleBinding', remembered?.binding.name ?? '', 'shop')
  cluster.put(bindingObject('shop', { id: idOf('owner'), email: emailOf('owner') }, 'owner'))
  // A replica that has seen neither.
  Object.assign(access, { find: () => remembered })
  const answer = await send('PUT', '/api/v1/namespaces/shop/variables/COLOR', { as: 'owner', body: { value: 'x' } })
  assert.is(answer.status, 404)
})

test('the limit of requests applies per address, whoever its users are, and does not affect others', async () => {
  const { send } = testPlatform()
  const meta = (address: string) => send('GET', '/api/v1/meta', { address })
  for (let count = 1; count <= 600; count += 1) await meta('198.51.100.1')
  const late = [await meta('198.51.100.1'), await meta('198.51.100.2')]
  assert.equal(
    late.map(({ status }) => status),
    [429, 200],
  )
})

test('a body is read up to 64 KiB', async () => {
  const { send } = testPlatform()
  const post = (size: number) =>
    send('POST', '/api/v1/tokens', { as: 'owner', body: `{"name":"ci"${' '.repeat(size - 13)}}` })
  assert.is((await post(64 * 1024)).status, 201)
  const refused = await post(64 * 1024 + 1)
  assert.is(refused.status, 400)
  assert.match(await refused.text(), 'larger than 64 KiB')
})

test('a bucket is empty after as many requests as it holds', () => {
  const rate = { perSecond: 1, burst: 2 }
  const first = takeFrom(rate, undefined, 0)
  const second = takeFrom(rate, first.bucket, 0)
  assert.equal([first.isAllowed, second.isAllowed, takeFrom(rate, second.bucket, 0).isAllowed], [true, true, false])
})

test('a bucket never exceeds its size, whatever the clock does', () => {
  const rate = { perSecond: 2, burst: 3 }
  assert.is(takeFrom(rate, { left: 0, atMs: 0 }, 60_000).bucket.left, 2)
  assert.equal(takeFrom(rate, { left: 0, atMs: 1000 }, 0), { bucket: { left: 0, atMs: 0 }, isAllowed: false })
})

test('versions are compared by their numbers', () => {
  assert.ok(isTooOld('0.9.9', '0.10.0'))
  assert.not.ok(isTooOld('0.10.0', '0.10.0'))
  assert.not.ok(isTooOld('1.0.0-rc.1', '0.10.0'))
  assert.not.ok(isTooOld('curl', '0.10.0'))
})

test.run()
