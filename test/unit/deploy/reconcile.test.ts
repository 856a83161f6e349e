import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject } from '../../../src/domain/cluster/json.ts'
import type { Observed } from '../../../src/domain/cluster/live.ts'
import { showKey } from '../../../src/domain/cluster/resources.ts'
import { type Bound, fold, partition, refOf, showRef } from '../../../src/domain/plan/action.ts'
import { unknownJobs } from '../../../src/domain/plan/jobs.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import { type ReconcileInput, refusals, remainingActions, sharedActions } from '../../../src/domain/plan/reconcile.ts'
import { withVersions } from '../../../src/domain/plan/versions.ts'
import { deployedOf, liveOf, objectsIn, observedOf, planOfYaml } from '../../support/kube/live.ts'

/** As `kind/name`, with what must be so before. */
const showBound = fold<string, Bound>({
  Apply: ({ object, precondition }) =>
    `${precondition._tag === 'Absent' ? 'create' : 'apply'} ${showRef(refOf(object))}`,
  Create: ({ target }) => `create ${showKey(target)}`,
  Delete: ({ because, target }) => `delete ${showKey(target)} (${because})`,
  Await: ({ condition, ref }) => `await ${showRef(ref)} ${condition}`,
  Scale: ({ replicas, target }) => `scale ${showKey(target)} to ${replicas}`,
  Patch: ({ target }) => `patch ${showKey(target)}`,
})

const situation = (plan: Plan, observed: Observed = new Map(), more: Partial<ReconcileInput> = {}): ReconcileInput => ({
  plan,
  observed,
  versions: new Map(),
  newClaims: new Set(),
  jobs: { _tag: 'Changed' },
  isWaiting: false,
  ...more,
})

const shown = (given: ReconcileInput): ReadonlyArray<string> =>
  [...sharedActions(given), ...remainingActions(given)].map(showBound)

const deletionsIn = (given: ReconcileInput) => partition(remainingActions(given)).Delete

const shop = `
services:
  web: {image: nginx, ports: [80], depends_on: {migrate: {condition: service_completed_successfully}}}
  migrate: {image: app, restart: "no", depends_on: {db: {condition: service_healthy}}}
  db: {image: postgres, ports: [5432], volumes: ["data:/data"]}
volumes: {data: {}}
`

test('an absent object is created', () => {
  assert.equal(shown(situation(planOfYaml(shop))), [
    'create PersistentVolumeClaim/data',
    'create Deployment/web',
    'create Service/web',
    'create Job/migrate',
    'create Service/migrate',
    'create StatefulSet/db',
    'create Service/db',
    'await Job/migrate service_completed_successfully',
    'await StatefulSet/db service_healthy',
  ])
})

test('an existing object is applied by uid, and a Job that has run is left alone', () => {
  const plan = planOfYaml(shop)
  const given = situation(plan, deployedOf(plan))
  assert.not.ok(shown(given).some((line) => line.includes('Job/migrate') && !line.startsWith('await')))
  const applied = partition([...sharedActions(given), ...remainingActions(given)]).Apply
  assert.ok(applied.every(({ precondition }) => precondition._tag === 'Exists' && precondition.uid !== ''))
})

test('a Job whose definition changed is deleted in the foreground and recreated', () => {
  const plan = planOfYaml(shop.replace('image: app', 'image: app:2'))
  const { Apply, Delete } = partition(remainingActions(situation(plan, deployedOf(planOfYaml(shop)))))
  const [deletion] = Delete
  const made = Apply.find(({ object }) => object.kind === 'Job')
  assert.is(deletion?.propagation, 'Foreground')
  assert.is(made?.precondition._tag, 'Absent')
  assert.ok(made?.after.includes(deletion?.id ?? ''))
})

test('a Job runs again on fresh data, when it failed, and when it is asked to', () => {
  const plan = planOfYaml(shop)
  const rerun = (more: Partial<ReconcileInput>, observed: Observed = deployedOf(plan)): boolean =>
    deletionsIn(situation(plan, observed, more)).length > 0
  assert.not(rerun({}))
  assert.ok(rerun({ newClaims: new Set(['data']) }), 'db, which it waits for, mounts the claim')
  assert.ok(rerun({ jobs: { _tag: 'All' } }))
  assert.ok(rerun({ jobs: { _tag: 'Named', services: new Set(['migrate']) } }))
  assert.not(rerun({ jobs: { _tag: 'Named', services: new Set(['other']) } }))
  const failed = { status: { conditions: [{ type: 'Failed', status: 'True' }] } }
  const lives = objectsIn(plan).map((object) => ({ ...liveOf(object), ...(object.kind === 'Job' ? failed : {}) }))
  assert.ok(rerun({}, observedOf(lives)))
})

test('if no Job may run, none is created, recreated or waited for', () => {
  const plan = planOfYaml(shop)
  for (const observed of [new Map(), deployedOf(planOfYaml(shop.replace('image: app', 'image: app:2')))]) {
    const lines = shown(situation(plan, observed, { jobs: { _tag: 'None' }, isWaiting: true }))
    assert.ok(lines.length > 0 && lines.every((line) => !line.includes('Job/')), lines.join('\n'))
  }
})

test('--rerun-jobs accepts names of Jobs only', () => {
  const plan = planOfYaml(shop)
  const named = (...services: ReadonlyArray<string>) =>
    unknownJobs({ _tag: 'Named', services: new Set(services) }, plan)
  assert.equal(named('migrate'), [])
  assert.equal(
    named('db', 'migrate').map(({ message }) => message),
    ['--rerun-jobs: "db" is not a Job'],
  )
})

test('a workload is deleted before its service becomes another kind', () => {
  const plan = planOfYaml('services: {web: {image: nginx, volumes: ["/data"]}}')
  const given = situation(plan, deployedOf(planOfYaml('services: {web: {image: nginx}}')))
  assert.equal(shown(given).slice(0, 2), ['delete Deployment/web (it becomes a StatefulSet)', 'create StatefulSet/web'])
})

test('a recreated StatefulSet adopts the old pods if their volumes match, and only then', () => {
  const plan = planOfYaml('services: {web: {image: nginx, volumes: ["/data", "/more"]}}')
  const before = planOfYaml('services: {web: {image: nginx, volumes: ["/data"]}}')
  const [deletion] = deletionsIn(situation(plan, deployedOf(before)))
  assert.is(deletion?.propagation, 'Foreground', 'they lack a volume')
  const other = objectsIn(before).map((object) => {
    const live = liveOf(object)
    const spec = at(live, 'spec')
    return object.kind === 'StatefulSet' && isObject(spec)
      ? { ...live, spec: { ...spec, podManagementPolicy: 'OrderedReady' } }
      : live
  })
  const [replaced] = deletionsIn(situation(before, observedOf(other)))
  assert.is(replaced?.propagation, 'Orphan')
})

test('an object that was just applied is not deleted, whatever its pods read', () => {
  const plan = planOfYaml(`
services:
  mig: {image: app, restart: "no", secrets: [token], configs: [cfg], depends_on: [db]}
  db: {image: postgres, secrets: [token], volumes: ["data:/data"]}
volumes: {data: {}}
secrets: {token: {external: true}}
configs: {cfg: {content: hello}}
`)
  const versions = new Map([['token', '7']])
  const applied = objectsIn(plan).map((object) => liveOf(withVersions(object, versions)))
  assert.equal(deletionsIn(situation(plan, observedOf(applied), { versions })), [])
  const later = deletionsIn(situation(plan, observedOf(applied), { versions: new Map([['token', '8']]) }))
  assert.equal(
    later.map(({ because }) => because),
    ['a ConfigMap or Secret it reads changed'],
  )
})

test('a Service that gets its first port is recreated', () => {
  const plan = planOfYaml('services: {web: {image: nginx, ports: [80]}}')
  const given = situation(plan, deployedOf(planOfYaml('services: {web: {image: nginx}}')))
  assert.ok(shown(given).includes('delete Service/web (it gains its first port or loses its last)'))
})

test('objects that belong to others are refused, whoever owns them', () => {
  const plan = planOfYaml('services: {web: {image: nginx}}')
  const owned = (labels: Readonly<Record<string, string>>, annotations: Readonly<Record<string, string>> = {}) => {
    const lives = objectsIn(plan).map((object) => liveOf(object, { labels, annotations }))
    return refusals({ plan, observed: observedOf(lives) }).map(({ code, message }) => `${code} ${message}`)
  }
  assert.equal(owned({ 'dev.devtool/environment': 'other' }), [
    'DT3101 Deployment/web exists and belongs to the environment "other"',
    'DT3101 Service/web exists and belongs to the environment "other"',
  ])
  assert.match(owned({}, { 'meta.helm.sh/release-name': 'blog' })[0] ?? '', 'belongs to the Helm release "blog"')
  assert.match(owned({})[0] ?? '', 'was not created by devtool')
  assert.equal(refusals({ plan, observed: deployedOf(plan) }), [])
})

test('an object of another environment that is being deleted is said to be', () => {
  const plan = planOfYaml('services: {web: {image: nginx}}')
  const lives = objectsIn(plan).map((object) => liveOf(object, { labels: { 'dev.devtool/environment': 'other' } }))
  const going = lives.map((live) => ({
    ...live,
    metadata: { ...live.metadata, deletionTimestamp: '2026-11-28T10:00:00Z' },
  }))
  const [found] = refusals({ plan, observed: observedOf(going) })
  assert.is(found?.message, 'Deployment/web belongs to the environment "other", and is still being deleted')
  assert.is(found?.help, 'deploy again once it is gone')
})

test('a claim can grow, but never shrink or change its storage class', () => {
  const sized = (size: string, storageClass = 'a') =>
    planOfYaml(`
services: {db: {image: postgres, volumes: ["data:/data"]}}
volumes: {data: {driver_opts: {size: ${size}, class: ${storageClass}}}}
`)
  const found = (plan: Plan) => refusals({ plan, observed: deployedOf(sized('2Gi')) }).map(({ message }) => message)
  assert.equal(found(sized('3Gi')), [])
  assert.equal(found(sized('2048Mi')), [])
  assert.equal(found(sized('1Gi')), ['the volume "data" has the size 2Gi, the file says 1Gi'])
  assert.equal(found(sized('2Gi', 'b')), ['the volume "data" has the storage class a, the file says b'])
})

test('--wait waits for every workload', () => {
  const lines = shown(situation(planOfYaml(shop), new Map(), { isWaiting: true }))
  assert.equal(
    lines.filter((line) => line.endsWith('available')),
    ['await Deployment/web available', 'await Job/migrate available', 'await StatefulSet/db available'],
  )
})

test('a workload with the keep policy stays when its service becomes another kind', () => {
  const plan = planOfYaml('services: {web: {image: nginx, volumes: ["/data"]}}')
  const before = 'services: {web: {image: nginx, labels: {dev.devtool/policy: keep}}}'
  const lines = shown(situation(plan, deployedOf(planOfYaml(before))))
  assert.not.ok(lines.some((line) => line.startsWith('delete Deployment')))
  assert.ok(lines.includes('create StatefulSet/web'))
})

test('a Job runs again when a claim template it depends on has no claim yet', () => {
  const plan = planOfYaml(shop.replace('"data:/data"', '"/data"'))
  const [template] = objectsIn(plan).flatMap((object) =>
    object.kind === 'StatefulSet' ? (object.spec.volumeClaimTemplates ?? []) : [],
  )
  const reruns = (name: string): boolean => {
    const claim = {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata: { name, uid: name, resourceVersion: '1' },
    }
    const claims: Observed = new Map([['PersistentVolumeClaim', new Map([[name, claim]])]])
    const observed: Observed = new Map([...deployedOf(plan), ...claims])
    return deletionsIn(situation(plan, observed)).length > 0
  }
  assert.not(reruns(`${template?.metadata.name}-db-0`))
  assert.ok(reruns(`${template?.metadata.name}-db-x`))
})

test.run()
