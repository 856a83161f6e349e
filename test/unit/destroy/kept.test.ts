import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Destruction } from '../../../src/app/destroy/request.ts'
import { findRecords } from '../../../src/app/environment/find-record.ts'
import type { Outcome } from '../../../src/cli/outcome.ts'
import { verdictBeside } from '../../../src/domain/destroy/commands.ts'
import { error } from '../../../src/domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, emptyRecord } from '../../../src/domain/environment/record.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { codesOf, KEEP, object, printed, record, shop, withObjects } from '../../support/cluster/destroy.ts'

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

test('objects that a kept workload reads, and Services that select it, are kept and reported, also with --volumes', async () => {
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

test('without a terminal, --volumes needs no confirmation', async () => {
  const { destroy, left } = await withObjects([record(), claim('a', '1Gi')])
  assert.equal(codesOf(await destroy(withVolumes)), [])
  assert.equal(await left(), [])
})

test('--volumes needs no confirmation if there are no claims', async () => {
  const { destroy, questions } = await withObjects([record(), object('Deployment', 'web')])
  assert.equal(codesOf(await destroy(withVolumes, { '--yes': 'no' })), [])
  assert.equal(questions(), [])
})

/** Ends only when its signal comes. */
const neverReplaced: Cluster['replace'] =
  ({ name }, _body, { signal }) =>
  () =>
    new Promise((resolve) => {
      const end = (): void => resolve(E.left({ _tag: 'Aborted', asked: { verb: 'update', what: `ConfigMap/${name}` } }))
      if (signal?.aborted === true) end()
      else signal?.addEventListener('abort', end, { once: true })
    })

const unrun: Destruction['commands'] = {
  judge: (_record, isThere) => (isThere ? { _tag: 'NotRun', findings: [], keepsRecord: true } : { _tag: 'None' }),
  judgeOther: () => ({ _tag: 'None' }),
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

test('an environment with only its destroy commands left is listed as not destroyed yet', async () => {
  const deployment = { group: 'apps', version: 'v1', plural: 'deployments', kind: 'Deployment', name: 'web', uid: '' }
  const full = {
    inventory: [deployment],
    services: ['web', 'db'],
    edges: [{ service: 'web', dependsOn: 'db', condition: 'service_started' }],
  }
  const { cluster, destroy } = await withObjects([record(full), object('Deployment', 'web')])
  await destroy({ commands: unrun })
  const left = await findRecords({ cluster, namespace: 'dev' })()
  const [shopLeft] = left._tag === 'Right' ? left.right.environments : []
  const { edges, endpoints, inventory, services, status } = shopLeft?.record ?? emptyRecord('')
  assert.equal(
    { edges, endpoints, inventory, services, status },
    { edges: [], endpoints: [], inventory: [], services: [], status: 'destroying' },
  )
})

for (const [what, run] of [
  ['that failed', TE.left([error('DT3103', 'no')])],
  ['that have run', TE.right(undefined)],
] as const) {
  test(`after destroy commands ${what}, an interruption is not delayed by a record that cannot be written`, async () => {
    const { cluster, destroy } = await withObjects(shop)
    const interrupted = new AbortController()
    const stuck = { ...cluster, replace: neverReplaced }
    const target = { cluster: stuck, context: 'test', namespace: 'dev', settings: {}, isNamed: true, findings: [] }
    const commands: Destruction['commands'] = {
      ...unrun,
      judge: () => ({ _tag: 'Run' }),
      run: async () => {
        interrupted.abort()
        return run()
      },
    }
    const outcome = await destroy({ commands, target, signal: interrupted.signal })
    assert.is(outcome.findings.length, 1)
    assert.not(cluster.asked().some(({ verb, what: key }) => verb === 'delete' && !key.startsWith('Lease/')))
  })
}

test('--all names the destroy commands of every environment, in a dry run too, and keeps their records until they have run', async () => {
  const command = (name: string) => ({ destroyCommands: [{ name, command: name }], services: ['web'] })
  const named = (name: string) => record({ environment: name, ...command(`bye ${name}`) })
  const { cluster, destroy, left } = await withObjects([
    named('api'),
    named('old'),
    ...shop,
    record({ environment: 'plain' }),
  ])
  const commands: Destruction['commands'] = {
    ...unrun,
    judge: () => ({ _tag: 'None' }),
    judgeOther: (other) => verdictBeside('shop', other, false),
  }
  const options = { withVolumes: false, isAll: true }
  const said = ({ findings }: Outcome) =>
    findings.map(({ code, help = '' }) => `${code} ${help.split('\n')[0]?.trim() ?? ''}`)
  const both = ['DT3180 bye api', 'DT3180 bye old']
  const previewed = await destroy({ commands, options, isDryRun: true })
  assert.equal(said(previewed), both)
  assert.match(printed(previewed), 'keep    ConfigMap/devtool-env-api')
  assert.equal(said(await destroy({ commands, options, isYes: true })), both)
  const records = ['ConfigMap/devtool-env-api', 'ConfigMap/devtool-env-old']
  assert.equal(
    (await left()).filter((name) => name.includes('devtool-env')),
    records,
  )
  const found = await findRecords({ cluster, namespace: 'dev' })()
  assert.equal(
    found._tag === 'Right' ? found.right.environments.map((one) => [one.record?.status, one.record?.services]) : [],
    [
      ['destroying', []],
      ['destroying', []],
    ],
  )
  const forgets = {
    ...commands,
    judgeOther: (other: EnvironmentRecord | undefined) => verdictBeside('shop', other, true),
  }
  assert.equal(said(await destroy({ commands: forgets, options, isYes: true })), both)
  assert.equal(
    (await left()).filter((name) => name.includes('devtool-env')),
    [],
  )
})

test('a dry run names the dependencies that are kept', async () => {
  const dependencies = [{ name: 'billing', repository: 'github.com/acme/billing' }]
  const { destroy } = await withObjects([record({ dependencies }), object('Deployment', 'web')])
  assert.equal(codesOf(await destroy({ isDryRun: true })), ['DT3181'])
  assert.equal(codesOf(await destroy()), ['DT3181'])
})

test('no destroy command runs for an environment that was never there, whatever else is in the namespace', async () => {
  const { destroy } = await withObjects([object('ConfigMap', 'theirs', { labels: {} })])
  const ran: Array<boolean> = []
  const judge: Destruction['commands']['judge'] = (_record, isThere) => {
    ran.push(isThere)
    return { _tag: 'None' }
  }
  await destroy({
    commands: { judge, judgeOther: () => ({ _tag: 'None' }), run: TE.right(undefined) },
    options: { withVolumes: false, isAll: true },
    isYes: true,
  })
  assert.is(ran.at(-1), false)
})

test.run()
