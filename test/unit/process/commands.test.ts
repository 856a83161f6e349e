/** Real processes, through pipes and, where node-pty has been compiled, under a terminal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { processCommands } from '../../../src/adapters/process/commands.ts'
import { loadTerminals } from '../../../src/adapters/process/terminal.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { CommandLine, Commands } from '../../../src/ports/commands.ts'

const terminals = loadTerminals(systemClock)
const piped = processCommands(systemClock, () => undefined)
const env = new Map(Object.entries({ PATH: process.env['PATH'] ?? '', HOME: tmpdir(), TERM: 'xterm' }))

const bash = (text: string): CommandLine => ({ _tag: 'Shell', text, isBash: true })
const never = new AbortController().signal

type Options = {
  readonly folder?: string
  readonly signal?: AbortSignal
  readonly isTerminal?: boolean
  readonly variables?: ReadonlyMap<string, string>
  /** Called as soon as the command prints something. */
  readonly onReady?: () => void
}
type CommandResult = { readonly status: number | string; readonly output: string }

const run = async (
  commands: Commands,
  line: CommandLine,
  { folder = tmpdir(), signal = never, isTerminal = true, variables = env, onReady = () => {} }: Options = {},
): Promise<CommandResult> => {
  let output = ''
  const terminal = isTerminal ? { terminal: { columns: 77, rows: 20 } } : {}
  const invocation = { line, folder, env: variables, ...terminal }
  const onOutput = (text: string): void => {
    if (output === '') onReady()
    output += text
  }
  const ran = await commands.run(invocation, onOutput, signal)()
  return { status: E.isRight(ran) ? ran.right : ran.left.code, output: output.replaceAll('\r\n', '\n') }
}

const ways: ReadonlyArray<readonly [string, Commands]> = [
  ['pipes', piped],
  ...(terminals === undefined ? [] : [['a terminal', processCommands(systemClock, () => terminals)] as const]),
]

for (const [way, commands] of ways) {
  test(`${way}: output and exit status are returned, with both streams in order`, async () => {
    const { output, status } = await run(commands, bash('echo one; echo two >&2; echo three; exit 7'))
    assert.is(output, 'one\ntwo\nthree\n')
    assert.is(status, 7)
  })

  test(`${way}: a quick command loses no output`, async () => {
    for (let i = 0; i < 30; i += 1) {
      const { output, status } = await run(commands, bash('head -c 20000 /dev/zero | tr "\\0" x; echo; echo end'))
      assert.is(output, `${'x'.repeat(20_000)}\nend\n`)
      assert.is(status, 0)
    }
  })

  test(`${way}: two megabytes arrive complete`, async () => {
    const { output, status } = await run(commands, bash('seq 300000; exit 5'))
    assert.is(output.trimEnd().split('\n').length, 300_000)
    assert.ok(output.endsWith('\n300000\n'))
    assert.is(status, 5)
  })

  test(`${way}: multi-byte characters are not split`, async () => {
    const { output } = await run(commands, bash('for i in $(seq 3000); do printf "äö😀"; done; echo'))
    assert.is(output, `${'äö😀'.repeat(3000)}\n`)
  })

  test(`${way}: the status after a signal is 128 plus its number`, async () => {
    assert.is((await run(commands, bash('kill -KILL $$'))).status, 137)
    assert.is((await run(commands, bash('kill -TERM $$'))).status, 143)
  })

  test(`${way}: the standard input is empty`, async () => {
    assert.is((await run(commands, bash('cat; read x || echo nothing'))).output, 'nothing\n')
  })

  test(`${way}: background processes are not waited for`, async () => {
    const { output } = await run(commands, bash('sleep 600 & echo done; kill -0 $! && echo alive; disown'))
    assert.is(output, 'done\nalive\n')
  })

  test(`${way}: the signal interrupts the whole group`, async () => {
    const stop = new AbortController()
    const script = bash('echo ready; sleep 600 | sleep 600; echo no')
    const ran = await run(commands, script, { signal: stop.signal, onReady: () => stop.abort() })
    assert.is(ran.status, 130)
    assert.not.match(ran.output, 'no')
  })

  test(`${way}: a command that ignores the interrupt is killed with its children`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commands-'))
    const stop = new AbortController()
    const script =
      'trap "" INT; (while true; do date +%N > alive; sleep 0.1; done) & echo ready; while true; do sleep 1; done'
    const onReady = (): void => stop.abort()
    const { status } = await run(commands, bash(script), { signal: stop.signal, folder, onReady })
    assert.is(status, 137)
    rmSync(folder, { recursive: true })
  })

  test(`${way}: after one Ctrl-C there is time to clean up`, async () => {
    const script = 'trap "sleep 0.5; echo cleaned; exit 9" INT; echo ready; while true; do sleep 0.1; done'
    const stop = new AbortController()
    const ran = await run(commands, bash(script), { signal: stop.signal, onReady: () => stop.abort('SIGINT') })
    assert.equal(ran, { output: 'ready\ncleaned\n', status: 9 })
  })

  test(`${way}: without bash, the platform's shell runs the script with its arguments`, async () => {
    const { output } = await run(commands, { _tag: 'Shell', text: 'printf "%s-" a "b c"; echo', isBash: false })
    assert.is(output, 'a-b c-\n')
  })

  test(`${way}: a program gets its arguments unchanged`, async () => {
    const { output } = await run(commands, { _tag: 'Program', argv: ['printf', '%s\\n', '$HOME', 'a b'] })
    assert.is(output, '$HOME\na b\n')
  })

  test(`${way}: a missing program is reported`, async () => {
    const nowhere = new Map([...env, ['PATH', '/nonexistent']])
    assert.is((await run(commands, bash('true'), { variables: nowhere })).status, 'DT3502')
    assert.is((await run(commands, { _tag: 'Program', argv: ['no-such-program'] })).status, 'DT3503')
    assert.is((await run(commands, bash('true'), { folder: '/nonexistent' })).status, 'DT3503')
  })

  test(`${way}: a relative program is found from its folder`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'commands-'))
    writeFileSync(join(folder, 'hello'), '#!/bin/sh\necho hello from "$PWD"\n', { mode: 0o755 })
    const { output } = await run(commands, { _tag: 'Program', argv: ['./hello'] }, { folder })
    assert.is(output, `hello from ${folder}\n`)
    rmSync(folder, { recursive: true })
  })
}

test('through pipes, colours are requested if there is a terminal', async () => {
  assert.is((await run(piped, bash('echo $FORCE_COLOR'))).output, '1\n')
  assert.is((await run(piped, bash('echo $FORCE_COLOR'), { isTerminal: false })).output, '\n')
  const plain = new Map([...env, ['NO_COLOR', '1']])
  assert.is((await run(piped, bash('echo $FORCE_COLOR'), { variables: plain })).output, '\n')
})

if (terminals !== undefined) {
  test('a command run in a terminal sees one of the given width', async () => {
    const text = 'test -t 1 && test -t 2 && ! test -t 0 && stty size < /dev/tty'
    assert.is(
      (
        await run(
          processCommands(systemClock, () => terminals),
          bash(text),
        )
      ).output,
      '20 77\n',
    )
  })

  test('a terminal can be resized, even when its command has ended', async () => {
    let output = ''
    const start = { file: '/bin/sh', folder: '/', env, onOutput: (text: string) => (output += text) }
    const child = terminals({ ...start, args: ['-c', 'sleep 0.3; stty size < /dev/tty'] }, { columns: 80, rows: 24 })
    child.resize(132, 50)
    assert.equal(await child.ended, { code: 0, signal: 0 })
    assert.is(output, '50 132\r\n')
    child.resize(10, 10)
  })
}

test('a scratch file is readable by its user only, and is removed', async () => {
  const made = await piped.scratch()()
  if (E.isLeft(made)) throw new Error(made.left.message)
  const { path, read, remove } = made.right
  writeFileSync(path, 'A=1\n')
  assert.equal(await read()(), E.right('A=1\n'))
  await remove()
  assert.is(E.isLeft(await read()()), true)
})

test.run()
