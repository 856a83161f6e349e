import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { codesOf, KEEP, object, record, revision, shop, withObjects } from '../../support/cluster/destroy.ts'

test('if there is no such environment, the namespace that has one is named', async () => {
  const { destroy } = await withObjects([record({}, 'prod')])
  const { findings, said } = await destroy()
  assert.equal(findings, [])
  assert.equal(said, [
    'nothing to destroy: there is no environment shop in namespace dev',
    'environment shop is in namespace prod (--namespace prod)',
  ])
})

test('objects in other namespaces are listed with the command that deletes them, and kept', async () => {
  const elsewhere = {
    group: '',
    version: 'v1',
    plural: 'configmaps',
    kind: 'ConfigMap',
    name: 'x',
    uid: '',
    namespace: 'ops',
  }
  const gone = { ...elsewhere, name: 'gone' }
  const { cluster, destroy } = await withObjects([record({ foreign: [elsewhere, gone] })])
  cluster.put({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { namespace: 'ops', name: 'x' } })
  const [found] = (await destroy()).findings
  assert.is(found?.code, 'DT3305')
  assert.is(found?.help, '`kubectl delete configmaps/x --namespace ops`')
})

const manifest = [
  '---\napiVersion: v1\nkind: Service\nmetadata:\n  name: redis',
  '---\napiVersion: apps/v1\nkind: StatefulSet\nmetadata:\n  name: redis',
  '---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: password\n',
].join('\n')

const ofHelm = { labels: {}, annotations: { 'meta.helm.sh/release-name': 'redis' } }
const redis = [
  object('Service', 'redis', ofHelm),
  object('StatefulSet', 'redis', ofHelm, { spec: { volumeClaimTemplates: [{ metadata: { name: 'data' } }] } }),
  object('PersistentVolumeClaim', 'data-redis-0', { labels: {} }),
  object('PersistentVolumeClaim', 'data-other-redis-0', { labels: {} }),
  object('Secret', 'password', {
    labels: {},
    annotations: { 'meta.helm.sh/release-name': 'redis', 'helm.sh/resource-policy': 'keep' },
  }),
  object('ConfigMap', 'copied', ofHelm),
]

test('a release of ours is deleted completely, its Secrets last; objects that Helm keeps are kept', async () => {
  const { cluster, destroy, left } = await withObjects([
    revision('redis', 1, manifest),
    revision('redis', 2, manifest),
    ...redis,
  ])
  assert.equal(codesOf(await destroy({ options: { withVolumes: true, isAll: false } })), [])
  assert.equal(await left(), ['ConfigMap/copied', 'PersistentVolumeClaim/data-other-redis-0', 'Secret/password'])
  const deleted = cluster.asked().flatMap(({ verb, what }) => (verb === 'delete' ? [what] : []))
  assert.equal(deleted.slice(-3), [
    'Secret/sh.helm.release.v1.redis.v1',
    'Secret/sh.helm.release.v1.redis.v2',
    'Lease/devtool-env-shop',
  ])
})

test('of a release that existed before, only the objects we created are deleted', async () => {
  const theirs = revision('redis', 1, manifest, { owner: 'helm' })
  const { destroy, left } = await withObjects([theirs, revision('redis', 2, manifest), ...redis])
  assert.equal(codesOf(await destroy()), ['DT3307'])
  assert.ok((await left()).includes('StatefulSet/redis'))
  assert.not((await left()).includes('Secret/sh.helm.release.v1.redis.v2'))
})

const everything = [
  ...shop,
  object('ConfigMap', 'kube-root-ca.crt', { labels: {} }),
  object('Lease', 'leader', { labels: {} }),
  object('ResourceQuota', 'limits', { labels: {} }),
  object('Secret', 'mine', { labels: {}, annotations: KEEP }),
]
const all = { options: { withVolumes: false, isAll: true } }

test('--all asks for confirmation, and needs an answer', async () => {
  const { destroy, left } = await withObjects(everything)
  const before = await left()
  assert.equal(codesOf(await destroy(all)), ['DT2101'])
  assert.equal(codesOf(await destroy(all, { '--yes': 'no' })), ['DT3303'])
  assert.equal(await left(), before)
})

test('--all keeps objects that Kubernetes creates, roles and quotas, objects with the keep policy, and volumes', async () => {
  const { destroy, left } = await withObjects(everything)
  assert.equal(codesOf(await destroy({ ...all, isYes: true })), [])
  assert.equal(await left(), [
    'ConfigMap/kube-root-ca.crt',
    'Lease/leader',
    'PersistentVolumeClaim/data',
    'ResourceQuota/limits',
    'Secret/mine',
  ])
})

test('--all waits for the locks of all environments', async () => {
  const other = { 'dev.devtool/environment': 'other' }
  const lease = object('Lease', 'devtool-env-other', { labels: other }, { spec: { holderIdentity: 'them' } })
  const { cluster, destroy, left } = await withObjects([...everything, lease])
  const beat = setInterval(
    () => cluster.put({ ...lease, spec: { holderIdentity: 'them', renewTime: String(Math.random()) } }),
    1,
  )
  assert.equal(codesOf(await destroy({ ...all, isYes: true })), ['DT3110'])
  clearInterval(beat)
  assert.ok((await left()).includes('Deployment/web'))
})

test.run()
