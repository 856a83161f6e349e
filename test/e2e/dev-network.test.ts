/**
 * `up` in a terminal while its network is cut for a second and for half a minute or loses packets, the API server hangs,
 * its agent is killed, and the machine is suspended. The program in the terminal goes on, and no line of it is lost.
 */
import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { installed } from '../support/cli/installed.ts'
import { cuttableCluster } from '../support/e2e/cuttable.ts'
import type { Space } from '../support/e2e/e2e.ts'
import { canMakeNetworks, withNetworkNamespace } from '../support/e2e/network-namespace.ts'
import { type Scenario, scenarios } from '../support/e2e/scenarios.ts'
import { sleeping } from '../support/e2e/sleeping.ts'
import { type Tmux, withTmux } from '../support/e2e/tmux.ts'
import { freePort } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const image = 'node:22.23-bookworm-slim'
const runProgram = promisify(execFile)

const manifest = (port: number): string => `dev:
  api:
    workdir: /tmp
    persistentVolume: { enabled: false }
    forward: ["${port}:8080"]
`

/** Serves a file, and counts. */
const counting = 'echo here >index.html; httpd -p 8080 -h .; n=0; while :; do n=$((n+1)); echo "n=$n"; sleep 0.2; done'

const counted = (terminal: Tmux): ReadonlyArray<number> =>
  [...terminal.shown().matchAll(/^n=(\d+)$/gm)].map(([, number]) => Number(number))

type Fault = { readonly title: string; readonly begin: () => unknown; readonly end: () => unknown; readonly ms: number }

type Cut = {
  readonly terminal: Tmux
  readonly relay: Awaited<ReturnType<typeof cuttableCluster>>
  readonly plug: (isPlugged: boolean) => void
  readonly lost: () => number
  readonly isServed: () => Promise<boolean>
}

const words = (space: Space): ReadonlyArray<string> => [
  'up',
  '--yes',
  '--namespace',
  space.namespace,
  '--agent-image',
  image,
]

/** In a terminal of a network namespace, to which a port of the container is forwarded. */
const withUp = (
  space: Space,
  section: string,
  use: (cut: Cut) => Promise<void>,
  { delayMs = 0, lostPart = 0 } = {},
): Promise<void> =>
  withNetworkNamespace(async ({ host, inside, lose, lost, plug }) => {
    if (lostPart > 0) lose(lostPart)
    const port = await freePort()
    space.write('devtool.yml', manifest(port) + section)
    await space.create('Deployment', sleeping({ replicas: 1 }))
    const relay = await cuttableCluster(host, delayMs)
    const env = { PATH: process.env['PATH'] ?? '', HOME: join(space.folder, '..'), KUBECONFIG: relay.kubeconfig }
    const ask = ['curl', '--silent', '--max-time', '2', `http://127.0.0.1:${port}`]
    const isServed = async (): Promise<boolean> => {
      const [first = '', ...rest] = inside(...ask)
      const { stdout } = await runProgram(first, rest).catch(() => ({ stdout: '' }))
      return stdout === 'here\n'
    }
    await withTmux(inside(...installed, ...words(space)), { cwd: space.folder, env }, (terminal) =>
      use({ terminal, relay, plug, lost, isServed }),
    )
    await space.must('down')
    await relay.close()
  })

const everyNumberOnce = (terminal: Tmux): void => {
  const numbers = counted(terminal)
  const first = numbers[0] ?? 0
  assert.equal(
    numbers,
    numbers.map((_, index) => first + index),
    'every number once',
  )
}

/** One file is changed here, and another in the container, which is reached without the network of the session. */
const editing = (space: Space) => {
  const inPod = async (script: string): Promise<string> =>
    (await space.must('exec', 'api', '--', 'sh', '-c', script)).stdout
  const edited = async (text: string): Promise<void> => {
    space.write('files/here', text)
    await inPod(`mkdir -p files && echo ${text} >files/there`)
  }
  const arrived = async (text: string): Promise<void> => {
    const there = join(space.folder, 'files/there')
    await until(
      `the file of the container is here: ${text}`,
      () => existsSync(there) && readFileSync(there, 'utf8') === `${text}\n`,
    )
    await until(`the file is in the container: ${text}`, async () => (await inPod('cat files/here')) === text)
  }
  return { edited, arrived }
}

const survived = (space: Space): Promise<void> =>
  withUp(space, '', async ({ isServed, plug, relay, terminal }) => {
    await terminal.until(/^\/tmp #/m)
    terminal.type(counting)
    terminal.press('Enter')
    await until('the port is forwarded', isServed)
    const { stdout } = await runProgram('pgrep', ['-f', `^${[...installed, ...words(space)].join(' ')}$`])
    const pid = Number(stdout.trim().split('\n').at(-1))
    const cut = { begin: () => plug(false), end: () => plug(true) }
    const killAgent = () => space.run('exec', 'api', '--', 'sh', '-c', 'kill -9 $PPID')
    const faults: ReadonlyArray<Fault> = [
      { title: 'the network is cut for 1 s', ...cut, ms: 1000 },
      { title: 'the network is cut for 30 s', ...cut, ms: 30_000 },
      {
        title: 'the API server hangs for 10 s',
        begin: () => relay.silence(true),
        end: () => relay.silence(false),
        ms: 10_000,
      },
      { title: 'connections are reset', begin: () => relay.cut(), end: () => {}, ms: 0 },
      { title: 'the agent is killed', begin: killAgent, end: () => {}, ms: 0 },
      {
        title: 'the machine is suspended for 20 s',
        begin: () => process.kill(pid, 'SIGSTOP'),
        end: () => process.kill(pid, 'SIGCONT'),
        ms: 20_000,
      },
    ]
    const { arrived, edited } = editing(space)
    await edited('first')
    await arrived('first')
    for (const [index, { begin, end, ms, title }] of faults.entries()) {
      await begin()
      await Promise.all([sleep(ms), edited(`change-${index}`)])
      await end()
      const repaired = performance.now()
      await until(`the port is forwarded again after ${title}`, isServed)
      const healedMs = performance.now() - repaired
      const last = counted(terminal).at(-1) ?? 0
      await until('the program goes on', async () => (counted(terminal).at(-1) ?? 0) > last + 5)
      await arrived(`change-${index}`)
      process.stdout.write(
        `  ${title}: the port is forwarded ${(healedMs / 1000).toFixed(1)} s later, and no file is lost\n`,
      )
    }
    terminal.press('C-c')
    terminal.type('exit 4')
    terminal.press('Enter')
    await terminal.until('status 4')
    everyNumberOnce(terminal)
  })

/** As over a bad radio link: one packet of twenty is lost in each direction, and an answer takes 200 ms at least. */
const poor = { delayMs: 100, lostPart: 0.05 }

const overPoorNetwork = (space: Space): Promise<void> =>
  withUp(
    space,
    '',
    async ({ isServed, lost, terminal }) => {
      await terminal.until(/^\/tmp #/m)
      terminal.type(counting)
      terminal.press('Enter')
      await until('the port is forwarded', isServed)
      const begun = performance.now()
      const big = randomBytes(500_000).toString('hex')
      const file = space.write('files/big', big)
      for (let index = 0; index < 200; index += 1) space.write(`files/${index}`, `content of ${index}`)
      const sum = 'cd files && sha1sum $(ls | sort -n) | sha1sum'
      const { stdout: wanted } = await runProgram('sh', ['-c', sum], { cwd: space.folder })
      const inPod = async (script: string): Promise<string> =>
        (await space.run('exec', 'api', '--', 'sh', '-c', script)).stdout
      await until('the files are there', async () => (await inPod(sum)) === wanted)
      const seconds = ((performance.now() - begun) / 1000).toFixed(1)
      process.stdout.write(`  200 files and one of 1 MB are there ${seconds} s after they were written\n`)
      await inPod('cp files/big files/copy && echo more >>files/7')
      await until('the copy is here', () => existsSync(`${dirname(file)}/copy`))
      assert.is(readFileSync(`${dirname(file)}/copy`, 'utf8'), big)
      await until('the change is here', () => readFileSync(`${dirname(file)}/7`, 'utf8') === 'content of 7more\n')
      await until('the port is forwarded', isServed)
      terminal.press('C-c')
      terminal.type('exit 4')
      terminal.press('Enter')
      await terminal.until('status 4')
      everyNumberOnce(terminal)
      const times = terminal.shown().match(/connection lost/g)?.length ?? 0
      process.stdout.write(`  ${lost()} packets were lost, the connection ${times} times\n`)
      assert.ok(lost() > 10)
    },
    poor,
  )

/** Much longer, and the command has to be started again. */
const cutSeconds = Number(process.env['E2E_CUT_SECONDS'] ?? 70)

const serving = 'mkdir -p www && echo here >www/index.html && exec httpd -f -p 8080 -h www'

const cutForLong = (space: Space): Promise<void> =>
  withUp(space, `    command: ${serving}\n`, async ({ isServed, plug, terminal }) => {
    await until('the port is forwarded', isServed)
    plug(false)
    await terminal.until('connection lost', 30)
    await terminal.until('no connection for 10 s, still trying', 30)
    const { arrived, edited } = editing(space)
    await Promise.all([sleep(cutSeconds * 1000), edited('meanwhile')])
    plug(true)
    const repaired = performance.now()
    await until('the port is forwarded again', isServed)
    const seconds = (performance.now() - repaired) / 1000
    process.stdout.write(
      `  the network is cut for ${cutSeconds} s: the port is forwarded ${seconds.toFixed(1)} s later\n`,
    )
    await arrived('meanwhile')
    terminal.press('C-c')
    await terminal.until('status 130')
  })

const all: ReadonlyArray<Scenario> = [
  {
    title: 'a terminal and its ports survive cuts of the network, a hanging API server, and a killed agent',
    space: 'dev-network',
    options: { env: { DEVTOOL_AGENT_IMAGE: image } },
    unless: () => (canMakeNetworks() ? undefined : 'only root can make a network namespace'),
    run: survived,
  },
  {
    title: 'after a long cut a command continues or is started again, and its port is forwarded again',
    space: 'dev-network-long',
    options: { env: { DEVTOOL_AGENT_IMAGE: image } },
    unless: () => (canMakeNetworks() ? undefined : 'only root can make a network namespace'),
    run: cutForLong,
  },
  {
    title: 'a terminal, its port and its files work with packet loss and latency',
    space: 'dev-network-poor',
    options: { env: { DEVTOOL_AGENT_IMAGE: image } },
    unless: () => (canMakeNetworks() ? undefined : 'only root can make a network namespace'),
    run: overPoorNetwork,
  },
]

const test = suite('dev-network')
await scenarios(test, all)
test.run()
