import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { variablesFor } from '../../../src/domain/platform/variables.ts'
import { idOf, type TestPlatform, testPlatform } from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())
const ofShop = '/api/v1/namespaces/shop/variables'

const values = async ({ send }: TestPlatform) =>
  listAt(await json(await send('GET', `${ofShop}/values`, { as: 'member' })), 'variables').map((one) =>
    ['name', 'value', 'scope'].map((key) => textAt(one, key)),
  )

test('a deploy gets the variables of its namespace before those for all', async () => {
  const platform = testPlatform()
  const { send } = platform
  const set = (path: string, as: 'member' | 'admin', value: string) => send('PUT', path, { as, body: { value } })
  assert.is((await set('/api/v1/variables/SIZE', 'admin', 'L')).status, 204)
  assert.equal(await values(platform), [
    ['COLOR', 'red', 'namespace'],
    ['SIZE', 'L', 'all'],
  ])
  assert.is((await set(`${ofShop}/SIZE`, 'member', 'S')).status, 204)
  assert.is((await send('DELETE', `${ofShop}/COLOR`, { as: 'member' })).status, 204)
  assert.equal(await values(platform), [
    ['COLOR', 'blue', 'all'],
    ['SIZE', 'S', 'namespace'],
  ])
  assert.is((await send('DELETE', `${ofShop}/COLOR`, { as: 'member' })).status, 404)
})

test('lists contain no values, and viewers get none', async () => {
  const { send } = testPlatform()
  const listed = await send('GET', ofShop, { as: 'member' })
  assert.equal(await json(listed), { variables: [{ name: 'COLOR', scope: 'namespace' }] })
  assert.is((await send('GET', ofShop, { as: 'viewer' })).status, 403)
  assert.not.match(await (await send('GET', '/api/v1/variables', { as: 'admin' })).text(), 'blue')
})

test('previews get a variable for all only if it is marked for previews', () => {
  const all = {
    values: new Map([
      ['A', '1'],
      ['B', '2'],
    ]),
    inPreviews: new Set(['B']),
  }
  const own = { values: new Map([['C', '3']]), inPreviews: new Set<string>() }
  const names = (kind: 'namespace' | 'preview') => variablesFor(kind, all, own).map(({ name }) => name)
  assert.equal(
    [names('namespace'), names('preview')],
    [
      ['A', 'B', 'C'],
      ['B', 'C'],
    ],
  )
})

test('the mark for previews is stored with the variables', async () => {
  const { send } = testPlatform()
  const put = (name: string, inPreviews: boolean) =>
    send('PUT', `/api/v1/variables/${name}`, { as: 'admin', body: { value: 'x', inPreviews } })
  const marked = async () => listAt(await json(await send('GET', '/api/v1/variables', { as: 'admin' })), 'variables')
  await put('SIZE', true)
  assert.equal(await marked(), [
    { name: 'COLOR', inPreviews: false },
    { name: 'SIZE', inPreviews: true },
  ])
  await put('SIZE', false)
  assert.equal((await marked())[1], { name: 'SIZE', inPreviews: false })
})

test('variables of a namespace are written as the user, so that Kubernetes decides', async () => {
  const { cluster, send } = testPlatform()
  await send('PUT', `${ofShop}/SIZE`, { as: 'member', body: { value: 'S' } })
  assert.equal(cluster.accounts(), [{ user: `system:serviceaccount:devtool-users:${idOf('member')}` }])
})

test('concurrent changes are all kept', async () => {
  const platform = testPlatform()
  const { send } = platform
  const names = ['A', 'B', 'C']
  await Promise.all(names.map((name) => send('PUT', `${ofShop}/${name}`, { as: 'member', body: { value: name } })))
  assert.equal(
    (await values(platform)).map(([name]) => name),
    ['A', 'B', 'C', 'COLOR'],
  )
})

test('invalid names, large values and too many variables are refused', async () => {
  const { send } = testPlatform()
  const put = async (name: string, value: string) =>
    (await send('PUT', `${ofShop}/${name}`, { as: 'member', body: { value } })).status
  assert.is(await put('1A', 'x'), 400)
  assert.is(await put('A-B', 'x'), 400)
  assert.is(await put('A', 'x'.repeat(32 * 1024 + 1)), 400)
  assert.is(await put('A', 'ä'.repeat(16 * 1024 + 1)), 400)
  assert.is(await put('A', 'a\u0000b'), 400)
  for (let count = 1; count <= 16; count += 1) await put(`BIG${count}`, 'x'.repeat(32 * 1024))
  assert.is(await put('ONE_MORE', 'x'.repeat(32 * 1024)), 409)
})

test('a namespace has at most 64 variables', async () => {
  const { cluster, send } = testPlatform()
  const data = Object.fromEntries(Array.from({ length: 64 }, (_, at) => [`V${at}`, 'eA==']))
  cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'devtool-variables', namespace: 'shop' }, data })
  const put = (name: string) => send('PUT', `${ofShop}/${name}`, { as: 'member', body: { value: 'y' } })
  assert.is((await put('V65')).status, 409)
  assert.is((await put('V1')).status, 204)
  const kept = await cluster.get({ resource: resources.Secret, namespace: 'shop', name: 'devtool-variables' })()
  assert.is(kept._tag === 'Right' && textAt(kept.right, 'data', 'V1'), 'eQ==')
})

test.run()
