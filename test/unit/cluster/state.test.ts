import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { JsonObject } from '../../../src/domain/cluster/json.ts'
import { allOf, type ClusterObject, liveOf } from '../../../src/domain/cluster/live.ts'
import { type ClusterState, clusterState } from '../../../src/domain/cluster/state.ts'

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

const newState = (): { readonly state: ClusterState; readonly takeChanged: () => ReadonlyArray<string> } => {
  const changed: Array<string> = []
  return { state: clusterState((service) => changed.push(service)), takeChanged: () => changed.splice(0) }
}

const namesIn = (state: ClusterState, service: string, kind: string): ReadonlyArray<string> =>
  allOf(state.of(service), kind).map(({ metadata: { name } }) => name)

test('a service sees its own objects and those of no service', () => {
  const { state } = newState()
  state.see(live('Pod', 'web-1', { service: 'web' }))
  state.see(live('Pod', 'db-0', { service: 'db' }))
  state.see(live('PersistentVolumeClaim', 'data'))
  state.see(live('PersistentVolumeClaim', 'data-db-0', { service: 'db' }))
  assert.equal(namesIn(state, 'web', 'Pod'), ['web-1'])
  assert.equal(namesIn(state, 'web', 'PersistentVolumeClaim'), ['data'])
  assert.equal(namesIn(state, 'db', 'PersistentVolumeClaim'), ['data-db-0', 'data'])
  const claims = state.of('db').get('PersistentVolumeClaim')
  assert.is(claims?.size, 2)
  assert.ok(claims?.has('data') && claims.has('data-db-0') && !claims.has('other'))
  assert.equal([...(claims?.keys() ?? [])], ['data-db-0', 'data'])
  assert.equal(namesIn(state, 'nobody', 'PersistentVolumeClaim'), ['data'])
  assert.equal(namesIn(state, '', 'PersistentVolumeClaim'), ['data'])
})

test('a service sees the latest of each event about it and the claims of its pods', () => {
  const { state } = newState()
  state.see(eventAbout('early', 'web-1'))
  state.see(live('Pod', 'web-1', { service: 'web', more: mounting('data') }))
  state.see(live('PersistentVolumeClaim', 'data'))
  state.see(live('PersistentVolumeClaim', 'other'))
  for (const uid of ['data', 'other', 'nobody']) state.see(eventAbout(`about-${uid}`, uid))
  assert.equal(namesIn(state, 'web', 'Event'), ['early', 'about-data'])
  for (let i = 0; i < 30; i += 1) state.see(eventAbout(`e${i}`, 'web-1'))
  const names = namesIn(state, 'web', 'Event')
  assert.is(names.length, 21)
  assert.ok(names.includes('e29') && !names.includes('e9'))
})

test('a change is reported for its service, and a known state is not', () => {
  const { takeChanged, state } = newState()
  state.see(live('Pod', 'web-1', { service: 'web' }))
  state.see(live('PersistentVolumeClaim', 'data'))
  state.see(eventAbout('e', 'web-1'))
  assert.equal(takeChanged(), ['web', '', 'web'])
  state.see(live('Pod', 'web-1', { service: 'web' }))
  state.see(live('Pod', 'web-1', { service: 'web', version: '0' }))
  state.see(eventAbout('f', 'nobody'))
  state.forget(live('Pod', 'web-2', { service: 'web' }))
  assert.equal(takeChanged(), [])
  state.forget(live('Pod', 'web-1', { service: 'web', version: '2' }))
  assert.equal(takeChanged(), ['web'])
  assert.equal(namesIn(state, 'web', 'Pod'), [])
  assert.equal(namesIn(state, 'web', 'Event'), [])
})

test('outdated versions are ignored, as is the deletion of an earlier object of the same name', () => {
  const { state } = newState()
  state.see(live('Job', 'web', { service: 'web', uid: 'new', version: '10' }))
  state.see(live('Job', 'web', { service: 'web', uid: 'old', version: '9' }))
  state.forget(live('Job', 'web', { service: 'web', uid: 'old', version: '11' }))
  assert.is(liveOf(state.of('web'), 'Job', 'web')?.metadata.uid, 'new')
})

test('an object that moves to another service leaves the old one', () => {
  const { takeChanged, state } = newState()
  state.see(live('Pod', 'p', { service: 'web' }))
  takeChanged()
  state.see(live('Pod', 'p', { service: 'db', version: '2' }))
  assert.equal(takeChanged(), ['web', 'db'])
  assert.equal([namesIn(state, 'web', 'Pod'), namesIn(state, 'db', 'Pod')], [[], ['p']])
  state.forget(live('Pod', 'p', { service: 'web', version: '3' }))
  assert.equal(namesIn(state, 'db', 'Pod'), [])
})

test('a list removes objects it does not contain, of its own kind only', () => {
  const { takeChanged, state } = newState()
  for (const name of ['a', 'b']) {
    state.see(live('Pod', name, { service: name }))
    state.see(live('Job', name, { service: name }))
  }
  takeChanged()
  state.reset('Pod', [live('Pod', 'b', { service: 'b' }), live('Pod', 'c', { service: 'c' })])
  assert.equal(takeChanged(), ['a', 'c'])
  assert.equal(
    ['a', 'b', 'c'].map((service) => namesIn(state, service, 'Pod')),
    [[], ['b'], ['c']],
  )
  assert.equal(namesIn(state, 'a', 'Job'), ['a'])
  state.see(eventAbout('e', 'b'))
  state.reset('Event', [])
  assert.equal(namesIn(state, 'b', 'Event'), [])
})

test('an object that was read is the latest until a newer version or its deletion is seen', () => {
  const { state } = newState()
  const read = live('Deployment', 'web', { service: 'web', version: '5' })
  assert.is(state.latest(read), read, 'its kind was not listed yet')
  state.reset('Deployment', [live('Deployment', 'web', { service: 'web', version: '4' })])
  assert.is(state.latest(read), read, 'the watch lags behind')
  const newer = live('Deployment', 'web', { service: 'web', version: '6' })
  state.see(newer)
  assert.is(state.latest(read), newer)
  state.forget(newer)
  assert.is(state.latest(read), undefined)
})

test.run()
