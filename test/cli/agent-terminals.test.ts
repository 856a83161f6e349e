/** Terminals of the agent as it is built, which outlive connections and the SSH server. */
import { readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { frameOf } from '../../src/adapters/ssh/frames.ts'
import {
  type AgentWorld,
  agentProcess,
  connectMs,
  isRunning,
  linked,
  linkedAgain,
  listening,
  rightOf,
  terminal,
  untilText,
  withStartedAgent,
} from '../support/dev/agent.ts'
import { realLinks } from '../support/dev/links.ts'
import { until } from '../support/process/until.ts'

const test = suite<AgentWorld>('terminals')
withStartedAgent(test)

const named = (id: string, output?: number) => ({
  terminal,
  session: { id, ...(output === undefined ? {} : { received: { output, errors: 0 } }) },
})

test('a named terminal survives a killed server, and continues after the last byte received', async ({ started }) => {
  const id = '00000000-1111-2222-3333-444444444444'
  const link = await linked(started)
  const command = 'echo first; read line; echo "second $line"; exit 9'
  const before = await rightOf(link.run({ command, ...named(id) }))
  assert.equal(before.from, { output: 0, errors: 0 })
  const seen = await untilText(before.stdout, 'first')
  process.kill(agentProcess(started.folder), 'SIGKILL')
  assert.is((await before.exit())._tag, 'Left')

  const again = await linkedAgain(started)
  const received = Buffer.byteLength(seen)
  const after = await rightOf(again.run({ command, ...named(id, received) }))
  assert.equal(after.from, { output: received, errors: 0 })
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
  const program = { command: `echo ran >> ${file}; read line; exit 3`, ...named(id) }
  const both = await Promise.all([link.run(program)(), link.run(program)()])
  assert.is(both.filter(E.isRight).length, 1)
  for (const one of both) {
    if (E.isLeft(one)) continue
    one.right.stdout.resume()
    one.right.stdin.write('\n')
    assert.is(await rightOf(one.right.exit), 3)
  }
  link.close()
  const again = await linkedAgain(started)
  for (let left = 100; left > 0; left -= 1) {
    const gone = await again.run({ ...program, ...named(id, 0) })()
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
  const deaf = await rightOf(link.run({ command, ...named(id) }))
  await untilText(deaf.stdout, 'ready')
  // As the keeper itself does after a minute without a client: SIGHUP, and SIGKILL five seconds later.
  const keeper = connect(join(started.folder, 'run', `${id}.sock`))
  keeper.end(frameOf('close'))
  await untilText(deaf.stdout, 'hung up')
  const again = await link.run({ command, ...named(id, 0) })()
  assert.is(E.isLeft(again) && again.left._tag, 'Refused')
  deaf.stdout.resume()
  await deaf.exit()
  link.close()
})

test('what is started when the connection is cut is lost, not refused', async ({ started }) => {
  const socket = await listening(started.port)
  const link = await rightOf(realLinks.connect(socket, started.keys, connectMs))
  const starting = link.run({ command: ['true'], ...named('00000000-1111-2222-3333-777777777777') })()
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
    await until('the program runs', () => isRunning(marker))
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
  await until('the program runs', () => isRunning(marker))
  shell.stdin.write('x\n'.repeat(1_500_000))
  await sleep(300)
  link.close()
  // It is killed after five seconds if it does not take the signal.
  for (let left = 60; left > 0 && isRunning(marker); left -= 1) await sleep(50)
  assert.not(isRunning(marker))
})

test('a killed keeper ends its own shell only', async ({ started }) => {
  const link = await linkedAgain(started)
  const command = 'echo "keeper $PPID."; read line; echo "got $line"; exit 5'
  const start = async (id: string) => {
    const shell = await rightOf(link.run({ command, ...named(`00000000-1111-2222-3333-6666666666${id}`) }))
    const seen = await untilText(shell.stdout, '.')
    return { shell, keeper: Number(/keeper (\d+)\./.exec(seen)?.[1]) }
  }
  const shells = [await start('01'), await start('02'), await start('03')] as const
  const [{ keeper, shell: killed }, ...others] = shells
  process.kill(keeper, 'SIGKILL')
  killed.stdout.resume()
  assert.is(await rightOf(killed.exit), 137)
  for (const { shell } of [...others, await start('04')]) {
    shell.stdin.write('line\n')
    assert.match(await text(shell.stdout), /got line/)
    assert.is(await rightOf(shell.exit), 5)
  }
  link.close()
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
