/** The console of this process in a real terminal, which has to be as before however the process ends. */
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openScreen, type Screen } from '../support/process/screen.ts'
import { until } from '../support/process/until.ts'

const program = resolve('test/support/dev/console-program.ts')
const shell = `"$0" --import tsx "${program}" "$@"; echo "status $?"; sleep 60`

/** A shell runs the program, and stays when it has ended: at its end the terminal would be gone. */
const started = (args: ReadonlyArray<string>): Screen =>
  openScreen('/bin/sh', ['-c', shell, process.execPath, ...args], { columns: 100, rows: 30 })

/** Starts the program in a terminal, which it makes raw. `before`: the modes without it. */
const running = async (
  args: ReadonlyArray<string>,
  during: (screen: Screen, pid: number, before: string) => Promise<void>,
): Promise<void> => {
  const screen = started(args)
  try {
    await screen.until('ready ')
    const before = screen.modesAtStart()
    assert.match(before, / icanon/)
    const pid = Number(/ready (\d+) 100x30/.exec(screen.shown())?.[1])
    assert.match(screen.modes(), / -icanon/)
    await during(screen, pid, before)
  } finally {
    await screen.hangUp()
  }
}

const cutOff = '\u001B[?1049l\u001B[?25h'

test('Ctrl-C and other keys reach the program, and its terminal follows the window size', () =>
  running(['handled'], async (screen) => {
    screen.type('\u0003')
    await screen.until('got 03')
    screen.type('\u001A\u0004')
    await screen.until('got 1a04')
    screen.resize(132, 50)
    await screen.until('size 132x50')
  }))

const ends: ReadonlyArray<readonly [string, (screen: Screen, pid: number) => void, number, boolean]> = [
  ['the end of the program', ({ type }) => type('q'), 0, false],
  ['a program that was cut off', ({ type }) => type('x'), 3, true],
  ['process.exit', ({ type }) => type('e'), 4, true],
  ['an error that nobody catches', ({ type }) => type('t'), 1, true],
  ['SIGINT', (_, pid) => process.kill(pid, 'SIGINT'), 130, true],
  ['SIGTERM', (_, pid) => process.kill(pid, 'SIGTERM'), 143, true],
  ['SIGHUP', (_, pid) => process.kill(pid, 'SIGHUP'), 129, true],
]

for (const [way, end, status, isCutOff] of ends) {
  test(`the terminal is restored after ${way}`, () =>
    running(['handled'], async (screen, pid, before) => {
      end(screen, pid)
      await screen.until(`status ${status}`)
      assert.is(screen.modes(), before)
      assert.is(screen.shown().includes(cutOff), isCutOff)
    }))
}

for (const name of ['SIGINT', 'SIGTERM'] as const) {
  test(`the terminal is restored after an unhandled ${name}`, () =>
    running(['plain'], async (screen, pid, before) => {
      process.kill(pid, name)
      await screen.until('status ')
      assert.is(screen.modes(), before)
    }))
}

for (const manner of ['handled', 'busy']) {
  test(`a closed terminal ends the command like SIGHUP${manner === 'busy' ? ', also while keys are not read' : ''}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'console-'))
    const ended = join(folder, 'ended')
    try {
      await running([manner, ended], async (screen) => screen.hangUp())
      await until('the command has ended', () => existsSync(ended))
      assert.is(readFileSync(ended, 'utf8'), '129')
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
}

test.run()
