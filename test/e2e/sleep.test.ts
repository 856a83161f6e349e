/** A namespace that sleeps and wakes on the real cluster. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, type Json, listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import type { ClusterObject } from '../../src/domain/cluster/live.ts'
import { compose, neverReady, page } from '../support/e2e/apps.ts'
import { shown } from '../support/e2e/command.ts'
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
  const { get, must, run, write } = space
  write('compose.yaml', files)
  await must('deploy', '--yes')
  await must('namespace', 'sleep', space.namespace)
  assert.is((await run('deploy', 'nothing')).status, 2)
  assert.equal(replicasOf(await workloads(space)), [0, 0], 'what cannot be deployed wakes nothing')
  const deployed = await must('deploy', '--wait')
  assert.match(deployed.stderr, `namespace ${space.namespace} is awake`)
  assert.equal(replicasOf(await workloads(space)), [1, 2])
  const record = await get('ConfigMap', 'devtool-sleep')
  assert.is(at(record, 'metadata', 'labels', 'dev.devtool/sleep'), 'awake')
}

const deploying = (more: string): string =>
  compose({
    web: page('hello', `environment: {VERSION: "${more}"}`),
    api: page('data', `environment: {VERSION: "${more}"}`),
  })

const refusedWhileDeploying = async (space: Space): Promise<void> => {
  const { get, must, run, start, write } = space
  write('compose.yaml', compose({ web: page('hello') }))
  await must('deploy', '--yes', '--name', 'shop')
  write('compose.yaml', compose({ web: page('hello'), late: neverReady }))
  const deploy = start('deploy', '--yes', '--name', 'shop', '--wait')
  await until('the deploy holds its lock', async () => (await get('Lease', 'devtool-env-shop')) !== undefined)
  const slept = await run('namespace', 'sleep', space.namespace)
  assert.is(slept.status, 7, shown(slept))
  assert.match(slept.stderr, /DT5063: .*shop \(/)
  assert.is(await get('Lease', 'devtool-sleep'), undefined)
  deploy.child.kill('SIGINT')
  await deploy.ended
  const web = (await workloads(space)).filter(({ metadata }) => metadata.name === 'web')
  assert.equal(replicasOf(web), [1])
  await must('namespace', 'sleep', space.namespace)
}

/** Whoever begins first: in the end all of it runs, or all of it sleeps. */
const deploysAndSleeps = async (space: Space): Promise<void> => {
  const { get, must, run, start, write } = space
  write('compose.yaml', deploying('0'))
  await must('deploy', '--yes', '--name', 'shop')
  for (let round = 1; round <= 8; round += 1) {
    write('compose.yaml', deploying(String(round)))
    const deploy = start('deploy', '--yes', '--name', 'shop', '--wait')
    await new Promise((resolve) => setTimeout(resolve, round * 150))
    const slept = await run('namespace', 'sleep', space.namespace)
    const deployed = await deploy.ended
    assert.is(deployed.status, 0, shown(deployed))
    if (slept.status !== 0) {
      assert.match(slept.stderr, /DT5063: .*shop \(/, shown(slept))
    }
    const sleeps =
      textAt(await get('ConfigMap', 'devtool-sleep'), 'metadata', 'labels', 'dev.devtool/sleep') === 'asleep'
    assert.equal(replicasOf(await workloads(space)), sleeps ? [0, 0] : [1, 1], `${shown(deployed)}\n${shown(slept)}`)
    await run('namespace', 'wake', space.namespace)
  }
}

const developsAndSleeps = async (space: Space): Promise<void> => {
  const { get, must, run, start, write } = space
  write('compose.yaml', deploying('0'))
  write(
    'devtool.yml',
    'deploy: {compose: compose.yaml}\ndev: {web: {workdir: /tmp, persistentVolume: {enabled: false}}}\n',
  )
  await must('deploy', '--yes', '--name', 'shop', '--wait')
  for (let round = 1; round <= 5; round += 1) {
    const up = start('up', 'web', '--yes', '--command', 'echo here')
    await new Promise((resolve) => setTimeout(resolve, round * 300))
    const slept = await run('namespace', 'sleep', space.namespace)
    const developed = await up.ended
    assert.is(developed.status, 0, shown(developed))
    if (slept.status !== 0) assert.match(slept.stderr, /DT506[13]: /, shown(slept))
    await must('down', 'web')
    assert.equal(replicasOf(await workloads(space)), [1, 1], `${shown(developed)}\n${shown(slept)}`)
    const record = await get('ConfigMap', 'devtool-sleep')
    if (record !== undefined) assert.is(at(record, 'metadata', 'labels', 'dev.devtool/sleep'), 'awake')
  }
}

const test = suite('sleep')
await scenarios(test, [
  { title: 'a namespace that sleeps has no pods, and wakes as it was, in order', space: 'sleep', run: sleepsAndWakes },
  { title: 'a namespace does not go to sleep during a deploy', space: 'sleep-refused', run: refusedWhileDeploying },
  {
    title: 'a deploy and a sleep at the same time leave nothing halfway',
    space: 'sleep-meets',
    run: deploysAndSleeps,
  },
  {
    title: 'up and a sleep at the same time leave nothing halfway',
    space: 'sleep-develops',
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
    run: developsAndSleeps,
  },
  { title: 'a deploy wakes the namespace', space: 'sleep-deploy', run: wakesForDeploy },
])
test.run()
