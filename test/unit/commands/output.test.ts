import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { assemble, assembleRest } from '../../../src/domain/commands/lines.ts'
import { mask, secretLines } from '../../../src/domain/commands/mask.ts'

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

test('lines are whole, whatever pieces they come in', () => {
  assert.equal(linesOf(['on', 'e\ntw', 'o\n\nthr', 'ee']), ['one', 'two', '', 'three'])
  assert.equal(linesOf(['one\r', '\ntwo\r\n']), ['one', 'two'])
})

test('of a line that is written over, the last state is left', () => {
  assert.equal(linesOf(['10%\r50%', '\r100%\r\n', 'done\n']), ['100%', 'done'])
  assert.equal(linesOf(['working\b\b\b\b\b\b\bdone\n']), ['done'])
})

test('colours stay, and end with the line', () => {
  assert.equal(linesOf(['\u001b[31mred\u001b[0m plain\n']), ['\u001b[31mred\u001b[0m plain'])
  assert.equal(linesOf(['\u001b[1;32mgreen\nplain\n']), ['\u001b[1;32mgreen\u001b[0m', 'plain'])
})

test('what else would drive the terminal goes or is made visible', () => {
  assert.equal(linesOf(['\u001b[2K\u001b[1Aup\u001b[?25l\u001b]0;title\u0007 \u001b(B\u001b7\u0007bell\ttab\n']), [
    'up \\x07bell\ttab',
  ])
})

test('a line without end is cut, though not within a secret', () => {
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

test('secrets are masked line by line, overlapping ones as one', () => {
  const secrets = secretLines(['hunter22', 'first line\nsecond line\r\nno', 'abcdefgh', 'defghijk', 'short'])
  assert.equal(secrets, ['second line', 'first line', 'hunter22', 'abcdefgh', 'defghijk'])
  assert.is(mask(secrets, 'a hunter22 b abcdefghijk c second line short no'), 'a *** b *** c *** short no')
})

const pieces = (text: string, cuts: ReadonlyArray<number>): ReadonlyArray<string> => {
  const at = [...new Set(cuts.map((cut) => cut % (text.length + 1)))].toSorted((a, b) => a - b)
  return [0, ...at].map((start, i) => text.slice(start, at[i] ?? text.length))
}

const secret = fc.string({ minLength: 6, maxLength: 12, unit: fc.constantFrom('a', 'b', 'c', '1') })
const noise = fc.string({
  unit: fc.constantFrom('a', 'b', 'c', '1', '\n', '\r', ' ', '\u001b[31m', '\u001b[K', 'ä', '😀'),
})

test('the lines do not depend on where the output was cut', () => {
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, secret)), fc.array(fc.nat()), fc.array(secret), (texts, cuts, values) => {
      const text = texts.join('')
      const secrets = secretLines(values)
      assert.equal(linesOf(pieces(text, cuts), secrets), linesOf([text], secrets))
    }),
  )
})

test('no secret is printed, wherever the output was cut', () => {
  fc.assert(
    fc.property(noise, secret, noise, fc.array(fc.nat()), (before, value, after, cuts) => {
      const lines = linesOf(pieces(before + value + after, cuts), secretLines([value]))
      assert.not(lines.some((line) => line.includes(value)))
    }),
  )
})

test.run()
