/** Programs in a development container, over a session with the agent as it is built. */
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { runLasting } from '../../src/app/dev/lasting.ts'
import { runLastingProgram, runProgram } from '../../src/app/dev/program.ts'
import { type MemoryConsole, memoryConsole } from '../memory/console.ts'
import { type AgentWorld, type Started, terminal, withStartedAgent } from '../support/dev/agent.ts'
import { type SessionWorld, sessionWith } from '../support/dev/dev-session.ts'
import { realLinks } from '../support/dev/links.ts'
import { closed, type ProgramOptions, running, untilShown } from '../support/dev/programs.ts'
import { changesIn } from '../support/dev/session-log.ts'

const test = suite<AgentWorld>('programs')
withStartedAgent(test)

test('without a terminal the outputs are separate, and input and exit status are passed on', async ({ started }) => {
  for (const run of [runProgram, runLastingProgram]) {
    const { console, result } = await running(
      started,
      { program: { command: 'cat; echo err >&2; exit 7' }, run },
      async ({ keys }) => keys.end('in\n'),
    )
    assert.equal(result, E.right(7))
    assert.is(console.shown(), 'in\n')
    assert.is(console.errors(), 'err\n')
    assert.equal(console.raws, [])
  }
})

test('without a terminal, a lost connection ends a command of exec, and its exit status is unknown', async ({
  started,
}) => {
  const { result } = await running(
    started,
    { program: { command: 'echo ready; sleep 20' }, run: runProgram },
    async (console, world) => {
      await untilShown(console, 'ready')
      world.cut()
    },
  )
  assert.ok(E.isLeft(result))
  assert.is(result.left._tag, 'Lost')
})

test('a terminal is raw while the program runs, which gets Ctrl-C and the window size', async ({ started }) => {
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

test('a terminal reads keys after an earlier prompt', async ({ started }) => {
  const given = { program: { command: 'echo ready; read word; echo "got $word"' }, console: memoryConsole(terminal) }
  given.console.keys.pause()
  const { console, result } = await running(started, given, async (screen) => {
    await untilShown(screen, 'ready')
    screen.keys.write('first\n')
  })
  assert.equal(result, E.right(0))
  assert.match(console.shown(), /got first/)
})

test('a terminal continues after a lost connection, with what was typed and how it was resized meanwhile', async ({
  started,
}) => {
  const command = 'for n in 1 2 3; do echo "line $n"; read word; echo "got $word"; done; stty size; exit 9'
  const given = { program: { command }, console: memoryConsole(terminal) }
  const { console, result, world } = await running(started, given, async (screen, { cut, reachable }) => {
    await untilShown(screen, 'line 1')
    screen.keys.write('first\n')
    await untilShown(screen, 'line 2')
    reachable(false)
    cut()
    await sleep(300)
    screen.resize(132, 50)
    screen.keys.write('second\n')
    await sleep(300)
    reachable(true)
    await untilShown(screen, 'line 3')
    screen.keys.write('third\n')
  })
  assert.equal(result, E.right(9))
  for (const text of ['line 1', 'got first', 'line 2', 'got second', 'line 3', 'got third', '50 132']) {
    assert.is(console.shown().split(text).length, 2, `${text} once in ${console.shown()}`)
  }
  assert.equal(changesIn(world.told), ['Connected', 'Lost', 'Connected'])
})

test('a connection counts as lost after two unanswered pings, and no key typed meanwhile is lost or sent twice', async ({
  started,
}) => {
  const command = 'echo "line 1"; read one; echo "got $one"; read two; echo "got $two"; exit 9'
  const given = { program: { command }, console: memoryConsole(terminal) }
  const { console, result, world } = await running(started, given, async (screen, { silence, told }) => {
    await untilShown(screen, 'line 1')
    silence(true)
    screen.keys.write('early\n')
    for (let left = 200; left > 0 && told.every(({ _tag }) => _tag !== 'Lost'); left -= 1) await sleep(50)
    screen.keys.write('late\n')
    await sleep(200)
    silence(false)
  })
  assert.equal(result, E.right(9))
  for (const text of ['got early', 'got late']) assert.is(console.shown().split(text).length, 2, console.shown())
  assert.is(console.shown().split('line 1').length, 2)
  assert.equal(changesIn(world.told), ['Connected', 'Lost', 'Connected'])
})

test('a terminal without a connection is left with Enter ~ . and nothing else', async ({ started }) => {
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

test('these keys do not end a command in the background, which others type into', async ({ started }) => {
  const run: typeof runLastingProgram = (needs) => runLastingProgram({ ...needs, leaving: 'Never' })
  const given = { program: { command: 'echo ready; read a; read b; exit 6' }, console: memoryConsole(terminal), run }
  const { result } = await running(started, given, async (screen, { cut, reachable }) => {
    await untilShown(screen, 'ready')
    reachable(false)
    cut()
    await sleep(200)
    screen.keys.write('\r~.')
    await sleep(200)
    reachable(true)
    screen.keys.write('\n')
  })
  assert.equal(result, E.right(6))
})

test('the exit status of a program that ends while the connection is lost is known afterwards', async ({ started }) => {
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

/** As `up` runs it. */
const lasting = async (
  started: Started,
  { console = memoryConsole(), program }: ProgramOptions,
  during: (console: MemoryConsole, world: SessionWorld) => Promise<unknown>,
) => {
  const world = sessionWith(started)
  const prepared: Array<string> = []
  const prepare = (because: string) =>
    TE.fromIO(() => {
      prepared.push(because)
    })
  const run = runLastingProgram({ console, links: realLinks })(world.session, program)
  const [result] = await Promise.all([runLasting({ clock: systemClock }, { run, prepare })(), during(console, world)])
  world.session.end(closed)
  return { result, console, prepared }
}

for (const [where, size] of [
  ['in a terminal', terminal],
  ['without a terminal', undefined],
] as const) {
  test(`${where}, the program of up is started again when its pod is replaced`, async ({ started }) => {
    const given = { program: { command: 'echo ready; read word; exit 6' }, console: memoryConsole(size) }
    const { prepared, result } = await lasting(started, given, async (screen, { replace }) => {
      await untilShown(screen, 'ready')
      replace()
      await untilShown(screen, 'ready', 2)
      screen.keys.write('go on\n')
    })
    assert.equal(result, E.right(6))
    assert.is(prepared.length, 1)
  })
}

test('a program whose container is lost again and again is not started any more', async ({ started }) => {
  const given = { program: { command: 'echo ready; sleep 20' } }
  const { prepared, result } = await lasting(started, given, async (screen, { cut }) => {
    const sockets = join(started.folder, 'run')
    for (const times of [1, 2, 3, 4, 5]) {
      await untilShown(screen, 'ready', times)
      for (const name of readdirSync(sockets)) rmSync(join(sockets, name))
      cut()
    }
  })
  assert.ok(E.isLeft(result))
  assert.is(prepared.length, 4)
})

test.run()
