import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'

const isAscii = (text: string): boolean => Buffer.from(text).length === text.length

const screenOf = (env: Readonly<Record<string, string>>): string => {
  let tick = (): void => {}
  const clock = {
    now: () => 0,
    every: (_ms: number, f: () => void) => {
      tick = f
      return () => {}
    },
  }
  let text = ''
  const shown = {
    screen: { columns: 40, rows: 10, write: (more: string) => void (text += more) },
    isTerminal: true,
    color: false,
  }
  const progress = ttyProgress({ mode: 'tty', env, stdout: shown, stderr: shown, clock, onExit: () => {} })
  progress.tell({ _tag: 'Step', id: 'web', title: 'web', state: 'Running', detail: 'y'.repeat(100), atMs: 0 })
  progress.tell({ _tag: 'Step', id: 'db', title: 'db', state: 'Failed', atMs: 0 })
  tick()
  progress.end()
  return text
}

for (const env of [{ LANG: 'C' }, { LC_ALL: 'POSIX', LANG: 'en_US.UTF-8' }, { LC_CTYPE: 'de_DE.ISO-8859-1' }]) {
  test(`a terminal with ${JSON.stringify(env)} gets ASCII marks`, () => {
    const text = screenOf(env)
    assert.match(text, '> web')
    assert.match(text, 'x db')
    assert.ok(isAscii(text), text)
  })
}

for (const env of [{}, { LANG: 'en_US.UTF-8' }, { LC_ALL: 'C.utf8', LANG: 'C' }]) {
  test(`a terminal with ${JSON.stringify(env)} gets Unicode marks`, () => {
    assert.match(screenOf(env), '▸ web')
  })
}

test.run()
