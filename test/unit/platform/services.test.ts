/** What runs in a namespace, as the pages are told. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { accountOf } from '../../../src/domain/platform/names.ts'
import { shopObjects } from '../../support/platform/shop.ts'
import { idOf, testPlatform } from '../../support/platform/world.ts'

const path = '/api/v1/namespaces/shop/services'

const shop = () => {
  const platform = testPlatform()
  for (const object of shopObjects('shop')) platform.cluster.put(object)
  return platform
}

const read = async (answer: Response): Promise<Json> => {
  assert.is(answer.status, 200)
  return JSON.parse(await answer.text())
}

test('services have a state with a reason, their developer, addresses, and causes', async () => {
  const { cluster, send } = shop()
  const json = await read(await send('GET', path, { as: 'viewer' }))
  const [shown, ...others] = listAt(json, 'environments')
  assert.equal(others, [])
  assert.equal(
    ['name', 'status', 'who', 'when', 'repository', 'branch'].map((key) => textAt(shown, key)),
    ['shop', 'deployed', 'ann@example.com', '2026-11-21T08:00:00Z', 'github.com/acme/shop', 'main'],
  )
  assert.equal(
    listAt(shown, 'services').map((one) => [textAt(one, 'service'), textAt(one, 'state'), textAt(one, 'ready')]),
    [
      ['api', 'developed', '0/1'],
      ['db', 'ready', '1/1'],
      ['web', 'ready', '1/1'],
      ['worker', 'progressing', '0/1'],
    ],
  )
  const [api, db] = listAt(shown, 'services')
  assert.equal([textAt(api, 'developer'), textAt(api, 'developedSince')], ['ann on laptop', '2026-11-21T09:00:00Z'])
  assert.is(at(db, 'restarts'), 2)
  assert.equal(
    listAt(shown, 'endpoints').map((one) => textAt(one, 'url')),
    ['https://shop.example.com/', 'javascript:alert(1)'],
  )
  assert.equal(
    listAt(shown, 'causes').map((one) => [textAt(one, 'service'), textAt(one, 'code')]),
    [['worker', 'DT3201']],
  )
  // What the user may read, and not what the platform may.
  assert.ok(cluster.accounts().some(({ user }) => user === accountOf(idOf('viewer'))))
})

test('an environment says who deployed it last, and when, also after a destroy that failed', async () => {
  const { cluster, send } = testPlatform()
  const changes = { created: 1, changed: 0, deleted: 0 }
  const deployed = { number: 1, when: '2026-11-20T10:00:00Z', who: 'bob', status: 'deployed' } as const
  const history = [{ ...deployed, changes, source: {}, images: [] }]
  const last = { status: 'error', who: 'ann', when: '2026-11-21T08:00:00Z' } as const
  const record = recordBody('shop', { ...emptyRecord('shop'), ...last, history })
  assert.ok(record._tag === 'Right')
  cluster.put(record.right)
  const json = await read(await send('GET', path, { as: 'viewer' }))
  const shown = listAt(json, 'environments')[0]
  assert.equal([textAt(shown, 'who'), textAt(shown, 'when')], ['bob', '2026-11-20T10:00:00Z'])
})

test('nothing runs in a new namespace', async () => {
  const { send } = testPlatform()
  const json = await read(await send('GET', path, { as: 'viewer' }))
  assert.equal(json, { environments: [], skipped: [] })
})

test('an environment without a record is known by its workloads', async () => {
  const { cluster, send } = shop()
  cluster.take('ConfigMap', 'devtool-env-shop', 'shop')
  const [shown] = listAt(await read(await send('GET', path, { as: 'viewer' })), 'environments')
  assert.equal([textAt(shown, 'name'), textAt(shown, 'status')], ['shop', 'unknown'])
  assert.is(listAt(shown, 'services').length, 4)
})

test('kinds that may not be read are named', async () => {
  const { cluster, send } = shop()
  cluster.fail({ verb: 'list', what: 'events', status: 403, message: 'no' })
  const json = await read(await send('GET', path, { as: 'viewer' }))
  assert.equal(listAt(json, 'skipped'), ['Event'])
  assert.is(listAt(json, 'environments').length, 1)
})

test('a cluster that does not answer is reported, not shown as empty', async () => {
  const { cluster, send } = shop()
  cluster.fail({ verb: 'list', what: 'pods', status: 500, message: 'etcd is gone' })
  const answer = await send('GET', path, { as: 'viewer' })
  assert.is(answer.status, 503)
  assert.match(await answer.text(), 'DT6009')
})

test.run()
