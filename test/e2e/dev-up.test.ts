/** `up`, `exec`, `restart`, `status` and `down` on the real cluster, without a terminal. */

import { connect, createServer } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { at, textAt } from '../../src/domain/cluster/json.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { isAlive } from '../support/process/alive.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const manifest = `dev:
  api:
    workdir: /tmp
    environment: { LEVEL: debug }
    persistentVolume: { enabled: false }
`

const developed = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  space.write('hello.txt', 'hello')
  await space.create('Deployment', sleeping({ container: { env: [{ name: 'COLOR', value: 'blue' }] } }))
  const before = await space.get('Deployment', 'api')

  const shows = 'echo "$COLOR $LEVEL $SIZE $PWD"; exit 5'
  const up = await space.run('up', '--yes', '--command', shows, '--env', 'SIZE=small')
  assert.is(up.status, 5, up.stderr)
  assert.is(up.stdout, 'blue debug small /tmp\n')
  assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 0)

  const exec = await space.run('exec', 'api', '--', 'sh', '-c', 'echo out; echo err >&2; exit 9')
  assert.equal([exec.status, exec.stdout], [9, 'out\n'])
  assert.match(exec.stderr, /^err$/m)
  const { stdout } = await space.must('status', '-o', 'json')
  assert.is(textAt(JSON.parse(stdout), 'devs', 0, 'state'), 'running')
  assert.is((await space.must('exec', '--', 'cat', '/tmp/hello.txt')).stdout, 'hello')
  assert.match(up.stderr, /synchronised: 2 files/)
  await space.must('restart')

  await space.must('down')
  const after = await space.get('Deployment', 'api')
  assert.equal(at(after, 'spec'), at(before, 'spec'))
  assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
  assert.is((await space.run('exec', '--', 'true')).status, 5)
  await space.must('down')
}

const greetingOf = (port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1' })
    socket.once('error', reject)
    socket.once('data', (bytes) => {
      socket.destroy()
      resolve(bytes.toString())
    })
  })

const asked = (host: string, port: number): Promise<string | undefined> =>
  fetch(`http://${host}:${port}`).then(
    (response) => response.text(),
    () => undefined,
  )

/** What a section says, and no object of the cluster shows. */
const sectioned = async (space: Space): Promise<void> => {
  const [port, remote] = [await freePort(), await freePort()]
  const serve = 'mkdir /tmp/w; echo own >/tmp/w/index.html; httpd -p 8080 -h /tmp/w; echo "ready $0 $1"; sleep 1000'
  const section = `dev:
  api:
    persistentVolume: { enabled: false }
    command: [sh, -c, ${JSON.stringify(serve)}]
    args: [first, second]
    interface: 127.0.0.2
    remote: ${remote}
    forward: [{ localPort: ${port}, remotePort: 8080, labels: { dev.devtool/kind: up } }]
`
  space.write('devtool.yml', section)
  await space.create('Deployment', sleeping())
  const up = space.start('up', '--yes')
  await up.says('ready first second')
  assert.is(await asked('127.0.0.2', port), 'own\n')
  assert.is(await asked('127.0.0.1', port), undefined)
  assert.match(await greetingOf(remote), /^SSH-2\.0-devtool/)
  up.child.kill('SIGINT')
  await up.ended
  await space.must('down')

  // Its pod takes longer than that.
  const slow = { name: 'slow', image: 'busybox:1.37', command: ['sleep', '15'] }
  await space.merge('Deployment', 'api', { spec: { template: { spec: { initContainers: [slow] } } } })
  space.write('devtool.yml', 'dev:\n  api:\n    timeout: 3\n')
  const late = await space.run('up', '--yes', '--command', 'true')
  assert.match(late.stderr, /DT5056[^]*--timeout 10m[^]*waits longer/)
  await space.must('down')
}

/** Of an `up` that cannot begin: a bad name, and a service beside it that is missing. */
const missing = async (space: Space): Promise<void> => {
  await space.create('Deployment', sleeping())
  const before = await space.get('Deployment', 'api')
  const sections = ['  apj: {}\n', '  api:\n    services:\n      - name: worker\n']
  for (const section of sections) {
    space.write('devtool.yml', `dev:\n${section}`)
    const up = await space.run('up', '--yes', '--command', 'true')
    assert.is(up.status, 5, up.stderr)
    assert.match(up.stderr, 'DT5001')
  }
  const left = await space.list('ConfigMap')
  assert.equal(
    left.map(({ metadata }) => metadata.name),
    ['kube-root-ca.crt'],
  )
  assert.equal([await space.list('Secret'), await space.list('Lease')], [[], []])
  assert.equal(at(await space.get('Deployment', 'api'), 'spec'), at(before, 'spec'))
}

const compose = `services:
  api:
    image: busybox:1.37
    command: [sh, -c, "echo api; sleep 3600"]
    stop_grace_period: 0s
    environment: { COLOR: green }
    volumes: [./web:/web, /:/machine]
  db:
    image: busybox:1.37
    command: [sleep, "3600"]
    stop_grace_period: 0s
`

const withoutSection = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose)
  space.write('web/index.html', 'home')
  const unknown = await space.run('up', 'apj', '--yes')
  assert.is(unknown.status, 2)
  assert.match(unknown.stderr, /DT5051[^]*did you mean "api"\?/)

  const up = await space.run('up', 'api', '--yes', '--command', 'echo "$COLOR $(cat /web/index.html)"; exit 6')
  assert.is(up.status, 6, up.stderr)
  assert.is(up.stdout, 'green home\n')
  assert.match(up.stderr, /api.* deployed/)
  assert.match(up.stderr, /api.* connected/)
  const exec = await space.run('exec', '--', 'echo', 'in api')
  assert.equal([exec.status, exec.stdout], [0, 'in api\n'])
  assert.is(at(await space.get('Deployment', 'db'), 'spec', 'replicas'), 1)
  await space.must('down')
  assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 1)
}

/** Neither a section nor a flag names a command or a port. */
const asComposed = async (space: Space): Promise<void> => {
  const port = await freePort()
  const serve = 'cat /web/index.html; exec httpd -f -p 8080 -h /web'
  const service = compose
    .replace('"echo api; sleep 3600"', JSON.stringify(serve))
    .replace('  db:', `    ports: ["${port}:8080"]\n  db:`)
  space.write('compose.yml', service)
  space.write('web/index.html', 'home\n')
  const up = space.start('up', 'api', '--yes')
  await up.says('home')
  space.write('web/index.html', 'changed here\n')
  await until(
    'the server in the container has the file',
    async () => (await asked('127.0.0.1', port)) === 'changed here\n',
  )
  up.child.kill('SIGINT')
  assert.match((await up.ended).stderr, `forward: localhost:${port} -> container:8080`)
  await space.must('down')
}

const inBackground = async (space: Space): Promise<void> => {
  space.write('devtool.yml', manifest)
  await space.create('Deployment', sleeping({ container: { env: [{ name: 'COLOR', value: 'blue' }] } }))
  const up = await space.run('up', '--yes', '--detach')
  assert.is(up.status, 0, up.stderr)
  assert.match(up.stderr, /runs in the background, process \d+/)
  const sessionOf = async (): Promise<string | undefined> =>
    textAt(JSON.parse((await space.must('status', '-o', 'json')).stdout), 'devs', 0, 'session')
  assert.is(await sessionOf(), 'background')
  const beside = await space.run('up', '--command', 'echo "$LEVEL"; exit 4')
  assert.equal([beside.status, beside.stdout], [4, 'debug\n'])
  assert.is(await sessionOf(), 'background')
  const [, pid = ''] = /process (\d+)/.exec(up.stderr) ?? []
  await space.must('down')
  await until('the session in the background has ended', () => !isAlive(Number(pid)))
  assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
}

const several = async (space: Space): Promise<void> => {
  space.write('compose.yml', compose)
  space.write('web/index.html', 'home')
  const up = await space.run('up', 'api', 'db', '--yes', '--command', 'echo "colour $COLOR"; exit 3')
  assert.is(up.status, 3, up.stderr)
  const lines = up.stdout
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
    .toSorted()
  assert.equal(lines, ['api | colour green', 'db  | colour'])
  const { stdout } = await space.must('status', '-o', 'json')
  assert.is(JSON.parse(stdout).devs.length, 2)
  await space.must('down')
  assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
}

/** A port of this machine that is in use. */
const occupied = async (use: (port: number) => Promise<void>): Promise<void> => {
  const server = createServer()
  await new Promise((resolve) => server.listen(0, '127.0.0.1', () => resolve(undefined)))
  const address = server.address()
  try {
    await use(typeof address === 'object' && address !== null ? address.port : 0)
  } finally {
    server.close()
  }
}

const portInUse = (space: Space): Promise<void> =>
  occupied(async (port) => {
    space.write('devtool.yml', `${manifest}    forward: ["${port}:80"]\n`)
    await space.create('Deployment', sleeping({ container: { env: [{ name: 'COLOR', value: 'blue' }] } }))
    const up = await space.run('up', '--yes', '--command', 'true')
    assert.is(up.status, 7, up.stderr)
    assert.match(up.stderr, /DT3409/)
    assert.is(at(await space.get('Deployment', 'api'), 'spec', 'replicas'), 2)
    assert.equal(await space.list('ConfigMap', 'dev.devtool/kind=up'), [])
  })

/** Of two that are to go on in the background, one cannot. */
const onlyOneInBackground = (space: Space): Promise<void> =>
  occupied(async (port) => {
    space.write('compose.yml', compose)
    space.write('web/index.html', 'home')
    space.write(
      'devtool.yml',
      `deploy: { compose: compose.yml }\ndev:\n  api: {}\n  db:\n    forward: ["${port}:80"]\n`,
    )
    const up = await space.run('up', 'api', 'db', '--yes', '--detach')
    assert.is(up.status, 7, up.stderr)
    assert.match(up.stderr, /DT3409/)
    assert.match(up.stderr, /api.* runs in the background, process \d+/)
    const { devs } = JSON.parse((await space.must('status', '-o', 'json')).stdout)
    assert.equal([devs.length, textAt(devs, 0, 'dev'), textAt(devs, 0, 'session')], [1, 'api', 'background'])
    await space.must('down')
  })

const all: ReadonlyArray<Scenario> = [
  {
    title: 'arguments, addresses, ports and the timeout of a section take effect',
    space: 'dev-section',
    run: sectioned,
  },
  {
    title: 'an `up` whose workload is missing leaves nothing behind',
    space: 'dev-missing',
    run: missing,
  },
  {
    title: 'of several sessions in the background, one that fails does not prevent the others',
    space: 'dev-detach',
    run: onlyOneInBackground,
  },
  {
    title: 'a local port that is in use ends `up` before anything is written',
    space: 'dev-port',
    run: portInUse,
  },
  {
    title: 'a session in the background is connected to, and ends with down',
    space: 'dev-background',
    run: inBackground,
  },
  {
    title: 'several services are developed in one terminal, and each line names its service',
    space: 'dev-several',
    run: several,
  },
  {
    title: 'a workload is developed, commands have their exit status, and down restores it',
    space: 'dev-up',
    run: developed,
  },
  {
    title: 'a service of a Compose file is deployed and developed without a section',
    space: 'dev-up-compose',
    run: withoutSection,
  },
  {
    title: 'a service of a Compose file runs its own command, and its published ports are those of this machine',
    space: 'dev-up-ports',
    run: asComposed,
  },
].map((scenario) => ({ ...scenario, options }))

const test = suite('dev-up')
await scenarios(test, all)
test.run()
