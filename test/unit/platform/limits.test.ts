/** What holds when requests come at the same time, replicas know less than the cluster, or a program ends in between. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sweep } from '../../../src/app/platform/sweep.ts'
import { at, type Json, type JsonObject, listAt, textAt } from '../../../src/domain/cluster/json.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { tokenObject } from '../../../src/domain/platform/account.ts'
import { bindingObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { showToken, TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'
import { memoryClock } from '../../memory/clock.ts'
import {
  emailOf,
  idOf,
  type Person,
  settings,
  type TestPlatform,
  testPlatform,
  trustingIdentity,
} from '../../support/platform/world.ts'

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

/** A token of the owner, made of a number. */
const putToken = ({ cluster }: TestPlatform, number: number, more: { isOfLogin?: boolean; expires?: string } = {}) => {
  const seed = new Uint8Array(TOKEN_BYTES).fill(20)
  seed[0] = number
  const token = tokenFrom(seed)
  const about = { user: idOf('owner'), name: `t${number}`, expires: '2027-01-01T00:00:00Z', ...more }
  cluster.put(tokenObject(token, { ...about, scope: { _tag: 'All' } }))
  return { token: showToken(token), id: token.id }
}

const tokensOf = async ({ cluster }: TestPlatform): Promise<ReadonlyArray<ClusterObject>> => {
  const labels = `dev.devtool/platform=token,dev.devtool/owner=${idOf('owner')}`
  const found = await cluster.list({ resource: resources.Secret, namespace: 'devtool-users', labels })()
  return found._tag === 'Right' ? found.right.items : []
}

const create = ({ send }: TestPlatform): Promise<Response> =>
  send('POST', '/api/v1/tokens', { as: 'owner', body: { name: 'ci' } })

test('a user has at most 50 tokens, and expired ones do not count', async () => {
  const platform = testPlatform()
  for (let number = 1; number <= 48; number += 1) putToken(platform, number)
  const expired = putToken(platform, 60, { expires: '2026-01-01T00:00:00Z' })
  assert.is((await create(platform)).status, 201)
  const left = await tokensOf(platform)
  assert.is(left.length, 50)
  assert.not(left.some(({ metadata: { name } }) => name.endsWith(expired.id)))
  const refused = await create(platform)
  assert.is(refused.status, 409)
  assert.match(await refused.text(), 'you have 50 tokens already')
  assert.is((await tokensOf(platform)).length, 50)
})

test('requests for tokens at the same time do not exceed the limit', async () => {
  const platform = testPlatform()
  for (let number = 1; number <= 48; number += 1) putToken(platform, number)
  const answers = await Promise.all([1, 2, 3, 4].map(() => create(platform)))
  const kept = answers.filter(({ status }) => status === 201).length
  assert.ok(kept <= 1)
  assert.is((await tokensOf(platform)).length, 49 + kept)
})

test('expired tokens are deleted without a request', async () => {
  const platform = testPlatform()
  const expired = putToken(platform, 60, { expires: '2026-01-01T00:00:00Z' })
  const { access, cluster, sealing } = platform
  const clock = memoryClock('2026-11-21T10:00:00Z')
  const random = { bytes: (count: number) => new Uint8Array(count) }
  const world = { access, cluster, sealing, clock, random, note: () => {} }
  const swept = await sweep({ ...world, settings, identity: trustingIdentity })()
  assert.is(swept._tag, 'Right')
  const left = await tokensOf(platform)
  assert.not(left.some(({ metadata: { name } }) => name.endsWith(expired.id)))
  assert.ok(left.length > 0)
})

test('a token for Kubernetes expires with the token that requested it', async () => {
  const platform = testPlatform()
  const credential = async (expires: string) => {
    const { token } = putToken(platform, 70, { expires })
    const headers = { authorization: `Bearer ${token}` }
    return platform.send('POST', '/api/v1/kubernetes/token', { headers })
  }
  assert.is(textAt(await json(await credential('2026-11-21T10:30:00Z')), 'expires'), '2026-11-21T10:30:00Z')
  const short = await credential('2026-11-21T10:09:00Z')
  assert.is(short.status, 401)
  assert.match(await short.text(), 'expires within ten minutes')
})

const namespaceIn = async ({ cluster }: TestPlatform, name: string): Promise<ClusterObject | undefined> => {
  const found = await cluster.get({ resource: resources.Namespace, name })()
  return found._tag === 'Right' ? found.right : undefined
}

const createNamespace = ({ send }: TestPlatform, as: Person, name: string): Promise<Response> =>
  send('POST', '/api/v1/namespaces', { as, body: { name } })

/** In the cluster, but not yet known to this replica. */
const putUnseen = ({ access, cluster }: TestPlatform, object: JsonObject): void => {
  const live = cluster.put(object)
  if (isLive(live)) access.forget(live)
}

test('two names whose hosts could be the same are never both created, even at the same time', async () => {
  const platform = testPlatform()
  putUnseen(platform, namespaceObject('my-blog', 'namespace', idOf('stranger')))
  const answer = await createNamespace(platform, 'member', 'blog')
  assert.is(answer.status, 409)
  assert.match(await answer.text(), 'too close to that of another namespace')
  assert.is(await namespaceIn(platform, 'blog'), undefined)
})

test('a user has at most 50 namespaces, also when they are created at the same time', async () => {
  const platform = testPlatform()
  const put = (number: number): JsonObject => namespaceObject(`n${number}x`, 'namespace', idOf('member'))
  for (let number = 1; number <= 50; number += 1) putUnseen(platform, put(number))
  const answer = await createNamespace(platform, 'member', 'blog')
  assert.is(answer.status, 409)
  assert.match(await answer.text(), 'you have 50 namespaces already')
  assert.is(await namespaceIn(platform, 'blog'), undefined)
})

const namesFor = async (platform: TestPlatform, as: Person) =>
  listAt(await json(await platform.send('GET', '/api/v1/namespaces', { as })), 'namespaces').map((one) =>
    textAt(one, 'name'),
  )

test('a namespace whose creation was interrupted is completed by the next request of its owner', async () => {
  const platform = testPlatform()
  platform.cluster.put(namespaceObject('blog', 'namespace', idOf('member')))
  assert.not((await namesFor(platform, 'stranger')).includes('blog'))
  assert.ok((await namesFor(platform, 'member')).includes('blog'))
  const made = await namespaceIn(platform, 'blog')
  assert.is(at(made, 'metadata', 'annotations', 'dev.devtool/creating'), undefined)
  const quota = { resource: resources.ResourceQuota, namespace: 'blog', name: 'devtool' }
  const kept = await platform.cluster.get(quota)()
  assert.ok(kept._tag === 'Right' && kept.right !== undefined)
})

test('a namespace that an error keeps from being completed stays for the next request', async () => {
  const platform = testPlatform({
    failures: [{ verb: 'patch', what: 'LimitRange/devtool', status: 403, message: 'no', times: 1 }],
  })
  platform.cluster.put(namespaceObject('blog', 'namespace', idOf('member')))
  assert.not((await namesFor(platform, 'member')).includes('blog'))
  assert.ok(await namespaceIn(platform, 'blog'))
  assert.ok((await namesFor(platform, 'member')).includes('blog'))
})

test('an incomplete namespace whose name now belongs to somebody else is deleted', async () => {
  const platform = testPlatform()
  platform.cluster.put(namespaceObject('blog', 'namespace', idOf('member')))
  putUnseen(platform, namespaceObject('my-blog', 'namespace', idOf('stranger')))
  assert.not((await namesFor(platform, 'member')).includes('blog'))
  assert.is(await namespaceIn(platform, 'blog'), undefined)
})

test('a namespace that another request has completed meanwhile stays', async () => {
  const platform = testPlatform({
    failures: [{ verb: 'patch', what: 'LimitRange/devtool', status: 503, message: 'later', times: 1 }],
  })
  platform.cluster.put(namespaceObject('blog', 'namespace', idOf('member')))
  const list = (): Promise<Response> => platform.send('GET', '/api/v1/namespaces', { as: 'member' })
  platform.cluster.onChange(({ object }) => {
    if (object.kind !== 'ResourceQuota') return
    const { metadata, ...rest } = namespaceObject('blog', 'namespace', idOf('member'))
    platform.cluster.put({ ...rest, metadata: { name: 'blog', labels: at(metadata, 'labels') } })
  })
  await list()
  assert.ok(await namespaceIn(platform, 'blog'))
})

const bindingsOf = async ({ cluster }: TestPlatform, namespace: string): Promise<ReadonlyArray<ClusterObject>> => {
  const found = await cluster.list({ resource: resources.RoleBinding, namespace })()
  return found._tag === 'Right' ? found.right.items : []
}

test('the last owner stays, even if this replica still knows another one', async () => {
  const platform = testPlatform()
  const { access, cluster, send } = platform
  const second = cluster.put(bindingObject('foreign', { id: idOf('member'), email: emailOf('member') }, 'owner'))
  cluster.take('RoleBinding', `devtool-${idOf('member')}-owner`, 'foreign')
  if (isLive(second)) access.see(second)
  const member = `/api/v1/namespaces/foreign/members/${idOf('stranger')}`
  assert.is((await send('DELETE', member, { as: 'stranger' })).status, 409)
  const owners = (await bindingsOf(platform, 'foreign')).filter(
    ({ roleRef }) => textAt(roleRef, 'name') === 'devtool-owner',
  )
  assert.equal(
    owners.map(({ metadata: { name } }) => name),
    [`devtool-${idOf('stranger')}-owner`],
  )
})

test('bindings of a removed member are removed, even if changed meanwhile, and other subjects stay in them', async () => {
  const platform = testPlatform({
    failures: [{ verb: 'patch', what: 'RoleBinding/shared', status: 409, message: 'it was changed', times: 3 }],
  })
  const { cluster, send } = platform
  const subject = (person: Person): JsonObject => ({
    kind: 'ServiceAccount',
    name: idOf(person),
    namespace: 'devtool-users',
  })
  const bind = (name: string, subjects: ReadonlyArray<JsonObject>): void => {
    const roleRef = { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'edit' }
    const metadata = { name, namespace: 'shop' }
    cluster.put({ apiVersion: 'rbac.authorization.k8s.io/v1', kind: 'RoleBinding', metadata, roleRef, subjects })
  }
  let isBoundAgain = false
  cluster.onChange(({ _tag, object: { metadata } }) => {
    if (_tag !== 'Removed' || metadata.name !== 'own' || isBoundAgain) return
    isBoundAgain = true
    bind('again', [subject('member')])
  })
  const asUser = { kind: 'User', name: `system:serviceaccount:devtool-users:${idOf('member')}` }
  bind('own', [subject('member')])
  bind('as-user', [asUser])
  bind('shared', [subject('member'), subject('stranger')])
  bind('foreign', [subject('stranger')])
  const member = `/api/v1/namespaces/shop/members/${idOf('member')}`
  assert.is((await send('DELETE', member, { as: 'owner' })).status, 204)
  assert.ok(isBoundAgain)
  const left = (await bindingsOf(platform, 'shop')).filter(({ metadata: { name } }) => !name.startsWith('devtool-'))
  assert.equal(
    left.map(({ metadata: { name }, subjects }) => [name, subjects]),
    [
      ['shared', [subject('stranger')]],
      ['foreign', [subject('stranger')]],
    ],
  )
  // The platform itself may not change a binding of others.
  assert.equal(
    [...new Set(cluster.accounts().map(({ user }) => user))],
    [`system:serviceaccount:devtool-users:${idOf('owner')}`],
  )
})

test.run()
