import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assemble, assembleRest } from '../../../src/domain/commands/lines.ts'
import { mask, secretLines } from '../../../src/domain/commands/mask.ts'
import { maskedVariables } from '../../../src/domain/commands/masked-variables.ts'

const linesOf = (pieces: ReadonlyArray<string>, secrets: ReadonlyArray<string> = []): ReadonlyArray<string> => {
  let pending = ''
  const lines: Array<string> = []
  for (const piece of pieces) {
    const assembled = assemble(secrets, pending, piece)
    pending = assembled.pending
    lines.push(...assembled.lines)
  }
  return [...lines, ...assembleRest(secrets, pending)]
}

test('lines are complete however the output is split', () => {
  assert.equal(linesOf(['on', 'e\ntw', 'o\n\nthr', 'ee']), ['one', 'two', '', 'three'])
  assert.equal(linesOf(['one\r', '\ntwo\r\n']), ['one', 'two'])
})

test('the last state of an overwritten line is kept', () => {
  assert.equal(linesOf(['10%\r50%', '\r100%\r\n', 'done\n']), ['100%', 'done'])
  assert.equal(linesOf(['working\b\b\b\b\b\b\bdone\n']), ['done'])
})

test('colours are kept and end with the line', () => {
  assert.equal(linesOf(['\u001b[31mred\u001b[0m plain\n']), ['\u001b[31mred\u001b[0m plain'])
  assert.equal(linesOf(['\u001b[1;32mgreen\nplain\n']), ['\u001b[1;32mgreen\u001b[0m', 'plain'])
})

test('other control sequences are removed or made visible', () => {
  assert.equal(linesOf(['\u001b[2K\u001b[1Aup\u001b[?25l\u001b]0;title\u0007 \u001b(B\u001b7\u0007bell\ttab\n']), [
    'up \\x07bell\ttab',
  ])
})

test('an endless line is split, but not within a secret', () => {
  const secret = 'correct horse battery'
  const text = `${'x'.repeat(65_530)}${secret}${'y'.repeat(70_000)}`
  const lines = linesOf([text.slice(0, 65_540), text.slice(65_540)], secretLines([secret]))
  assert.ok(lines.length > 1)
  assert.is(lines.join(''), text.replace(secret, '***'))
})

test('a progress bar that never ends its line takes no memory', () => {
  let pending = ''
  for (let i = 0; i < 20_000; i += 1) pending = assemble([], pending, `\r${i} of 20000 done`).pending
  assert.ok(pending.length < 70_000)
  assert.equal(assembleRest([], pending), ['19999 of 20000 done'])
})

test('text before a carriage return is kept, but only the last state of progress', () => {
  assert.equal(linesOf(['hello\rworld\n']), ['hello', 'world'])
  assert.equal(linesOf(['error: no such host\rbye\r\n']), ['error: no such host', 'bye'])
  assert.equal(linesOf(['Deltas: 50% (1/2)\rDeltas: 100% (2/2)\rDeltas: 100% (2/2), done.\n']), [
    'Deltas: 100% (2/2), done.',
  ])
  assert.equal(linesOf(['a [=>  ] 3s\r\u001b[Ka [==> ] 2s\rready\n']), ['a [==> ] 2s', 'ready'])
})

test('secrets are masked line by line, overlapping ones as one', () => {
  const secrets = secretLines(['hunter22', 'first line\nsecond line\r\nno', 'abcdefgh', 'defghijk', 'ten'])
  assert.equal(secrets, ['second line', 'first line', 'hunter22', 'abcdefgh', 'defghijk'])
  assert.is(mask(secrets, 'a hunter22 b abcdefghijk c second line ten no'), 'a *** b *** c *** ten no')
})

test('short secrets are masked as whole words, from 4 characters', () => {
  const secrets = secretLines(['web', 'lock', 'p@ss'])
  assert.is(mask(secrets, 'web lock, blocks: locked x_lock (lock) p@ss'), 'web ***, blocks: locked x_lock (***) ***')
})

for (const [name, value, expected] of [
  ['DB_PASSWORD', 'hunter2', ['hunter2']],
  ['PORT', '5432', []],
  ['STAGE', 'production', []],
  ['DATABASE_URL', 'postgres://app:s3cr%40t@db:5432/app', ['s3cr%40t', 's3cr@t']],
  ['DOCS', 'https://example.com/a:b@c', []],
  ['SESSION', 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln', ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln']],
  ['HEADER', 'Bearer eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln\n', ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.c2ln']],
  ['SMTP', 'smtp://me@example.com:s3cret@mail', ['s3cret']],
  ['JDBC', 'jdbc:postgresql://app:s3cret@db/app', ['s3cret']],
  ['BROKERS', 'amqp://a:one1@h1,amqp://b:two2@h2', ['one1', 'two2']],
  ['OPTIONS', '{"url": "redis://:s3cret@cache"}', ['s3cret']],
  ['UNENCODED', 'postgres://app:s3/cr#et@db:5432/app', ['s3/cr#et']],
  ['PAIR', 'http://a:admin@h http://b:s3cret@h', ['s3cret']],
  ['HOSTS', 'http://h:80/a@b http://[::1]:80/a@b http://h/a:b@c x://a:b/c', []],
  ['CA', '-----BEGIN CERTIFICATE-----\nMIIB', ['-----BEGIN CERTIFICATE-----\nMIIB']],
  ['NAMED', 'anything', ['anything']],
] as const) {
  test(`of --var ${name}=${value.slice(0, 12)}, secret parts are masked`, () => {
    assert.equal(maskedVariables([[name, value]], ['NAMED']).values, [...expected])
  })
}

test('ordinary words are not masked, with a warning', () => {
  const variables = [
    ['ADMIN_PASSWORD', 'admin'],
    ['STAGE', 'test'],
    ['URLS', 'http://a:root@h http://b:s3cret@h'],
  ] as const
  assert.equal(maskedVariables(variables, []), { values: ['s3cret'], unmasked: ['ADMIN_PASSWORD', 'URLS'] })
})

test('every occurrence of a secret is masked, and one within another does not end it early', () => {
  const secrets = secretLines(['abcdefghijklmn', 'cdefghij'])
  assert.is(mask(secrets, 'cdefghij, cdefghij; abcdefghijklmn.'), '***, ***; ***.')
  assert.is(mask(secretLines(['abababab']), 'ababababab-'), '***-')
})

test('colours and backspaces within a secret do not hide it', () => {
  const secrets = secretLines(['hunter22'])
  assert.equal(linesOf(['\u001b[32ma hun\u001b[31mter\u001b[1m22 b\u001b[0m\n'], secrets), ['a *** b'])
  assert.equal(linesOf(['hunx\u001b[0m\bter22\u0007\n'], secrets), ['***\\x07'])
  assert.equal(linesOf(['hu\u001b[31m\bunter\b\b\bter22\n'], secrets), ['***'])
  const kept = '\u001b[32mgreen\u001b[0m *** \u001b[31mred\u001b[0m'
  assert.equal(linesOf([`${kept.replace('***', 'hunter22')}\n`], secrets), [kept])
})

test('an endless line is not split within a coloured secret', () => {
  const secret = 'correct horse battery'
  const colourful = secret
    .split('')
    .map((char) => `\u001b[38;2;1;2;3m${char}`)
    .join('')
  const start = 'x'.repeat(65_300)
  for (let cut = 0; cut <= colourful.length; cut += 1) {
    const pieces = [start + colourful.slice(0, cut) + 'y'.repeat(cut === colourful.length ? 300 : 0)]
    const lines = linesOf([...pieces, `${colourful.slice(cut)}${'y'.repeat(70_000)}\n`], secretLines([secret]))
    const text = lines.join('')
    assert.ok(text.includes('***'))
    assert.not(text.includes('correct'))
    assert.not(text.includes('battery'))
  }
})

const pieces = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...at].map((start, i) => text.slice(start, at[i] ?? text.length))
}

const secret = fc.string({ minLength: 8, maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', '1') })
const noise = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '\n', '\r', ' ', '\u001b[31m', '\u001b[K', 'ä', '😀'),
})

test('the lines do not depend on how the output is split', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, secret)), fc.array(fc.nat()), fc.array(secret), (texts, cuts, values) => {
      const text = texts.join('')
      const secrets = secretLines(values)
      assert.equal(linesOf(pieces(text, cuts), secrets), linesOf([text], secrets))
    }),
  )
})

test('a coloured secret is masked', () => {
  const unit = fc.constantFrom('a', 'b', 'c', '1', 'x\b', '\b', '\u001b[31m', '\u001b[0m', '\u001b[K')
  fc.assert(
    fc.property(fc.array(unit), secret, fc.array(unit), fc.array(unit), (before, value, colours, cuts) => {
      const between = colours.filter((one) => one.startsWith('\u001b'))
      const coloured = value
        .split('')
        .map((char, i) => (between[i] ?? '') + char)
        .join('')
      const text = before.join('') + coloured + cuts.join('')
      for (const line of linesOf([text], secretLines([value])))
        assert.not(line.replace(/\u001b\[[\d;]*m/g, '').includes(value))
    }),
  )
})

test('a secret is masked however the output is split', () => {
  fc.assert(
    fc.property(noise, secret, noise, fc.array(fc.nat()), (before, value, after, cuts) => {
      const lines = linesOf(pieces(before + value + after, cuts), secretLines([value]))
      assert.not(lines.some((line) => line.includes(value)))
    }),
  )
})

test.run()
