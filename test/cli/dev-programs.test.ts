/** Programs in a development container, over a session with the agent as it is built. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sshLinks } from '../../src/adapters/ssh/client.ts'
import { runProgram } from '../../src/app/dev/program.ts'
import type { DevProgram } from '../../src/app/dev/program-failure.ts'
import { type MemoryConsole, memoryConsole } from '../memory/console.ts'
import { type AgentWorld, type Started, terminal, withStartedAgent } from '../support/agent.ts'
import { type SessionWorld, sessionWith } from '../support/dev-session.ts'

const test = suite<AgentWorld>('programs')
withStartedAgent(test)

const closed = { _tag: 'Closed', reason: 'done' } as const

type ProgramOptions = { readonly program: DevProgram; readonly console?: MemoryConsole }

/** Runs the program while `during` happens. */
const running = async (
  started: Started,
  { console = memoryConsole(), program }: ProgramOptions,
  during: (console: MemoryConsole, world: SessionWorld) => Promise<unknown> = async ({ keys }) => keys.end(),
) => {
  const world = sessionWith(started)
  const [result] = await Promise.all([
    runProgram({ console, links: sshLinks })(world.session, program)(),
    during(console, world),
  ])
  world.session.end(closed)
  return { result, console, world }
}

const untilShown = async (console: MemoryConsole, text: string, times = 1): Promise<void> => {
  for (let left = 200; left > 0 && console.shown().split(text).length <= times; left -= 1) await sleep(50)
  assert.ok(console.shown().split(text).length > times, `${text} in ${console.shown()}`)
}

test('without a terminal the outputs are apart, and input and exit status pass', async ({ started }) => {
  const { console, result } = await running(
    started,
    { program: { command: 'cat; echo err >&2; exit 7' } },
    async ({ keys }) => keys.end('in\n'),
  )
  assert.equal(result, E.right(7))
  assert.is(console.shown(), 'in\n')
  assert.is(console.errors(), 'err\n')
  assert.equal(console.raws, [])
})

test('without a terminal, a program whose connection is lost is lost, and its end unknown', async ({ started }) => {
  const { result } = await running(
    started,
    { program: { command: 'echo ready; sleep 20' } },
    async (console, world) => {
      await untilShown(console, 'ready')
      world.cut()
    },
  )
  assert.ok(E.isLeft(result))
  assert.is(result.left._tag, 'Lost')
})

test('a terminal is raw while the program runs, and Ctrl-C and sizes are the program’s', async ({ started }) => {
  const command = 'trap "stty size; exit 5" INT; stty size; while :; do sleep 0.1; done'
  const given = { program: { command }, console: memoryConsole(terminal) }
  const { console, result } = await running(started, given, async (screen) => {
    await untilShown(screen, '30 100')
    screen.resize(132, 50)
    await sleep(200)
    screen.keys.write('\u0003')
  })
  assert.equal(result, E.right(5))
  assert.match(console.shown(), /50 132/)
  assert.equal(console.raws, ['Raw', 'Restored'])
})

test('a terminal goes on after its connection was lost, with what was typed meanwhile', async ({ started }) => {
  const command = 'for n in 1 2 3; do echo "line $n"; read word; echo "got $word"; done; exit 9'
  const given = { program: { command }, console: memoryConsole(terminal) }
  const { console, result, world } = await running(started, given, async (screen, { cut, reachable }) => {
    await untilShown(screen, 'line 1')
    screen.keys.write('first\n')
    await untilShown(screen, 'line 2')
    reachable(false)
    cut()
    await sleep(300)
    screen.keys.write('second\n')
    await sleep(300)
    reachable(true)
    await untilShown(screen, 'line 3')
    screen.keys.write('third\n')
  })
  assert.equal(result, E.right(9))
  for (const text of ['line 1', 'got first', 'line 2', 'got second', 'line 3', 'got third']) {
    assert.is(console.shown().split(text).length, 2, `${text} once in ${console.shown()}`)
  }
  assert.equal(
    world.told.map(({ _tag }) => _tag),
    ['Connected', 'Lost', 'Connected'],
  )
})

test('silence is a lost connection after two unanswered signs of life, and heals', async ({ started }) => {
  const command = 'echo "line 1"; read word; echo "got $word"; exit 9'
  const given = { program: { command }, console: memoryConsole(terminal) }
  const { console, result, world } = await running(started, given, async (screen, { silence, told }) => {
    await untilShown(screen, 'line 1')
    silence(true)
    for (let left = 200; left > 0 && told.every(({ _tag }) => _tag !== 'Lost'); left -= 1) await sleep(50)
    screen.keys.write('typed\n')
    await sleep(200)
    silence(false)
  })
  assert.equal(result, E.right(9))
  assert.match(console.shown(), /got typed/)
  assert.is(console.shown().split('line 1').length, 2)
  assert.equal(
    world.told.map(({ _tag }) => _tag),
    ['Connected', 'Lost', 'Connected'],
  )
})

test('Enter, tilde, full stop leaves a terminal without a connection, and nothing else does', async ({ started }) => {
  const given = { program: { command: 'echo ready; read one; sleep 20' }, console: memoryConsole(terminal) }
  const { console, result } = await running(started, given, async (screen, { cut, reachable }) => {
    await untilShown(screen, 'ready')
    screen.keys.write('\r~.')
    await untilShown(screen, '~.')
    reachable(false)
    cut()
    await sleep(200)
    screen.keys.write('x~.')
    await sleep(200)
    screen.keys.write('\r~.')
  })
  assert.ok(E.isLeft(result))
  assert.is(result.left._tag, 'Left')
  assert.equal(console.raws, ['Raw', 'CutOff'])
})

test('a program that ends while there is no connection has its exit status all the same', async ({ started }) => {
  const given = { program: { command: 'echo ready; sleep 0.5; echo end; exit 4' }, console: memoryConsole(terminal) }
  const { console, result } = await running(started, given, async (screen, { cut, reachable }) => {
    await untilShown(screen, 'ready')
    reachable(false)
    cut()
    await sleep(1000)
    reachable(true)
  })
  assert.equal(result, E.right(4))
  assert.match(console.shown(), /^ready\r\nend\r\n$/)
})

test.run()
