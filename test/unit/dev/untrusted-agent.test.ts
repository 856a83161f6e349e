/** The client of a link, when the pod runs something else than our agent. */

import { connect, createServer } from 'node:net'
import { PassThrough } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import ssh2, { type Connection, type ServerChannel } from 'ssh2'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { sshLinks } from '../../../src/adapters/ssh/client.ts'
import { ttyConsole } from '../../../src/adapters/tty/console.ts'
import type { Link } from '../../../src/ports/link.ts'
import { connectMs } from '../../support/dev/agent.ts'
import { portOf } from '../../support/process/ports.ts'

const algorithms = { cipher: ['aes128-gcm@openssh.com' as const] }

/** A link to a server that answers to programs as it likes. */
const linked = async (
  answer: (channel: ServerChannel) => void,
  greet: (client: Connection) => void = () => {},
): Promise<Link> => {
  const { client, host } = await sshLinks.newKeys()
  const server = new ssh2.Server({ hostKeys: [host.private], algorithms }, (connection) => {
    connection.on('error', () => {})
    connection.on('authentication', (context) => context.accept())
    connection.on('ready', () => greet(connection))
    connection.on('session', (accept) => {
      const session = accept()
      session.on('env', (accepted) => accepted?.())
      session.on('pty', (accepted) => accepted?.())
      session.on('exec', (accepted) => answer(accepted()))
    })
  })
  const listener = createServer((socket) => server.injectSocket(socket)).listen(0, '127.0.0.1')
  await new Promise((resolve) => listener.once('listening', resolve))
  const near = connect({ port: portOf(listener), host: '127.0.0.1' })
  near.once('connect', () => listener.close())
  const link = await sshLinks.connect(near, { client: client.private, host: host.public }, connectMs)()
  if (E.isLeft(link)) throw new Error(link.left.reason)
  return link.right
}

const terminal = { columns: 80, rows: 24, type: 'xterm', session: { id: '0123456789abcdef' } }

/** How a terminal that the client may come back to begins, when this is what the other end says. */
const begun = async (told: string): Promise<string> => {
  const link = await linked((channel) => void channel.stderr.write(told))
  const running = await link.run({ command: 'sh', terminal })()
  link.close()
  return E.isRight(running) ? `from ${running.right.from}` : `${running.left._tag}: ${running.left.reason}`
}

const unreadable = 'Refused: the answer of the agent cannot be read'

test('any response that does not come from an agent is an error', async () => {
  for (const told of [
    'hello\n',
    '{"from":-1,"taken":0}\n',
    '{"from":1.5,"taken":0}\n',
    '{"from":1e300,"taken":0}\n',
    '{"from":"1","taken":0}\n',
    '{"from":1}\n',
    '[]\n',
    'null\n',
  ])
    assert.is(await begun(told), unreadable, told)
})

test('an endless response ends with an error', async () => {
  assert.is(await begun('x'.repeat(1024 * 1024)), unreadable)
})

test('data after the response is ignored', async () => {
  assert.is(await begun('{"from":7,"taken":0}\nmore\n'), 'from 7')
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

test.run()
