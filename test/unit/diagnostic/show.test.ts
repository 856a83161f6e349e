import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import { linesOf } from '../../../src/domain/diagnostic/lines.ts'
import { showDiagnostic, showSummary } from '../../../src/domain/diagnostic/show.ts'
import { lineText, type Source, type Span, source } from '../../../src/domain/text/source.ts'
import { error, remark, warning } from '../../support/compose/diagnostic.ts'

const look = (of: Source, color = false) => ({
  line: (file: string, line: number) => (file === of.file ? lineText(of, line) : undefined),
  color,
})

const spanOf = (of: Source, text: string): Span => {
  const start = of.text.indexOf(text)
  return { source: of, start, end: start + text.length }
}

/** What is shown of a finding at `part` of `text`. */
const shown = (text: string, part: string, file = 'compose.yaml'): ReadonlyArray<string> => {
  const of = source(file, '.', text)
  return showDiagnostic(error('DT1012', 'wrong', { at: spanOf(of, part) }), look(of)).split('\n')
}

const compose = source('compose.yaml', '.', `${'\n'.repeat(12)}      db:\n        condition: healthy\n`)

test('a finding shows the message, the place, the underlined line and the help', () => {
  const d = error('DT1012', 'unknown condition "healthy"', {
    path: 'services.web',
    at: spanOf(compose, 'healthy'),
    help: 'use service_started, service_healthy or service_completed_successfully',
  })
  assert.is(
    showDiagnostic(d, look(compose)),
    `error DT1012: services.web: unknown condition "healthy"
  compose.yaml:14:20
   14 |         condition: healthy
      |                    ^^^^^^^
  help: use service_started, service_healthy or service_completed_successfully`,
  )
})

test('related places follow, each with its own line', () => {
  const of = source('compose.yaml', '.', 'a: 1\nb: 2\na: 3\n')
  const again: Span = { source: of, start: 10, end: 11 }
  const d = warning('DT1005', 'duplicate key "a"', {
    at: again,
    related: [{ at: spanOf(of, 'a'), message: 'first defined here' }],
  })
  assert.is(
    showDiagnostic(d, look(of)),
    `warning DT1005: duplicate key "a"
  compose.yaml:3:1
    3 | a: 3
      | ^
  note: first defined here
  compose.yaml:1:1
    1 | a: 1
      | ^`,
  )
})

test('without a place there is only the message and the help', () => {
  const d = remark('DT2001', 'using context dev', { help: 'choose another with --context' })
  assert.is(showDiagnostic(d, look(compose)), 'note DT2001: using context dev\n  help: choose another with --context')
})

test('a place without a known line is shown alone', () => {
  const d = error('DT1012', 'wrong', { at: spanOf(source('other.yaml', '.', 'a: b'), 'b') })
  assert.is(showDiagnostic(d, look(compose)), 'error DT1012: wrong\n  other.yaml:1:4')
})

test('a span over several lines is underlined to the end of the first', () => {
  assert.equal(shown('a:\n  b: c\n  d: e\n', 'b: c\n  d').slice(1), [
    '  compose.yaml:2:3',
    '    2 |   b: c',
    '      |   ^^^^',
  ])
})

test('an empty span and a span after the end of the line have one caret', () => {
  const of = source('compose.yaml', '.', 'ab: \n')
  const at = (start: number) => showDiagnostic(error('X', 'x', { at: { source: of, start, end: start } }), look(of))
  assert.is(at(0).split('\n').at(-1), '      | ^')
  assert.is(at(4).split('\n').at(-1), '      |     ^')
})

test('a long line is cut to a window around the span', () => {
  const [, , line = '', carets = ''] = shown(`key: ${'a'.repeat(300)} HERE ${'b'.repeat(300)}`, 'HERE')
  assert.is(line.slice(line.indexOf('|') + 2).length, 100)
  assert.match(line, /\| …a+ HERE b+…$/)
  assert.is(carets.indexOf('^'), line.indexOf('HERE'))
  assert.ok(carets.endsWith(' ^^^^'))
})

test('a long line is shown at its start or end if the span is there', () => {
  assert.match(shown(`HERE ${'b'.repeat(300)}`, 'HERE')[2] ?? '', /\| HERE b+…$/)
  const [, , line = '', carets = ''] = shown(`${'b'.repeat(300)} HERE`, 'HERE')
  assert.match(line, /\| …b+ HERE$/)
  assert.is(carets.indexOf('^'), line.indexOf('HERE'))
})

test('a span wider than the window is underlined as far as it is shown', () => {
  const [, , line = '', carets = ''] = shown(`${'a'.repeat(200)}${'H'.repeat(500)}${'b'.repeat(200)}`, 'H'.repeat(500))
  assert.match(line, /\| …a+H+…$/)
  assert.is(carets.length, line.length - 1)
  assert.is(carets.indexOf('^'), line.indexOf('H'))
})

test('a line of megabytes is shown as quickly as a short one', () => {
  const text = `${'é'.repeat(4_000_000)}HERE${'b'.repeat(4_000_000)}`
  assert.match(shown(text, 'HERE')[2] ?? '', /\| …é+HEREb+…$/)
})

test('tabs are shown as spaces, with the carets below the span', () => {
  const [, , line = '', carets = ''] = shown('a:\tb\tHERE', 'HERE')
  assert.is(line, '    1 | a:  b   HERE')
  assert.is(carets, '      |         ^^^^')
})

test('wide characters count twice, combining marks not at all', () => {
  assert.is(shown('名前: HERE', 'HERE')[3], '      |       ^^^^')
  assert.is(shown('😀: HERE', 'HERE')[3], '      |     ^^^^')
  assert.is(shown('e\u0301: HERE', 'HERE')[3], '      |    ^^^^')
  assert.is(shown('a: 名前', '名前')[3], '      |    ^^^^')
})

test('control characters of the file are shown as escapes, with the carets below the span', () => {
  const [, , line = '', carets = ''] = shown('a: \u001b[31m HERE', 'HERE')
  assert.is(line, '    1 | a: \\x1b[31m HERE')
  assert.is(carets.indexOf('^'), line.indexOf('HERE'))
  assert.is(shown('a\u0085b\u007f\u202e\ufeff: HERE', 'HERE')[2], '    1 | a\\x85b\\x7f\\u202e\\ufeff: HERE')
})

test('a lone surrogate is shown as an escape', () => {
  assert.is(shown('\udc00: HERE', 'HERE')[2], '    1 | \\udc00: HERE')
})

test('control characters of message, help, code and file name are shown as escapes', () => {
  const d: Diagnostic = {
    severity: 'error',
    code: 'DT\u001b1',
    message: 'a\u001b[2Jb\u2067c',
    help: '\u0007\u009b',
    at: { file: 'a\nb\u001b.yaml', line: 1, col: 1, endLine: 1, endCol: 2 },
  }
  assert.is(
    showDiagnostic(d, look(compose)),
    'error DT\\x1b1: a\\x1b[2Jb\\u2067c\n  a\\x0ab\\x1b.yaml:1:1\n  help: \\x07\\x9b',
  )
})

test('further lines of a message are indented, so that they cannot pass for findings', () => {
  const d = error('DT1', 'a\nerror DT2: b', { help: 'c\r\nd' })
  assert.is(showDiagnostic(d, look(compose)), 'error DT1: a\n    error DT2: b\n  help: c\n    d')
})

test('the carriage return of a line end is dropped', () => {
  const d = error('X', 'x', { at: spanOf(source('compose.yaml', '.', 'a: b\r\n'), 'b') })
  assert.is(
    showDiagnostic(d, { line: () => 'a: b\r', color: false }),
    'error X: x\n  compose.yaml:1:4\n    1 | a: b\n      |    ^',
  )
})

test('high line numbers widen the margin', () => {
  assert.equal(shown(`${'\n'.repeat(12_344)}a: b`, 'b').slice(2), ['  12345 | a: b', '        |    ^'])
})

test('the severity, the code, the carets and the labels are coloured', () => {
  const d = warning('DT1012', 'wrong', { at: spanOf(compose, 'healthy'), help: 'mend it' })
  const [first = '', , , carets = '', help = ''] = showDiagnostic(d, look(compose, true)).split('\n')
  assert.is(first, '\u001b[1;33mwarning\u001b[0m \u001b[1mDT1012\u001b[0m: wrong')
  assert.ok(carets.endsWith('\u001b[33m^^^^^^^\u001b[0m'))
  assert.is(help, '  \u001b[1mhelp:\u001b[0m mend it')
  assert.ok(showDiagnostic(error('X', 'x'), look(compose, true)).startsWith('\u001b[1;31merror'))
  assert.ok(showDiagnostic(remark('X', 'x'), look(compose, true)).startsWith('\u001b[1;36mnote'))
})

test('the summary counts errors and warnings', () => {
  const [e, w, n] = [error('X', 'x'), warning('Y', 'y'), remark('Z', 'z')]
  assert.is(showSummary([], false), '')
  assert.is(showSummary([n], false), '')
  assert.is(showSummary([w], false), '1 warning')
  assert.is(showSummary([w, e, n, e], false), '2 errors, 1 warning')
  assert.is(showSummary([e], true), '\u001b[1;31m1 error\u001b[0m')
})

test('credentials in quoted URLs are removed from findings', () => {
  const url = 'https://canary@example.com/a?token=canary'
  const found = error('DT1007', `there is no ${url}`, {
    path: `services.web.${url}`,
    help: `write ${url}`,
    at: spanOf(compose, 'db'),
    related: [{ at: spanOf(compose, 'db'), message: url }],
  })
  assert.not.match(JSON.stringify(found), /canary/)
  assert.match(found.message, 'https://******@example.com/a?token=******')
  assert.not.match(shownOfFile(`context: ${url}`, 'context').join('\n'), /canary/)
})

/** With the lines of a file as commands show them. */
const shownOfFile = (text: string, part: string): ReadonlyArray<string> => {
  const d = error('DT1012', 'wrong', { at: spanOf(source('compose.yaml', '.', text), part) })
  return showDiagnostic(d, { line: linesOf(() => text), color: false }).split('\n')
}

const secret = 'x$y1#z'

for (const line of [
  `DJANGO_SECRET_KEY=${secret}`,
  `export DB_PASSWORD="${secret}"`,
  `      POSTGRES_PASSWORD: ${secret}`,
  `      - "API_TOKEN=${secret}"`,
  `    environment: { A: b, DB_PASSWORD: "${secret}", C: "$D" }`,
  `{"password": "${secret}"}`,
  `DB_PASSWORD=\${A:-${secret}}`,
]) {
  test(`the value of a credential is not shown, whatever the finding: ${line}`, () => {
    assert.equal(shownOfFile(line, secret), ['error DT1012: wrong', `  compose.yaml:1:${line.indexOf(secret) + 1}`])
  })
}

for (const line of [
  'DB_PASSWORD=${A:?set it}',
  '  DB_PASSWORD: "$A"',
  'secrets: [db_password]',
  'DB_PASSWORD_FILE: /run/secrets/db',
  'API_TOKEN: ',
  'password: &p',
]) {
  test(`a line without the value of a credential is shown: ${line}`, () => {
    assert.is(shownOfFile(line, line.slice(0, 3))[2], `    1 | ${line.trimEnd()}`)
  })
}

test.run()
