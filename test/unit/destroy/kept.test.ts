import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Destruction } from '../../../src/app/destroy/destroy.ts'
import { codesOf, KEEP, object, record, shop, withObjects } from '../../support/destroy.ts'

const template = {
  metadata: { labels: { app: 'db' } },
  spec: {
    containers: [{ name: 'db', image: 'postgres', envFrom: [{ secretRef: { name: 'db' } }] }],
    serviceAccountName: 'db',
    volumes: [
      { name: 'conf', configMap: { name: 'db' } },
      { name: 'data', persistentVolumeClaim: { claimName: 'db' } },
    ],
  },
}

const withVolumes = { options: { withVolumes: true, isAll: false } }

test('a kept workload keeps what it reads and what leads to it, also with --volumes; both are said', async () => {
  const { destroy, left } = await withObjects([
    record(),
    object('Deployment', 'db', { annotations: KEEP }, { spec: { template } }),
    ...['ConfigMap', 'Secret', 'PersistentVolumeClaim'].flatMap((kind) => [object(kind, 'db'), object(kind, 'other')]),
    object('Service', 'reached', {}, { spec: { selector: { app: 'db' } } }),
    object('Service', 'other', {}, { spec: { selector: { app: 'other' } } }),
  ])
  const { said } = await destroy(withVolumes)
  assert.equal(await left(), [
    'ConfigMap/db',
    'Deployment/db',
    'PersistentVolumeClaim/db',
    'Secret/db',
    'Service/reached',
  ])
  assert.ok(said?.includes('kept Deployment/db: dev.devtool/policy is keep'))
  assert.ok(said?.includes('kept Secret/db: Deployment/db needs it, which is kept'))
})

const claim = (name: string, storage: string) =>
  object('PersistentVolumeClaim', name, {}, { spec: { resources: { requests: { storage } } } })

test('--volumes asks on a terminal, naming the claims and their sizes', async () => {
  const { destroy, left, questions } = await withObjects([record(), claim('a', '1Gi'), claim('b', '10Gi')])
  const refused = await destroy(withVolumes, { '--yes': 'no' })
  assert.equal(codesOf(refused), ['DT3303'])
  assert.equal(questions(), ['delete the data in 2 volumes: a (1Gi) and b (10Gi)?'])
  assert.ok((await left()).includes('PersistentVolumeClaim/a'))
  assert.equal(codesOf(await destroy(withVolumes, { '--yes': 'yes' })), [])
  assert.equal(await left(), [])
})

test('--volumes is its own answer off a terminal', async () => {
  const { destroy, left } = await withObjects([record(), claim('a', '1Gi')])
  assert.equal(codesOf(await destroy(withVolumes)), [])
  assert.equal(await left(), [])
})

test('--volumes asks nothing when there are no claims', async () => {
  const { destroy, questions } = await withObjects([record(), object('Deployment', 'web')])
  assert.equal(codesOf(await destroy(withVolumes, { '--yes': 'no' })), [])
  assert.equal(questions(), [])
})

const unrun: Destruction['commands'] = {
  judge: (_record, isThere) => (isThere ? { _tag: 'NotRun', findings: [], keepsRecord: true } : { _tag: 'None' }),
  run: TE.right(undefined),
}

test('the record and the variables stay until the destroy commands have run', async () => {
  const variables = object('Secret', 'devtool-env-shop')
  const { destroy, left } = await withObjects([...shop, variables])
  assert.equal(codesOf(await destroy({ commands: unrun })), [])
  const kept = ['ConfigMap/devtool-env-shop', 'Secret/devtool-env-shop']
  assert.equal(
    (await left()).filter((name) => name.endsWith('devtool-env-shop')),
    kept,
  )
  assert.not((await left()).includes('Deployment/web'))
  assert.equal(codesOf(await destroy()), [])
  assert.not((await left()).some((name) => name.endsWith('devtool-env-shop')))
})

test('no destroy command runs for an environment that was never there, whatever else is in the namespace', async () => {
  const { destroy } = await withObjects([object('ConfigMap', 'theirs', { labels: {} })])
  const ran: Array<boolean> = []
  const judge: Destruction['commands']['judge'] = (_record, isThere) => {
    ran.push(isThere)
    return { _tag: 'None' }
  }
  await destroy({
    commands: { judge, run: TE.right(undefined) },
    options: { withVolumes: false, isAll: true },
    isYes: true,
  })
  assert.is(ran.at(-1), false)
})

test.run()
