import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { allOf, type ClusterObject, liveOf } from '../../../src/domain/cluster/live.ts'
import { type ClusterState, emptyWorld } from '../../../src/domain/cluster/world.ts'

type PodOptions = {
  readonly service?: string
  readonly uid?: string
  readonly version?: string
  readonly more?: JsonObject
}

const live = (
  kind: string,
  name: string,
  { more = {}, service, uid = name, version = '1' }: PodOptions = {},
): ClusterObject => ({
  apiVersion: 'v1',
  kind,
  metadata: {
    name,
    uid,
    resourceVersion: version,
    ...(service === undefined ? {} : { labels: { 'dev.devtool/service': service } }),
  },
  ...more,
})

const eventAbout = (name: string, uid: string): ClusterObject =>
  live('Event', name, { more: { involvedObject: { uid } } })

const mounting = (claimName: string): JsonObject => ({
  spec: { volumes: [{ name: 'data', persistentVolumeClaim: { claimName } }] },
})

const worldWith = (): { readonly world: ClusterState; readonly takeChanged: () => ReadonlyArray<string> } => {
  const changed: Array<string> = []
  return { world: emptyWorld((service) => changed.push(service)), takeChanged: () => changed.splice(0) }
}

const namesIn = (world: ClusterState, service: string, kind: string): ReadonlyArray<string> =>
  allOf(world.of(service), kind).map(({ metadata: { name } }) => name)

test('a service sees its own objects and those of no service', () => {
  const { world } = worldWith()
  world.see(live('Pod', 'web-1', { service: 'web' }))
  world.see(live('Pod', 'db-0', { service: 'db' }))
  world.see(live('PersistentVolumeClaim', 'data'))
  world.see(live('PersistentVolumeClaim', 'data-db-0', { service: 'db' }))
  assert.equal(namesIn(world, 'web', 'Pod'), ['web-1'])
  assert.equal(namesIn(world, 'web', 'PersistentVolumeClaim'), ['data'])
  assert.equal(namesIn(world, 'db', 'PersistentVolumeClaim'), ['data-db-0', 'data'])
  const claims = world.of('db').get('PersistentVolumeClaim')
  assert.is(claims?.size, 2)
  assert.ok(claims?.has('data') && claims.has('data-db-0') && !claims.has('other'))
  assert.equal([...(claims?.keys() ?? [])], ['data-db-0', 'data'])
  assert.equal(namesIn(world, 'nobody', 'PersistentVolumeClaim'), ['data'])
  assert.equal(namesIn(world, '', 'PersistentVolumeClaim'), ['data'])
})

test('a service sees the latest of each event about it and the claims of its pods', () => {
  const { world } = worldWith()
  world.see(eventAbout('early', 'web-1'))
  world.see(live('Pod', 'web-1', { service: 'web', more: mounting('data') }))
  world.see(live('PersistentVolumeClaim', 'data'))
  world.see(live('PersistentVolumeClaim', 'other'))
  for (const uid of ['data', 'other', 'nobody']) world.see(eventAbout(`about-${uid}`, uid))
  assert.equal(namesIn(world, 'web', 'Event'), ['early', 'about-data'])
  for (let i = 0; i < 30; i += 1) world.see(eventAbout(`e${i}`, 'web-1'))
  const names = namesIn(world, 'web', 'Event')
  assert.is(names.length, 21)
  assert.ok(names.includes('e29') && !names.includes('e9'))
})

test('a change is reported for its service, a known state for none', () => {
  const { takeChanged, world } = worldWith()
  world.see(live('Pod', 'web-1', { service: 'web' }))
  world.see(live('PersistentVolumeClaim', 'data'))
  world.see(eventAbout('e', 'web-1'))
  assert.equal(takeChanged(), ['web', '', 'web'])
  world.see(live('Pod', 'web-1', { service: 'web' }))
  world.see(live('Pod', 'web-1', { service: 'web', version: '0' }))
  world.see(eventAbout('f', 'nobody'))
  world.forget(live('Pod', 'web-2', { service: 'web' }))
  assert.equal(takeChanged(), [])
  world.forget(live('Pod', 'web-1', { service: 'web', version: '2' }))
  assert.equal(takeChanged(), ['web'])
  assert.equal(namesIn(world, 'web', 'Pod'), [])
  assert.equal(namesIn(world, 'web', 'Event'), [])
})

test('outdated versions are ignored, as is the deletion of an earlier object of the same name', () => {
  const { world } = worldWith()
  world.see(live('Job', 'web', { service: 'web', uid: 'new', version: '10' }))
  world.see(live('Job', 'web', { service: 'web', uid: 'old', version: '9' }))
  world.forget(live('Job', 'web', { service: 'web', uid: 'old', version: '11' }))
  assert.is(liveOf(world.of('web'), 'Job', 'web')?.metadata.uid, 'new')
})

test('an object that moves to another service leaves the old one', () => {
  const { takeChanged, world } = worldWith()
  world.see(live('Pod', 'p', { service: 'web' }))
  takeChanged()
  world.see(live('Pod', 'p', { service: 'db', version: '2' }))
  assert.equal(takeChanged(), ['web', 'db'])
  assert.equal([namesIn(world, 'web', 'Pod'), namesIn(world, 'db', 'Pod')], [[], ['p']])
  world.forget(live('Pod', 'p', { service: 'web', version: '3' }))
  assert.equal(namesIn(world, 'db', 'Pod'), [])
})

test('a list removes objects it does not contain, of its own kind only', () => {
  const { takeChanged, world } = worldWith()
  for (const name of ['a', 'b']) {
    world.see(live('Pod', name, { service: name }))
    world.see(live('Job', name, { service: name }))
  }
  takeChanged()
  world.reset('Pod', [live('Pod', 'b', { service: 'b' }), live('Pod', 'c', { service: 'c' })])
  assert.equal(takeChanged(), ['a', 'c'])
  assert.equal(
    ['a', 'b', 'c'].map((service) => namesIn(world, service, 'Pod')),
    [[], ['b'], ['c']],
  )
  assert.equal(namesIn(world, 'a', 'Job'), ['a'])
  world.see(eventAbout('e', 'b'))
  world.reset('Event', [])
  assert.equal(namesIn(world, 'b', 'Event'), [])
})

test('what was read is the latest until something newer or its end is seen', () => {
  const { world } = worldWith()
  const read = live('Deployment', 'web', { service: 'web', version: '5' })
  assert.is(world.latest(read), read, 'its kind was not listed yet')
  world.reset('Deployment', [live('Deployment', 'web', { service: 'web', version: '4' })])
  assert.is(world.latest(read), read, 'the watch lags behind')
  const newer = live('Deployment', 'web', { service: 'web', version: '6' })
  world.see(newer)
  assert.is(world.latest(read), newer)
  world.forget(newer)
  assert.is(world.latest(read), undefined)
})

test.run()
