import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { testBrowser } from '../../support/platform/browser.ts'
import {
  idOf,
  makeAdmin,
  type Person,
  type TestPlatform,
  testPlatform,
  tokenIdOf,
} from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())
const pathOf = (person: Person): string => `/api/v1/users/${idOf(person)}`

const tokenOf = async ({ cluster }: TestPlatform, person: Person) => {
  const name = `tok-${tokenIdOf(person)}`
  const found = await cluster.get({ resource: resources.Secret, namespace: 'devtool-users', name })()
  return found._tag === 'Right' ? found.right : undefined
}

test('a disabled user loses all tokens, and may log in again once enabled', async () => {
  const platform = testPlatform()
  const { send } = platform
  const set = (isDisabled: boolean) => send('PUT', pathOf('member'), { as: 'admin', body: { isDisabled } })
  assert.is(textAt(await json(await set(true)), 'email'), 'member@example.com')
  assert.is((await send('GET', '/api/v1/me', { as: 'member' })).status, 401)
  // Kubernetes ends the tokens that are bound to the Secret.
  assert.is(await tokenOf(platform, 'member'), undefined)
  assert.is((await set(false)).status, 200)
  const users = listAt(await json(await send('GET', '/api/v1/users', { as: 'admin' })), 'users')
  assert.equal(
    users.find((one) => textAt(one, 'id') === idOf('member')),
    { id: idOf('member'), email: 'member@example.com', isAdmin: false, isDisabled: false },
  )
})

test('administrators are appointed by others, and nobody may change their own account', async () => {
  const { send } = testPlatform()
  const change = { body: { isAdmin: true } }
  assert.is((await send('PUT', pathOf('member'), { as: 'admin', ...change })).status, 200)
  assert.is((await send('GET', '/api/v1/users', { as: 'member' })).status, 200)
  for (const method of ['PUT', 'DELETE']) {
    const body = method === 'PUT' ? { body: { isAdmin: false } } : {}
    assert.is((await send(method, pathOf('admin'), { as: 'admin', ...body })).status, 403)
  }
})

test('a deleted user has no roles, tokens or account', async () => {
  const platform = testPlatform()
  const { access, cluster, send } = platform
  assert.is((await send('DELETE', pathOf('member'), { as: 'admin' })).status, 204)
  assert.is(await tokenOf(platform, 'member'), undefined)
  assert.not(access.members('shop').some(({ user }) => user === idOf('member')))
  const account = { resource: resources.ServiceAccount, namespace: 'devtool-users', name: idOf('member') }
  assert.equal(await cluster.get(account)(), { _tag: 'Right', right: undefined })
  assert.is((await send('DELETE', pathOf('member'), { as: 'admin' })).status, 404)
})

test('the pending request of an administrator who is disabled meanwhile changes nothing', async () => {
  const platform = testPlatform()
  const { cluster, send } = platform
  makeAdmin(platform, 'member')
  const { get } = cluster
  let reads = 0
  const meanwhile: typeof get = (key) => async () => {
    if (key.name === idOf('admin')) reads += 1
    // The first time, who asks was read.
    if (reads === 2) {
      Object.assign(cluster, { get })
      assert.is((await send('PUT', pathOf('admin'), { as: 'member', body: { isDisabled: true } })).status, 200)
    }
    return get(key)()
  }
  Object.assign(cluster, { get: meanwhile })
  assert.is((await send('PUT', pathOf('viewer'), { as: 'admin', body: { isAdmin: true } })).status, 403)
  assert.is((await send('GET', '/api/v1/users', { as: 'viewer' })).status, 403)
})

test('a user whose account cannot be deleted is disabled', async () => {
  const failures = [{ verb: 'delete', what: `ServiceAccount/${idOf('member')}`, status: 403, message: 'no', times: 9 }]
  const { send } = testPlatform({ failures })
  assert.is((await send('DELETE', pathOf('member'), { as: 'admin' })).status, 503)
  const users = listAt(await json(await send('GET', '/api/v1/users', { as: 'admin' })), 'users')
  assert.is(at(users.find((one) => textAt(one, 'id') === idOf('member')) ?? null, 'isDisabled'), true)
})

test('if two administrators demote each other at the same time, one remains', async () => {
  const changes: ReadonlyArray<readonly [string, object]> = [
    ['PUT', { body: { isAdmin: false } }],
    ['PUT', { body: { isDisabled: true } }],
    ['DELETE', {}],
  ]
  for (const [method, more] of changes) {
    const platform = testPlatform()
    makeAdmin(platform, 'member')
    const take = (as: Person, from: Person) => platform.send(method, pathOf(from), { as, ...more })
    await Promise.all([take('admin', 'member'), take('member', 'admin')])
    const seen = await Promise.all(
      (['admin', 'member'] as const).map(async (as) => (await platform.send('GET', '/api/v1/users', { as })).status),
    )
    assert.ok(seen.includes(200), `${method} ${JSON.stringify(more)}: ${seen.join()}`)
  }
})

test('a token created while its user is being disabled is not valid and not stored', async () => {
  const platform = testPlatform()
  const { cluster, send } = platform
  const set = (isDisabled: boolean) => send('PUT', pathOf('member'), { as: 'admin', body: { isDisabled } })
  const { create } = cluster
  // The request for the token was let in before.
  const slow: typeof create = (place, body, options) => async () => {
    if (place.resource.kind === 'Secret') await set(true)
    return create(place, body, options)()
  }
  Object.assign(cluster, { create: slow })
  const made = await send('POST', '/api/v1/tokens', { as: 'member', body: { name: 'late' } })
  assert.is(made.status, 401)
  Object.assign(cluster, { create })
  assert.is((await set(false)).status, 200)
  const labels = `dev.devtool/platform=token,dev.devtool/owner=${idOf('member')}`
  const left = await cluster.list({ resource: resources.Secret, namespace: 'devtool-users', labels })()
  assert.equal(left._tag === 'Right' ? left.right.items : left, [])
})

test('tokens of a disabled user stay revoked when the user is enabled', async () => {
  const platform = testPlatform()
  const { cluster, send } = platform
  const secret = await tokenOf(platform, 'member')
  for (const isDisabled of [true, false]) await send('PUT', pathOf('member'), { as: 'admin', body: { isDisabled } })
  // As when the platform ended before it was deleted.
  if (secret !== undefined) cluster.put(secret)
  assert.is((await send('GET', '/api/v1/me', { as: 'member' })).status, 401)
})

test('revoking everything ends all tokens and sessions', async () => {
  for (const [as, method, path] of [
    ['member', 'DELETE', '/api/v1/tokens'],
    ['admin', 'DELETE', `${pathOf('member')}/tokens`],
  ] as const) {
    const { send } = testPlatform()
    const browser = testBrowser(send)
    assert.is((await browser.enter('/login/device', { subject: 'member', email: 'member@example.com' })).status, 200)
    assert.is((await send(method, path, { as })).status, 204)
    assert.is((await send('GET', '/api/v1/me', { as: 'member' })).status, 401)
    assert.is((await browser.open('/login/device')).status, 303)
    assert.is((await browser.enter('/login/device', { subject: 'member', email: 'member@example.com' })).status, 200)
  }
})

test('the only owner of a namespace cannot be deleted', async () => {
  const platform = testPlatform()
  const answer = await platform.send('DELETE', pathOf('stranger'), { as: 'admin' })
  assert.is(answer.status, 409)
  assert.match(await answer.text(), 'the only owner of foreign')
  assert.ok(await tokenOf(platform, 'stranger'))
})

test('other service accounts are not users', async () => {
  const { cluster, send } = testPlatform()
  const name = `u-${'1'.repeat(32)}`
  cluster.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'devtool-users' } })
  assert.is((await send('DELETE', `/api/v1/users/${name}`, { as: 'admin' })).status, 404)
})

test.run()
