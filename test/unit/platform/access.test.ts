import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type JsonObject, objectAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { accessState, managedIn } from '../../../src/domain/platform/access.ts'
import { USERS_GROUP, userIdOf } from '../../../src/domain/platform/names.ts'
import { nameFault, rivalOf } from '../../../src/domain/platform/namespace/name.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../../src/domain/platform/role.ts'
import { testPlatform } from '../../support/platform/world.ts'

const person = (name: string) => ({ id: userIdOf('https://login.example.com', name), email: `${name}@example.com` })
const [ann, ben] = [person('ann'), person('ben')]

let uids = 0
const live = (object: JsonObject, more: JsonObject = {}): ClusterObject => {
  uids += 1
  const whole = {
    ...object,
    metadata: { ...objectAt(object, 'metadata'), uid: `uid-${uids}`, resourceVersion: '1', ...more },
  }
  if (!isLive(whole)) throw new Error('not an object')
  return whole
}
/** A complete one. */
const namespace = (name: string) => live(namespaceObject(name, 'namespace', ann.id), { annotations: {} })
const binding = (name: string, user: typeof ann, role: NamespaceRole) => live(bindingObject(name, user, role))
const seen = (...objects: ReadonlyArray<ClusterObject>) => {
  const state = accessState()
  objects.forEach(state.see)
  return state
}
const namesOf = (state: ReturnType<typeof accessState>, user: typeof ann) =>
  state.of(user.id).map(({ namespace: { name }, role }) => `${name} ${role}`)

test('a namespace that is not complete yet belongs to nobody', () => {
  const state = seen(live(namespaceObject('shop', 'namespace', ann.id)), binding('shop', ann, 'owner'))
  assert.equal(namesOf(state, ann), [])
  assert.is(state.find(ann.id, 'shop'), undefined)
})

test('users see the namespaces that RoleBindings give them, by name', () => {
  const state = seen(
    namespace('web1'),
    namespace('blog'),
    binding('web1', ann, 'owner'),
    binding('blog', ann, 'viewer'),
    binding('blog', ben, 'member'),
  )
  assert.equal(namesOf(state, ann), ['blog viewer', 'web1 owner'])
  assert.equal(namesOf(state, ben), ['blog member'])
  assert.is(state.find(ben.id, 'web1'), undefined)
})

test('whoever created a namespace sees until the end that it is being deleted, and nobody else does', () => {
  const [there, bindings] = [namespace('shop'), [binding('shop', ann, 'owner'), binding('shop', ben, 'owner')]]
  const state = seen(there, ...bindings)
  state.see({ ...there, metadata: { ...there.metadata, deletionTimestamp: '2026-11-27T10:00:00Z' } })
  bindings.forEach(state.forget)
  assert.is(state.find(ann.id, 'shop')?.namespace.status, 'Deleting')
  assert.is(state.find(ben.id, 'shop'), undefined)
  state.forget(there)
  assert.is(state.find(ann.id, 'shop'), undefined)
})

test('a binding without a namespace of the platform gives nothing', () => {
  const foreign = live({ apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'kube-system' } })
  const state = seen(foreign, binding('kube-system', ann, 'owner'), binding('gone', ann, 'owner'))
  assert.equal(namesOf(state, ann), [])
  assert.is(state.find(ann.id, 'kube-system'), undefined)
})

test('bindings that only look like ours give nothing', () => {
  const of = bindingObject('shop', ann, 'owner')
  const subject = { kind: 'ServiceAccount', name: ann.id, namespace: 'devtool-users' }
  const others: ReadonlyArray<JsonObject> = [
    { ...of, roleRef: { kind: 'ClusterRole', name: 'cluster-admin' } },
    { ...of, roleRef: { kind: 'Role', name: 'devtool-owner' } },
    { ...of, subjects: [{ ...subject, namespace: 'shop' }] },
    { ...of, subjects: [{ ...subject, kind: 'User' }] },
    { ...of, subjects: [subject, { ...subject, name: ben.id }] },
    { ...of, subjects: [{ kind: 'Group', name: 'system:authenticated' }] },
    { ...of, subjects: [] },
  ]
  for (const one of others) assert.equal(namesOf(seen(namespace('shop'), live(one)), ann), [])
})

test('a binding of all users applies to everybody, and the stronger role counts', () => {
  const everybody = live({
    ...bindingObject('docs', ann, 'viewer'),
    subjects: [{ kind: 'Group', name: USERS_GROUP }],
  })
  const state = seen(namespace('docs'), everybody, binding('docs', ann, 'owner'))
  assert.equal([namesOf(state, ann), namesOf(state, ben)], [['docs owner'], ['docs viewer']])
  assert.equal(
    state.members('docs').map(({ role, user }) => [user, role]),
    [
      ['everybody', 'viewer'],
      [ann.id, 'owner'],
    ],
  )
})

test('removed access is gone, and a late event of an earlier object removes nothing', () => {
  const [first, second] = [namespace('shop'), namespace('shop')]
  const role = binding('shop', ann, 'owner')
  const state = seen(first, role, second)
  state.forget(first)
  assert.equal(namesOf(state, ann), ['shop owner'])
  state.forget(role)
  assert.equal(namesOf(state, ann), [])
})

test('after any changes the state equals that of a new list', () => {
  const pool = ['a1', 'b1', 'c1'].flatMap((name) => [
    namespace(name),
    ...[ann, ben].flatMap((user) => [binding(name, user, 'owner'), binding(name, user, 'viewer')]),
  ])
  const step = fc.record({ at: fc.nat(pool.length - 1), isThere: fc.boolean() })
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      const [state, left] = [accessState(), new Set<ClusterObject>()]
      for (const { at, isThere } of steps) {
        const object = pool[at]
        if (object === undefined) continue
        if (isThere) left.add(object)
        else left.delete(object)
        if (isThere) state.see(object)
        else state.forget(object)
      }
      const listed = accessState()
      listed.reset(
        'Namespace',
        [...left].filter(({ kind }) => kind === 'Namespace'),
      )
      listed.reset(
        'RoleBinding',
        [...left].filter(({ kind }) => kind === 'RoleBinding'),
      )
      for (const user of [ann, ben]) assert.equal(namesOf(state, user), namesOf(listed, user))
    }),
  )
})

test('a namespace that is being deleted has that status', () => {
  const going = live(namespaceObject('shop', 'preview', ann.id), { deletionTimestamp: '2026-11-21T10:00:00Z' })
  assert.is(managedIn(going)?.status, 'Deleting')
  assert.is(managedIn(going)?.kind, 'preview')
})

test('the same person has the same id, and no two share one', () => {
  assert.is(userIdOf('https://a', 'b'), userIdOf('https://a', 'b'))
  assert.is.not(userIdOf('https://a', 'b'), userIdOf('https://ab', ''))
  assert.match(userIdOf('https://a', 'b'), /^u-[0-9a-f]{32}$/)
})

test('names are DNS labels that are not reserved', () => {
  for (const name of ['shop', 'my-shop', 'x', 'developers']) assert.is(nameFault(name), undefined, name)
  for (const name of [
    '',
    '1a',
    'A',
    'a-',
    'a.b',
    'kube-x',
    'devtool-x',
    'openshift-x',
    'prod',
    'default',
    'a'.repeat(64),
  ])
    assert.type(nameFault(name), 'string', name)
})

test('a name whose hosts could be those of another namespace is refused, whoever owns it', async () => {
  assert.is(rivalOf('b-c', ['x', 'c']), 'c')
  assert.is(rivalOf('c', ['b-c']), 'b-c')
  assert.is(rivalOf('bc', ['c', 'b', 'b-d']), undefined)
  const { send } = testPlatform()
  const mine = await send('POST', '/api/v1/namespaces', { as: 'owner', body: { name: 'my-shop' } })
  assert.is(mine.status, 409)
  assert.match(await mine.text(), 'too close to that of another namespace')
})

test.run()
