/** `mode: hybrid` on the real cluster: the command runs here, its variables and its callers are those of the container. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at } from '../../src/domain/cluster/json.ts'
import { shown } from '../support/e2e/command.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { staysAlive } from '../support/process/alive.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const manifest = (port: number): string => `dev:
  api:
    mode: hybrid
    workdir: app
    environment: { LEVEL: debug }
    reverse: ["8080:${port}"]
`

const fromCluster = {
  ports: [{ containerPort: 8080 }],
  env: [{ name: 'TOKEN', valueFrom: { secretKeyRef: { name: 'api', key: 'token' } } }],
  envFrom: [{ configMapRef: { name: 'api' } }],
}

const server = `const { COLOR, HOME, LEVEL, SIZE, TOKEN } = process.env
const { createServer } = require('node:http')
createServer((_, answer) => answer.end([COLOR, LEVEL, SIZE, TOKEN, HOME].join(' '))).listen(Number(process.argv[2]), () => {
  require('node:fs').writeFileSync('pid', String(process.pid))
  console.log('serving')
})
`

const prepared = async (space: Space): Promise<number> => {
  const port = await freePort()
  space.write('devtool.yml', manifest(port))
  space.write('app/server.js', server)
  await space.create('Secret', { metadata: { name: 'api' }, stringData: { token: 's3cret' } })
  await space.create('ConfigMap', { metadata: { name: 'api' }, data: { COLOR: 'blue' } })
  await space.create('Service', {
    metadata: { name: 'api' },
    spec: { selector: { app: 'api' }, ports: [{ port: 8080 }] },
  })
  await space.create('Deployment', sleeping({ container: fromCluster }))
  return port
}

const pidIn = (space: Space): number => Number(readFileSync(join(space.folder, 'app/pid'), 'utf8'))

const answered = (space: Space, expected: string): Promise<void> =>
  until('the Service leads here', async () => (await space.inside('api', 8080).catch(() => undefined)) === expected)

const served = async (space: Space): Promise<void> => {
  const port = await prepared(space)
  const serving = ['--yes', '--env', 'SIZE=small', '--command', `node server.js ${port}`] as const
  const up = space.start('up', ...serving)
  await up.says('serving')
  const expected = `blue debug small s3cret ${join(space.folder, '..')}`
  await answered(space, expected)
  assert.is((await space.must('exec', '--', 'sh', '-c', 'echo "$COLOR $TOKEN"')).stdout, 'blue s3cret\n')
  // It goes on here while its pod is replaced.
  await space.must('restart')
  await answered(space, expected)
  process.kill(pidIn(space), 0)
  await space.must('down')
  const ended = await up.ended
  assert.is(ended.status, 5, shown(ended))
  assert.match(ended.stderr, 'DT5053')
  assert.is(await staysAlive(pidIn(space)), false)
  assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
}

const ownStatus = async (space: Space): Promise<void> => {
  await prepared(space)
  const up = await space.run('up', '--yes', '--command', 'pwd; echo err >&2; exit 6')
  assert.equal([up.status, up.stdout], [6, `${join(space.folder, 'app')}\n`], shown(up))
  assert.match(up.stderr, /^err$/m)
  const missing = await space.run('up', '--yes', '--command', 'no-such-program', '--command', 'x')
  assert.match(missing.stderr, 'DT3503')
  await space.must('down')
}

const atTheTerminal = async (space: Space): Promise<void> => {
  await prepared(space)
  const trapping = "trap 'echo caught > caught; exit 5' INT; echo ready; while :; do sleep 0.1; done"
  await space.inTerminal(['up', '--yes', '--command', trapping], async ({ press, until: shows }) => {
    await shows('ready')
    press('C-c')
    await shows('status 5')
    assert.ok(existsSync(join(space.folder, 'app/caught')))
  })
  const shell = ['up', '--yes', '--command', 'sh -i']
  await space.inTerminal(shell, async ({ press, type, until: shows }) => {
    await shows(/^[$#]/m)
    type('test -t 0 && echo "a terminal, $COLOR"; exit 4')
    press('Enter')
    await shows('a terminal, blue')
    await shows('status 4')
  })
  await space.must('down')
}

const inBackground = async (space: Space): Promise<void> => {
  const port = await prepared(space)
  const up = await space.run('up', '--yes', '--detach', '--command', `node server.js ${port}`)
  assert.is(up.status, 0, shown(up))
  await until('it serves', async () => existsSync(join(space.folder, 'app/pid')))
  const beside = await space.run('up', '--command', 'echo "$COLOR $SIZE"; exit 3', '--env', 'SIZE=large')
  assert.equal([beside.status, beside.stdout], [3, 'blue large\n'], shown(beside))
  await space.must('down')
  assert.is(await staysAlive(pidIn(space)), false)
}

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const all: ReadonlyArray<Scenario> = [
  {
    title: 'until down, a Service leads to the local program, which has the variables of the container',
    space: 'hybrid-served',
    options,
    run: served,
  },
  { title: 'the command runs in workdir here, with its exit status', space: 'hybrid-status', options, run: ownStatus },
  { title: 'the command has the terminal, and its Ctrl-C', space: 'hybrid-terminal', options, run: atTheTerminal },
  {
    title: 'one command runs in the background, and another one at the same time',
    space: 'hybrid-detached',
    options,
    run: inBackground,
  },
]

const test = suite('dev-hybrid')
await scenarios(test, all)
test.run()
