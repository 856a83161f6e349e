/** The client of a link, when the pod runs something else than our agent. */

import { connect, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { frameOf } from '../../../src/adapters/ssh/frames.ts'
import { ttyConsole } from '../../../src/adapters/tty/console.ts'
import type { Link } from '../../../src/ports/link.ts'
import { connectMs } from '../../support/dev/agent.ts'
import { realLinks } from '../../support/dev/links.ts'
import { portOf } from '../../support/process/ports.ts'

const algorithms = { cipher: ['aes128-gcm@openssh.com' as const] }

/** A link to a server that answers to programs as it likes. */
const linked = async (
  answer: (channel: ServerChannel) => void,
  greet: (client: Connection) => void = () => {},
): Promise<Link> => {
  const { client, host } = await realLinks.newKeys()
  const server = new ssh2.Server({ hostKeys: [host.private], algorithms }, (connection) => {
    connection.on('error', () => {})
    connection.on('authentication', (context) => context.accept())
    connection.on('ready', () => greet(connection))
    connection.on('session', (accept) => {
      const session = accept()
      session.on('env', (accepted) => accepted?.())
      session.on('pty', (accepted) => accepted?.())
      session.on('exec', (accepted) => answer(accepted()))
      session.on('subsystem', (accepted) => answer(accepted()))
    })
  })
  const listener = createServer((socket) => server.injectSocket(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const near = connect({ port: portOf(listener), host: '127.0.0.1' })
  near.once('connect', () => listener.close())
  const link = await realLinks.connect(near, { client: client.private, host: host.public }, connectMs)()
  if (E.isLeft(link)) throw new Error(link.left.reason)
  return link.right
}

const session = { id: '0123456789abcdef' }

/** How a program that the client may come back to begins, when this is what the other end says. */
const begun = async (told: string | Buffer): Promise<string> => {
  const link = await linked((channel) => void channel.write(told))
  const running = await link.run({ command: 'sh', session })()
  link.drop()
  if (E.isLeft(running)) return `${running.left._tag}: ${running.left.reason}`
  const { from, taken } = running.right
  return `from ${from.output} ${from.errors} ${taken}`
}

const unreadable = 'Refused: the answer of the agent cannot be read'

test('any response that does not come from an agent is an error', async () => {
  for (const told of [
    '{"output":-1,"errors":0,"taken":0}',
    '{"output":1.5,"errors":0,"taken":0}',
    '{"output":1e300,"errors":0,"taken":0}',
    '{"output":0,"errors":"1","taken":0}',
    '{"output":1}',
    '[]',
    'null',
    '',
  ])
    assert.is(await begun(frameOf('from', told)), unreadable, told)
  for (const told of ['hello\n', 'x'.repeat(1024 * 1024), Buffer.alloc(5, 0xff), Buffer.from([1, 0xff, 0, 0, 0])])
    assert.is(await begun(told), unreadable, String(told).slice(0, 20))
})

test('where a program continues is what the agent says', async () => {
  assert.is(await begun(frameOf('from', '{"output":7,"errors":8,"taken":9}')), 'from 7 8 9')
})

test('what follows no frames ends the program', async () => {
  const link = await linked((channel) => {
    channel.write(frameOf('from', '{"output":0,"errors":0,"taken":0}'))
    channel.write(frameOf('output', 'some'))
    channel.once('data', () => channel.once('data', () => channel.write('hello')))
  })
  const running = await link.run({ command: 'sh', session })()
  if (E.isLeft(running)) throw new Error(running.left.reason)
  running.right.stderr.resume()
  running.right.stdin.write('go on')
  assert.is(await text(running.right.stdout), 'some')
  assert.equal(await running.right.exit(), E.right(137))
  link.drop()
})

test('connections to this machine that were not requested are refused', async () => {
  let refusal: Promise<string> | undefined
  const link = await linked(
    () => {},
    (client) => {
      refusal = new Promise((resolve) =>
        client.forwardOut('0.0.0.0', 22, '10.0.0.1', 1, (failure) => resolve(failure?.message ?? 'opened')),
      )
    },
  )
  assert.match((await refusal) ?? 'nothing was tried', 'Channel open failure')
  link.close()
})

test('messages about a session cannot control the terminal', () => {
  const said = new PassThrough()
  const console = ttyConsole({
    env: {},
    stdin: () => new PassThrough(),
    stdout: () => process.stdout,
    stderr: () => Object(said),
    isTerminal: { stdin: false, stdout: false },
  })
  console.say('lost: \u001b]52;c;eHg=\u0007\r\ndevtool: all is well')
  assert.is(String(said.read()), 'lost: \\x1b]52;c;eHg=\\x07\\x0d\\x0adevtool: all is well\n')
})

test('a link is alive while data comes, however late its answers are', async () => {
  const sentences = Array.from({ length: 24 }, (_, index) => `sentence ${index}\n`)
  const talk = (channel: ServerChannel): void => {
    const left = [...sentences]
    const timer = setInterval(() => {
      const next = left.shift()
      if (next === undefined) return clearInterval(timer)
      channel.write(next)
    }, 300)
  }
  // SSH answers requests in order, and this server never answers the first.
  const link = await linked(talk, (connection) => connection.on('request', () => {}))
  void link.listen({ host: '127.0.0.1', port: 0 }, TE.left(undefined))()
  const running = await link.run({ command: 'talk' })()
  if (E.isLeft(running)) throw new Error(running.left.reason)
  const heard = text(running.right.stdout)
  assert.is(await link.closed(), 'no sign of life')
  assert.is(await heard, sentences.join(''))
})

test.run()
