/** Programs of `up` without a terminal, which outlive connections and the SSH server: no byte is lost or comes twice. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { type AgentWorld, agentProcess, isRunning, withStartedAgent } from '../support/dev/agent.ts'
import { closed, running, untilShown } from '../support/dev/programs.ts'
import { until } from '../support/process/until.ts'

const test = suite<AgentWorld>('programs with pipes')
withStartedAgent(test)

const numbers = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)
const linesOf = (word: string, count: number): string =>
  numbers(count)
    .map((number) => `${word} ${number}\n`)
    .join('')

test('a program survives a server that is killed three times, with its input, both outputs and its status', async ({
  started,
}) => {
  const command = 'while read -r line; do echo "out $line"; echo "err $line" >&2; done; echo end; exit 7'
  const { console, result } = await running(started, { program: { command } }, async (screen) => {
    for (const time of numbers(3)) {
      for (const number of numbers(100)) screen.keys.write(`${(time - 1) * 100 + number}\n`)
      await untilShown(screen, `out ${time * 100 - 50}\n`)
      process.kill(agentProcess(started.folder), 'SIGKILL')
      await sleep(100)
    }
    screen.keys.end('301\n')
  })
  assert.equal(result, E.right(7))
  assert.is(console.shown(), `${linesOf('out', 301)}end\n`)
  assert.is(console.errors(), linesOf('err', 301))
})

test('a program that writes faster than it is read loses nothing when its connection is cut', async ({ started }) => {
  const command = 'seq -f "err %.0f" 60000 >&2 & seq -f "out %.0f" 60000; wait'
  const { console, result } = await running(started, { program: { command } }, async (screen, { cut, told }) => {
    for (const number of [1_000, 20_000, 40_000]) {
      await untilShown(screen, `out ${number}\n`)
      const before = told.length
      cut()
      await until('the connection is lost', () => told.length > before)
    }
  })
  assert.equal(result, E.right(0))
  assert.ok(console.shown() === linesOf('out', 60_000))
  assert.ok(console.errors() === linesOf('err', 60_000))
})

test('without a connection a program waits once much of its output has not arrived, and its input may end', async ({
  started,
}) => {
  const command = 'echo ready; read -r line; seq 60000; cat; exit 3'
  const { console, result } = await running(started, { program: { command } }, async (screen, world) => {
    await untilShown(screen, 'ready')
    screen.keys.write('go\n')
    await untilShown(screen, '\n100\n')
    world.reachable(false)
    world.cut()
    screen.keys.end('the last words\n')
    await sleep(500)
    world.reachable(true)
  })
  assert.equal(result, E.right(3))
  assert.ok(console.shown() === `ready\n${numbers(60_000).join('\n')}\nthe last words\n`)
})

test('much input arrives whole, although its connection is cut', async ({ started }) => {
  const { console, result } = await running(started, { program: { command: 'cat' } }, async (screen, { cut }) => {
    screen.keys.end(linesOf('line', 60_000))
    for (const number of [10_000, 40_000]) {
      await untilShown(screen, `line ${number}\n`)
      cut()
    }
  })
  assert.equal(result, E.right(0))
  assert.ok(console.shown() === linesOf('line', 60_000))
})

test('the status of a program that ends without a connection is known afterwards', async ({ started }) => {
  const command = 'echo ready; sleep 0.3; echo end; echo err >&2; exit 4'
  const { console, result } = await running(started, { program: { command } }, async (screen, { cut, reachable }) => {
    await untilShown(screen, 'ready')
    reachable(false)
    cut()
    await sleep(800)
    reachable(true)
  })
  assert.equal(result, E.right(4))
  assert.is(console.shown(), 'ready\nend\n')
  assert.is(console.errors(), 'err\n')
})

test('a program ends at once when its session ends, but not when a connection is given up', async ({ started }) => {
  const marker = `sleep 3${Math.floor(Math.random() * 1e6)}`
  const { result } = await running(
    started,
    { program: { command: `echo ready; read -r line; echo "got $line"; exec ${marker}` } },
    async (screen, { session }) => {
      await untilShown(screen, 'ready')
      const found = await session.link('terminal')()
      if (E.isLeft(found)) throw new Error(found.left.reason)
      found.right.link.drop()
      screen.keys.write('it again\n')
      await untilShown(screen, 'got it again')
      await until('the program goes on', () => isRunning(marker))
      session.end(closed)
    },
  )
  assert.ok(E.isLeft(result))
  assert.is(result.left._tag, 'Over')
  await until('the program ends', () => !isRunning(marker))
})

test('a reader that closes the pipe ends the program, also after a lost connection', async ({ started }) => {
  const command = 'while :; do echo more; sleep 0.05; done'
  const { result } = await running(started, { program: { command } }, async (screen, { cut, told }) => {
    await untilShown(screen, 'more')
    cut()
    await until('the connection is lost', () => told.length > 1)
    const shown = screen.shown().length
    await until('it goes on', () => screen.shown().length > shown)
    screen.stdout().destroy(new Error('EPIPE'))
  })
  assert.equal(result, E.right(141))
})

test.run()
