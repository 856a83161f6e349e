/** `up` on the real cluster while its pod is deleted or evicted or its agent hangs, with and without a terminal. */
import { connect } from 'node:net'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import type { Lab, Space } from '../support/e2e/e2e.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { untilSized } from '../support/e2e/tmux.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const options = { env: { DEVTOOL_AGENT_IMAGE: 'node:22.23-bookworm-slim' } }

const prepared = async (space: Space, more = ''): Promise<void> => {
  space.write('devtool.yml', `dev:\n  api:\n    workdir: /tmp\n    persistentVolume: { enabled: false }\n${more}`)
  space.write('hello.txt', 'hello')
  await space.create('Deployment', sleeping({ replicas: 1 }))
}

/** The name of the pod that is not being deleted, once there is one. */
const developed = async (space: Space): Promise<string> => {
  let name = ''
  await until('a pod', async () => {
    const pods = await space.list('Pod', 'dev.devtool/mirror')
    name = pods.find(({ metadata }) => metadata.deletionTimestamp === undefined)?.metadata.name ?? ''
    return name !== ''
  })
  return name
}

const answered = (port: number): Promise<string> =>
  new Promise((resolve) => {
    let text = ''
    const socket = connect({ port, host: '127.0.0.1' })
    socket.on('data', (chunk) => {
      text += chunk.toString()
    })
    for (const event of ['error', 'end', 'close']) socket.on(event, () => resolve(text))
  })

const forwarded = (port: number, text: string): Promise<void> =>
  until(`${text} at port ${port}`, async () => (await answered(port)) === text)

const deletedPod = async (space: Space): Promise<void> => {
  const port = await freePort()
  await prepared(space, `    forward: ["${port}:7000"]\n`)
  const serve = 'cat hello.txt; echo " from $HOSTNAME"; while :; do echo -n $HOSTNAME | nc -l -p 7000; done'
  const up = space.start('up', '--yes', '--command', serve)
  for (const isLast of [false, false, true]) {
    const pod = await developed(space)
    await up.says(`hello from ${pod}`)
    await forwarded(port, pod)
    if (!isLast) await space.remove('Pod', pod)
  }
  up.child.kill('SIGINT')
  const { status, stderr, stdout } = await up.ended
  assert.is(status, 130, stderr)
  assert.is(stdout.match(/hello from/g)?.length, 3)
  assert.is(stderr.match(/connection lost/g)?.length, 2, stderr)
  assert.is(stderr.match(/its pod was replaced, so the command is started again/g)?.length, 2, stderr)
}

/** As `kubectl drain` asks for it. */
const evict = async ({ api }: Lab, space: Space): Promise<void> => {
  const name = await developed(space)
  const body = JSON.stringify({ apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name } })
  const path = `/api/v1/namespaces/${space.namespace}/pods/${name}/eviction`
  const { status } = await api.send({ method: 'POST', path, body, type: 'application/json' })
  assert.is(status, 201)
}

const evictedPod = async (space: Space, lab: Lab): Promise<void> => {
  await prepared(space)
  await space.inTerminal(['up', '--yes'], async (terminal) => {
    await terminal.until(/^\/tmp #/m)
    terminal.type('vi hello.txt')
    terminal.press('Enter')
    await terminal.until(/^~$/m)
    await evict(lab, space)
    await terminal.until('the shell is started again')
    terminal.type('cat hello.txt; echo " on $HOSTNAME"; stty size')
    terminal.press('Enter')
    await terminal.until(`hello on ${await developed(space)}`)
    await terminal.until('30 100')
    terminal.resize(132, 43)
    terminal.type(untilSized('43 132'))
    terminal.press('Enter')
    await terminal.until(/^43 132$/m)
    terminal.type('exit 5')
    terminal.press('Enter')
    await terminal.until('status 5')
    assert.is(terminal.shown().match(/its pod was replaced/g)?.length, 1, terminal.shown())
  })
}

/** The container alone is started again, as after a kill for its memory: the pod stays. */
const restartedContainer = async (space: Space): Promise<void> => {
  await prepared(space)
  await space.inTerminal(['up', '--yes'], async (terminal) => {
    await terminal.until(/^\/tmp #/m)
    const pod = await developed(space)
    terminal.type('kill -TERM 1')
    terminal.press('Enter')
    await terminal.until('its container was restarted, or cut off for a minute, so the shell is started again')
    terminal.type('cat hello.txt; echo " on $HOSTNAME"; exit 7')
    terminal.press('Enter')
    await terminal.until(`hello on ${pod}`)
    await terminal.until('status 7')
  })
}

/** Where the kernel kills the greedy program alone, the first process of the container is ended, too. */
const outOfMemory = async (space: Space): Promise<void> => {
  await prepared(space, '    resources: { limits: { memory: 96Mi } }\n')
  await space.inTerminal(['up', '--yes'], async (terminal) => {
    await terminal.until(/^\/tmp #/m)
    terminal.type('tail /dev/zero; kill -TERM 1')
    terminal.press('Enter')
    await terminal.until('the shell is started again')
    await terminal.until('the development container was killed: it exceeded its memory limit of 96Mi')
    terminal.type('exit 4')
    terminal.press('Enter')
    await terminal.until('status 4')
    assert.is(terminal.shown().match(/was killed/g)?.length, 1, terminal.shown())
  })
  const later = await space.must('up', '--yes', '--command', 'sleep 3')
  assert.not.match(later.stderr, 'was killed')
}

const noNextPod = async (space: Space): Promise<void> => {
  await prepared(space)
  const up = space.start('up', '--yes', '--timeout', '100s', '--command', 'echo ready; sleep 1000')
  await up.says('ready')
  const [mirror] = await space.list('Deployment', 'dev.devtool/mirror')
  await space.merge('Deployment', textAt(mirror, 'metadata', 'name') ?? '', { spec: { replicas: 0 } })
  const { status, stderr } = await up.ended
  assert.is(status, 125, stderr)
  assert.match(stderr, /no pod of it ran within 100 s/)
}

const noPlace = async (space: Space): Promise<void> => {
  await prepared(space)
  const up = space.start('up', '--yes', '--command', 'echo ready; sleep 1000')
  await up.says('ready')
  const [mirror] = await space.list('Deployment', 'dev.devtool/mirror')
  const select = (nowhere: string | null): Promise<void> =>
    space.merge('Deployment', textAt(mirror, 'metadata', 'name') ?? '', {
      spec: { template: { spec: { nodeSelector: { nowhere } } } },
    })
  await select('there')
  await up.says('still no connection: the new pod waits: no suitable node')
  await select(null)
  await up.says('connected to the new pod')
  up.child.kill('SIGINT')
  const { status, stderr } = await up.ended
  assert.is(status, 130, stderr)
}

/** Its server accepts connections and says nothing, since it is stopped; the shell that it made lives in another process. */
const hangingAgent = async (space: Space): Promise<void> => {
  await prepared(space)
  await space.inTerminal(['up', '--yes'], async (terminal) => {
    await terminal.until(/^\/tmp #/m)
    const hang = 'server=$PPID; (sleep 50; kill -CONT $server) >/dev/null 2>&1 & kill -STOP $server'
    const exec = space.start('exec', 'api', '--', 'sh', '-c', hang)
    const begun = performance.now()
    const since = (): string => ((performance.now() - begun) / 1000).toFixed(1)
    await terminal.until('connection lost')
    const lost = since()
    await terminal.until('still no connection')
    process.stdout.write(`  the hanging agent is noticed after ${lost} s, and still hangs after ${since()} s\n`)
    assert.not.match(terminal.shown(), 'connected again', 'said while it hangs')
    await terminal.until('connected again')
    await exec.ended
    terminal.type('exit 3')
    terminal.press('Enter')
    await terminal.until('status 3')
  })
}

const all: ReadonlyArray<Scenario> = [
  {
    title: 'when its pod is deleted, up sends the files again, starts the command again, and its ports stay open',
    space: 'heal-deleted',
    options,
    run: deletedPod,
  },
  {
    title: 'when its pod is evicted while an editor runs, up has a shell in the next one, and the terminal is restored',
    space: 'heal-evicted',
    options,
    run: evictedPod,
  },
  {
    title: 'when its container is restarted, up has a shell in the same pod',
    space: 'heal-restarted',
    options,
    run: restartedContainer,
  },
  {
    title: 'when its container is killed for its memory, up names the limit once',
    space: 'heal-memory',
    options,
    run: outOfMemory,
  },
  {
    title: 'when its agent hangs, up reports the lost connection, then the restored one',
    space: 'heal-hanging',
    options,
    run: hangingAgent,
  },
  {
    title: 'when no new pod starts in time, up ends with an error',
    space: 'heal-none',
    options,
    run: noNextPod,
  },
  { title: 'up says why the next pod does not run', space: 'no-place', options, run: noPlace },
]

const test = suite('dev-heal')
await scenarios(test, all)
test.run()
