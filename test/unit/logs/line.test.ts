import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { colorsOf, type Look, logView } from '../../../src/cli/view/logs.ts'
import { splitTime } from '../../../src/domain/logs/line.ts'
import { readPattern } from '../../../src/domain/logs/pattern.ts'
import { harmless } from '../../../src/domain/text/harmless.ts'

const ESC = '\u001b'
const source = { service: 'web', pod: 'web-1', container: 'web' }
const plain: Look = { form: 'text', isRaw: false, isColored: false, hasTimes: false }
const show = (text: string, look: Partial<Look> = {}, time = '2026-11-21T10:00:00Z'): string => {
  const { show: print, sources } = logView({ ...plain, ...look })
  sources([source, { ...source, pod: 'web-1ab' }])
  return print([{ of: source, line: { time, text } }])
}
const readable = (text: string): string => show(text).slice('web web-1/web   | '.length, -1)

test('a line is prefixed with its service, pod and container, padded to the widest', () => {
  assert.is(show('listening'), 'web web-1/web   | listening\n')
})

test('colours are reset after the label and at the end of the line', () => {
  assert.is(show(`${ESC}[31mred`, { isColored: true }), `${ESC}[96mweb web-1/web   |${ESC}[0m ${ESC}[31mred${ESC}[0m\n`)
})

test('colours are removed when the output has none', () => {
  assert.is(harmless(`${ESC}[1;31mred${ESC}[0m alert`, false), 'red alert')
})

test('control sequences are shown as escapes', () => {
  assert.is(harmless(`${ESC}[2J${ESC}]0;title\u0007 a\rb\tc`, true), '\\x1b[2J\\x1b]0;title\\x07 a\\x0db\tc')
})

test('a Windows line ending is not part of the line', () => {
  assert.is(harmless('done\u00e9\r', false), 'doneé')
})

test('a JSON line is shown as time, level, message and the rest, in the order of the line', () => {
  const line = '{"level":"info","ts":"2026-11-21T10:00:00Z","msg":"listening","port":8080,"tls":{"on":false}}'
  assert.is(readable(line), '2026-11-21T10:00:00Z INFO listening port=8080 tls={"on":false}')
})

test('numeric levels and times are understood', () => {
  assert.is(readable('{"level":30,"time":1700000000123,"msg":"hi"}'), '2023-11-14T22:13:20.123Z INFO hi')
  assert.is(readable('{"lvl":"warning","ts":1700000000.5,"message":"hi"}'), '2023-11-14T22:13:20.500Z WARN hi')
})

test('numbers keep every digit, values with spaces are quoted', () => {
  assert.is(
    readable('{"id":12345678901234567890,"who":"a b","10":1,"2":2}'),
    'id=12345678901234567890 who="a b" 10=1 2=2',
  )
})

test('a line that only looks like a JSON object is printed unchanged', () => {
  for (const text of ['{"a":1', '{}x', '[1]', '{a:1}', '']) assert.is(readable(text), text)
})

test('each line of a multi-line message has the label', () => {
  assert.is(show('{"msg":"one\\ntwo"}'), 'web web-1/web   | one\nweb web-1/web   | two\n')
})

test('--raw prints JSON unchanged', () => {
  assert.is(show('{"msg":"hi"}', { isRaw: true }), 'web web-1/web   | {"msg":"hi"}\n')
})

test('--timestamps are printed before the text', () => {
  assert.is(show('hi', { hasTimes: true }), 'web web-1/web   | 2026-11-21T10:00:00Z hi\n')
})

test('as JSON, a line is one object with its message or its fields', () => {
  const known = '{"schema":1,"time":"2026-11-21T10:00:00Z","service":"web","pod":"web-1","container":"web"'
  assert.is(show('hi\u0007', { form: 'json' }), `${known},"message":"hi\\u0007"}\n`)
  assert.is(show('{"n":1.50}', { form: 'json' }), `${known},"fields":{"n":1.50}}\n`)
  assert.is(show('{"n":1.50}', { form: 'json', isRaw: true }), `${known},"message":"{\\"n\\":1.50}"}\n`)
})

test('a timestamp is removed only if there is one', () => {
  assert.equal(splitTime('2026-11-21T10:00:00.123456789Z hi there'), {
    time: '2026-11-21T10:00:00.123456789Z',
    text: 'hi there',
  })
  assert.equal(splitTime('2026-11-21T10:00:00+02:00 '), { time: '2026-11-21T10:00:00+02:00', text: '' })
  assert.equal(splitTime('no time here'), { time: '', text: 'no time here' })
})

test('services get different colours while there are enough, the same in every run', () => {
  const services = ['api', 'db', 'queue', 'web', 'worker', 'cron']
  const colors = colorsOf(services)
  assert.is(new Set(colors.values()).size, services.length)
  assert.equal(colors, colorsOf(services.toReversed()))
  assert.is(colorsOf(Array.from({ length: 40 }, (_, index) => `s${index}`)).size, 40)
})

const matches = (pattern: string, service: string): boolean => {
  const read = readPattern('--exclude', pattern)
  return read._tag === 'Right' && read.right(service)
}

test('an expression matches from the start of a name, not necessarily to its end', () => {
  assert.ok(matches('api', 'api-v2'))
  assert.not.ok(matches('api', 'my-api'))
  assert.ok(matches('.*api', 'my-api'))
  assert.ok(matches('^api$', 'api'))
  assert.not.ok(matches('api$', 'api-v2'))
  assert.ok(matches('web|db', 'db-1'))
})

const messageOf = (pattern: string): string => {
  const read = readPattern('serviceName', pattern)
  return read._tag === 'Left' ? read.left.message : ''
}

test('an invalid expression is rejected with its place', () => {
  assert.match(messageOf('api(a)(b'), /missing closing \) at character 7/)
  assert.match(messageOf('api)'), /unexpected \) at character 4/)
  assert.match(messageOf('web[z-a]'), /range at character 5/)
  assert.match(messageOf('a**'), /at character 2/)
  assert.match(messageOf('ab\\'), /backslash .* at character 3/)
})

test('an expression that would backtrack exponentially takes linear time', () => {
  assert.not.ok(matches('(a*)*b', 'a'.repeat(50_000)))
})

test.run()
