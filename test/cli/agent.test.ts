/** The agent as it is built: programs and ports. */
import { readFileSync } from 'node:fs'
import { connect, createServer, type Server, type Socket } from 'node:net'
import { join } from 'node:path'
import { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { newPair } from '../../src/adapters/ssh/keys.ts'
import { install } from '../../src/agent/install.ts'
import {
  type AgentWorld,
  backwards,
  connectMs,
  listening,
  rightOf,
  run,
  terminal,
  untilText,
  withStartedAgent,
} from '../support/dev/agent.ts'
import { realLinks } from '../support/dev/links.ts'
import { freePort, portOf } from '../support/process/ports.ts'

const test = suite<AgentWorld>('the agent')
withStartedAgent(test, {
  NODE_OPTIONS: '--require=/nowhere.js',
  LD_LIBRARY_PATH: '/nowhere',
  MALLOC_ARENA_MAX: '8',
  GREETING: 'hi',
})

test('exit statuses are reported, and standard error is separate', async ({ link }) => {
  assert.equal(await run(link, { command: 'echo out; echo err >&2; exit 7' }), {
    status: 7,
    stdout: 'out\n',
    stderr: 'err\n',
  })
  assert.is((await run(link, { command: 'kill -TERM $$' })).status, 143)
  assert.equal(await run(link, { command: ['/nowhere/program'] }), {
    status: 127,
    stdout: '',
    stderr: 'devtool: /nowhere/program: not found\n',
  })
  assert.is((await run(link, { command: 'nowhere' })).status, 127)
})

/** What comes is handed over in few large pieces. */
const inBatches = (socket: Socket): Duplex => {
  let held: ReadonlyArray<Buffer> = []
  const batches = new Duplex({
    write: (chunk, _encoding, done) => void socket.write(chunk, done),
    read: () => {},
    destroy: (failure, done) => {
      clearInterval(timer)
      socket.destroy()
      done(failure)
    },
  })
  const timer = setInterval(() => {
    if (held.length > 0) batches.push(Buffer.concat(held))
    held = []
  }, 100)
  socket.on('data', (chunk: Buffer) => {
    held = [...held, chunk]
  })
  return batches
}

test('the exit status of a program is known even if its output and end arrive together', async ({ started }) => {
  const link = await rightOf(realLinks.connect(inBatches(await listening(started.port)), started.keys, connectMs))
  assert.equal(await run(link, { command: 'echo short; exit 3' }), { status: 3, stdout: 'short\n', stderr: '' })
  link.close()
})

test('arguments are passed unchanged, with a folder and variables', async ({ link, started }) => {
  const program = {
    command: ['/bin/sh', '-c', 'pwd; echo "$A-$1"', 'x', 'a  b;c'],
    folder: started.folder,
    environment: { A: 'é "' },
  }
  assert.is((await run(link, program)).stdout, `${started.folder}\né "-a  b;c\n`)
})

test('programs get the environment of the container, without the variables of the agent', async ({ link }) => {
  const { stdout } = await run(link, { command: ['/usr/bin/env'] })
  const names = stdout.split('\n').map((line) => line.split('=')[0] ?? '')
  assert.match(stdout, /^NODE_OPTIONS=--require=\/nowhere\.js$/m)
  assert.match(stdout, /^LD_LIBRARY_PATH=\/nowhere$/m)
  assert.match(stdout, /^GREETING=hi$/m)
  assert.match(stdout, /^MALLOC_ARENA_MAX=8$/m)
  assert.equal(
    names.filter((name) => name.startsWith('MALLOC_')),
    ['MALLOC_ARENA_MAX'],
  )
  assert.equal(
    names.filter((name) => name.startsWith('DEVTOOL_')),
    [],
  )
})

test('the agent reports the environment of its programs', async ({ link }) => {
  const told = await text(await rightOf(link.subsystem('devtool-environment')))
  const { stdout } = await run(link, { command: ['/usr/bin/env'] })
  const lines = Object.entries(JSON.parse(told)).map(([name, value]) => `${name}=${String(value)}`)
  assert.equal(lines.toSorted(), stdout.trimEnd().split('\n').toSorted())
})

test('large inputs and outputs arrive unchanged', async ({ link }) => {
  const input = 'x'.repeat(3_000_000)
  assert.is((await run(link, { command: 'cat' }, input)).stdout.length, input.length)
})

test('no output of programs that end at once is lost', async ({ link }) => {
  const expected = `${Array.from({ length: 3000 }, (_, index) => index + 1).join('\r\n')}\r\n`
  for (let time = 0; time < 10; time += 1) {
    assert.is((await run(link, { command: 'seq 3000', terminal })).stdout, expected)
  }
})

test('terminals follow the size of the window, and pass Ctrl-C on', async ({ link }) => {
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

test('the two directions of a forwarded connection can end independently', async ({ link }) => {
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

test('a connection to a port on which nothing listens is refused', async ({ link }) => {
  const refused = await link.forward(Duplex.from([]), { host: '127.0.0.1', port: await freePort() })()
  assert.is(E.isLeft(refused) ? refused.left._tag : '', 'Refused')
})

test('a port of the pod can be forwarded to this machine', async ({ link }) => {
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

test('clients without the key are rejected, and an agent with another host key is not trusted', async ({ started }) => {
  const stranger = { ...started.keys, client: newPair().private }
  assert.ok(E.isLeft(await realLinks.connect(await listening(started.port), stranger, connectMs)()))
  const impostor = { ...started.keys, host: newPair().public }
  assert.ok(E.isLeft(await realLinks.connect(await listening(started.port), impostor, connectMs)()))
})

test('the agent is installed only once', ({ started }) => {
  const before = readFileSync(join(started.folder, 'installed'), 'utf8')
  assert.not(install({ boot: 'dist/agent', folder: started.folder, loader: `${started.folder}/ld.so` }))
  assert.is(readFileSync(join(started.folder, 'installed'), 'utf8'), before)
})

test.run()
