/**
 * What a session with a development container costs on the cluster of $KUBECONFIG: `tsx scripts/bench-dev.ts
 * [--write] [--rounds=7]`. Needs `npm run build`, and busybox and Node's image on the nodes.
 */
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { arch, cpus, loadavg, platform } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { nodeNetwork } from '../src/adapters/network/network.ts'
import { sshLinks } from '../src/adapters/ssh/client.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { openForwards } from '../src/app/dev/forwards.ts'
import { type DevSession, openSession } from '../src/app/dev/session.ts'
import { resources } from '../src/domain/cluster/resources.ts'
import type { Link } from '../src/ports/link.ts'
import { freePort, run, terminal } from '../test/support/agent.ts'
import { agentPod, agentPort, apply, type DevWorld, devWorld, rightOf } from '../test/support/e2e/dev-pod.ts'
import { root } from './command.ts'
import { withSection } from './section.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 7))

type Row = {
  readonly what: string
  readonly unit: string
  readonly values: ReadonlyArray<number>
  readonly load: number
}
const rows: Array<Row> = []

const sorted = (values: ReadonlyArray<number>): ReadonlyArray<number> => values.toSorted((a, b) => a - b)
const part = (values: ReadonlyArray<number>, share: number): number =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? Number.NaN

const measure = async (what: string, times: number, one: () => Promise<number>, unit = 'ms'): Promise<void> => {
  const values: Array<number> = []
  for (let time = 0; time < times; time += 1) values.push(await one())
  const load = loadavg()[0] ?? 0
  rows.push({ what, unit, values, load })
  console.error(`${what}: ${part(values, 0.5).toFixed(1)} ${unit}, load ${load.toFixed(1)}`)
}

const taking = async (work: () => Promise<unknown>): Promise<number> => {
  const since = systemClock.now()
  await work()
  return systemClock.now() - since
}

const never = new AbortController().signal
const labels = { app: 'dev' }

const sessionOf = ({ cluster, keys, namespace }: DevWorld): DevSession =>
  openSession({ clock: systemClock, links: sshLinks })(
    { cluster, keys, namespace, container: 'app', port: agentPort, pods: 'app=dev' },
    never,
  )

const scale = (world: DevWorld, replicas: number): Promise<void> => {
  const template = { metadata: { labels }, spec: agentPod('busybox:1.37') }
  const spec = { replicas, selector: { matchLabels: labels }, strategy: { type: 'Recreate' }, template }
  return apply(world, 'Deployment', { metadata: { name: 'dev' }, spec })
}

const linkOf = async (session: DevSession, not?: Link): Promise<Link> =>
  (await rightOf(session.link('terminal', not))).link

const shown = async (link: Link): Promise<void> => {
  const shell = await rightOf(link.run({ terminal }))
  await once(shell.stdout, 'data')
  shell.stdin.end('exit\n')
  shell.stdout.resume()
}

const gone = async ({ cluster, namespace }: DevWorld): Promise<void> => {
  for (;;) {
    const pods = await rightOf(cluster.list({ resource: resources.Pod, namespace, labels: 'app=dev' }))
    if (pods.items.length === 0) return
    await systemClock.sleep(100)
  }
}

const activation = async (world: DevWorld): Promise<number> => {
  await scale(world, 0)
  await gone(world)
  const session = sessionOf(world)
  const ms = await taking(async () => {
    await scale(world, 1)
    await shown(await linkOf(session))
  })
  session.end({ _tag: 'Closed', reason: 'measured' })
  return ms
}

const keystrokes = async (link: Link): Promise<void> => {
  const program = await rightOf(link.run({ command: 'stty raw -echo 2>/dev/null; cat', terminal }))
  await systemClock.sleep(500)
  await measure('keystroke echo', 100, () =>
    taking(async () => {
      program.stdin.write('x')
      await once(program.stdout, 'data')
    }),
  )
  program.signal('KILL')
}

const asking = (port: number): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end('x'.repeat(1000))
  return text(socket)
}

const forwards = async (world: DevWorld, session: DevSession, link: Link): Promise<void> => {
  const script = `require('net').createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(7000)`
  await rightOf(link.run({ command: ['/var/devtool/node', '-e', script] }))
  await systemClock.sleep(1000)
  const local = await freePort()
  const around = { ...world, session, signal: never, tell: () => {} }
  const wanted = { forward: [{ local, remote: 7000 }], reverse: [], interface: '127.0.0.1' }
  const opened = await openForwards({ clock: systemClock, network: nodeNetwork({}, systemClock) })(around, wanted)()
  if (E.isLeft(opened)) throw new Error('the port is in use')
  await asking(local)
  await measure('500 forwarded connections at a time, each half-closed and answered', 3, () =>
    taking(async () => {
      const answers = await Promise.all(Array.from({ length: 500 }, () => asking(local).catch(() => '')))
      const failed = answers.filter((answer) => answer.length !== 1000).length
      if (failed > 0) throw new Error(`${failed} of 500 connections failed`)
    }),
  )
  await opened.right.close()
}

const megabytes = 128
const throughput = async (link: Link): Promise<void> => {
  const rate = (ms: number): number => megabytes / (ms / 1000)
  const zeros = `head -c ${megabytes * 1024 * 1024} /dev/zero`
  await measure(
    'read from the container',
    3,
    async () => rate(await taking(() => run(link, { command: zeros }))),
    'MiB/s',
  )
  const input = 'x'.repeat(megabytes * 1024 * 1024)
  const sink = { command: 'cat > /dev/null' }
  await measure('write to the container', 3, async () => rate(await taking(() => run(link, sink, input))), 'MiB/s')
}

const healing = async (world: DevWorld, session: DevSession): Promise<void> => {
  const { cluster, namespace } = world
  await measure('agent killed, until there is a link again', rounds, async () => {
    const link = await linkOf(session)
    return taking(async () => {
      await link.run({ command: ['/bin/sh', '-c', 'kill -9 $PPID'] })()
      await linkOf(session, link)
    })
  })
  await measure('pod deleted, until there is a link to the next one', rounds, async () => {
    const { link, pod } = await rightOf(session.link('terminal'))
    return taking(async () => {
      const key = { resource: resources.Pod, namespace, name: pod.name }
      await rightOf(cluster.remove(key, { propagation: 'Background' }))
      await linkOf(session, link)
    })
  })
}

const memory = async (link: Link): Promise<void> => {
  const command = `for pid in $(ls /proc); do grep -q agent.cjs /proc/$pid/cmdline 2>/dev/null && grep RssAnon /proc/$pid/status; done`
  const { stdout } = await run(link, { command })
  const sizes = stdout.split('\n').flatMap((line) => Number(line.split(/\s+/)[1]) || [])
  rows.push({ what: 'anonymous memory of the agent', unit: 'MiB', values: [Math.max(...sizes) / 1024], load: 0 })
}

const table = (): string => {
  const line = ({ load, unit, values, what }: Row): string =>
    `| ${what} | ${part(values, 0.5).toFixed(1)} ${unit} | ${part(values, 0.95).toFixed(1)} ${unit} | ${values.length} | ${load.toFixed(1)} |`
  return ['| what | median | 95 % | times | load |', '| --- | --- | --- | --- | --- |', ...rows.map(line), ''].join(
    '\n',
  )
}

const page = (version: string): string => {
  const machine = `${platform()} ${arch()}, ${cpus().length} × ${cpus()[0]?.model.trim() ?? ''}, which also runs the cluster`
  const day = new Date().toISOString().slice(0, 10)
  return `Measured on ${day} by \`npm run bench:dev -- --write\`: Node ${process.version}, Kubernetes ${version}, ${machine}; the load is that of this machine after each row\n\n${table()}`
}

const world = await devWorld('bench')
try {
  await measure('pod created, until its shell has a prompt', rounds, () => activation(world))
  const session = sessionOf(world)
  const link = await linkOf(session)
  await memory(link)
  await keystrokes(link)
  await measure('`true`', 30, () => taking(() => run(link, { command: ['true'] })))
  await forwards(world, session, link)
  await throughput(link)
  await healing(world, session)
  session.end({ _tag: 'Closed', reason: 'measured' })
  console.log(table())
  if (process.argv.includes('--write')) {
    const file = join(root, 'docs/performance.md')
    const version = await rightOf(world.cluster.version())
    writeFileSync(file, withSection(readFileSync(file, 'utf8'), 'Development containers', page(version)))
  }
} finally {
  await world.end()
}
process.exit(0)
