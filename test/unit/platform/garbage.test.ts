/** What a platform keeps and nobody needs any more. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { collect } from '../../../src/app/install/collect.ts'
import { type JsonObject, textAt, textsAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { tokenObject, userObject } from '../../../src/domain/platform/account.ts'
import { approvalObject } from '../../../src/domain/platform/login/approval.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { everybodyBinding } from '../../../src/domain/platform/namespace/everybody.ts'
import { bindingObject, completedObject, namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { recordObject } from '../../../src/domain/platform/run/record.ts'
import { TOKEN_BYTES, tokenFrom } from '../../../src/domain/platform/token.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { memoryPorts } from '../../support/cluster/memory-ports.ts'
import { platformObjects } from '../../support/flags/installed.ts'
import { runOf } from '../../support/platform/runs.ts'

const ISSUER = 'https://login.example.com'
const [ann, gone] = ['ann', 'gone'].map((person) => ({ id: userIdOf(ISSUER, person), email: `${person}@example.com` }))
assert.ok(ann !== undefined && gone !== undefined)

const user = userObject({ ...ann, isAdmin: false, isDisabled: true }, { issuer: ISSUER, subject: 'ann' })

let made = 0
const token = (of: string, expires: string): JsonObject => {
  const bytes = new Uint8Array(TOKEN_BYTES).fill((made += 1))
  return tokenObject(tokenFrom(bytes), { user: of, name: 'ci', scope: { _tag: 'All' }, expires })
}
const approval = (key: string, of: string, expires: string): JsonObject =>
  approvalObject(key, { user: of, isAllowed: true, expires, epoch: '' })

const [LATER, BEFORE] = ['2026-12-21T10:00:00Z', '2026-11-20T10:00:00Z']

const binding = (of: typeof ann & object, namespace = 'shop'): JsonObject => bindingObject(namespace, of, 'member')

/** With the namespaces `shop`, which is complete, and `half`, which was begun at `halfSince`. */
const clusterWith = async (objects: ReadonlyArray<JsonObject>, halfSince = BEFORE): Promise<MemoryCluster> => {
  const cluster = memoryCluster({ objects: [...platformObjects, { ...user }], date: () => halfSince })
  const half = namespaceObject('half', 'namespace', ann.id)
  await done(cluster.create({ resource: resources.Namespace }, half, { manager }))
  const shop = await done(
    cluster.create({ resource: resources.Namespace }, namespaceObject('shop', 'namespace', ann.id), { manager }),
  )
  const complete = completedObject(textAt(shop, 'metadata', 'uid') ?? '')
  await done(cluster.merge({ resource: resources.Namespace, name: 'shop' }, complete, { manager }))
  for (const object of objects) cluster.put(withData(object))
  return cluster
}

/** As the API server does. */
const withData = ({ stringData, ...object }: JsonObject): JsonObject => {
  const texts = [...textsAt({ stringData: stringData ?? null }, 'stringData')]
  if (texts.length === 0) return object
  return { ...object, data: Object.fromEntries(texts.map(([key, text]) => [key, encodeBase64Text(text)])) }
}

const collected = async (
  cluster: MemoryCluster,
  more: { readonly isDryRun?: boolean; readonly answer?: boolean } = {},
) => {
  const { answer = true, isDryRun = false } = more
  const { clock, machine, progress, prompt } = memoryPorts({ disk: new Map(), write: () => {} })
  const ports = { clock, machine, progress, prompt }
  return collect(ports)({ target: { cluster }, isDryRun, isConfirmed: answer, signal: new AbortController().signal })
}

const namesIn = (
  all: ReadonlyArray<{ readonly live: { readonly kind: string; readonly metadata: { readonly name: string } } }> = [],
) => all.map(({ live: { kind, metadata } }) => `${kind}/${metadata.name}`)

const cases: ReadonlyArray<readonly [string, ReadonlyArray<JsonObject>, ReadonlyArray<RegExp>]> = [
  ['access of a user who exists, also if disabled', [binding(ann)], []],
  ['access of a user who does not exist', [binding(gone)], [/^RoleBinding\/devtool-u-/]],
  ['access of everybody', [everybodyBinding('shop')], []],
  ['access to what is not the platform’s', [binding(gone, 'elsewhere')], []],
  ['a token of a user who exists', [token(ann.id, LATER)], []],
  ['a token that has expired', [token(ann.id, BEFORE)], [/^Secret\/tok-/]],
  ['a token of a user who does not exist', [token(gone.id, LATER)], [/^Secret\/tok-/]],
  ['a login under way', [approval('a', ann.id, LATER)], []],
  ['a login that nobody completed', [approval('a', ann.id, BEFORE)], [/^Secret\/login-/]],
]

for (const [title, objects, expected] of cases) {
  test(`garbage collection: ${title}`, async () => {
    const cluster = await clusterWith(objects, '2026-11-21T09:30:00Z')
    const { value } = await collected(cluster)
    const names = namesIn(value?.deleted)
    assert.is(names.length, expected.length, names.join())
    names.forEach((one, index) => assert.match(one, expected[index] ?? /^$/))
  })
}

const records = (count: number, more: Parameters<typeof runOf>[0] = {}): ReadonlyArray<JsonObject> =>
  Array.from({ length: count }, (_, index) =>
    recordObject(runOf({ id: `${more?.environment ?? 'web'}-${index}`, ...more }), index),
  )

test('the ten newest runs of each environment stay, and so do runs that have not ended', async () => {
  const cluster = await clusterWith(
    [
      ...records(12),
      ...records(10, { environment: 'other' }),
      ...records(11, { environment: 'busy', status: 'running' }),
    ],
    '2026-11-21T09:30:00Z',
  )
  const { value } = await collected(cluster)
  assert.equal(namesIn(value?.deleted), ['ConfigMap/devtool-run-web-1', 'ConfigMap/devtool-run-web-0'])
})

test('a namespace whose creation began long ago is deleted, one that is being created is not', async () => {
  assert.equal(namesIn((await collected(await clusterWith([])))?.value?.deleted), ['Namespace/half'])
  assert.equal(namesIn((await collected(await clusterWith([], '2026-11-21T09:30:00Z')))?.value?.deleted), [])
})

test('without confirmation, or in a dry run, nothing is deleted', async () => {
  const cluster = await clusterWith([binding(gone)])
  const before = cluster.asked().length
  const { value } = await collected(cluster, { isDryRun: true })
  assert.is(value?.found.length, 2)
  assert.equal(value?.deleted, [])
  const refused = await collected(cluster, { answer: false })
  assert.is(refused.value, undefined)
  const writes = cluster
    .asked()
    .slice(before)
    .filter(({ verb }) => !['get', 'list'].includes(verb))
  assert.equal(writes, [])
})

test('objects that were changed meanwhile stay, and the rest is deleted', async () => {
  const cluster = await clusterWith([binding(gone), token(gone.id, LATER)])
  cluster.fail({ verb: 'delete', what: '*', status: 409, times: 1 })
  const { value } = await collected(cluster)
  assert.is(value?.found.length, 3)
  assert.is(value?.deleted.length, 2)
})

test.run()
