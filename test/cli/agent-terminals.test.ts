/** Terminals of the agent as it is built, which outlive connections and the SSH server. */
import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sshLinks } from '../../src/adapters/ssh/client.ts'
import { frameOf } from '../../src/agent/frames.ts'
import type { Link } from '../../src/ports/link.ts'
import {
  type AgentWorld,
  connectMs,
  linked,
  listening,
  rightOf,
  type Started,
  terminal,
  untilText,
  withStartedAgent,
} from '../support/dev/agent.ts'

const test = suite<AgentWorld>('terminals')
withStartedAgent(test)

const commandOf = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

const isRunning = (command: string): boolean =>
  readdirSync('/proc').some((pid) => commandOf(pid).replaceAll('\0', ' ').trim() === command)

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
    const link = await sshLinks.connect(await listening(started.port), started.keys, connectMs)()
    if (E.isRight(link)) return link.right
    if (left === 0) throw new Error(link.left.reason)
    await sleep(50)
  }
}

test('a named terminal survives a killed server, and continues after the last byte received', async ({ started }) => {
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

test('a named terminal is never started twice, and is unknown once it has ended', async ({ started }) => {
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

test('a named terminal that is being ended is gone for a client that comes back', async ({ started }) => {
  const id = '00000000-1111-2222-3333-666666666666'
  const link = await linkedAgain(started)
  const command = "trap 'echo hung up' HUP; echo ready; while :; do sleep 0.1; done"
  const deaf = await rightOf(link.run({ command, terminal: named(id) }))
  await untilText(deaf.stdout, 'ready')
  // As the keeper itself does after a minute without a client: SIGHUP, and SIGKILL five seconds later.
  const keeper = connect(join(started.folder, 'run', `${id}.sock`))
  keeper.end(frameOf('close'))
  await untilText(deaf.stdout, 'hung up')
  const again = await link.run({ command, terminal: named(id, 0) })()
  assert.is(E.isLeft(again) && again.left._tag, 'Refused')
  deaf.stdout.resume()
  await deaf.exit()
  link.close()
})

test('what is started when the connection is cut is lost, not refused', async ({ started }) => {
  const socket = await listening(started.port)
  const link = await rightOf(sshLinks.connect(socket, started.keys, connectMs))
  const starting = link.run({ command: ['true'], terminal: named('00000000-1111-2222-3333-777777777777') })()
  socket.destroy()
  const result = await starting
  assert.is(E.isLeft(result) && result.left._tag, 'Lost')
})

test('a program ends when its client disconnects, even if it reads no input', async ({ started }) => {
  for (const ofTerminal of [{}, { terminal }]) {
    const link = await linkedAgain(started)
    const marker = `sleep 3${Math.floor(Math.random() * 1e6)}`
    const running = await rightOf(link.run({ command: `exec ${marker}`, ...ofTerminal }))
    running.stdin.write('x'.repeat(3_000_000))
    for (let left = 100; left > 0 && !isRunning(marker); left -= 1) await sleep(50)
    assert.ok(isRunning(marker))
    link.close()
    for (let left = 400; left > 0 && isRunning(marker); left -= 1) await sleep(50)
    assert.not(isRunning(marker), JSON.stringify(ofTerminal))
  }
})

test('no output is lost when a program ends before its output is read', async ({ started }) => {
  const link = await linkedAgain(started)
  const shell = await rightOf(link.run({ command: 'seq 1300000; exit 6', terminal }))
  await sleep(1500)
  const shown = await text(shell.stdout)
  assert.is(shown.split('\r\n').length, 1_300_001)
  assert.ok(shown.endsWith('\r\n1300000\r\n'))
  assert.is(await rightOf(shell.exit), 6)
  link.close()
})

test('a shell ends with its client, even if its program reads no input', async ({ started }) => {
  const link = await linkedAgain(started)
  const marker = `sleep 3${Math.floor(Math.random() * 1e6)}`
  const shell = await rightOf(link.run({ terminal }))
  shell.stdin.write(`${marker}\n`)
  for (let left = 100; left > 0 && !isRunning(marker); left -= 1) await sleep(50)
  assert.ok(isRunning(marker))
  shell.stdin.write('x\n'.repeat(1_500_000))
  await sleep(300)
  link.close()
  // It is killed after five seconds if it does not take the signal.
  for (let left = 60; left > 0 && isRunning(marker); left -= 1) await sleep(50)
  assert.not(isRunning(marker))
})

test('a terminal whose output is stopped can end', async ({ started }) => {
  const link = await linkedAgain(started)
  const shell = await rightOf(link.run({ command: 'echo ready; sleep 0.5; exit 4', terminal }))
  await untilText(shell.stdout, 'ready')
  shell.stdin.write('\u0013')
  shell.stdout.resume()
  assert.is(await rightOf(shell.exit), 4)
  link.close()
})

test.run()
