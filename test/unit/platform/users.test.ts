import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { idOf, type Person, type TestPlatform, testPlatform, tokenIdOf } from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())
const pathOf = (person: Person): string => `/api/v1/users/${idOf(person)}`

const tokenOf = async ({ cluster }: TestPlatform, person: Person) => {
  const name = `tok-${tokenIdOf(person)}`
  const found = await cluster.get({ resource: resources.Secret, namespace: 'devtool-users', name })()
  return found._tag === 'Right' ? found.right : undefined
}

test('a disabled user has no tokens any more, and may log in again once enabled', async () => {
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

test('an administrator is made by another one, and nobody changes the own account', async () => {
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

test('the only owner of a namespace is not deleted', async () => {
  const platform = testPlatform()
  const answer = await platform.send('DELETE', pathOf('stranger'), { as: 'admin' })
  assert.is(answer.status, 409)
  assert.match(await answer.text(), 'the only owner of foreign')
  assert.ok(await tokenOf(platform, 'stranger'))
})

test('accounts that are no users are none', async () => {
  const { cluster, send } = testPlatform()
  const name = `u-${'1'.repeat(32)}`
  cluster.put({ apiVersion: 'v1', kind: 'ServiceAccount', metadata: { name, namespace: 'devtool-users' } })
  assert.is((await send('DELETE', `/api/v1/users/${name}`, { as: 'admin' })).status, 404)
})

test.run()
