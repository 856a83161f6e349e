/**
 * What a session with a development container costs on the cluster of $KUBECONFIG: `tsx scripts/bench-dev.ts
 * [--write] [--rounds=7] [--only=up,forwards]`. Needs `npm run build`, and busybox and Node's image on the nodes. Rows
 * that are not measured stay as they were written. $OPENSSH_IMAGE has busybox, /usr/sbin/sshd and a user 123456: some rows
 * are then compared with OpenSSH, in turns.
 */
import { once } from 'node:events'
import { connect } from 'node:net'
import type { Readable, Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { nodeNetwork } from '../src/adapters/network/network.ts'
import { systemClock } from '../src/adapters/system/clock.ts'
import { systemMachine } from '../src/adapters/system/machine.ts'
import { openForwards } from '../src/app/dev/forwards.ts'
import { type DevSession, openSession } from '../src/app/dev/session.ts'
import { resources } from '../src/domain/cluster/resources.ts'
import type { Link } from '../src/ports/link.ts'
import { run, terminal } from '../test/support/dev/agent.ts'
import { realLinks } from '../test/support/dev/links.ts'
import { cuttableCluster } from '../test/support/e2e/cuttable.ts'
import { agentPod, agentPort, apply, type DevWorld, devWorld, rightOf } from '../test/support/e2e/dev-pod.ts'
import { freePort } from '../test/support/process/ports.ts'
import { memory } from './bench-dev-memory.ts'
import { type OpenSsh, openSshIn } from './bench-dev-openssh.ts'
import { compare, measure, table, writePage } from './bench-dev-rows.ts'
import { ups } from './bench-dev-ups.ts'

const flag = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const rounds = Math.max(1, Number(flag('rounds') ?? 7))

const taking = async (work: () => Promise<unknown>): Promise<number> => {
  const since = systemClock.now()
  await work()
  return systemClock.now() - since
}

const never = new AbortController().signal
const labels = { app: 'dev' }

const sessionOf = ({ cluster, keys, namespace }: DevWorld): DevSession =>
  openSession({ clock: systemClock, links: realLinks, machine: systemMachine() })(
    { cluster, keys, namespace, container: 'app', port: agentPort, pods: 'app=dev', patienceMs: 60_000 },
    never,
  )

const scale = (world: DevWorld, replicas: number): Promise<void> => {
  const template = { metadata: { labels }, spec: agentPod(process.env['OPENSSH_IMAGE'] ?? 'busybox:1.37') }
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

const forwards = async (world: DevWorld, session: DevSession, link: Link, openSsh?: OpenSsh): Promise<void> => {
  const script = `require('net').createServer({ allowHalfOpen: true }, (socket) => socket.pipe(socket)).listen(7000)`
  await rightOf(link.run({ command: ['/var/devtool/node', '-e', script] }))
  await systemClock.sleep(1000)
  const local = await freePort()
  const context = { ...world, session, signal: never, tell: () => {} }
  const wanted = { forward: [{ local, remote: 7000 }], reverse: [], interface: '127.0.0.1' }
  const opened = await openForwards({ clock: systemClock, network: nodeNetwork({}, systemClock) })(context, wanted)()
  if (E.isLeft(opened)) throw new Error('the port is in use')
  const through = async (whose: string, port: number): Promise<() => Promise<number>> => {
    await asking(port)
    return () =>
      taking(async () => {
        const answers = await Promise.all(Array.from({ length: 500 }, () => asking(port).catch(() => '')))
        const failed = answers.filter((answer) => answer.length !== 1000).length
        if (failed === 0) return
        const found = `${failed} of 500 connections through ${whose} failed`
        if (whose === 'devtool') throw new Error(found)
        // It gains time by that, so the comparison is not in our favour.
        process.stderr.write(`${found}\n`)
      })
  }
  await compare('500 forwarded connections at a time, each half-closed and answered', rounds, {
    ours: await through('devtool', local),
    theirs: openSsh && (await through('OpenSSH', await openSsh.forward(7000))),
  })
  await opened.right.close()
}

const megabytes = 128
const rateOf = async (work: () => Promise<unknown>): Promise<number> => megabytes / ((await taking(work)) / 1000)
const bytes = megabytes * 1024 * 1024
const chunk = Buffer.alloc(64 * 1024)
type Program = { readonly stdin: Writable; readonly stdout: Readable }

/** The connection is there before the clock starts. */
const reading = async ({ stdin, stdout }: Program): Promise<number> => {
  let got = 0
  await once(stdout, 'data')
  stdout.on('data', (data: Buffer) => {
    got += data.length
  })
  return rateOf(async () => {
    stdin.end('go\n')
    await once(stdout, 'end')
    if (got !== bytes) throw new Error(`${got} of ${bytes} bytes arrived`)
  })
}

const writing = async ({ stdin, stdout }: Program): Promise<number> => {
  await once(stdout, 'data')
  return rateOf(async () => {
    const taken = once(stdout, 'data')
    for (let left = bytes; left > 0; left -= chunk.length) if (!stdin.write(chunk)) await once(stdin, 'drain')
    await taken
    stdin.end()
  })
}

const throughput = async (link: Link, openSsh?: OpenSsh): Promise<void> => {
  const both = async (
    what: string,
    measured: (program: Program) => Promise<number>,
    command: string,
  ): Promise<void> => {
    const ours = async (): Promise<number> => measured(await rightOf(link.run({ command })))
    const theirs = openSsh && (() => measured(openSsh.run(command)))
    await compare(what, rounds, { ours, theirs }, 'MiB/s')
  }
  await both('read from the container', reading, `echo ready; read go; exec head -c ${bytes} /dev/zero`)
  await both('write to the container', writing, `echo ready; head -c ${bytes} > /dev/null; echo taken`)
}

type Loss = {
  readonly next?: string
  readonly quietMs?: number
  /** What the fault ends, and is there again. */
  readonly from?: string
  /** How long ago what the fault ended was there again. */
  readonly repairedMs?: (link: Link) => Promise<number>
}

/** From the fault until the loss is seen, and until there is a link again. */
const losses = async (
  what: string,
  session: DevSession,
  fault: (link: Link, pod: string) => unknown,
  { from = 'its restart', next = 'a link again', quietMs = 0, repairedMs }: Loss = {},
): Promise<void> => {
  const healed: Array<number> = []
  const repaired: Array<number> = []
  await measure(`${what}, until it is seen`, rounds, async () => {
    await systemClock.sleep(quietMs)
    const { link, pod } = await rightOf(session.link('terminal'))
    const since = systemClock.now()
    const seen = link.closed().then(() => systemClock.now() - since)
    await fault(link, pod.name)
    const again = await linkOf(session, link)
    const linked = systemClock.now()
    healed.push(linked - since)
    if (repairedMs !== undefined) {
      const ms = await repairedMs(again)
      repaired.push(ms - (systemClock.now() - linked))
    }
    return seen
  })
  await measure(`${what}, until there is ${next}`, healed.length, async () => healed.shift() ?? 0)
  if (repairedMs === undefined) return
  await measure(`${what}, from ${from} until there is ${next}`, repaired.length, async () => repaired.shift() ?? 0)
}

const networks = async (world: DevWorld): Promise<void> => {
  const { close, cluster, cut, silence } = await cuttableCluster()
  const session = sessionOf({ ...world, cluster })
  await losses('connection reset', session, cut)
  const healed: Array<number> = []
  await measure('network silent, until it is seen', 3, async () => {
    const link = await linkOf(session)
    silence(true)
    const ms = await taking(link.closed)
    await systemClock.sleep(4000)
    silence(false)
    healed.push(await taking(() => linkOf(session, link)))
    return ms
  })
  await measure('the same, from its repair until there is a link again', healed.length, async () => healed.shift() ?? 0)
  session.end({ _tag: 'Closed', reason: 'measured' })
  await close()
}

/** Since when the agent has been running. Linux counts in hundredths of a second. */
const agentMs = async (link: Link): Promise<number> => {
  const { stdout } = await run(link, { command: 'cat /proc/$PPID/stat /proc/uptime' })
  const [stat = '', uptime = ''] = stdout.split('\n')
  return Number(uptime.split(' ')[0]) * 1000 - Number(stat.split(') ')[1]?.split(' ')[19]) * 10
}

/** Ten keys a second. */
const typingWhile = (fault: (link: Link) => unknown) => async (link: Link) => {
  const { stdin, stdout } = await rightOf(link.run({ command: 'cat' }))
  stdout.resume()
  stdin.on('error', () => {})
  const stop = systemClock.every(100, () => stdin.write('x'))
  void link.closed().then(stop)
  await fault(link)
}

const healing = async ({ cluster, namespace }: DevWorld, session: DevSession): Promise<void> => {
  const kill = (link: Link) => link.run({ command: ['/bin/sh', '-c', 'kill -9 $PPID'] })()
  // It is started again later and later when it crashes more often than that.
  const loss: Loss = { quietMs: 11_000, repairedMs: agentMs }
  await losses('agent killed', session, kill, loss)
  await losses('agent killed while somebody types', session, typingWhile(kill), loss)
  const remove = (_link: Link, name: string) =>
    rightOf(cluster.remove({ resource: resources.Pod, namespace, name }, { propagation: 'Background' }))
  const next = 'a link to the next one'
  await losses('pod deleted', session, remove, { next, from: 'the moment the next one runs', repairedMs: agentMs })
}

const only = flag('only')?.split(',')
type Part = (world: DevWorld, session: DevSession, link: Link, openSsh?: OpenSsh) => Promise<void>
const parts: Readonly<Record<string, Part>> = {
  memory: (_world, _session, link) => memory(link),
  keystrokes: (_world, _session, link) => keystrokes(link),
  true: (_world, _session, link) => measure('`true`', 30, () => taking(() => run(link, { command: ['true'] }))),
  forwards,
  throughput: (_world, _session, link, openSsh) => throughput(link, openSsh),
  networks: (world) => networks(world),
  up: (world) => ups(world, rounds),
  healing: (world, session) => healing(world, session),
}

const world = await devWorld('bench')
try {
  if (only === undefined || only.includes('pod')) {
    await measure('pod created, until its shell has a prompt', rounds, () => activation(world))
  } else await scale(world, 1)
  const session = sessionOf(world)
  const { link, pod } = await rightOf(session.link('terminal'))
  const openSsh = await openSshIn(world, link, pod.name)
  for (const [name, one] of Object.entries(parts)) {
    if (only === undefined || only.includes(name)) await one(world, session, link, openSsh)
  }
  openSsh?.end()
  session.end({ _tag: 'Closed', reason: 'measured' })
  console.log(table())
  if (process.argv.includes('--write')) {
    const version = await rightOf(world.cluster.version())
    writePage(version)
  }
} finally {
  await world.end()
}
process.exit(0)
