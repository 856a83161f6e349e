/** Deploys of an environment while somebody develops one of its workloads. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Refusal } from '../../../src/domain/cluster/failure.ts'
import { type ClusterObject, isLive } from '../../../src/domain/cluster/live.ts'
import { planUp } from '../../../src/domain/dev/activate.ts'
import { deployActions, deployRefusals, developedNotices } from '../../../src/domain/dev/deployed.ts'
import { type DevRecord, recordBody, recordOf } from '../../../src/domain/dev/record.ts'
import type { Bound } from '../../../src/domain/plan/action.ts'
import { partition } from '../../../src/domain/plan/action.ts'
import { replicasLeft } from '../../../src/domain/plan/conflicts.ts'
import { devOf, requestOf } from '../../support/dev/request.ts'
import { liveOf, objectsIn, observedOf, planOfYaml } from '../../support/kube/live.ts'

const compose = (scale: number, more = '') =>
  `services:\n  api:\n    image: shop/api\n    scale: ${scale}\n${more}  web:\n    image: shop/web\n`

const recordIn = (original: ClusterObject): DevRecord => {
  const request = requestOf(devOf({ 'devtool.yml': 'dev:\n  api:\n    image: node:22\n' }))
  const planned = planUp(request, observedOf([original]))
  if (E.isLeft(planned) || planned.right.record === undefined) throw new Error('there is no record')
  return planned.right.record
}

/** As deployed with `before`, then developed. */
const developed = (before: string): ReadonlyArray<ClusterObject> => {
  const lives = objectsIn(planOfYaml(before)).map((object) => liveOf(object))
  const api = lives.find(({ kind, metadata: { name } }) => kind !== 'Service' && name === 'api')
  if (api === undefined) throw new Error('api was not deployed')
  const record = recordIn(api)
  const { metadata, ...body } = recordBody(record, '', api)
  const own = Object.assign({ uid: 'uid-record', resourceVersion: '7' }, metadata)
  const configMap = { ...body, apiVersion: 'v1', kind: 'ConfigMap', metadata: own }
  if (!isLive(configMap)) throw new Error('no live object')
  return [...lives, configMap]
}

const deployed = (after: string, lives: ReadonlyArray<ClusterObject>): ReadonlyArray<Bound> =>
  deployActions({
    plan: planOfYaml(after),
    observed: observedOf(lives),
    versions: new Map(),
    newClaims: new Set(),
    jobs: { _tag: 'Changed' },
    isWaiting: false,
  })

test('a workload that is developed is applied without a number of replicas', () => {
  const objects = partition(deployed(compose(2), developed(compose(2)))).Apply.map(({ object }) => object)
  const replicas = objects.flatMap((object) =>
    object.kind === 'Deployment' ? [`${object.metadata.name} ${object.spec.replicas}`] : [],
  )
  assert.equal(replicas, ['api undefined', 'web undefined'])
})

test('another number of replicas is recorded, so that down restores it', () => {
  const records = (after: string) =>
    partition(deployed(after, developed(compose(2)))).Patch.flatMap(({ fields, target }) => {
      const live = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: target.name }, ...fields.body }
      const read = isLive(live) ? recordOf(live) : E.left(undefined)
      return E.isRight(read) ? read.right.touched.flatMap(({ changes }) => changes) : []
    })
  assert.equal(records(compose(2)), [])
  assert.equal(records(compose(4)), [
    {
      path: ['spec', 'replicas'],
      before: 4,
      during: 0,
      owners: [{ manager: 'devtool', operation: 'Apply', apiVersion: 'apps/v1' }],
    },
  ])
})

const refusedBy = (before: string, after: string): ReadonlyArray<string> =>
  deployRefusals({ plan: planOfYaml(after), observed: observedOf(developed(before)) }).map(
    ({ code, help, message }) => `${code} ${message}; ${help}`,
  )

const since = 'is developed by ann on laptop since 2026-11-21T10:00:00Z'

test('a deploy that would recreate a developed workload is refused, whatever the reason', () => {
  assert.equal(refusedBy(compose(2), compose(2)), [])
  assert.equal(refusedBy(compose(2), compose(2, '    volumes: [/data]\n')), [
    `DT5020 Deployment/api ${since}, and would have to be deleted and recreated; \`devtool down api\`, then deploy`,
  ])
})

test('a developed Job is left alone, and a deploy that would have to run it again is refused', () => {
  const job = (image: string) => `services:\n  api:\n    image: ${image}\n    restart: "no"\n`
  const lives = developed(job('shop/api'))
  assert.equal(
    deployed(job('shop/api'), lives)
      .map(({ id }) => id)
      .filter((id) => id.includes('Job')),
    [],
  )
  assert.is(refusedBy(job('shop/api'), job('shop/api:2')).length, 1)
})

test('each developed workload is named with its developer', () => {
  const found = developedNotices(planOfYaml(compose(2)), observedOf(developed(compose(2))))
  assert.equal(
    found.map(({ message }) => message),
    [`Deployment/api ${since}: it stays stopped until \`devtool down api\``],
  )
})

test('the help for a conflict with up never suggests to force it', () => {
  const [object] = objectsIn(planOfYaml(compose(2))).filter(({ kind }) => kind === 'Deployment')
  if (object === undefined) throw new Error('no Deployment')
  const refusal: Refusal = {
    _tag: 'Refused',
    asked: { verb: 'patch', what: 'Deployment/api' },
    status: 409,
    reason: 'Conflict',
    message: '',
    causes: [{ reason: 'FieldManagerConflict', message: 'conflict with "devtool-up"', field: '.spec.replicas' }],
  }
  assert.is(
    replicasLeft(object, refusal, undefined, []).help,
    'the workload is being developed: run `devtool down`, then deploy',
  )
})

test.run()
