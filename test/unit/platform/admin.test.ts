/** What administrators see of the whole platform. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, listAt, numberAt, textAt } from '../../../src/domain/cluster/json.ts'
import { idOf, testPlatform } from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

test('an administrator sees all namespaces, in pages, and with the access that they have', async () => {
  const { send } = testPlatform()
  await send('POST', '/api/v1/namespaces', { as: 'stranger', body: { name: 'attic' } })
  const read = async (query: string) => json(await send('GET', `/api/v1/admin/namespaces${query}`, { as: 'admin' }))
  const first = await read('?limit=1')
  const [attic] = listAt(first, 'namespaces')
  assert.equal([textAt(attic, 'name'), textAt(attic, 'owner')], ['attic', idOf('stranger')])
  const rest = await read(`?continue=${textAt(first, 'next') ?? ''}`)
  assert.not(listAt(rest, 'namespaces').some((one) => textAt(one, 'name') === 'attic'))
  assert.is(listAt(await read('?q=ATTIC'), 'namespaces').length, 1)
  // To see it in the list gives no access to what it contains.
  assert.is((await send('GET', '/api/v1/namespaces/attic', { as: 'admin' })).status, 404)
  for (const as of ['owner', 'stranger', 'reader'] as const) {
    assert.is((await send('GET', '/api/v1/admin/namespaces', { as })).status, 403, as)
  }
})

test('an administrator reads the settings, without any secret', async () => {
  const { send } = testPlatform()
  const settings = await json(await send('GET', '/api/v1/admin/settings', { as: 'admin' }))
  assert.ok((textAt(settings, 'issuer') ?? '').startsWith('https://'))
  assert.type(numberAt(settings, 'previewSeconds'), 'number')
  assert.is((await send('GET', '/api/v1/admin/settings', { as: 'owner' })).status, 403)
})

test.run()
