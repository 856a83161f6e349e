/** The part of the contract about writes. */
import * as assert from 'uvu/assert'
import { isFieldConflict, isStale } from '../../src/domain/cluster/failure.ts'
import { type JsonObject, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { until } from '../support/process/until.ts'
import {
  type Case,
  type ClusterCalls,
  configMap,
  dataOf,
  deployment,
  done,
  failed,
  manager,
  type OpenedCluster,
  statusOf,
} from './cluster-world.ts'

export const writeCases = (
  world: () => OpenedCluster,
  { apply, cluster, key, remove }: ClusterCalls,
): ReadonlyArray<Case> => {
  const cases: Array<Case> = []
  const must = (title: string, run: Case[1]): void => void cases.push([title, run])

  must('apply creates an object and reports it as new, and the second time as not new', async () => {
    const on = key('ConfigMap', 'new')
    const first = await done(apply(on, configMap('new', { a: '1' })))
    const second = await done(apply(on, configMap('new', { a: '2' })))
    assert.equal([first.isNew, second.isNew], [true, false])
    assert.is(first.object.metadata.uid, second.object.metadata.uid)
    assert.is.not(first.object.metadata.resourceVersion, second.object.metadata.resourceVersion)
    assert.equal(dataOf(await done(cluster().get(on))), { a: '2' })
  })

  must('applying the same again changes nothing', async () => {
    const on = key('ConfigMap', 'same')
    const first = await done(apply(on, configMap('same', { a: '1' })))
    const second = await done(apply(on, configMap('same', { a: '1' })))
    assert.is(first.object.metadata.resourceVersion, second.object.metadata.resourceVersion)
  })

  must('a dry run persists nothing', async () => {
    const on = key('ConfigMap', 'dry')
    const dry = await done(apply(on, configMap('dry', { a: '1' }), { isDryRun: true }))
    assert.equal(dataOf(dry.object), { a: '1' })
    assert.is(await done(cluster().get(on)), undefined)
  })

  must('a field of another manager is a conflict that names the manager, unless it is forced', async () => {
    const on = key('ConfigMap', 'conflict')
    await done(apply(on, configMap('conflict', { a: '1', b: '1' })))
    const failure = await failed(apply(on, configMap('conflict', { a: '2' }), { manager: 'other' }))
    assert.ok(isFieldConflict(failure) && !isStale(failure))
    assert.equal(failure._tag === 'Refused' ? failure.causes.map(({ field }) => field) : [], ['.data.a'])
    assert.match(failure._tag === 'Refused' ? (failure.causes[0]?.message ?? '') : '', '"devtool"')
    await done(apply(on, configMap('conflict', { a: '2' }), { manager: 'other', force: true }))
    assert.ok(isFieldConflict(await failed(apply(on, configMap('conflict', { a: '1', b: '1' })))))
  })

  must('the same value by two managers is no conflict', async () => {
    const on = key('ConfigMap', 'shared')
    await done(apply(on, configMap('shared', { a: '1' })))
    await done(apply(on, configMap('shared', { a: '1' }), { manager: 'other' }))
    await done(apply(on, configMap('shared', {})))
    assert.equal(dataOf(await done(cluster().get(on))), { a: '1' })
  })

  must('fields that a manager no longer applies are removed, those that others changed stay', async () => {
    const on = key('ConfigMap', 'less')
    await done(apply(on, configMap('less', { a: '1', b: '1' })))
    await done(cluster().merge(on, { data: { c: '1' } }, { manager: 'kubectl-edit' }))
    await done(apply(on, configMap('less', { a: '1' })))
    assert.equal(dataOf(await done(cluster().get(on))), { a: '1', c: '1' })
  })

  must('a field that somebody else has patched is a conflict', async () => {
    const on = key('ConfigMap', 'patched')
    await done(apply(on, configMap('patched', { a: '1' })))
    await done(cluster().merge(on, { data: { a: '2' } }, { manager: 'kubectl-edit' }))
    const failure = await failed(apply(on, configMap('patched', { a: '3' })))
    assert.ok(isFieldConflict(failure))
    assert.match(failure._tag === 'Refused' ? (failure.causes[0]?.message ?? '') : '', '"kubectl-edit"')
  })

  must('fields of list items are owned per item', async () => {
    const on = key('Deployment', 'web')
    await done(apply(on, deployment('a:1')))
    const failure = await failed(apply(on, deployment('a:2'), { manager: 'other' }))
    assert.equal(failure._tag === 'Refused' ? failure.causes.map(({ field }) => field) : [], [
      '.spec.template.spec.containers[name="web"].image',
    ])
    const live = await done(apply(on, deployment('a:2')))
    assert.is(textAt(live.object, 'spec', 'template', 'spec', 'containers', 0, 'image'), 'a:2')
    assert.is(live.object.metadata.generation, 2)
    await remove(on)
  })

  must('a wrong uid is refused', async () => {
    const on = key('ConfigMap', 'uid')
    const { object } = await done(apply(on, configMap('uid', { a: '1' })))
    const other = '11111111-1111-4111-8111-111111111111'
    assert.is(statusOf(await failed(apply(on, configMap('uid', {}, { uid: other })))), '422 Invalid')
    const removing = cluster().remove(on, { propagation: 'Background', uid: other })
    const failure = await failed(removing)
    assert.ok(isStale(failure))
    await done(apply(on, configMap('uid', { a: '2' }, { uid: object.metadata.uid })))
    await done(cluster().remove(on, { propagation: 'Background', uid: object.metadata.uid }))
    assert.is(await done(cluster().get(on)), undefined)
    const gone = await failed(apply(on, configMap('uid', {}, { uid: object.metadata.uid })))
    assert.is(statusOf(gone), '409 Conflict')
  })

  must('creating an existing object is refused', async () => {
    const { namespace } = world()
    const where = { resource: resources.ConfigMap, namespace }
    const made = await done(cluster().create(where, configMap('made', { a: '1' }), { manager }))
    assert.is(textAt(made, 'metadata', 'name'), 'made')
    const again = cluster().create(where, configMap('made', {}), { manager })
    assert.is(statusOf(await failed(again)), '409 AlreadyExists')
  })

  must('a replacement with an outdated resourceVersion is refused', async () => {
    const on = key('ConfigMap', 'replaced')
    const { object } = await done(apply(on, configMap('replaced', { a: '1' })))
    const { resourceVersion } = object.metadata
    await done(cluster().replace(on, configMap('replaced', { a: '2' }, { resourceVersion }), { manager }))
    const stale = cluster().replace(on, configMap('replaced', { a: '3' }, { resourceVersion }), { manager })
    assert.ok(isStale(await failed(stale)))
    assert.equal(dataOf(await done(cluster().get(on))), { a: '2' })
    const none = cluster().replace(key('ConfigMap', 'none'), configMap('none', {}), { manager })
    assert.is(statusOf(await failed(none)), '404 NotFound')
  })

  must('a merge patch sets fields, and removes them with null', async () => {
    const on = key('ConfigMap', 'merged')
    await done(apply(on, configMap('merged', { a: '1', b: '1' })))
    const live = await done(cluster().merge(on, { data: { a: null, c: '1' } }, { manager }))
    assert.equal(dataOf(live), { b: '1', c: '1' })
    const none = cluster().merge(key('ConfigMap', 'none'), { data: {} }, { manager })
    assert.is(statusOf(await failed(none)), '404 NotFound')
  })

  must('a finalizer delays a deletion', async () => {
    const on = key('ConfigMap', 'held')
    await done(apply(on, configMap('held', {}, { finalizers: ['devtool.test/hold'] })))
    assert.is(await remove(on), 'Going')
    const held = await done(cluster().get(on))
    assert.ok(held?.metadata.deletionTimestamp)
    await done(cluster().merge(on, { metadata: { finalizers: null } }, { manager }))
    assert.is(await done(cluster().get(on)), undefined)
  })

  must('changing an immutable field is refused, and the field is named', async () => {
    const spec = (image: string): JsonObject => ({
      template: { spec: { restartPolicy: 'Never', containers: [{ name: 'a', image }] } },
      suspend: true,
    })
    const job = (image: string): JsonObject => ({
      apiVersion: 'batch/v1',
      kind: 'Job',
      metadata: { name: 'j' },
      spec: spec(image),
    })
    await done(apply(key('Job', 'j'), job('a:1')))
    const failure = await failed(apply(key('Job', 'j'), job('a:2')))
    assert.is(statusOf(failure), '422 Invalid')
    assert.match(failure._tag === 'Refused' ? (failure.causes[0]?.field ?? '') : '', 'spec.template')
    await remove(key('Job', 'j'))
  })

  must('the cluster IP of a Service cannot be removed', async () => {
    const service = (more: JsonObject): JsonObject => ({
      apiVersion: 'v1',
      kind: 'Service',
      metadata: { name: 's' },
      spec: { selector: { a: 'b' }, ports: [{ port: 80, protocol: 'TCP', targetPort: 80 }], ...more },
    })
    const { object } = await done(apply(key('Service', 's'), service({})))
    assert.match(textAt(object, 'spec', 'clusterIP') ?? '', /^\d+\./)
    assert.is(
      statusOf(await failed(apply(key('Service', 's'), service({ clusterIP: 'None' }), { force: true }))),
      '422 Invalid',
    )
    await done(apply(key('Service', 's'), service({ type: 'ClusterIP' })))
  })

  must('dependents are deleted with their owner, unless they are orphaned', async () => {
    const owner = await done(apply(key('ConfigMap', 'owner'), configMap('owner', {})))
    const { uid } = owner.object.metadata
    const ownerReferences = [{ apiVersion: 'v1', kind: 'ConfigMap', name: 'owner', uid }]
    await done(apply(key('ConfigMap', 'owned'), configMap('owned', {}, { ownerReferences })))
    await done(cluster().remove(key('ConfigMap', 'owner'), { propagation: 'Orphan' }))
    await until('the owner is gone', async () => (await done(cluster().get(key('ConfigMap', 'owner')))) === undefined)
    const left = await done(cluster().get(key('ConfigMap', 'owned')))
    assert.equal(left?.metadata.ownerReferences ?? [], [])
  })

  must('nothing can be created in a missing namespace', async () => {
    const on = { ...key('ConfigMap', 'x'), namespace: 'devtool-no-such-namespace' }
    assert.is(statusOf(await failed(apply(on, configMap('x', {})))), '404 NotFound')
  })

  return cases
}
