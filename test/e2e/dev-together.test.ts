/** One workload, and several who want it: sessions, people, `down`, `deploy`, `destroy`, and its deletion. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, listAt } from '../../src/domain/cluster/json.ts'
import { editorOf } from '../support/e2e/account.ts'
import { shown } from '../support/e2e/command.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { until } from '../support/process/until.ts'

const manifest = `dev:
  api:
    workdir: /tmp
    persistentVolume: { enabled: false }
`

const lasting = ['--yes', '--command', 'echo ready; sleep 1000'] as const
const short = ['--yes', '--command', 'echo second'] as const

const prepared = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  await space.create('Deployment', sleeping())
}

const replicas = async (space: Space): Promise<unknown> => at(await space.get('Deployment', 'api'), 'spec', 'replicas')

const nothingIsLeft = (space: Space): Promise<void> =>
  until('nothing is left', async () => {
    const kinds = ['ConfigMap', 'Secret', 'Deployment', 'Pod'] as const
    const left = await Promise.all(kinds.map((kind) => space.list(kind, 'dev.devtool/mirror')))
    return left.flat().length === 0
  })

const twoSessions = async (space: Space): Promise<void> => {
  await prepared(space)
  const first = space.start('up', ...lasting)
  await first.says('ready')
  const refused = await space.run('up', ...short)
  assert.is(refused.status, 7, shown(refused))
  assert.match(
    refused.stderr,
    `DT5005: Deployment/api is developed by another session of yours (process ${first.child.pid})`,
  )
  assert.is((await space.must('exec', '--', 'echo', 'beside')).stdout, 'beside\n')
  const second = await space.must('up', ...short, '--take-over')
  assert.is(second.stdout, 'second\n')
  const ended = await first.ended
  assert.is(ended.status, 5, shown(ended))
  assert.match(ended.stderr, 'has taken it over')
  await space.must('down')
  assert.is(await replicas(space), 2)
}

const twoPeople = async (space: Space, lab: Lab): Promise<void> => {
  await prepared(space)
  const account = await editorOf(lab, space)
  const other = space.through(account.kubeconfig, account.context)
  const first = space.start('up', ...lasting)
  await first.says('ready')
  for (const refused of [await other.run('up', ...short), await other.run('down', 'api')]) {
    assert.is(refused.status, 7, shown(refused))
    assert.match(refused.stderr, 'DT5006: Deployment/api is developed by ')
  }
  assert.is((await other.must('up', ...short, '--take-over')).stdout, 'second\n')
  const ended = await first.ended
  assert.is(ended.status, 5, shown(ended))
  assert.match(ended.stderr, `system:serviceaccount:${space.namespace}:editor`)
  assert.is((await space.run('down')).status, 7)
  await other.must('down')
  assert.is(await replicas(space), 2)
  await nothingIsLeft(space)
}

/** KEDA is not in the cluster, but this is what it leaves there. */
const scaledByKeda = {
  metadata: {
    name: 'keda-hpa-api',
    ownerReferences: [{ apiVersion: 'keda.sh/v1alpha1', kind: 'ScaledObject', name: 'queue', uid: 'u-queue' }],
  },
  spec: {
    scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'api' },
    minReplicas: 1,
    maxReplicas: 3,
  },
}

const mayNotPause = async (space: Space, lab: Lab): Promise<void> => {
  await prepared(space)
  await space.create('HorizontalPodAutoscaler', scaledByKeda)
  const account = await editorOf(lab, space)
  const refused = await space.through(account.kubeconfig, account.context).run('up', ...short)
  assert.is(refused.status, 4, shown(refused))
  assert.match(refused.stderr, /DT5054: not allowed in namespace .*: list, patch scaledobjects\.keda\.sh/)
  assert.match(refused.stderr, 'ScaledObject/queue')
  assert.is(await replicas(space), 2)
  assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
}

const downMeanwhile = async (space: Space): Promise<void> => {
  await prepared(space)
  const up = space.start('up', ...lasting)
  await up.says('ready')
  await space.must('down')
  const ended = await up.ended
  assert.is(ended.status, 5, shown(ended))
  assert.match(ended.stderr, 'it was taken down')
  await space.must('down')
  assert.is(await replicas(space), 2)
  await nothingIsLeft(space)
}

const downAtOnce = async (space: Space): Promise<void> => {
  await prepared(space)
  for (const pause of ['record', 'mirror'] as const) {
    const up = space.start('up', ...lasting)
    await until(`there is a ${pause}`, async () => {
      const found = await space.list(pause === 'record' ? 'ConfigMap' : 'Deployment', 'dev.devtool/mirror')
      return found.length > 0
    })
    await space.must('down')
    const { status, stderr } = await up.ended
    assert.is(status, 5, stderr)
    await space.must('down')
    assert.is(await replicas(space), 2)
    await nothingIsLeft(space)
  }
}

const deletedOriginal = async (space: Space): Promise<void> => {
  await prepared(space)
  const up = space.start('up', ...lasting)
  await up.says('ready')
  await space.remove('Deployment', 'api')
  const ended = await up.ended
  assert.is(ended.status, 5, shown(ended))
  await nothingIsLeft(space)
  await space.must('down', 'api')
}

const terminated = async (space: Space): Promise<void> => {
  await prepared(space)
  for (const signal of ['SIGTERM', 'SIGHUP', 'SIGINT'] as const) {
    const up = space.start('up', ...lasting)
    await up.says('ready')
    up.child.kill(signal)
    await up.ended
    assert.is(await replicas(space), 0)
  }
  assert.is((await space.must('up', ...short)).stdout, 'second\n')
  await space.must('down')
  await nothingIsLeft(space)
}

const compose = (colour: string, scale: number): string => `services:
  api:
    image: busybox:1.37
    command: [sleep, "3600"]
    stop_grace_period: 0s
    scale: ${scale}
    environment: { COLOUR: ${colour} }
`

const deployed = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose('blue', 1))
  await space.must('deploy')
  const up = space.start('up', 'api', ...lasting)
  await up.says('ready')
  const running = async () => {
    const pods = await space.list('Pod', 'dev.devtool/mirror')
    const { stdout } = await space.must('exec', 'api', '--', 'pidof', 'sleep')
    return { pods: pods.map(({ metadata }) => metadata.uid), sleeps: stdout }
  }
  const before = await running()
  space.write('compose.yml', compose('green', 3))
  const again = await space.must('deploy', '--loglevel', 'info')
  assert.match(again.stderr, 'DT5021')
  assert.is(await replicas(space), 0)
  await up.says('`devtool restart api ')
  assert.equal(await running(), before)
  await space.must('restart', 'api')
  await until('the new pod is there', async () => {
    const { stdout } = await space.run('exec', 'api', '--', 'sh', '-c', 'echo $COLOUR')
    return stdout === 'green\n'
  })
  await space.must('down', 'api')
  await up.ended
  assert.is(await replicas(space), 3)

  const second = space.start('up', 'api', ...lasting)
  await second.says('ready')
  await space.must('destroy', '--wait')
  const ended = await second.ended
  assert.is(ended.status, 5, shown(ended))
  await nothingIsLeft(space)
}

/** With a named volume, the service is a StatefulSet instead. */
const replacedMeanwhile = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose('blue', 2))
  await space.must('deploy')
  const up = space.start('up', 'api', ...lasting)
  await up.says('ready')
  const seen = async (): Promise<ReadonlyArray<string>> => {
    const kinds = ['Deployment', 'StatefulSet', 'ConfigMap', 'Secret', 'PersistentVolumeClaim'] as const
    const found = await Promise.all(kinds.map((kind) => space.list(kind)))
    return found.flat().map(({ metadata: { name, uid } }) => `${name} ${uid}`)
  }
  const before = [await seen(), at(await space.get('Deployment', 'api'), 'spec')]
  space.write('compose.yml', `${compose('blue', 2)}    volumes: ["data:/data"]\nvolumes: { data: {} }\n`)
  const refused = await space.run('deploy')
  assert.is(refused.status, 7, shown(refused))
  assert.match(refused.stderr, /DT5020: Deployment\/api is developed by .*, and would have to be deleted and recreated/)
  assert.equal([await seen(), at(await space.get('Deployment', 'api'), 'spec')], before)
  await space.must('down', 'api')
  await up.ended
  await space.must('deploy')
  assert.equal(await space.list('Deployment'), [])
}

/** Each time in a new pod. */
const restartedAtOnce = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose('blue', 1))
  await space.must('deploy')
  const up = space.start('up', 'api', '--yes', '--auto-restart', '--command', 'echo "$COLOUR in $HOSTNAME"; sleep 1000')
  await up.says('blue in ')
  space.write('compose.yml', compose('green', 1))
  await space.must('deploy')
  await up.says('green in ')
  const [container] = listAt(await space.get('Deployment', 'api'), 'spec', 'template', 'spec', 'containers')
  const edited = { ...(isObject(container) ? container : {}), env: [{ name: 'COLOUR', value: 'red' }] }
  await space.merge('Deployment', 'api', { spec: { template: { spec: { containers: [edited] } } } })
  await up.says('red in ')
  up.child.kill('SIGINT')
  const { stderr, stdout } = await up.ended
  const pods = stdout.match(/(?<= in ).+$/gm)
  assert.equal([pods?.length, new Set(pods).size], [3, 3], stdout)
  assert.is(stderr.match(/Deployment\/api has changed/g)?.length, 2, stderr)
  assert.is(await replicas(space), 0)
  await space.must('down', 'api')
  assert.is(await replicas(space), 1)
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'an autoscaler that may not be paused is named before anything is written',
    space: 'dev-keda',
    run: mayNotPause,
  },
  { title: 'a second session is refused, or takes over and ends the first', space: 'dev-two', run: twoSessions },
  {
    title: 'a developed workload can be taken over, but not developed or ended, by another user',
    space: 'dev-people',
    run: twoPeople,
  },
  { title: 'down ends an up that runs, and can be run again', space: 'dev-down', run: downMeanwhile },
  { title: 'down while up is still starting leaves nothing', space: 'dev-at-once', run: downAtOnce },
  { title: 'a workload that is deleted ends up, and nothing is left', space: 'dev-deleted', run: deletedOriginal },
  { title: 'a signal ends up, and the container stays for the next one', space: 'dev-signals', run: terminated },
  {
    title:
      'deploy leaves a developed workload stopped, restart applies the change, down restores the new scale, destroy ends everything',
    space: 'dev-deploy',
    run: deployed,
  },
  {
    title: 'a deploy that would have to recreate a developed workload changes nothing',
    space: 'dev-replaced',
    run: replacedMeanwhile,
  },
  {
    title: 'with --auto-restart, the command runs again in a new pod after a deploy and after an edit of the workload',
    space: 'dev-auto',
    run: restartedAtOnce,
  },
].map((scenario) => ({ ...scenario, options }))

const test = suite('dev-together')
await scenarios(test, all)
test.run()
