/** `up` of workloads that are no Deployment: what their containers keep, and what is asked before they are stopped. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, textAt } from '../../src/domain/cluster/json.ts'
import { workload } from '../support/dev/workloads.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

type Kind = 'DaemonSet' | 'Job' | 'CronJob'

const manifest = 'dev:\n  api:\n    workdir: /tmp\n    persistentVolume: { enabled: false }\n'

const specOf = async (space: Space, kind: Kind | 'StatefulSet', ...path: ReadonlyArray<string>) =>
  at((await space.get(kind, 'api')) ?? null, 'spec', ...path)

const statefulSet = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  const ports = [{ port: 80 }]
  await space.create('Service', {
    metadata: { name: 'api' },
    spec: { clusterIP: 'None', selector: { app: 'api' }, ports },
  })
  const writing = 'echo "kept by $HOSTNAME" >/data/kept; trap exit TERM; while :; do sleep 1; done'
  const mounts = [{ name: 'data', mountPath: '/data' }]
  const app = { name: 'app', image: 'busybox:1.37', command: ['sh', '-c', writing], volumeMounts: mounts }
  const claim = { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '10Mi' } } }
  const spec = {
    persistentVolumeClaimRetentionPolicy: { whenScaled: 'Delete', whenDeleted: 'Retain' },
    volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: claim }],
  }
  await space.create('StatefulSet', workload('StatefulSet', { spec, pod: { containers: [app] } }))
  await until(
    'it runs',
    async () => at((await space.get('StatefulSet', 'api')) ?? null, 'status', 'readyReplicas') === 2,
  )
  const command = `hostname; cat /data/kept; echo "and developed" >>/data/kept
    until nslookup api-0.api.${space.namespace}.svc.cluster.local | grep -q "$(hostname -i)"; do sleep 0.2; done; echo found`
  const up = await space.must('up', '--yes', '--command', command)
  assert.is(up.stdout, 'api-0\nkept by api-0\nfound\n')
  await space.must('down')
  assert.is(await specOf(space, 'StatefulSet', 'persistentVolumeClaimRetentionPolicy', 'whenScaled'), 'Delete')
  await until('both claims are there', async () => (await space.list('PersistentVolumeClaim')).length === 2)
}

const answered = (space: Space, question: string, isYes: boolean): Promise<void> =>
  space.inTerminal(['up', '--command', 'echo "developed here"'], async (terminal) => {
    await terminal.until(question)
    terminal.type(isYes ? 'y' : 'n')
    terminal.press('Enter')
    await terminal.until(isYes ? 'status 0' : /status [1-9]/)
    assert.is(/^developed here$/m.test(terminal.shown()), isYes)
  })

const asked =
  (kind: 'DaemonSet' | 'Job', question: string, isStopped: (spec: unknown) => boolean) =>
  async (space: Space): Promise<void> => {
    space.write('devtool.yml', manifest)
    await space.create(kind, workload(kind, { pod: { nodeSelector: { 'kubernetes.io/hostname': 'node1' } } }))
    const status = kind === 'Job' ? 'active' : 'currentNumberScheduled'
    await until('it runs', async () => at((await space.get(kind, 'api')) ?? null, 'status', status) === 1)
    const before = await specOf(space, kind)

    const mute = await space.run('up', '--command', 'true')
    assert.equal([mute.status, mute.stderr.includes(`cannot ask "${question}"`)], [5, true])
    await answered(space, question, false)
    assert.equal(await specOf(space, kind), before)
    assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])

    await answered(space, question, true)
    assert.ok(isStopped((await space.get(kind, 'api'))?.['spec']))
    const [pod] = await space.list('Pod', 'dev.devtool/mirror')
    assert.is(textAt(pod, 'spec', 'restartPolicy'), 'Always')
    assert.equal(
      Object.keys(pod?.metadata.labels ?? {}).filter((label) => label.includes('job')),
      [],
    )
    await space.must('down')
    assert.equal(await specOf(space, kind), before)
  }

const cronJob = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  await space.create('CronJob', workload('CronJob'))
  const up = await space.must('up', '--yes', '--command', 'echo "$COLOUR"')
  assert.is(up.stdout, 'red\n')
  assert.is(await specOf(space, 'CronJob', 'suspend'), true)
  await space.must('down')
  assert.is(await specOf(space, 'CronJob', 'suspend'), false)
}

const nowhere = (spec: unknown): boolean => JSON.stringify(spec).includes('"dev.devtool/nowhere":"true"')
const suspended = (spec: unknown): boolean => JSON.stringify(spec).includes('"suspend":true')

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'a StatefulSet is developed with the data, the name and the address of its first pod',
    space: 'dev-stateful',
    run: statefulSet,
  },
  {
    title: 'a DaemonSet is stopped only after a question that says on how many nodes',
    space: 'dev-daemon',
    run: asked('DaemonSet', 'DaemonSet/api runs on 1 node: stop it on all of them?', nowhere),
  },
  {
    title: 'a running Job is suspended only after a question, and its development container is no pod of it',
    space: 'dev-job',
    run: asked('Job', 'Job/api is running: suspend it, which ends its pods?', suspended),
  },
  { title: 'a CronJob is suspended while it is developed', space: 'dev-cron', run: cronJob },
].map((scenario) => ({ ...scenario, options }))

const test = suite('dev-kinds')
await scenarios(test, all)
test.run()
