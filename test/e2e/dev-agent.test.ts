/**
 * The agent of development containers in pods that make it hard: an unknown user, a read-only root file system and Pod
 * Security `restricted` in each; images without a shell, without the agent's C library, and with one that is broken.
 */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { listAt, numberAt, textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { installerName } from '../../src/domain/dev/agent-pod.ts'
import type { Link, LinkProgram } from '../../src/ports/link.ts'
import { connectMs, run, terminal, untilText } from '../support/dev/agent.ts'
import { realLinks } from '../support/dev/links.ts'
import { agentPod, agentPort, apply, type DevWorld, devWorld, rightOf } from '../support/e2e/dev-pod.ts'
import { until } from '../support/process/until.ts'

const images = {
  busybox: 'busybox:1.37',
  musl: 'test/musl:1',
  'shell-less': 'test/shell-less:1',
  'broken libc': 'test/broken-libc:1',
}
type Variables = ReadonlyArray<{ readonly name: string; readonly value: string }>
/** Those of the pods, and of the images, that would change the agent. */
const variables: Readonly<Record<string, Variables>> = {
  busybox: [{ name: 'LD_PRELOAD', value: '/nowhere/preloaded.so' }],
  'broken libc': [
    { name: 'LD_LIBRARY_PATH', value: '/lib/x86_64-linux-gnu' },
    { name: 'NODE_OPTIONS', value: '--require=/nowhere.js' },
  ],
}
/** Those that every program has. */
const usual: ReadonlySet<string> = new Set(['HOME', 'HOSTNAME', 'OLDPWD', 'PATH', 'PWD', 'SHELL', 'SHLVL', 'USER'])
const never = new AbortController().signal

let world: DevWorld | undefined

const current = (): DevWorld => {
  if (world === undefined) throw new Error('no cluster')
  return world
}

test.before(async () => {
  world = await devWorld('agent')
  for (const [kind, image] of Object.entries(images)) {
    const env = kind === 'busybox' ? { env: variables[kind] } : {}
    await apply(world, 'Pod', { metadata: { name: podName(kind) }, spec: agentPod(image, env) })
  }
})

test.after(() => world?.end())

const podName = (kind: string): string => kind.replaceAll(' ', '-')

/** The agent listens a moment after its container has been started. */
const linkTo = async (pod: string): Promise<Link> => {
  const { cluster, keys, namespace } = current()
  for (let left = 600; ; left -= 1) {
    const dialled = await cluster.pods.dial({ namespace, name: pod }, agentPort, never)()
    const link = E.isRight(dialled) ? await realLinks.connect(dialled.right.bytes, keys, connectMs)() : dialled
    if (E.isRight(link)) return link.right
    if (left === 0) throw new Error(JSON.stringify(link.left))
    await systemClock.sleep(200)
  }
}

/** The agent's own Node serves where an image has no programs. */
const node = (script: string): LinkProgram => ({
  command: ['/var/devtool/node', '-e', script],
  environment: { NODE_OPTIONS: '', LD_LIBRARY_PATH: '', LD_PRELOAD: '' },
})

const zombies = `
  const { readdirSync, readFileSync } = require('fs')
  const states = readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).map((pid) => {
    try { return readFileSync('/proc/' + pid + '/stat', 'utf8').split(') ')[1][0] } catch { return '' }
  })
  console.log(states.filter((state) => state === 'Z').length)`

for (const kind of Object.keys(images)) {
  test(`${kind}: commands have their exit status, outputs and input`, async () => {
    const link = await linkTo(podName(kind))
    assert.equal(await run(link, { command: 'echo out; echo err >&2; exit 7' }), {
      status: 7,
      stdout: 'out\n',
      stderr: 'err\n',
    })
    assert.is((await run(link, { command: 'nowhere' })).status, 127)
    assert.is((await run(link, { command: 'kill -TERM $$' })).status, 143)
    const looping = await rightOf(link.run({ command: 'trap "exit 6" TERM; echo ready; while :; do :; done' }))
    await untilText(looping.stdout, 'ready')
    looping.signal('TERM')
    assert.is(await rightOf(looping.exit), 6)
    const input = 'x'.repeat(100_000)
    assert.is((await run(link, node('process.stdin.pipe(process.stdout)'), input)).stdout, input)
    assert.is((await run(link, node('console.log(process.getuid())'))).stdout, '123456\n')
    link.close()
  })

  test(`${kind}: terminals have a size, pass Ctrl-C on and lose no output`, async () => {
    const link = await linkTo(podName(kind))
    const size = await run(link, {
      ...node('console.log(`${process.stdout.columns} ${process.stdout.rows}`)'),
      terminal,
    })
    assert.is(size.stdout, '100 30\r\n')
    const lines = node('for (let line = 1; line <= 4000; line += 1) console.log(String(line))')
    const expected = `${Array.from({ length: 4000 }, (_, index) => index + 1).join('\r\n')}\r\n`
    assert.ok(expected.length > 20_000)
    for (let time = 0; time < 20; time += 1) assert.is((await run(link, { ...lines, terminal })).stdout, expected)
    const shell = await rightOf(link.run({ command: 'trap "exit 5" INT; echo ready; while :; do :; done', terminal }))
    shell.stdout.once('data', () => shell.stdin.write('\u0003'))
    await text(shell.stdout)
    assert.is(await rightOf(shell.exit), 5)
    link.close()
  })

  test(`${kind}: a terminal can be resized while a program runs, and a connection to a closed port is refused`, async () => {
    const link = await linkTo(podName(kind))
    const script = `process.stdout.on('resize', () => {
      console.log(process.stdout.columns + ' ' + process.stdout.rows)
      process.exit(5)
    })
    console.log('ready')
    setTimeout(() => {}, 60000)`
    const program = await rightOf(link.run({ ...node(script), terminal }))
    await untilText(program.stdout, 'ready')
    program.resize({ columns: 132, rows: 50 })
    assert.match(await text(program.stdout), '132 50')
    assert.is(await rightOf(program.exit), 5)
    const refused = await link.forward(new PassThrough(), { host: '127.0.0.1', port: 9 })()
    assert.is(refused._tag === 'Left' && refused.left._tag, 'Refused')
    link.close()
  })

  test(`${kind}: programs get the variables of the image, and leave no zombies`, async () => {
    const link = await linkTo(podName(kind))
    const { stdout } = await run(link, { command: 'export -p' })
    const exported = [...stdout.matchAll(/^export (\w+)='?([^'\n]*)/gm)].map(([, name = '', value = '']) => ({
      name,
      value,
    }))
    assert.equal(
      exported.filter(({ name }) => !usual.has(name) && !name.startsWith('KUBERNETES_')),
      variables[kind] ?? [],
    )
    for (let time = 0; time < 5; time += 1) await run(link, { command: '(/var/devtool/sh -c : &)' })
    assert.is((await run(link, node(zombies))).stdout, '0\n')
    link.close()
  })
}

test('other pods, and addresses of its own pod but loopback, do not reach the agent', async () => {
  const link = await linkTo('busybox')
  const script = `
    const { connect } = require('net')
    const { networkInterfaces } = require('os')
    const own = Object.values(networkInterfaces()).flat().find((one) => !one.internal && one.family === 'IPv4').address
    const reach = (host) => new Promise((resolve) => {
      const socket = connect(${agentPort}, host, () => { socket.destroy(); resolve('open') })
      socket.on('error', (error) => resolve(error.code))
    })
    Promise.all([reach('127.0.0.1'), reach(own)]).then((found) => console.log(own, ...found))`
  const [address = '', ...found] = (await run(link, node(script))).stdout.trim().split(' ')
  assert.equal(found, ['open', 'ECONNREFUSED'])
  const other = await linkTo('musl')
  const { status } = await run(other, { command: `nc -w 2 ${address} ${agentPort} </dev/null` })
  assert.is(status, 1)
  link.close()
  other.close()
})

test('a program that is linked with musl runs with the musl of its image', async () => {
  const link = await linkTo(podName('musl'))
  assert.equal(await run(link, { command: 'linked' }), { status: 3, stdout: 'linked with musl\n', stderr: '' })
  link.close()
})

/** What is not named is a child of the server. */
const killServer = async (link: Link): Promise<void> => {
  const killed = await link.run({ command: ['/bin/sh', '-c', 'kill -9 $PPID'] })()
  assert.ok(E.isLeft(killed) || E.isLeft(await killed.right.exit()))
}

test('a command without a terminal survives a killed SSH server, with its input, both outputs and its status', async () => {
  const id = '00000000-aaaa-bbbb-cccc-000000000003'
  const command = 'while read -r line; do echo "out $line"; echo "err $line" >&2; done; exit 9'
  const first = await linkTo(podName('busybox'))
  const before = await rightOf(first.run({ command, session: { id } }))
  before.stdin.write('1\n2\n')
  const seen = await Promise.all([untilText(before.stdout, 'out 1\n'), untilText(before.stderr, 'err 1\n')])
  await killServer(first)
  assert.is((await before.exit())._tag, 'Left')

  const again = await linkTo(podName('busybox'))
  const [output, errors] = seen.map((one) => Buffer.byteLength(one))
  const received = { output: output ?? 0, errors: errors ?? 0 }
  const after = await rightOf(again.run({ command, session: { id, received } }))
  assert.equal([after.from, after.taken], [received, 4])
  after.stdin.end('3\n')
  const rest = await Promise.all([text(after.stdout), text(after.stderr)])
  assert.is(seen[0] + rest[0], 'out 1\nout 2\nout 3\n')
  assert.is(seen[1] + rest[1], 'err 1\nerr 2\nerr 3\n')
  assert.is(await rightOf(after.exit), 9)
  again.close()
})

test('a shell survives the loss of its connection and of the SSH server, and a restart of the container that installed it', async () => {
  const pod = podName('busybox')
  const { cluster, namespace } = current()
  const id = '00000000-aaaa-bbbb-cccc-000000000000'
  const command = 'echo first; read line; echo "second $line"; exit 9'
  const first = await linkTo(pod)
  const before = await rightOf(first.run({ command, terminal, session: { id } }))
  const seen: ReadonlyArray<Buffer> = await new Promise((resolve) => {
    before.stdout.once('data', (bytes: Buffer) => resolve([bytes]))
  })
  await killServer(first)
  assert.is((await before.exit())._tag, 'Left')

  const installer = { command: ['sh', '-c', 'kill 1'], container: installerName }
  const ended = await rightOf(cluster.pods.exec({ namespace, name: pod }, installer, never))
  ended.stdout.resume()
  ended.stderr.resume()
  await ended.exit()
  const isRestarted = async (): Promise<boolean> => {
    const live = await rightOf(cluster.get({ resource: resources.Pod, namespace, name: pod }))
    return listAt(live, 'status', 'containerStatuses').some(
      (one) => textAt(one, 'name') === installerName && (numberAt(one, 'restartCount') ?? 0) > 0,
    )
  }
  await until('the container is restarted', isRestarted)

  const again = await linkTo(pod)
  const received = { output: Buffer.concat(seen).length, errors: 0 }
  const after = await rightOf(again.run({ command, terminal, session: { id, received } }))
  after.stdin.write('line\n')
  const rest = await text(after.stdout)
  assert.match(rest, /second line/)
  assert.not.match(rest, /first/)
  assert.is(await rightOf(after.exit), 9)
  again.close()
})

test('a shell that nobody is connected to goes on for less than a minute, and ends after it', async () => {
  const command = 'echo first; while read line; do echo "got $line"; done'
  const [early, late] = ['00000000-aaaa-bbbb-cccc-000000000001', '00000000-aaaa-bbbb-cccc-000000000002']
  const before = await linkTo(podName('musl'))
  for (const id of [early, late]) {
    const shell = await rightOf(before.run({ command, terminal, session: { id } }))
    await untilText(shell.stdout, 'first')
  }
  before.drop()
  const connected = async (id: string) => {
    const link = await linkTo(podName('musl'))
    return link.run({ command, terminal, session: { id, received: { output: 0, errors: 0 } } })()
  }
  await systemClock.sleep(30_000)
  const there = await connected(early)
  if (E.isLeft(there)) throw new Error(JSON.stringify(there.left))
  there.right.stdin.write('line\n')
  await untilText(there.right.stdout, 'got line')
  await systemClock.sleep(45_000)
  const gone = await connected(late)
  assert.is(E.isLeft(gone) && gone.left._tag, 'Refused')
})

test.run()
