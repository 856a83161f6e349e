/** A namespace that sleeps and wakes on the real cluster. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, type Json, listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { compose, page } from '../support/e2e/apps.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const files = compose(
  {
    web: page('hello', 'deploy: {replicas: 2}', 'depends_on: {db: {condition: service_healthy}}'),
    db: page('data', 'volumes: ["data:/data"]'),
  },
  'volumes: {data: {}}',
)

const workloads = async ({ list }: Space): Promise<ReadonlyArray<ClusterObject>> =>
  [...(await list('Deployment')), ...(await list('StatefulSet'))].toSorted((a, b) =>
    a.metadata.name < b.metadata.name ? -1 : 1,
  )

const textOf = (json: Json): string => JSON.stringify(json)

/** Without the status, which is nobody's field but the controllers'. */
const settled = (live: ClusterObject): Json => ({
  spec: live['spec'] ?? null,
  managers: listAt(live, 'metadata', 'managedFields')
    .filter((entry) => textAt(entry, 'subresource') !== 'status')
    .map((entry) => (isObject(entry) ? { ...entry, time: null } : entry))
    .toSorted((a, b) => (textOf(a) < textOf(b) ? -1 : 1)),
})

const replicasOf = (all: ReadonlyArray<ClusterObject>): ReadonlyArray<number | undefined> =>
  all.map((live) => numberAt(live, 'spec', 'replicas'))

/** When the pods of a service were created, the earliest first. */
const created = async ({ list }: Space, service: string): Promise<ReadonlyArray<string>> =>
  (await list('Pod', `dev.devtool/service=${service}`))
    .map(({ metadata }) => metadata.creationTimestamp ?? '')
    .toSorted()

const sleepsAndWakes = async (space: Space): Promise<void> => {
  const { list, must, run, write } = space
  write('compose.yaml', files)
  await must('deploy', '--yes', '--name', 'shop', '--wait')
  const before = await workloads(space)
  const slept = await must('namespace', 'sleep', space.namespace)
  assert.match(slept.stderr, `namespace ${space.namespace} sleeps: `)
  assert.equal(replicasOf(await workloads(space)), [0, 0])
  await until('all pods have ended', async () => (await list('Pod')).length === 0)
  assert.match((await must('list', 'shop')).stdout, 'the namespace sleeps')
  await must('namespace', 'wake', space.namespace)
  assert.equal((await workloads(space)).map(settled), before.map(settled))
  await until('web has its pods', async () => (await list('Pod', 'dev.devtool/service=web')).length === 2)
  const [db] = await list('Pod', 'dev.devtool/service=db')
  const ready = listAt(db, 'status', 'conditions').find((one) => textAt(one, 'type') === 'Ready')
  assert.is(textAt(ready, 'status'), 'True')
  assert.ok((textAt(ready, 'lastTransitionTime') ?? '') <= ((await created(space, 'web'))[0] ?? ''))
  assert.match((await run('namespace', 'wake', space.namespace)).stderr, 'does not sleep')
}

const wakesForDeploy = async (space: Space): Promise<void> => {
  const { get, must, write } = space
  write('compose.yaml', files)
  await must('deploy', '--yes')
  await must('namespace', 'sleep', space.namespace)
  const deployed = await must('deploy', '--wait')
  assert.match(deployed.stderr, `namespace ${space.namespace} is awake`)
  assert.equal(replicasOf(await workloads(space)), [1, 2])
  const record = await get('ConfigMap', 'devtool-sleep')
  assert.is(at(record, 'metadata', 'labels', 'dev.devtool/sleep'), 'awake')
}

const test = suite('sleep')
await scenarios(test, [
  { title: 'a namespace that sleeps has no pods, and wakes as it was, in order', space: 'sleep', run: sleepsAndWakes },
  { title: 'a deploy wakes the namespace', space: 'sleep-deploy', run: wakesForDeploy },
])
test.run()
