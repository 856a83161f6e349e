import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { fold, partition, targetOf } from '../../../src/domain/plan/action.ts'
import { PlanJson, toPlanJson } from '../../../src/domain/plan/codec.ts'
import type { Plan } from '../../../src/domain/plan/plan.ts'
import { showPlan } from '../../../src/domain/plan/show.ts'
import { stagesOf } from '../../../src/domain/plan/stages.ts'
import { printJson } from '../../../src/domain/print/json.ts'
import { dependency, line, modelWith, named, serviceWith, volume } from '../../support/compose/model.ts'
import { planOf } from '../../support/compose/plan.ts'

const plan = planOf(
  modelWith(
    [
      serviceWith('web', { dependsOn: [dependency('db', 'service_healthy', 7), dependency('api', undefined, 8)] }, 5),
      serviceWith('api', { dependsOn: [dependency('db', 'service_healthy', 12)] }, 10),
      serviceWith('db', { kind: { _tag: 'StatefulSet', at: line(15) }, mounts: [named('data', '/d')] }, 15),
    ],
    { volumes: [volume('data')] },
  ),
)

test('a workload waits for what it uses and for its dependencies, an await for its workload', () => {
  assert.equal(
    plan.actions.map(({ id, after }) => `${id} <- ${after.join(' ')}`.trim()),
    [
      'apply/PersistentVolumeClaim/data <-',
      'apply/Deployment/web <- await/db/service_healthy await/api/service_started',
      'apply/Service/web <-',
      'apply/Deployment/api <- await/db/service_healthy',
      'apply/Service/api <-',
      'await/api/service_started <- apply/Deployment/api',
      'apply/StatefulSet/db <- apply/PersistentVolumeClaim/data',
      'apply/Service/db <-',
      'await/db/service_healthy <- apply/StatefulSet/db',
    ],
  )
})

test('the plan is printed in stages, each line with its origin', () => {
  assert.is(
    showPlan(plan),
    `stage 1
  apply  PersistentVolumeClaim/data      # compose.yaml:90
  apply  Service/web                     # compose.yaml:5
  apply  Service/api                     # compose.yaml:10
  apply  Service/db                      # compose.yaml:15
stage 2
  apply  StatefulSet/db                  # compose.yaml:15
stage 3
  await  StatefulSet/db service_healthy  # compose.yaml:7
stage 4
  apply  Deployment/api                  # compose.yaml:10
stage 5
  await  Deployment/api service_started  # compose.yaml:8
stage 6
  apply  Deployment/web                  # compose.yaml:5
`,
  )
})

test('an empty plan prints nothing', () => {
  assert.is(showPlan({ schema: 1, environment: 'shop', actions: [] }), '')
})

test('actions in a cycle come last', () => {
  const at = { file: 'f', line: 1, col: 1, endLine: 1, endCol: 1 }
  const ring = (id: string, after: string) =>
    ({
      _tag: 'Await',
      id,
      after: [after],
      ref: { kind: 'Job', name: 'x' },
      condition: 'service_started',
      service: 'x',
      at,
    }) as const
  const looped: Plan = { schema: 1, environment: 'e', actions: [ring('a', 'b'), ring('b', 'a'), ring('c', 'gone')] }
  assert.equal(
    stagesOf(looped).map((stage) => stage.map(({ id }) => id)),
    [['c'], ['a', 'b']],
  )
})

test('the JSON of a plan reads back as the same plan', () => {
  assert.equal(PlanJson.decode(JSON.parse(printJson(toPlanJson(plan)))), E.right(toPlanJson(plan)))
})

const target = targetOf({ kind: 'Deployment', name: 'web' })
const changes: Plan = {
  schema: 1,
  environment: 'shop',
  actions: [
    { _tag: 'Scale', id: 'scale', after: [], target, replicas: 0, manager: 'devtool-up', because: 'it is developed' },
    {
      _tag: 'Patch',
      id: 'merge',
      after: ['scale'],
      target,
      fields: { strategy: 'merge', body: { metadata: { labels: { a: null } } } },
      manager: 'devtool-up',
      because: 'its label is obsolete',
    },
    {
      _tag: 'Patch',
      id: 'apply',
      after: ['scale'],
      target,
      fields: { strategy: 'apply', body: { spec: { paused: true } }, force: false },
      manager: 'devtool-up',
      because: 'nothing is to roll',
    },
    {
      _tag: 'Create',
      id: 'create',
      after: [],
      target: targetOf({ kind: 'ConfigMap', name: 'note' }),
      object: { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'note' } },
      manager: 'devtool-up',
      because: 'it is developed',
    },
    { _tag: 'Delete', id: 'delete', after: ['merge'], target, propagation: 'Foreground', because: 'it is obsolete' },
  ],
}

test('changes are printed with their reason', () => {
  assert.is(
    showPlan(changes),
    `stage 1
  scale  Deployment/web to 0  (it is developed)
  create ConfigMap/note  (it is developed)
stage 2
  patch  Deployment/web  (its label is obsolete)
  patch  Deployment/web  (nothing is to roll)
stage 3
  delete Deployment/web  (it is obsolete)
`,
  )
})

test('changes survive a round trip through JSON', () => {
  assert.equal(PlanJson.decode(JSON.parse(printJson(toPlanJson(changes)))), E.right(toPlanJson(changes)))
})

test('preconditions are never part of the JSON, since they hold for one cluster at one moment', () => {
  const bound = { ...changes, actions: changes.actions.map((action) => ({ ...action, precondition: { uid: 'u' } })) }
  assert.equal(toPlanJson(bound), toPlanJson(changes))
})

test('fold and partition know every action', () => {
  const tags = { Apply: 'Apply', Create: 'Create', Delete: 'Delete', Await: 'Await', Scale: 'Scale', Patch: 'Patch' }
  const all = [...plan.actions, ...changes.actions]
  const tagOf = fold({
    Apply: () => tags.Apply,
    Create: () => tags.Create,
    Delete: () => tags.Delete,
    Await: () => tags.Await,
    Scale: () => tags.Scale,
    Patch: () => tags.Patch,
  })
  assert.equal(
    all.map(tagOf),
    all.map(({ _tag }) => _tag),
  )
  const parts = partition(all)
  assert.equal(Object.keys(parts).toSorted(), Object.keys(tags).toSorted())
  assert.is(Object.values(parts).flat().length, all.length)
  for (const [tag, actions] of Object.entries(parts)) assert.ok(actions.length > 0, `no example of ${tag}`)
  for (const [tag, actions] of Object.entries(parts)) assert.ok(actions.every(({ _tag }) => _tag === tag))
})

test('the JSON of a plan names the kind of each action', () => {
  assert.equal(Object.keys(JSON.parse(printJson(toPlanJson(plan)))), ['schema', 'environment', 'objects', 'actions'])
  const [first] = toPlanJson(plan).actions
  assert.equal(Object.keys(first ?? {}), ['type', 'id', 'after', 'ref', 'origins'])
})

for (const [what, json] of [
  ['another schema', { schema: 2, environment: 'e', objects: [], actions: [] }],
  ['no list of actions', { schema: 1, environment: 'e', objects: [] }],
  ['an unknown action', { schema: 1, environment: 'e', objects: [], actions: [{ type: 'toy', id: 'x', after: [] }] }],
  ['an object without a name', { schema: 1, environment: 'e', objects: [{}], actions: [] }],
  ['no object at all', 'text'],
] as const) {
  test(`${what} is not a plan`, () => {
    assert.ok(E.isLeft(PlanJson.decode(json)))
  })
}

test.run()
