/** The console of a command in the background, over a real socket. */
import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { sharedConsoles } from '../../src/adapters/ssh/shared-consoles.ts'
import { runAttached } from '../../src/app/dev/attached.ts'
import { unattended } from '../../src/app/dev/background.ts'
import type { AttachedConsole, SharedConsole } from '../../src/ports/shared-consoles.ts'
import { type MemoryConsole, memoryConsole } from '../memory/console.ts'
import { untilText } from '../support/dev/agent.ts'
import { until } from '../support/process/until.ts'

type World = { path: string; log: MemoryConsole; shared: SharedConsole }

const test = suite<World>('shared consoles')
test.before.each(async (world) => {
  world.path = join(mkdtempSync(join(tmpdir(), 'd')), 'c.sock')
  world.log = memoryConsole()
  world.shared = await opened(world)
})
test.after.each(async ({ path, shared }) => {
  await shared.close()
  rmSync(join(path, '..'), { recursive: true })
})

const opened = async ({ log, path }: Pick<World, 'log' | 'path'>): Promise<SharedConsole> => {
  const shared = await sharedConsoles.share(path, unattended(log))()
  if (E.isLeft(shared)) throw new Error(shared.left)
  return shared.right
}

const attached = async (path: string): Promise<AttachedConsole> => {
  const found = await sharedConsoles.attach(path)()
  if (found === undefined) throw new Error('there is no console')
  return found
}

test('who attaches sees what was printed before and what follows, and the log has all of it', async (world) => {
  const { console } = world.shared
  assert.is(statSync(world.path).mode & 0o777, 0o600)
  console.stdout().write('before\n')
  const { close, program } = await attached(world.path)
  await untilText(program.stdout, 'before\n')
  console.stdout().write('after\n')
  await untilText(program.stdout, 'after\n')
  assert.is(world.log.shown(), 'before\nafter\n')
  close()
})

test('of a long output, the last part is there', async ({ path, shared }) => {
  const line = `${'x'.repeat(1023)}\n`
  for (let count = 0; count < 2000; count += 1) shared.console.stdout().write(line)
  shared.console.stdout().write('the end\n')
  const { close, program } = await attached(path)
  assert.ok(program.from.output > 1_500_000)
  const seen = await untilText(program.stdout, 'the end\n')
  assert.ok(seen.length > 250 * 1024 && seen.length < 400 * 1024, `${seen.length} bytes`)
  close()
})

test('input reaches the command, and its terminal has the size of who attached last', async ({ path, shared }) => {
  const { console } = shared
  const first = await attached(path)
  let times = 0
  const stop = console.onResize(() => {
    times += 1
  })
  assert.is(console.terminal()?.columns, 80)
  first.program.resize({ columns: 120, rows: 40 })
  await until('the size is told', () => times === 1)
  assert.equal(console.terminal(), { columns: 120, rows: 40, type: 'dumb' })
  const second = await attached(path)
  assert.ok(E.isLeft(await first.program.exit()))
  second.program.stdin.write('hello')
  await untilText(console.stdin(), 'hello')
  stop()
  second.close()
})

test('the exit status of the command is that of who is attached, after all output', async ({ path, shared }) => {
  const { program } = await attached(path)
  shared.console.stdout().write('last words')
  await shared.close(7)
  const [seen, exit] = await Promise.all([untilText(program.stdout, 'last words'), program.exit()])
  assert.is(seen, 'last words')
  assert.equal(exit, E.right(7))
  assert.is(await sharedConsoles.attach(path)(), undefined)
})

test('what a killed process has left is replaced, a living one is not, nor is a file whose path is too long', async (world) => {
  const { log, path, shared } = world
  const again = await sharedConsoles.share(path, unattended(log))()
  assert.equal(again, E.left(`another process listens on ${path}`))
  await shared.close()
  writeFileSync(path, '')
  assert.is(await sharedConsoles.attach(path)(), undefined)
  world.shared = await opened(world)
  const long = join(path, '..', 'x'.repeat(100))
  assert.equal(await sharedConsoles.share(long, unattended(log))(), E.left(`${long} is too long for a socket`))
})

test('what is no message of ours ends only its own connection', async ({ path, shared }) => {
  const { close, program } = await attached(path)
  const stranger = connect(path)
  const closed = new Promise((resolve) => stranger.once('close', resolve))
  stranger.write(Buffer.from([200, 255, 255, 255, 255, 1]))
  await closed
  shared.console.stdout().write('still here')
  await untilText(program.stdout, 'still here')
  close()
})

test('a terminal is left with Ctrl-P Ctrl-Q, and the command goes on', async ({ path, shared }) => {
  const person = memoryConsole({ columns: 100, rows: 30, type: 'xterm' })
  const found = await attached(path)
  let isLeft = false
  const left = (): void => {
    isLeft = true
  }
  const running = runAttached(person, found, { left, signal: new AbortController().signal })()
  await until('the terminal is raw', () => person.raws.length === 1)
  shared.console.stdout().write('question: ')
  await until('the question is shown', () => person.shown() === 'question: ')
  person.keys.write('yes\u0010n\u0003')
  await untilText(shared.console.stdin(), 'yes\u0010n\u0003')
  assert.is(shared.console.terminal()?.columns, 100)
  person.keys.write('\u0010')
  person.keys.write('\u0011')
  assert.equal(await running, E.right(0))
  assert.ok(isLeft)
  assert.equal(person.raws, ['Raw', 'CutOff'])
  const again = await attached(path)
  await untilText(again.program.stdout, 'question: ')
  again.close()
})

test('without a terminal, an interruption leaves the command', async ({ path, shared }) => {
  const pipes = memoryConsole()
  const interrupted = new AbortController()
  const running = runAttached(pipes, await attached(path), { left: () => {}, signal: interrupted.signal })()
  shared.console.stdout().write('a line\n')
  await until('it is shown', () => pipes.shown() === 'a line\n')
  interrupted.abort()
  assert.equal(await running, E.right(0))
})

test('a file that is no socket is no console', async ({ path }) => {
  const server = createServer((socket) => socket.end('hello'))
  const other = `${path}2`
  await new Promise<void>((resolve) => server.listen(other, resolve))
  assert.is(await sharedConsoles.attach(other)(), undefined)
  server.close()
})

test.run()
