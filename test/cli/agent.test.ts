/**
 * The agent as it is built: installed into a folder, run by its first process, and reached through our own client. The
 * path of its loader has to be short, so the folder is directly below /tmp.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Duplex, type Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import ssh2 from 'ssh2'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sshLinks } from '../../src/adapters/ssh/client.ts'
import { install } from '../../src/agent/install.ts'
import type { Link, LinkFailure, LinkKeys, LinkProgram } from '../../src/ports/link.ts'

type Started = {
  readonly port: number
  readonly keys: LinkKeys
  readonly process: ChildProcess
  readonly folder: string
}

const pair = () => ssh2.utils.generateKeyPairSync('ed25519')

const portOf = (server: Server): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const backwards = (word: string): string => Array.from(word).toReversed().join('')

const freePort = async (): Promise<number> => {
  const server = createServer().listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  const port = portOf(server)
  await new Promise((resolve) => server.close(resolve))
  return port
}

const listening = async (port: number): Promise<Socket> => {
  for (let left = 200; ; left -= 1) {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true })
    const isOpen = await new Promise((resolve) => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    if (isOpen || left === 0) return socket
    await sleep(50)
  }
}

const start = async (environment: Readonly<Record<string, string>> = {}): Promise<Started> => {
  const folder = mkdtempSync('/tmp/d')
  const [host, client, port] = [pair(), pair(), await freePort()]
  assert.ok(install({ boot: 'dist/agent', folder, loader: `${folder}/ld.so` }))
  mkdirSync(join(folder, 'keys'))
  writeFileSync(join(folder, 'keys/host_key'), host.private)
  writeFileSync(join(folder, 'keys/client_key.pub'), client.public)
  const child = spawn(join(folder, 'sh'), [join(folder, 'pid1.sh')], {
    cwd: '/',
    detached: true,
    stdio: 'ignore',
    env: {
      ...environment,
      PATH: process.env['PATH'] ?? '',
      DEVTOOL_AGENT_FOLDER: folder,
      DEVTOOL_AGENT_KEYS: join(folder, 'keys'),
      DEVTOOL_AGENT_PORT: String(port),
    },
  })
  return { folder, port, process: child, keys: { client: client.private, host: host.public } }
}

const rightOf = async <A>(task: TE.TaskEither<LinkFailure, A>): Promise<A> => {
  const result = await task()
  if (E.isLeft(result)) throw new Error(`${result.left._tag}: ${result.left.reason}`)
  return result.right
}

const linked = async ({ keys, port }: Started): Promise<Link> => rightOf(sshLinks.connect(await listening(port), keys))

type Ran = { readonly status: number; readonly stdout: string; readonly stderr: string }

const run = async (link: Link, program: LinkProgram, input = ''): Promise<Ran> => {
  const running = await rightOf(link.run(program))
  running.stdin.end(input)
  const [stdout, stderr, status] = await Promise.all([
    text(running.stdout),
    text(running.stderr),
    rightOf(running.exit),
  ])
  return { status, stdout, stderr }
}

const terminal = { columns: 100, rows: 30, type: 'xterm' }
const test = suite<{ started: Started; link: Link }>('the agent')

test.before(async (context) => {
  context.started = await start({ NODE_OPTIONS: '--require=/nowhere.js', LD_LIBRARY_PATH: '/nowhere', GREETING: 'hi' })
  context.link = await linked(context.started)
})
test.after(({ link, started }) => {
  link.close()
  process.kill(-(started.process.pid ?? 0), 'SIGKILL')
  rmSync(started.folder, { recursive: true, force: true })
})

test('tells exit statuses, and keeps standard error apart', async ({ link }) => {
  assert.equal(await run(link, { command: 'echo out; echo err >&2; exit 7' }), {
    status: 7,
    stdout: 'out\n',
    stderr: 'err\n',
  })
  assert.is((await run(link, { command: 'kill -TERM $$' })).status, 143)
  assert.is((await run(link, { command: ['/nowhere/program'] })).status, 127)
  assert.is((await run(link, { command: 'nowhere' })).status, 127)
})

test('runs words as they are, in a folder and with variables', async ({ link, started }) => {
  const program = {
    command: ['/bin/sh', '-c', 'pwd; echo "$A-$1"', 'x', 'a  b;c'],
    folder: started.folder,
    environment: { A: 'é "' },
  }
  assert.is((await run(link, program)).stdout, `${started.folder}\né "-a  b;c\n`)
})

test('gives programs the environment of the container, without what concerns the agent', async ({ link }) => {
  const { stdout } = await run(link, { command: ['/usr/bin/env'] })
  const names = stdout.split('\n').map((line) => line.split('=')[0] ?? '')
  assert.match(stdout, /^NODE_OPTIONS=--require=\/nowhere\.js$/m)
  assert.match(stdout, /^LD_LIBRARY_PATH=\/nowhere$/m)
  assert.match(stdout, /^GREETING=hi$/m)
  assert.equal(
    names.filter((name) => name.startsWith('DEVTOOL_')),
    [],
  )
})

test('passes large inputs and outputs through unchanged', async ({ link }) => {
  const input = 'x'.repeat(3_000_000)
  assert.is((await run(link, { command: 'cat' }, input)).stdout.length, input.length)
})

test('loses no output of programs that end at once', async ({ link }) => {
  const expected = `${Array.from({ length: 3000 }, (_, index) => index + 1).join('\r\n')}\r\n`
  for (let time = 0; time < 10; time += 1) {
    assert.is((await run(link, { command: 'seq 3000', terminal })).stdout, expected)
  }
})

const untilText = async (from: Readable, wanted: string): Promise<string> => {
  let seen = ''
  for await (const chunk of from.iterator({ destroyOnReturn: false })) {
    seen += String(chunk)
    if (seen.includes(wanted)) return seen
  }
  throw new Error(`it ended without ${wanted}: ${seen}`)
}

test('has terminals that follow the size of the window, and take Ctrl-C', async ({ link }) => {
  const shell = await rightOf(
    link.run({ command: 'stty size; trap "stty size; exit 5" INT; echo ready; while :; do sleep 0.1; done', terminal }),
  )
  assert.match(await untilText(shell.stdout, 'ready'), /30 100/)
  shell.resize({ columns: 132, rows: 50 })
  shell.stdin.write('\u0003')
  assert.match(await text(shell.stdout), /50 132/)
  assert.is(await rightOf(shell.exit), 5)
})

const echoBackwards = async (): Promise<Server> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let received = ''
    socket.setEncoding('utf8').on('data', (chunk: string) => {
      received += chunk
    })
    socket.on('end', () => socket.end(backwards(received)))
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  return server
}

test('forwards connections whose directions end on their own', async ({ link }) => {
  const server = await echoBackwards()
  const relay = createServer({ allowHalfOpen: true }, (socket) => {
    void link.forward(socket, { host: '127.0.0.1', port: portOf(server) })()
  }).listen(0, '127.0.0.1')
  await new Promise((resolve) => relay.once('listening', resolve))
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => {
      const socket = connect({ port: portOf(relay), host: '127.0.0.1', allowHalfOpen: true })
      socket.end(`${index}-abc`)
      return text(socket)
    }),
  )
  assert.equal(
    answers,
    Array.from({ length: 50 }, (_, index) => backwards(`${index}-abc`)),
  )
  relay.close()
  server.close()
})

test('refuses to forward where nothing listens', async ({ link }) => {
  const refused = await link.forward(Duplex.from([]), { host: '127.0.0.1', port: await freePort() })()
  assert.is(E.isLeft(refused) ? refused.left._tag : '', 'Refused')
})

test('listens in the pod for connections to this machine', async ({ link }) => {
  const server = await echoBackwards()
  const open: TE.TaskEither<unknown, Duplex> = () =>
    new Promise((resolve) => {
      const socket = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true })
      socket.once('connect', () => resolve(E.right(socket)))
    })
  const port = await rightOf(link.listen({ host: '127.0.0.1', port: 0 }, open))
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end('reverse')
  assert.is(await text(socket), 'esrever')
  server.close()
})

test('lets nobody in without the key, and is not trusted without its own', async ({ started }) => {
  const stranger = { ...started.keys, client: pair().private }
  assert.ok(E.isLeft(await sshLinks.connect(await listening(started.port), stranger)()))
  const impostor = { ...started.keys, host: pair().public }
  assert.ok(E.isLeft(await sshLinks.connect(await listening(started.port), impostor)()))
})

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const agentProcess = (folder: string): number => {
  const pid = readdirSync('/proc').find((name) => /^\d+$/.test(name) && commandOf(name).includes(`${folder}/agent.cjs`))
  if (pid === undefined) throw new Error('the agent does not run')
  return Number(pid)
}

const named = (id: string, received?: number) => ({
  ...terminal,
  session: { id, ...(received === undefined ? {} : { received }) },
})

/** Until a link can be made again: the agent may be starting. */
const linkedAgain = async (started: Started): Promise<Link> => {
  for (let left = 100; ; left -= 1) {
    const link = await sshLinks.connect(await listening(started.port), started.keys)()
    if (E.isRight(link)) return link.right
    if (left === 0) throw new Error(link.left.reason)
    await sleep(50)
  }
}

test('keeps a named terminal when the server is killed, and goes on after what was received', async ({ started }) => {
  const id = '00000000-1111-2222-3333-444444444444'
  const link = await linked(started)
  const command = 'echo first; read line; echo "second $line"; exit 9'
  const before = await rightOf(link.run({ command, terminal: named(id) }))
  assert.is(before.from, 0)
  const seen = await untilText(before.stdout, 'first')
  process.kill(agentProcess(started.folder), 'SIGKILL')
  assert.is((await before.exit())._tag, 'Left')

  const again = await linkedAgain(started)
  const received = Buffer.byteLength(seen)
  const after = await rightOf(again.run({ command, terminal: named(id, received) }))
  assert.is(after.from, received)
  after.stdin.write('line\n')
  const rest = await text(after.stdout)
  assert.match(rest, /second line/)
  assert.not.match(rest, /first/)
  assert.is(await rightOf(after.exit), 9)
  again.close()
})

test('a named terminal is never started twice, and not found when it has ended', async ({ started }) => {
  const id = '00000000-1111-2222-3333-555555555555'
  const link = await linkedAgain(started)
  const file = join(started.folder, 'ran')
  const program = { command: `echo ran >> ${file}; sleep 0.3; exit 3`, terminal: named(id) }
  const both = await Promise.all([link.run(program)(), link.run(program)()])
  assert.is(both.filter(E.isRight).length, 1)
  for (const one of both) {
    if (E.isLeft(one)) continue
    one.right.stdout.resume()
    assert.is(await rightOf(one.right.exit), 3)
  }
  link.close()
  const again = await linkedAgain(started)
  for (let left = 100; left > 0; left -= 1) {
    const gone = await again.run({ ...program, terminal: named(id, 0) })()
    if (E.isLeft(gone) && gone.left._tag === 'Refused') break
    await sleep(50)
  }
  assert.is(readFileSync(file, 'utf8'), 'ran\n')
  again.close()
})

test('a program whose client leaves ends, although it reads none of its input', async ({ started }) => {
  for (const ofTerminal of [{}, { terminal }]) {
    const link = await linkedAgain(started)
    const marker = `sleep 3${Math.floor(Math.random() * 1e6)}`
    const running = await rightOf(link.run({ command: `exec ${marker}`, ...ofTerminal }))
    running.stdin.write('x'.repeat(3_000_000))
    const isThere = (): boolean =>
      readdirSync('/proc').some((pid) => commandOf(pid).replaceAll('\0', ' ').trim() === marker)
    for (let left = 100; left > 0 && !isThere(); left -= 1) await sleep(50)
    assert.ok(isThere())
    link.close()
    for (let left = 400; left > 0 && isThere(); left -= 1) await sleep(50)
    assert.not(isThere(), JSON.stringify(ofTerminal))
  }
})

test('a terminal whose output is stopped ends all the same', async ({ started }) => {
  const link = await linkedAgain(started)
  const shell = await rightOf(link.run({ command: 'echo ready; sleep 0.5; exit 4', terminal }))
  await untilText(shell.stdout, 'ready')
  shell.stdin.write('\u0013')
  shell.stdout.resume()
  assert.is(await rightOf(shell.exit), 4)
  link.close()
})

test('is installed once, however often that is asked for', ({ started }) => {
  const before = readFileSync(join(started.folder, 'installed'), 'utf8')
  assert.not(install({ boot: 'dist/agent', folder: started.folder, loader: `${started.folder}/ld.so` }))
  assert.is(readFileSync(join(started.folder, 'installed'), 'utf8'), before)
})

test.run()
