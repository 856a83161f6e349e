/** Members put a namespace to sleep and wake it through the platform, which says of each whether it sleeps. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { watchAccess } from '../../../src/app/platform/watching.ts'
import { at, type Json, listAt, numberAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { accessState } from '../../../src/domain/platform/access.ts'
import { done } from '../../contract/cluster-world.ts'
import { settle } from '../../memory/clock.ts'
import { shopObjects, workload } from '../../support/platform/shop.ts'
import { type Person, type TestPlatform, testPlatform } from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

const running = (): TestPlatform => {
  const platform = testPlatform()
  for (const object of workload('shop', 'web', 'registry.example.com/web:7', {})) platform.cluster.put(object)
  return platform
}

const replicasOf = async ({ cluster }: TestPlatform): Promise<number | undefined> =>
  numberAt(
    await done(cluster.get({ resource: resources.Deployment, namespace: 'shop', name: 'web' })),
    'spec',
    'replicas',
  )

const change = ({ send }: TestPlatform, verb: 'sleep' | 'wake', as: Person) =>
  send('POST', `/api/v1/namespaces/shop/${verb}`, { as, body: {} })

test('a member lets a namespace sleep and wakes it, and all lists say so', async () => {
  const platform = running()
  const { send } = platform
  const isAsleep = async (path: string, as: Person) => {
    const [shop] = listAt(await json(await send('GET', `/api/v1/${path}`, { as })), 'namespaces')
    return at(shop, 'isAsleep')
  }
  assert.is((await change(platform, 'sleep', 'viewer')).status, 403)
  assert.is(await replicasOf(platform), 1)
  assert.is((await change(platform, 'sleep', 'member')).status, 202)
  await settle()
  assert.is(await replicasOf(platform), 0)
  assert.is(at(await json(await send('GET', '/api/v1/namespaces/shop', { as: 'viewer' })), 'isAsleep'), true)
  assert.is(await isAsleep('namespaces', 'viewer'), true)
  assert.is(await isAsleep('admin/namespaces?q=shop', 'admin'), true)

  assert.is((await change(platform, 'wake', 'viewer')).status, 403)
  assert.is((await change(platform, 'wake', 'member')).status, 202)
  await settle()
  assert.is(await replicasOf(platform), 1)
  assert.is(await isAsleep('namespaces', 'viewer'), undefined)
})

test('a namespace in which somebody develops stays awake, and who asked learns why', async () => {
  const platform = testPlatform()
  for (const object of shopObjects('shop')) platform.cluster.put(object)
  const answer = await change(platform, 'sleep', 'member')
  assert.is(answer.status, 409)
  assert.match(textAt(await json(answer), 'title') ?? '', 'the namespace has development containers')
})

test('what fails after the answer is noted for those who run the platform', async () => {
  const after = (ms: number, act: () => void) => {
    if (ms === 10_000) act()
    return () => {}
  }
  const platform = testPlatform({ after })
  for (const object of shopObjects('shop')) platform.cluster.put(object)
  assert.is((await change(platform, 'sleep', 'member')).status, 202)
  await settle()
  assert.is(platform.notes.length, 1)
  assert.match(platform.notes[0] ?? '', /^failed sleep shop: the namespace has development containers/)
})

test('who restarts the server loses nothing of what sleeps', async () => {
  const platform = running()
  await change(platform, 'sleep', 'member')
  await settle()
  const [access, stopped] = [accessState(), new AbortController()]
  const clock = { now: () => 0, sleep: () => settle() }
  await watchAccess({ cluster: platform.cluster, clock, signal: stopped.signal }, access, () => {})
  assert.is(access.isAsleep('shop'), true)
  await change(platform, 'wake', 'member')
  await settle()
  assert.is(access.isAsleep('shop'), false)
  stopped.abort()
})

test.run()
