import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Destruction } from '../../../src/app/destroy/request.ts'
import type { Outcome } from '../../../src/cli/outcome.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import {
  codesOf,
  KEEP,
  object,
  podWith,
  printed,
  record,
  SHOP,
  shop,
  withObjects,
} from '../../support/cluster/destroy.ts'

test('everything in an environment is deleted except volumes, and nothing of others', async () => {
  const { destroy, left } = await withObjects(shop)
  const outcome = await destroy()
  assert.equal(codesOf(outcome), [])
  assert.equal(await left(), ['ConfigMap/other', 'ConfigMap/theirs', 'PersistentVolumeClaim/data'])
  assert.equal(outcome.said, [
    'destroyed environment shop in namespace dev: 3 objects deleted',
    'kept PersistentVolumeClaim/data: a volume: --volumes deletes it',
  ])
})

test('a second run has nothing to do and says so', async () => {
  const { destroy, left } = await withObjects(shop)
  await destroy()
  const before = await left()
  const { findings, said = [] } = await destroy()
  assert.equal(findings, [])
  assert.is(said[0], 'nothing to destroy: there is no environment shop in namespace dev')
  assert.equal(await left(), before)
})

test('--volumes deletes volumes, after the workloads', async () => {
  const { cluster, destroy, left } = await withObjects(shop)
  await destroy({ options: { withVolumes: true, isAll: false } })
  assert.not((await left()).includes('PersistentVolumeClaim/data'))
  const deleted = cluster.asked().flatMap(({ verb, what }) => (verb === 'delete' ? [what] : []))
  assert.equal(deleted, [
    'Deployment/web',
    'Service/web',
    'Secret/web',
    'PersistentVolumeClaim/data',
    'ConfigMap/devtool-env-shop',
    'Lease/devtool-env-shop',
  ])
})

test('a volume that is used by a pod of another owner is kept', async () => {
  const user = object('Pod', 'theirs', { labels: {} }, podWith('data'))
  const { destroy, left } = await withObjects([...shop, user])
  const outcome = await destroy({ options: { withVolumes: true, isAll: false } })
  assert.equal(codesOf(outcome), ['DT3306'])
  assert.ok((await left()).includes('PersistentVolumeClaim/data'))
})

test('objects with the keep policy stay, and the record is deleted', async () => {
  const kept = object('Deployment', 'db', { annotations: KEEP })
  const { destroy, left } = await withObjects([record(), kept])
  const { said = [] } = await destroy()
  assert.equal(await left(), ['Deployment/db'])
  assert.ok(said.includes('kept Deployment/db: dev.devtool/policy is keep'))
})

test('objects in the record are found without a label', async () => {
  const entry = {
    group: 'apps',
    version: 'v1',
    plural: 'deployments',
    kind: 'Deployment',
    name: 'lost',
    uid: 'uid-lost',
  }
  const again = { ...entry, name: 'theirs', uid: 'uid-before' }
  const { destroy, left } = await withObjects([
    record({ inventory: [entry, again] }),
    object('Deployment', 'lost', { labels: {}, uid: 'uid-lost' }),
    object('Deployment', 'theirs', { labels: {}, uid: 'uid-now' }),
  ])
  await destroy()
  assert.equal(await left(), ['Deployment/theirs'])
})

test('without a record, labelled objects are found', async () => {
  const { destroy, left } = await withObjects([object('Deployment', 'web'), object('Job', 'migrate')])
  assert.equal(codesOf(await destroy()), [])
  assert.equal(await left(), [])
})

test('an invalid record does not prevent destroy', async () => {
  const broken = { ...record(), binaryData: { record: 'bm90IGd6aXA=' } }
  const { destroy, left } = await withObjects([broken, object('Deployment', 'web')])
  const outcome = await destroy()
  assert.equal(
    outcome.findings.map(({ severity }) => severity),
    ['warning'],
  )
  assert.equal(await left(), [])
})

test('without permission to read the record, destroy ends before showing or deleting anything', async () => {
  for (const objects of [shop, []]) {
    const { cluster, destroy } = await withObjects(objects)
    cluster.fail({ verb: 'get', what: 'ConfigMap/devtool-env-shop', status: 403, reason: 'Forbidden', message: 'no' })
    for (const outcome of [
      await destroy(),
      await destroy({ isDryRun: true }),
      await destroy({ isDryRun: true }, {}, 'json'),
    ]) {
      assert.equal(
        outcome.findings.map(({ code, severity }) => [code, severity]),
        [['DT3003', 'error']],
      )
      assert.is(outcome.output, undefined)
    }
    assert.not(cluster.asked().some(({ verb }) => !['get', 'list'].includes(verb)))
  }
})

test('an invalid record is noted in a dry run, and when there is nothing else', async () => {
  const broken = { ...record(), binaryData: { record: 'bm90IGd6aXA=' } }
  const { cluster, destroy } = await withObjects([broken])
  const notesOf = ({ findings }: Outcome) => findings.map(({ code, severity }) => [code, severity])
  assert.equal(notesOf(await destroy({ isDryRun: true })), [['DT3113', 'warning']])
  const hidden = ['configmaps', 'leases.coordination.k8s.io']
  for (const what of hidden) cluster.fail({ verb: 'list', what, status: 403, reason: 'Forbidden', message: 'no' })
  const nothing = await destroy()
  assert.match(nothing.said?.[0] ?? '', 'nothing to destroy')
  assert.ok(notesOf(nothing).some(([code, severity]) => code === 'DT3113' && severity === 'warning'))
})

test('a timeout names the finalizer that was not removed, and the record is kept', async () => {
  const stuck = object('ConfigMap', 'stuck', { finalizers: ['example.com/guard'] })
  const { destroy, left } = await withObjects([record(), stuck], 10_000)
  const [found] = (await destroy()).findings
  assert.is(found?.code, 'DT3301')
  assert.match(found?.message ?? '', 'ConfigMap/stuck (waiting for the finalizer example.com/guard)')
  assert.ok((await left()).includes('ConfigMap/devtool-env-shop'))
})

test('without --wait, destroy ends when all deletions have been accepted, and leaves no step open', async () => {
  const stuck = object('ConfigMap', 'stuck', { finalizers: ['example.com/guard'] })
  const { destroy, left, progress } = await withObjects([record(), stuck])
  const outcome = await destroy({ isWaiting: false })
  assert.equal(outcome.findings, [])
  assert.equal(await left(), ['ConfigMap/stuck'])
  const steps = progress.events().flatMap((event) => (event._tag === 'Step' ? [event] : []))
  assert.equal(
    [...new Map(steps.map(({ id, state }) => [id, state])).values()].filter((state) => state !== 'Done'),
    [],
  )
  assert.is(steps.findLast(({ id }) => id === 'ConfigMap/stuck')?.detail, 'being deleted')
})

test('objects created during a destroy are found too', async () => {
  const { cluster, destroy, left } = await withObjects(shop)
  const stop = cluster.onChange(({ _tag, object: { kind } }) => {
    if (_tag !== 'Removed' || kind !== 'Deployment') return
    stop()
    cluster.put(object('ConfigMap', 'late'))
  })
  await destroy()
  assert.not((await left()).includes('ConfigMap/late'))
})

test('objects that are recreated again and again are reported', async () => {
  const { cluster, destroy } = await withObjects(shop)
  cluster.onChange(({ _tag, object: { kind } }) => {
    if (_tag === 'Removed' && kind === 'Service') cluster.put(object('Service', 'web'))
  })
  assert.equal(codesOf(await destroy()), ['DT3308'])
})

test('a refused deletion is an error, reported after all others were tried, and the record is kept', async () => {
  const { cluster, destroy, left } = await withObjects(shop)
  cluster.fail({ verb: 'delete', what: 'Service/web', status: 403, reason: 'Forbidden', message: 'no' })
  assert.equal(codesOf(await destroy()), ['DT3003'])
  const rest = await left()
  assert.ok(rest.includes('Service/web') && rest.includes('ConfigMap/devtool-env-shop'))
  assert.not(rest.includes('Secret/web'))
})

test('while a stored plan is left, so is the record, by which the next destroy finds it', async () => {
  const plan = object('Secret', 'plan', { labels: { ...SHOP, 'dev.devtool/kind': 'plan' } })
  const { cluster, destroy, left } = await withObjects([...shop, plan])
  cluster.fail({ verb: 'delete', what: 'Secret/plan', status: 403, reason: 'Forbidden', message: 'no', times: 1 })
  assert.equal(codesOf(await destroy()), ['DT3003'])
  assert.ok((await left()).includes('ConfigMap/devtool-env-shop'))
  assert.equal(codesOf(await destroy()), [])
  assert.not((await left()).some((one) => one === 'Secret/plan' || one === 'ConfigMap/devtool-env-shop'))
})

test('with a record, kinds without permission to list do not matter, since created objects are recorded', async () => {
  const { cluster, destroy } = await withObjects(shop)
  const what = 'resourcequotas'
  cluster.fail({ verb: 'list', what, status: 403, reason: 'Forbidden', message: 'no', times: 3 })
  assert.equal(codesOf(await destroy()), [])
})

test('without a record, kinds without permission to list are skipped with one warning', async () => {
  const { cluster, destroy, left } = await withObjects(shop.slice(1))
  for (const what of ['leases.coordination.k8s.io', 'resourcequotas']) {
    cluster.fail({ verb: 'list', what, status: 403, reason: 'Forbidden', message: 'no', times: 3 })
  }
  const outcome = await destroy()
  assert.equal(codesOf(outcome), ['DT3304'])
  assert.match(outcome.findings[0]?.message ?? '', 'resourcequotas, leases')
  assert.not((await left()).includes('Deployment/web'))
})

test('a kind that occurs in the record cannot be skipped', async () => {
  const uid = 'uid-web'
  const entry = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', name: 'web', uid }
  const { cluster, destroy, left } = await withObjects([
    record({ inventory: [entry] }),
    object('Deployment', 'web', { uid }),
  ])
  cluster.fail({ verb: 'list', what: 'deployments.apps', status: 403, reason: 'Forbidden', message: 'no' })
  assert.equal(codesOf(await destroy()), ['DT3003'])
  assert.ok((await left()).includes('ConfigMap/devtool-env-shop'))
})

test('losing the lock stops everything', async () => {
  const { cluster, destroy, left } = await withObjects(shop)
  const lost = error('DT3111', 'lost')
  const commands: Destruction['commands'] = {
    judge: () => ({ _tag: 'Run' }),
    judgeOther: () => ({ _tag: 'None' }),
    run: TE.left([lost]),
  }
  assert.equal(codesOf(await destroy({ commands })), ['DT3111'])
  assert.ok((await left()).includes('Deployment/web'))
  const deleted = cluster.asked().filter(({ verb }) => verb === 'delete')
  assert.equal(
    deleted.map(({ what }) => what),
    ['Lease/devtool-env-shop'],
  )
})

test('destroy commands get the recorded variables and run before anything is deleted', async () => {
  const { cluster, destroy } = await withObjects(shop)
  let folder: string | undefined
  const judge: Destruction['commands']['judge'] = (known) => {
    folder = known === 'Unreadable' ? known : known?.source.folder
    return { _tag: 'Run' }
  }
  const run = TE.fromIO(() => assert.not(cluster.asked().some(({ verb }) => verb === 'delete')))
  cluster.put(record({ source: { folder: '/src/shop' } }))
  assert.equal(codesOf(await destroy({ commands: { judge, judgeOther: () => ({ _tag: 'None' }), run } })), [])
  assert.is(folder, '/src/shop')
})

test('a dry run writes nothing and shows what would be deleted', async () => {
  const { cluster, destroy } = await withObjects(shop)
  const { output, said } = await destroy({ isDryRun: true })
  assert.is(
    output,
    [
      'delete  Deployment/web',
      'delete  Service/web',
      'delete  Secret/web',
      'delete  ConfigMap/devtool-env-shop',
      'keep    PersistentVolumeClaim/data  (a volume: --volumes deletes it)',
      '',
    ].join('\n'),
  )
  assert.equal(said, ['4 objects to delete, 1 to keep'])
  assert.not(cluster.asked().some(({ verb }) => !['get', 'list'].includes(verb)))
})

test('a dry run as JSON begins with its schema', async () => {
  const { destroy } = await withObjects(shop)
  const data = JSON.parse(printed(await destroy({ isDryRun: true }, {}, 'json')))
  assert.is(data.schema, 1)
  assert.equal(data.delete[0], {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    name: 'web',
    uid: 'uid-web',
    stage: 'workloads',
    propagation: 'Foreground',
  })
})

test('each object is a step of the progress, reported until it is done', async () => {
  const { destroy, progress } = await withObjects(shop)
  await destroy()
  const states = progress
    .events()
    .flatMap((event) => (event._tag === 'Step' && event.id === 'Deployment/web' ? [event.state] : []))
  assert.is(states[0], 'Running')
  assert.is(states.at(-1), 'Done')
  assert.is(progress.ends(), 1)
})

test('objects of another environment are never deleted', async () => {
  const { destroy, left } = await withObjects([
    object('Deployment', 'web', { labels: { ...SHOP, 'dev.devtool/environment': 'else' } }),
  ])
  await destroy()
  assert.equal(await left(), ['Deployment/web'])
})

test.run()
