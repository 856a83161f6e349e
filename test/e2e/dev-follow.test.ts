/** Workloads and services that are deployed again while they are developed, with a session of `up` and without one. */
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, listAt, textAt } from '../../src/domain/cluster/json.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { until } from '../support/process/until.ts'

const manifest = `deploy: { compose: compose.yml }
dev:
  api:
    workdir: /tmp
    environment: { MINE: "yes" }
    services: [{ name: worker }]
`

const compose = (colour: string): string =>
  ['api', 'worker'].reduce(
    (text, name) => `${text}  ${name}:
    image: busybox:1.37
    command: [sleep, "3600"]
    stop_grace_period: 0s
    environment: { COLOUR: ${colour} }
`,
    'services:\n',
  )

const deployed = async (space: Space, colour: string): Promise<void> => {
  space.write('devtool.yml', manifest)
  space.write('compose.yml', compose(colour))
  await space.must('deploy')
}

/** The pods that run instead of the workload's, each with its colour. */
const copies = async (space: Space, name: string): Promise<ReadonlyArray<string>> => {
  const pods = await space.list('Pod', `dev.devtool/mirror=devtool-up-deployment-${name}`)
  return pods
    .filter(({ metadata }) => metadata.deletionTimestamp === undefined)
    .map((pod) => {
      const containers = listAt(pod, 'spec', 'containers')
      const app = containers.find((one) => textAt(one, 'name') === name)
      const colour = listAt(app, 'env').find((one) => textAt(one, 'name') === 'COLOUR')
      return `${pod.metadata.name} ${textAt(colour, 'value')}`
    })
}

const comes = (space: Space, name: string, colour: string): Promise<void> =>
  until(`the pod of ${name} is ${colour}`, async () => {
    const [only, ...more] = await copies(space, name)
    return only !== undefined && more.length === 0 && only.endsWith(` ${colour}`)
  })

const runs = (space: Space, colour: string): Promise<void> =>
  until('the new pod runs', async () => {
    const { stdout } = await space.run('exec', 'api', '--', 'sh', '-c', 'echo $COLOUR $MINE')
    return stdout === `${colour} yes\n`
  })

const followed = async (space: Space): Promise<void> => {
  await deployed(space, 'blue')
  const up = space.start('up', 'api', '--yes', '--command', 'echo ready; sleep 1000')
  await up.says('ready')
  const before = [await copies(space, 'api'), await copies(space, 'worker')]
  await deployed(space, 'green')
  await up.says('Deployment/worker has changed')
  await up.says('Deployment/api has changed')
  assert.equal([await copies(space, 'api'), await copies(space, 'worker')], before)
  await space.must('restart', 'api')
  await comes(space, 'worker', 'green')
  await runs(space, 'green')
  up.child.kill('SIGINT')
  await up.ended

  await deployed(space, 'red')
  const mirror = await space.get('Deployment', 'devtool-up-deployment-api')
  assert.is(at(mirror, 'spec', 'paused'), undefined)
  await space.must('restart', 'api')
  await comes(space, 'worker', 'red')
  await runs(space, 'red')

  await deployed(space, 'white')
  assert.is((await space.must('up', 'api', '--yes', '--command', 'echo $COLOUR $MINE')).stdout, 'white yes\n')
  await comes(space, 'worker', 'white')
  await space.must('down', 'api')
}

const all: ReadonlyArray<Scenario> = [
  {
    title: 'a deploy reaches the development container and its services at the restart, whether or not up runs',
    space: 'dev-follow',
    run: followed,
    options: { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } },
  },
]

const test = suite('dev-follow')
await scenarios(test, all)
test.run()
