/** Signals while the program waits and while it computes. */
import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { root } from '../../scripts/command.ts'

type CommandResult = { readonly status: number | null; readonly signal: NodeJS.Signals | null; readonly said: string }

/** Runs `body` with `watched` in reach, and sends a signal each time that it says something. */
const ended = (body: string, signal: NodeJS.Signals): Promise<CommandResult> =>
  new Promise((resolve) => {
    const script = `
      import { writeSync } from 'node:fs'
      import { watchInterruption } from ${JSON.stringify(join(root, 'src/cli/interruption.ts'))}
      const watched = watchInterruption()
      const say = (text) => writeSync(1, text)
      ${body}
    `
    const args = ['--import', 'tsx', '--input-type=module', '--eval', script]
    const child = spawn(process.execPath, args, { cwd: root, stdio: ['ignore', 'pipe', 'inherit'] })
    let said = ''
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      child.kill(signal)
    })
    const killer = setTimeout(() => child.kill('SIGKILL'), 120_000)
    child.on('close', (status, by) => {
      clearTimeout(killer)
      resolve({ status, signal: by, said })
    })
  })

const test = suite('interruption')

const statuses = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
  test(`${signal} ends an endless computation`, async () => {
    assert.equal(await ended("say('a'); for (;;);", signal), { status: null, signal, said: 'a' })
  })

  test(`${signal} ends a computation of a command that asked for interruptions`, async () => {
    const body = "watched.signal(); await watched.computing(async () => { say('a'); for (;;); })"
    assert.equal(await ended(body, signal), { status: null, signal, said: 'a' })
  })

  test(`${signal} is delivered before and after a computation`, async () => {
    const told = `
      const signal = watched.signal()
      signal.addEventListener('abort', () => { process.exitCode = watched.status(); clearInterval(alive) })
      const alive = setInterval(() => {}, 1000)
      say('a')
    `
    const status = statuses[signal]
    const expected: CommandResult = { status, signal: null, said: 'a' }
    assert.equal(await ended(told, signal), expected)
    assert.equal(await ended(`watched.signal(); await watched.computing(async () => {}); ${told}`, signal), expected)
    assert.equal(await ended(`await watched.computing(async () => watched.signal()); ${told}`, signal), expected)
  })

  test(`${signal} right before a computation ends the process instead`, async () => {
    const body = `
      watched.signal()
      process.kill(process.pid, '${signal}')
      await watched.computing(async () => { for (;;); })
    `
    assert.equal(await ended(body, signal), { status: statuses[signal], signal: null, said: '' })
  })

  test(`a second ${signal} ends the process at once`, async () => {
    const body = "watched.signal().addEventListener('abort', () => say('b')); setInterval(() => {}, 1000); say('a')"
    const status = statuses[signal]
    assert.equal(await ended(body, signal), { status, signal: null, said: 'ab' })
  })
}

test('a signal that arrives while code runs is not lost when the abort signal is asked for again', async () => {
  const body = `
    const first = watched.signal()
    process.kill(process.pid, 'SIGTERM')
    watched.signal()
    setTimeout(() => { say(String(first.aborted)); process.exit(watched.status() ?? 0) }, 200)
  `
  assert.equal(await ended(body, 'SIGCONT'), { status: 143, signal: null, said: 'true' })
})

test.run()
