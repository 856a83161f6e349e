/** Namespaces that are deleted: their destroy runs, and previews that have expired. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { tendNamespaces } from '../../../src/app/platform/controller/deletions.ts'
import { keyOf } from '../../../src/app/platform/controller/world.ts'
import { textAt } from '../../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { emptyRecord, recordBody } from '../../../src/domain/environment/record.ts'
import { managedIn } from '../../../src/domain/platform/access.ts'
import { deletionIn } from '../../../src/domain/platform/deletion-record.ts'
import { deletionChange, destroyRunId } from '../../../src/domain/platform/namespace/deletion.ts'
import { namespaceObject } from '../../../src/domain/platform/namespace/objects.ts'
import { runName } from '../../../src/domain/platform/run/record.ts'
import { changedVariables } from '../../../src/domain/platform/variables.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { controllerWorld } from '../../support/platform/controller-world.ts'
import { previewObject } from '../../support/platform/runs.ts'
import { idOf } from '../../support/platform/world.ts'

const key = { resource: resources.Namespace, name: 'look' }

/** A preview with one environment, whose deletion was asked for. */
const deleting = async (
  cluster: MemoryCluster,
  deletion: Parameters<typeof deletionChange>[2],
  sourceUrl?: string,
): Promise<ClusterObject> => {
  cluster.put(
    sourceUrl === undefined ? namespaceObject('look', 'preview', 'u-1') : previewObject('look', 'owner', { sourceUrl }),
  )
  const destroyCommands = [{ name: 'bye', command: 'echo bye' }]
  const source = { repository: 'git.example.com/team/web', folder: '', branch: 'main' }
  const record = recordBody('look', { ...emptyRecord('web'), destroyCommands, source })
  assert.ok(E.isRight(record))
  cluster.put(record.right)
  const live = await done(cluster.get(key))
  assert.ok(live !== undefined)
  return done(cluster.merge(key, deletionChange(live, 'Deleting', deletion), { manager }))
}

test('a destroy run of a preview gets the variables for previews, and the token for git', async () => {
  const [cluster, deletion] = [memoryCluster(), { since: '2026-11-21T10:00:00Z', user: 'u-1', email: '', force: false }]
  const live = await deleting(cluster, deletion)
  const [token, place] = ['DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM', { namespace: 'devtool-system', before: undefined }]
  const stored = changedVariables({ ...place, name: 'REGION', value: 'north', inPreviews: ['REGION', token] })
  const more = changedVariables({ ...place, name: token, value: 'secret-token' })
  const hidden = changedVariables({ ...place, name: 'HIDDEN', value: 'of-namespaces' })
  cluster.put({ ...stored, data: Object.assign({}, stored['data'], more['data'], hidden['data']) })

  await tendNamespaces(controllerWorld(cluster), new Map([[keyOf(live), live]]))
  const name = runName(destroyRunId('look', deletion, 'web'))
  const get = (kind: 'Job' | 'Secret' | 'ConfigMap') =>
    done(cluster.get({ resource: resources[kind], namespace: 'look', name }))
  const [job, secret, record] = [await get('Job'), await get('Secret'), await get('ConfigMap')]
  const text = (file: string): string => Buffer.from(textAt(secret, 'data', file) ?? '', 'base64').toString()
  assert.equal(JSON.parse(text('variables.json')), { given: {}, shared: { REGION: 'north' } })
  assert.is(text('git.shared.token'), 'secret-token')
  assert.is(textAt(secret, 'metadata', 'ownerReferences', 0, 'uid'), job?.metadata.uid)
  assert.match(textAt(record, 'data', 'record') ?? '', 'https://git.example.com/team/web')
})

test('a destroy run of the preview of a fork gets no token of others', async () => {
  const [cluster, deletion] = [memoryCluster(), { since: '2026-11-21T10:00:00Z', user: 'u-1', email: '', force: false }]
  const live = await deleting(cluster, deletion, 'https://git.example.com/acme/web/pull/12')
  const place = { namespace: 'devtool-system', before: undefined, name: 'DEVTOOL_GIT_TOKEN_GIT_EXAMPLE_COM' }
  cluster.put(changedVariables({ ...place, value: 'secret-token', inPreviews: [place.name] }))
  await tendNamespaces(controllerWorld(cluster), new Map([[keyOf(live), live]]))
  const name = runName(destroyRunId('look', deletion, 'web'))
  const find = (kind: 'Job' | 'Secret') => done(cluster.get({ resource: resources[kind], namespace: 'look', name }))
  const [job, secret] = [await find('Job'), await find('Secret')]
  assert.ok(job !== undefined && secret !== undefined)
  assert.not.match(JSON.stringify(secret), Buffer.from('secret-token').toString('base64'))
  assert.not.match(JSON.stringify(job), 'namespace/token')
})

test('a preview is destroyed once it has expired, and not before', async () => {
  const cluster = memoryCluster()
  for (const [name, expires] of [
    ['old', '2026-11-21T09:59:00Z'],
    ['new', '2026-11-21T10:01:00Z'],
  ] as const) {
    cluster.put(previewObject(name, 'owner', { expires }))
  }
  cluster.put(previewObject('lasting', 'owner', {}))
  const { items } = await done(cluster.list({ resource: resources.Namespace }))
  await tendNamespaces(controllerWorld(cluster), new Map(items.map((live) => [keyOf(live), live])))
  const after = await done(cluster.list({ resource: resources.Namespace }))
  const deleted = after.items.flatMap((live) => {
    const deletion = deletionIn(live)
    return deletion === undefined ? [] : [[live.metadata.name, deletion.user, deletion.force]]
  })
  assert.equal(deleted, [['old', idOf('owner'), false]])
})

test('an expired preview whose deletion failed is tried again after a day, as often as it fails', async () => {
  const cluster = memoryCluster()
  const before = { since: '2026-11-21T09:30:00Z', user: 'u-1', email: '', force: false, reason: 'why', run: 'x' }
  for (const [name, since] of [
    ['recent', before.since],
    ['due', '2026-11-20T09:30:00Z'],
  ] as const) {
    cluster.put(previewObject(name, 'owner', { expires: '2026-11-19T10:00:00Z' }))
    const live = await done(cluster.get({ resource: resources.Namespace, name }))
    assert.ok(live !== undefined)
    const change = deletionChange(live, 'DeleteFailed', { ...before, since })
    await done(cluster.merge({ resource: resources.Namespace, name }, change, { manager }))
  }
  const { items } = await done(cluster.list({ resource: resources.Namespace }))
  await tendNamespaces(controllerWorld(cluster), new Map(items.map((live) => [keyOf(live), live])))
  const after = await done(cluster.list({ resource: resources.Namespace }))
  const found = new Map(after.items.map((live) => [live.metadata.name, [managedIn(live)?.status, deletionIn(live)]]))
  assert.equal(
    [found.get('due'), found.get('recent')],
    [
      ['Deleting', { since: '2026-11-21T10:00:00Z', user: idOf('owner'), email: '', force: false }],
      ['DeleteFailed', before],
    ],
  )
})

test.run()
