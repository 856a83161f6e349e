/** Kubernetes accounts of API tokens with a scope. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tendScoped } from '../../../src/app/platform/controller/scoped.ts'
import { sweep } from '../../../src/app/platform/sweep.ts'
import { type Json, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { type KnownKind, resources } from '../../../src/domain/cluster/resources.ts'
import { accessState } from '../../../src/domain/platform/access.ts'
import { bindingNameOf, bindingObject } from '../../../src/domain/platform/namespace/objects.ts'
import { includesRole, type NamespaceRole } from '../../../src/domain/platform/role.ts'
import { scopedAccountObject, scopedBindingObject, scopedGrantIn } from '../../../src/domain/platform/scoped.ts'
import { done } from '../../contract/cluster-world.ts'
import { memoryClock } from '../../memory/clock.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { controllerWorld } from '../../support/platform/controller-world.ts'
import {
  emailOf,
  idOf,
  type Person,
  settings,
  type TestPlatform,
  testPlatform,
  tokenIdOf,
  trustingIdentity,
} from '../../support/platform/world.ts'

const roles = ['viewer', 'member', 'owner'] as const
const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())
const nameOf = (person: Person): string => `${idOf(person)}-${tokenIdOf(person)}`
const tokenOf = (person: Person) => ({ id: tokenIdOf(person), user: idOf(person) })

const scoped = async ({ cluster }: TestPlatform, kind: KnownKind): Promise<ReadonlyArray<ClusterObject>> =>
  (await done(cluster.list({ resource: resources[kind], labels: 'dev.devtool/platform=scoped' }))).items
const accountsOf = async (platform: TestPlatform) =>
  (await scoped(platform, 'ServiceAccount')).map(({ metadata: { name, namespace } }) => `${namespace}/${name}`)
/** Like `shop viewer`. */
const bindingsOf = async (platform: TestPlatform, { id }: { readonly id: string }) =>
  (await scoped(platform, 'RoleBinding'))
    .flatMap((one) => scopedGrantIn(one) ?? [])
    .filter(({ token }) => token === id)
    .map(({ namespace, role }) => `${namespace} ${role}`)
    .toSorted()

/** As the cluster in memory issues it. */
const issuedTo = (account: string): string => `token of serviceaccounts/${account}/token`

const credential = ({ send }: TestPlatform, as: Person) => send('POST', '/api/v1/kubernetes/token', { as })
const setRole = ({ send }: TestPlatform, person: Person, role: NamespaceRole) =>
  send('PUT', `/api/v1/namespaces/shop/members/${idOf(person)}`, { as: 'owner', body: { role } })
const removeMember = ({ send }: TestPlatform, person: Person) =>
  send('DELETE', `/api/v1/namespaces/shop/members/${idOf(person)}`, { as: 'owner' })

test('only RoleBindings as the platform creates them give something to a token', () => {
  const live = (more: object): ClusterObject => {
    const made = scopedBindingObject(tokenOf('guest'), 'shop', 'member')
    const whole = { ...made, metadata: { name: 'x', namespace: 'shop', uid: '1', resourceVersion: '1' }, ...more }
    if (!isLive(whole)) throw new Error('not an object')
    return whole
  }
  const [subject] = listAt(live({}), 'subjects')
  assert.equal(scopedGrantIn(live({})), {
    namespace: 'shop',
    user: idOf('guest'),
    token: tokenIdOf('guest'),
    role: 'member',
    binding: { name: 'x', uid: '1' },
  })
  const account = { kind: 'ServiceAccount', namespace: 'devtool-scoped' }
  const role = { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'devtool-owner' }
  const others = [
    { subjects: [subject, subject] },
    ...['', 'default', idOf('guest'), `${nameOf('guest')}x`].map((name) => ({ subjects: [{ ...account, name }] })),
    { subjects: [{ ...account, namespace: 'devtool-users', name: nameOf('guest') }] },
    { subjects: [{ kind: 'User', name: `system:serviceaccount:devtool-scoped:${nameOf('guest')}` }] },
    { roleRef: role },
    { roleRef: { ...role, kind: 'ClusterRole', name: 'cluster-admin' } },
  ]
  for (const other of others) assert.is(scopedGrantIn(live(other)), undefined)
})

test('a token with a scope gets an account of its own, with what the scope leaves', async () => {
  const platform = testPlatform()
  for (const [person, expected] of [
    ['reader', ['shop viewer']],
    ['guest', ['shop owner']],
    ['elsewhere', []],
  ] as const) {
    const issued = await json(await credential(platform, person))
    assert.is(textAt(issued, 'token'), issuedTo(nameOf(person)))
    assert.equal(await bindingsOf(platform, tokenOf(person)), expected)
  }
  assert.is(textAt(await json(await credential(platform, 'owner')), 'token'), issuedTo(idOf('owner')))
  const names = ['reader', 'guest', 'elsewhere'] as const
  assert.equal((await accountsOf(platform)).toSorted(), names.map((one) => `devtool-scoped/${nameOf(one)}`).toSorted())
})

test('a repeated request writes nothing', async () => {
  const platform = testPlatform()
  await credential(platform, 'guest')
  const before = platform.cluster.asked().length
  assert.is((await credential(platform, 'guest')).status, 201)
  const written = platform.cluster
    .asked()
    .slice(before)
    .filter(({ verb }) => verb !== 'get')
  assert.equal(
    written.map(({ what }) => what),
    [`serviceaccounts/${nameOf('guest')}/token`],
  )
})

type Step = { readonly person: 'reader' | 'guest'; readonly act: NamespaceRole | 'remove' | 'credential' }

test('after any changes of roles, tokens have at most what their users have, and exactly that after they asked', async () => {
  const step = fc.record<Step>({
    person: fc.constantFrom('reader', 'guest'),
    act: fc.constantFrom('viewer', 'member', 'owner', 'remove', 'credential'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
      const platform = testPlatform()
      const current = new Map<Person, NamespaceRole | undefined>([
        ['reader', 'owner'],
        ['guest', 'owner'],
      ])
      for (const { act, person } of steps) {
        const role = current.get(person)
        if (act === 'credential') {
          assert.is((await credential(platform, person)).status, 201)
          const wanted = role === undefined ? [] : [`shop ${person === 'reader' ? 'viewer' : role}`]
          assert.equal(await bindingsOf(platform, tokenOf(person)), wanted)
        } else if (act === 'remove') {
          assert.is((await removeMember(platform, person)).status, role === undefined ? 404 : 204)
          current.set(person, undefined)
        } else {
          assert.is((await setRole(platform, person, act)).status, 200)
          current.set(person, act)
        }
        for (const one of ['reader', 'guest'] as const) {
          for (const bound of await bindingsOf(platform, tokenOf(one))) {
            const [left, held] = [current.get(one), roles.find((name) => `shop ${name}` === bound)]
            assert.ok(left !== undefined && held !== undefined && includesRole(left, held), bound)
          }
        }
      }
    }),
    { numRuns: 60 },
  )
})

test('a lesser role leaves a token what is still within it, and a token that asks again gets the new role only', async () => {
  const platform = testPlatform()
  for (const person of ['reader', 'guest'] as const) {
    await setRole(platform, person, 'member')
    await credential(platform, person)
    await setRole(platform, person, 'viewer')
  }
  assert.equal(await bindingsOf(platform, tokenOf('reader')), ['shop viewer'])
  assert.equal(await bindingsOf(platform, tokenOf('guest')), [])
  for (const role of ['member', 'owner'] as const) {
    await setRole(platform, 'guest', role)
    await credential(platform, 'guest')
    assert.equal(await bindingsOf(platform, tokenOf('guest')), [`shop ${role}`])
  }
})

test('RoleBindings of tokens that are gone are deleted without a request', async () => {
  const platform = testPlatform()
  await credential(platform, 'guest')
  await credential(platform, 'reader')
  platform.cluster.take('Secret', `tok-${tokenIdOf('guest')}`, 'devtool-users')
  const { access, cluster, sealing } = platform
  const clock = memoryClock('2026-11-21T10:00:00Z')
  const random = { bytes: (count: number) => new Uint8Array(count) }
  const world = { access, cluster, sealing, clock, random, note: () => {} }
  const swept = await sweep({ ...world, settings, identity: trustingIdentity })()
  assert.is(swept._tag, 'Right')
  assert.equal(await bindingsOf(platform, tokenOf('guest')), [])
  assert.equal(await bindingsOf(platform, tokenOf('reader')), ['shop viewer'])
})

test('a revoked token has no account and no roles', async () => {
  const platform = testPlatform()
  await credential(platform, 'guest')
  await credential(platform, 'reader')
  assert.is((await platform.send('DELETE', '/api/v1/session', { as: 'guest' })).status, 204)
  assert.equal(await bindingsOf(platform, tokenOf('guest')), [])
  const disabled = { as: 'admin', body: { isDisabled: true } } as const
  assert.equal(await accountsOf(platform), [`devtool-scoped/${nameOf('reader')}`])
  assert.is((await platform.send('PUT', `/api/v1/users/${idOf('reader')}`, disabled)).status, 200)
  assert.equal([await accountsOf(platform), await scoped(platform, 'RoleBinding')], [[], []])
  assert.is((await credential(platform, 'reader')).status, 401)
})

test('a token that is revoked while its account is created gets neither', async () => {
  const platform = testPlatform()
  platform.cluster.onChange(({ _tag, object }) => {
    if (_tag !== 'Removed' && object.metadata.namespace === 'devtool-scoped')
      platform.cluster.take('Secret', `tok-${tokenIdOf('guest')}`, 'devtool-users')
  })
  assert.is((await credential(platform, 'guest')).status, 401)
  assert.equal([await accountsOf(platform), await scoped(platform, 'RoleBinding')], [[], []])
})

test('a namespace that is being deleted, or an account that is deleted meanwhile, is no defect', async () => {
  const ending = { status: 403, message: 'no', causes: [{ reason: 'NamespaceTerminating', message: '', field: '' }] }
  const gone = testPlatform({
    failures: [{ verb: 'patch', what: `RoleBinding/devtool-${nameOf('guest')}-owner`, ...ending, times: 1 }],
  })
  assert.is((await credential(gone, 'guest')).status, 201)
  const name = `serviceaccounts/${nameOf('guest')}/token`
  const late = testPlatform({ failures: [{ verb: 'create', what: name, status: 404, reason: 'NotFound', times: 1 }] })
  assert.is((await credential(late, 'guest')).status, 401)
})

test('a role that is taken away while it is given to a token is not kept', async () => {
  const platform = testPlatform()
  platform.cluster.onChange(({ _tag, object }) => {
    if (_tag !== 'Removed' && scopedGrantIn(object) !== undefined)
      platform.cluster.take('RoleBinding', bindingNameOf(idOf('guest'), 'owner'), 'shop')
  })
  assert.is((await credential(platform, 'guest')).status, 201)
  assert.equal(await bindingsOf(platform, tokenOf('guest')), [])
})

test('a member who is removed loses the roles that members gave to their tokens', async () => {
  const platform = testPlatform()
  const subject = { kind: 'ServiceAccount', namespace: 'devtool-scoped', name: nameOf('guest') }
  const user = { kind: 'User', name: `system:serviceaccount:devtool-scoped:${nameOf('guest')}` }
  for (const [name, one] of Object.entries({ account: subject, user })) {
    const made = bindingObject('shop', { id: idOf('guest'), email: emailOf('guest') }, 'viewer')
    platform.cluster.put({ ...made, metadata: { name, namespace: 'shop' }, subjects: [one] })
  }
  assert.is((await removeMember(platform, 'guest')).status, 204)
  const left = await done(platform.cluster.list({ resource: resources.RoleBinding, namespace: 'shop' }))
  assert.not.match(JSON.stringify(left), idOf('guest'))
})

test('a token has more than its user once the role of the user was removed by hand', () => {
  const made = [
    bindingObject('shop', { id: idOf('guest'), email: '' }, 'member'),
    scopedBindingObject(tokenOf('guest'), 'shop', 'member'),
    scopedBindingObject(tokenOf('guest'), 'shop', 'owner'),
  ]
  const cluster = memoryCluster()
  const [member, ofToken, beyond] = made.map((one) => cluster.put(one))
  const state = accessState()
  for (const one of [member, ofToken, beyond]) if (one !== undefined && isLive(one)) state.see(one)
  assert.equal(
    state.exceeding().map(({ role }) => role),
    ['owner'],
  )
  if (member !== undefined && isLive(member)) state.forget(member)
  assert.is(state.exceeding().length, 2)
})

test('the controller deletes the account of a token that is gone, and no other', async () => {
  const cluster = memoryCluster()
  const put = (person: Person): ClusterObject => {
    const live = cluster.put(scopedAccountObject(tokenOf(person)))
    if (!isLive(live)) throw new Error('not an object')
    return live
  }
  const accounts = [put('guest'), put('reader'), put('elsewhere')]
  const secretOf = (person: Person) => ({ name: `tok-${tokenIdOf(person)}`, namespace: 'devtool-users' })
  // The token of the reader is in the cluster, and not known yet.
  cluster.put({ apiVersion: 'v1', kind: 'Secret', metadata: secretOf('reader') })
  const noted = new Array<string>()
  const world = controllerWorld(cluster, { note: (kind, text) => void noted.push(`${kind} ${text}`) })
  const [guest] = accounts
  if (guest === undefined) throw new Error('no account')
  const known = new Map(accounts.map((one) => [`devtool-scoped/${one.metadata.name}`, one]))
  await tendScoped(world, known, new Map([[`devtool-users/${secretOf('guest').name}`, guest]]))
  const left = await done(cluster.list({ resource: resources.ServiceAccount, namespace: 'devtool-scoped' }))
  assert.equal(
    left.items
      .map(({ metadata: { name } }) => name)
      .filter((name) => name !== 'default')
      .toSorted(),
    [nameOf('guest'), nameOf('reader')].toSorted(),
  )
})

test.run()
