/** Without a UTF-8 locale, people get ASCII. */
import { Visitor } from 'oxc-parser'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { listFiles, parse, type Source } from '../../../scripts/imports.ts'
import { ttyProgress } from '../../../src/adapters/tty/progress.ts'
import { helpText } from '../../../src/cli/help.ts'
import { helpTopics } from '../../../src/cli/help-topics.ts'
import { installed } from '../../../src/cli/installed.ts'
import { codes } from '../../../src/domain/diagnostic/codes.ts'
import { marksFor } from '../../../src/domain/text/marks.ts'

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

/** Characters besides ASCII in the texts of a file, as written: neither comments nor patterns are texts. */
const marksIn = ({ program }: Source): ReadonlyArray<string> => {
  const found: Array<string> = []
  const add = (text: string): void => void found.push(...(text.match(/[^\x00-\x7f]/g) ?? []))
  new Visitor({
    Literal: ({ raw, value }) => {
      if (typeof value === 'string') add(raw ?? '')
    },
    TemplateElement: ({ value }) => add(value.raw),
  }).visit(program)
  return found
}

const sources = listFiles('src')
  .filter((file) => file.endsWith('.ts') && !file.startsWith('src/web/'))
  .map(parse)

test('each mark in the sources has an ASCII character', () => {
  const marks = new Set(sources.flatMap(marksIn))
  assert.ok(marks.size >= 5, [...marks].join(' '))
  const toAscii = marksFor({ LC_ALL: 'C' })
  assert.equal(
    [...marks].filter((mark) => !/^[ -~]$/.test(toAscii(mark))),
    [],
  )
})

test('only marks are replaced, each by one character', () => {
  const toAscii = marksFor({ LC_ALL: 'C' })
  assert.is(toAscii('naïve → "Grüße…" 日本'), 'naïve > "Grüße~" 日本')
  assert.is(marksFor({})('a → b'), 'a → b')
})

test('what is printed on stdout for people is ASCII everywhere', () => {
  const commands = installed.map(({ command }) => command)
  const topics = [undefined, ...commands.map(({ name }) => name), ...helpTopics.keys()]
  const texts = topics.map((topic) => helpText(commands, '1.0.0', topic) ?? '')
  const about = Object.entries(codes).map(([code, row]) => `${code} ${JSON.stringify(row)}`)
  assert.equal(
    [...texts, ...about].filter((text) => !isAscii(text)),
    [],
  )
})

/** Where text leaves this process without passing `marksFor`: programs of users, and data. */
const unmarked: ReadonlyArray<string> = ['src/cli/context.ts', 'src/cli/main.ts', 'src/cli/run.ts', 'src/cli/show.ts']

const filesWith = (pattern: RegExp): ReadonlyArray<string> =>
  sources.flatMap(({ file, text }) => (pattern.test(text) ? [file] : []))

test('every other writer to stderr replaces marks', () => {
  assert.equal(filesWith(/rawStderr/), unmarked)
  // That of the agent is the log of a container.
  const raw = ['src/adapters/process/yield.ts', 'src/agent/install-main.ts', 'src/cli/main.ts']
  assert.equal(filesWith(/\bprocess\.stderr\b/), raw)
  const open = filesWith(/stderr\(\)[.,]|stderr\(\) *}/).filter((file) => !filesWith(/marked\(/).includes(file))
  assert.equal(open, ['src/app/dev/pipes.ts', 'src/cli/wire.ts'])
})

test.run()
