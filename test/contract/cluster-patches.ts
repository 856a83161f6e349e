/** The part of the contract about single fields of what is there: merge patches and applies of another manager. */
import * as assert from 'uvu/assert'
import { type Failure, isFieldConflict, isOtherUid, isStale } from '../../src/domain/cluster/failure.ts'
import { at, isObject, type JsonObject, listAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import {
  type Case,
  type ClusterCalls,
  configMap,
  dataOf,
  deployment,
  done,
  failed,
  manager,
  statusOf,
} from './cluster-world.ts'

const other = 'devtool-up'
const otherUid = '11111111-1111-4111-8111-111111111111'

const managersOf = (live: ClusterObject | undefined): ReadonlyArray<string> =>
  listAt(live, 'metadata', 'managedFields')
    .filter((entry) => textAt(entry, 'subresource') === undefined)
    .map((entry) => `${textAt(entry, 'manager')} ${textAt(entry, 'operation')}`)
    .toSorted()

const conflictsOf = (failure: Failure): ReadonlyArray<string | undefined> =>
  failure._tag === 'Refused' ? failure.causes.map(({ field }) => field) : []

export const patchCases = ({ apply, cluster, key, remove }: ClusterCalls): ReadonlyArray<Case> => {
  const cases: Array<Case> = []
  const must = (title: string, run: Case[1]): void => void cases.push([title, run])

  must('a merge patch with the uid changes only its fields, which its manager then owns', async () => {
    const on = key('ConfigMap', 'patch-one')
    const { object } = await done(apply(on, configMap('patch-one', { a: '1', b: '1' })))
    const { uid } = object.metadata
    const live = await done(cluster().merge(on, { metadata: { uid }, data: { a: '2' } }, { manager: other }))
    assert.equal(dataOf(live), { a: '2', b: '1' })
    assert.equal(managersOf(live), ['devtool Apply', 'devtool-up Update'])
    const failure = await failed(apply(on, configMap('patch-one', { a: '1', b: '1' })))
    assert.ok(isFieldConflict(failure))
    assert.equal(conflictsOf(failure), ['.data.a'])
    assert.match(failure._tag === 'Refused' ? (failure.causes[0]?.message ?? '') : '', '"devtool-up"')
  })

  must('a merge patch of managedFields moves a field to another manager without changing its value', async () => {
    const on = key('ConfigMap', 'patch-managers')
    await done(apply(on, configMap('patch-managers', { a: '1', b: '1' })))
    const taken = await done(cluster().merge(on, { data: { a: '2' } }, { manager: other }))
    assert.equal(managersOf(taken), ['devtool Apply', 'devtool-up Update'])
    const { resourceVersion } = taken.metadata
    const managedFields = listAt(taken, 'metadata', 'managedFields')
      .filter((entry) => textAt(entry, 'manager') === manager)
      .map((entry) => {
        const fields: JsonObject = { 'f:data': { 'f:a': {}, 'f:b': {} } }
        return isObject(entry) ? { ...entry, fieldsV1: fields } : entry
      })
    const back = await done(cluster().merge(on, { metadata: { resourceVersion, managedFields } }, { manager: other }))
    assert.equal(managersOf(back), ['devtool Apply'])
    assert.equal(dataOf(back), { a: '2', b: '1' })
    await done(apply(on, configMap('patch-managers', { a: '3', b: '1' })))
  })

  must('a merge patch with the uid of another object is refused', async () => {
    const on = key('ConfigMap', 'patch-uid')
    await done(apply(on, configMap('patch-uid', { a: '1' })))
    const failure = await failed(cluster().merge(on, { metadata: { uid: otherUid }, data: { a: '2' } }, { manager }))
    assert.ok(isStale(failure) || isOtherUid(failure), statusOf(failure))
    assert.equal(dataOf(await done(cluster().get(on))), { a: '1' })
  })

  must('a merge patch with an outdated resourceVersion is refused', async () => {
    const on = key('ConfigMap', 'patch-version')
    const { object } = await done(apply(on, configMap('patch-version', { a: '1' })))
    const { resourceVersion } = object.metadata
    const patch = (value: string): JsonObject => ({ metadata: { resourceVersion }, data: { a: value } })
    await done(cluster().merge(on, patch('2'), { manager: other }))
    assert.ok(isStale(await failed(cluster().merge(on, patch('3'), { manager: other }))))
    assert.equal(dataOf(await done(cluster().get(on))), { a: '2' })
  })

  must('a merge patch does not create an object', async () => {
    const on = key('ConfigMap', 'patch-none')
    const patch = { metadata: { uid: otherUid }, data: { a: '1' } }
    assert.is(statusOf(await failed(cluster().merge(on, patch, { manager }))), '404 NotFound')
    assert.is(await done(cluster().get(on)), undefined)
  })

  must('a dry run of a merge patch returns the result and persists nothing', async () => {
    const on = key('ConfigMap', 'patch-dry')
    const { object } = await done(apply(on, configMap('patch-dry', { a: '1' })))
    const { uid } = object.metadata
    const patch = { metadata: { uid }, data: { a: '2' } }
    const dry = await done(cluster().merge(on, patch, { manager: other, isDryRun: true }))
    assert.equal(dataOf(dry), { a: '2' })
    const live = await done(cluster().get(on))
    assert.equal(dataOf(live), { a: '1' })
    assert.equal(managersOf(live), ['devtool Apply'])
    const wrong = { metadata: { uid: otherUid }, data: { a: '2' } }
    const refused = await failed(cluster().merge(on, wrong, { manager: other, isDryRun: true }))
    assert.ok(isStale(refused) || isOtherUid(refused), statusOf(refused))
  })

  must('replicas can be owned by another manager, which a conflict names', async () => {
    const on = key('Deployment', 'web')
    const { object } = await done(apply(on, deployment('a:1', { replicas: 1 })))
    const { uid } = object.metadata
    const live = await done(cluster().merge(on, { metadata: { uid }, spec: { replicas: 0 } }, { manager: other }))
    assert.is(at(live, 'spec', 'replicas'), 0)
    const failure = await failed(apply(on, deployment('a:1', { replicas: 1 })))
    assert.ok(isFieldConflict(failure))
    assert.equal(conflictsOf(failure), ['.spec.replicas'])
    assert.match(failure._tag === 'Refused' ? (failure.causes[0]?.message ?? '') : '', '"devtool-up"')
    await remove(on)
  })

  must(
    'an apply of single fields leaves fields of others alone, and releases fields that it no longer has',
    async () => {
      const on = key('ConfigMap', 'fields')
      const { object } = await done(apply(on, configMap('fields', { a: '1' })))
      const { uid } = object.metadata
      const own = (data: JsonObject) => apply(on, configMap('fields', data, { uid }), { manager: other })
      const added = await done(own({ b: '1' }))
      assert.equal(dataOf(added.object), { a: '1', b: '1' })
      assert.not(added.isNew)
      assert.equal(managersOf(added.object), ['devtool Apply', 'devtool-up Apply'])
      const again = await done(apply(on, configMap('fields', { a: '2' })))
      assert.equal(dataOf(again.object), { a: '2', b: '1' })
      const conflict = await failed(own({ a: '3', b: '1' }))
      assert.equal(conflictsOf(conflict), ['.data.a'])
      const released = await done(own({}))
      assert.equal(dataOf(released.object), { a: '2' })
    },
  )

  must('an apply of single fields takes fields of others only with force', async () => {
    const on = key('ConfigMap', 'forced')
    const { object } = await done(apply(on, configMap('forced', { a: '1' })))
    const { uid } = object.metadata
    const body = configMap('forced', { a: '2' }, { uid })
    assert.ok(isFieldConflict(await failed(apply(on, body, { manager: other }))))
    const taken = await done(apply(on, body, { manager: other, force: true }))
    assert.equal(dataOf(taken.object), { a: '2' })
    assert.ok(isFieldConflict(await failed(apply(on, configMap('forced', { a: '1' })))))
  })

  must('an apply with an outdated resourceVersion is refused, also in a dry run', async () => {
    const on = key('ConfigMap', 'applied-version')
    const { object } = await done(apply(on, configMap('applied-version', { a: '1' })))
    const { resourceVersion, uid } = object.metadata
    const body = (value: string) => configMap('applied-version', { b: value }, { resourceVersion, uid })
    await done(apply(on, body('1'), { manager: other, isDryRun: true }))
    await done(apply(on, body('1'), { manager: other }))
    const stale = await failed(apply(on, body('2'), { manager: other }))
    assert.ok(isStale(stale), statusOf(stale))
    assert.ok(isStale(await failed(apply(on, body('2'), { manager: other, isDryRun: true }))))
    assert.equal(dataOf(await done(cluster().get(on))), { a: '1', b: '1' })
  })

  must('a deletion with an outdated resourceVersion is refused', async () => {
    const on = key('ConfigMap', 'deleted-version')
    const { object } = await done(apply(on, configMap('deleted-version', { a: '1' })))
    const { resourceVersion, uid } = object.metadata
    await done(apply(on, configMap('deleted-version', { a: '2' })))
    const deletion = { uid, propagation: 'Background' } as const
    assert.ok(isStale(await failed(cluster().remove(on, { ...deletion, resourceVersion }))))
    const now = (await done(cluster().get(on)))?.metadata.resourceVersion ?? ''
    assert.is(await done(cluster().remove(on, { ...deletion, resourceVersion: now })), 'Absent')
  })

  return cases
}
