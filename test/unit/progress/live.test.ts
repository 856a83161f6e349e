import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'
import type { Progress } from '../../../src/ports/progress.ts'
import { screenOf, step } from '../../support/cli/progress.ts'

type Terminal = {
  readonly progress: Progress
  readonly written: () => string
  readonly writes: () => number
  /** Moves the time, and looks as often as the adapter wanted to. */
  readonly pass: (ms: number) => void
  readonly resize: (columns: number) => void
  readonly exit: () => void
  readonly isTicking: () => boolean
}

const terminal = (env: Readonly<Record<string, string>> = {}, isTerminal = true): Terminal => {
  let [nowMs, text, writes, isTicking] = [0, '', 0, false]
  let tick: { readonly ms: number; readonly f: () => void } = { ms: 1000, f: () => {} }
  let exit = (): void => {}
  const screen = {
    columns: 60,
    rows: 10,
    write: (part: string) => {
      text += part
      writes += 1
    },
  }
  const shown = { screen, isTerminal, color: false }
  const progress = ttyProgress({
    mode: 'auto',
    env,
    stdout: shown,
    stderr: shown,
    clock: {
      now: () => nowMs,
      every: (ms, f) => {
        tick = { ms, f }
        isTicking = true
        return () => {
          isTicking = false
        }
      },
    },
    onExit: (f) => {
      exit = () => f(0)
    },
  })
  return {
    progress,
    written: () => text,
    writes: () => writes,
    pass: (ms) => {
      for (const endMs = nowMs + ms; nowMs < endMs; ) {
        nowMs += tick.ms
        if (isTicking) tick.f()
      }
    },
    resize: (columns) => {
      screen.columns = columns
    },
    exit: () => exit(),
    isTicking: () => isTicking,
  }
}

test('messages scroll above the live region, and lines of commands are not split', () => {
  const { pass, progress, written } = terminal()
  progress.tell(step('web', 'Running', 'pulling image', 0))
  pass(1000)
  progress.tell({ _tag: 'Said', text: 'hello' })
  progress.tell({ _tag: 'Output', source: 'make', text: 'one\ntwo' })
  pass(100)
  assert.equal(screenOf(written()), [
    'hello',
    'make | one',
    'make | two',
    '▸ web     1s  pulling image',
    '0 of 1 done, 1s',
  ])
})

test('nothing is written while nothing changes', () => {
  const { pass, progress, writes } = terminal()
  progress.tell(step('web', 'Running', 'pulling image', 0))
  pass(100)
  const before = writes()
  pass(800)
  assert.is(writes(), before)
  pass(100)
  assert.is(writes(), before + 1)
})

test('a thousand events at once repaint the screen once', () => {
  const { pass, progress, writes } = terminal()
  for (let at = 0; at < 1000; at += 1) progress.tell(step('web', 'Running', `${at} of 1000`, at / 100))
  pass(100)
  assert.is(writes(), 1)
})

test('the end prints the durations and stops the timer, and a second end prints nothing', () => {
  const { isTicking, pass, progress, written } = terminal()
  progress.tell(step('db', 'Running', 'applying', 0))
  pass(2000)
  progress.tell(step('db', 'Done', '1 of 1 pods ready', 2000))
  progress.end()
  progress.end()
  assert.is(isTicking(), false)
  assert.equal(screenOf(written()), ['✓ db    2.0s  1 of 1 pods ready (applying 2.0s)'])
})

test('a step that never said what it does has no such words in the durations', () => {
  const { pass, progress, written } = terminal()
  progress.tell(step('db', 'Waiting', '', 0))
  pass(2000)
  progress.tell(step('db', 'Running', '', 2000))
  pass(2000)
  progress.tell(step('db', 'Done', '', 4000))
  progress.end()
  assert.equal(screenOf(written()), ['✓ db    4.0s'])
})

test('a run that ends before the first repaint still prints its durations', () => {
  const { progress, written } = terminal()
  progress.tell(step('db', 'Done', 'unchanged', 0))
  progress.end()
  assert.equal(screenOf(written()), ['✓ db    0.0s  unchanged'])
})

test('a terminal that became narrower has its wrapped lines erased, too', () => {
  const { pass, progress, resize, written } = terminal()
  progress.tell(step('web', 'Running', 'x'.repeat(45), 0))
  pass(100)
  resize(20)
  pass(100)
  assert.match(written(), '\u001b[4A')
})

test('messages are printed even when the process ends early', () => {
  const { exit, pass, progress, written } = terminal()
  progress.tell(step('web', 'Running', '', 0))
  pass(100)
  progress.tell({ _tag: 'Said', text: 'last words' })
  exit()
  assert.match(written(), 'last words\n')
})

test('the cursor is never hidden', () => {
  const { pass, progress, written } = terminal()
  progress.tell(step('web', 'Running', '', 0))
  pass(3000)
  progress.end()
  assert.not.match(written(), '\u001b[?')
})

for (const [title, env, isTerminal] of [
  ['no terminal', {}, false],
  ['a CI', { CI: 'true' }, true],
  ['a dumb terminal', { TERM: 'dumb' }, true],
] as const) {
  test(`auto never repaints for ${title}`, () => {
    const { pass, progress, written } = terminal(env, isTerminal)
    progress.tell(step('web', 'Running', 'applying', 0))
    pass(9000)
    progress.tell(step('web', 'Done', '', 9000))
    progress.end()
    assert.is(written(), 'running web: applying\ndone    web (9.0s)\n')
  })
}

test.run()
