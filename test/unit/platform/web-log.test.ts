/** Logs on a page: colours, what is hidden in them, and the lines that are drawn. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { addLines, drawn, found, lineIn, missing, positionOf, type ShownLine } from '../../../src/web/model/log.ts'
import { plainText, spansOf, visibleText } from '../../../src/web/model/sgr.ts'

const ESC = '\u001b'

test('colours and bold text become classes, which end where they end', () => {
  for (const [line, spans] of [
    ['plain', [['plain', '']]],
    [
      `${ESC}[31merror${ESC}[0m: no`,
      [
        ['error', 'c1'],
        [': no', ''],
      ],
    ],
    [
      `${ESC}[1;92mok${ESC}[22m ok${ESC}[39m ok`,
      [
        ['ok', 'c10 bold'],
        [' ok', 'c10'],
        [' ok', ''],
      ],
    ],
    [
      `${ESC}[2;3;4mx${ESC}[23;24my`,
      [
        ['x', 'dim italic underline'],
        ['y', 'dim'],
      ],
    ],
    [`${ESC}[mx`, [['x', '']]],
    [
      `${ESC}[38;5;3mx${ESC}[38;5;200my${ESC}[38;2;1;2;3mz`,
      [
        ['x', 'c3'],
        ['y', ''],
        ['z', ''],
      ],
    ],
    // The numbers of a colour are no attributes of their own.
    [`${ESC}[48;5;1;1mx`, [['x', 'bold']]],
    ['', []],
  ] as const) {
    assert.equal(
      spansOf(line).map(({ style, text }) => [text, style]),
      spans,
      line,
    )
  }
})

test('control sequences are visible', () => {
  assert.is(visibleText('a\u0007b\u007fc\u009bd\te'), 'a^Gb^?c<U+009B>d\te')
  assert.is(plainText(`${ESC}[31mred${ESC}[2K${ESC}]8;;https://x\u0007`), 'red^[[2K^[]8;;https://x^G')
  // Text that is written backwards reads as something else.
  assert.is(visibleText('a\u202eb\u2066c\ufeff'), 'a<U+202E>b<U+2066>c<U+FEFF>')
})

test('the spans of a line together have its text, whatever it contains', () => {
  const piece = fc.oneof(
    fc.string(),
    fc.constantFrom(ESC, `${ESC}[`, `${ESC}[1m`, `${ESC}[38;5m`, `${ESC}[99;;:m`, '\r'),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      const line = pieces.join('')
      const spans = spansOf(line)
      assert.is(spans.map(({ text }) => text).join(''), plainText(line))
      assert.not.match(spans.map(({ text }) => text).join(''), /[\u0000-\u0008\u000a-\u001f\u007f-\u009f]/)
    }),
  )
})

const linesOf = (from: number, count: number): ReadonlyArray<ShownLine> =>
  Array.from({ length: count }, (_, at) => ({ n: from + at, at: '', text: `Line ${from + at}` }))

test('known lines are not added again, and the oldest are dropped', () => {
  const lines: Array<ShownLine> = []
  assert.is(addLines(lines, linesOf(1, 5), 6), 0)
  assert.is(addLines(lines, linesOf(4, 4), 6), 1)
  assert.equal(
    lines.map(({ n }) => n),
    [2, 3, 4, 5, 6, 7],
  )
  assert.is(positionOf(lines, 4), 2)
  assert.is(positionOf(lines, 1), 0)
  assert.is(positionOf(lines, 99), 5)
})

test('a log whose beginning is gone says so, and so does a link to a line of it', () => {
  assert.equal(missing(linesOf(9, 3), true, undefined), { gone: 8, isTargetGone: false })
  assert.equal(missing(linesOf(9, 3), false, 5), { gone: 8, isTargetGone: true })
  assert.equal(missing(linesOf(9, 3), true, 10), { gone: 8, isTargetGone: false })
  // A line that may still arrive.
  assert.equal(missing(linesOf(1, 3), false, 10), { gone: 0, isTargetGone: false })
  assert.equal(missing(linesOf(1, 3), true, 10), { gone: 0, isTargetGone: true })
  assert.equal(missing([], false, 1), { gone: 0, isTargetGone: false })
})

test('only visible lines and a few around them are drawn', () => {
  const size = fc.nat({ max: 60_000 })
  fc.assert(
    fc.property(size, fc.nat({ max: 2_000_000 }), fc.nat({ max: 2_000 }), (count, top, height) => {
      const { from, to } = drawn({ count, top, height, row: 20 })
      assert.ok(0 <= from && from <= to && to <= count)
      assert.ok(to - from <= Math.ceil(height / 20) + 41)
      const [first, last] = [Math.floor(top / 20), Math.ceil((top + height) / 20)]
      if (last <= count) assert.ok(from <= first && to >= last)
    }),
  )
})

test('a search finds text below colours, whatever the case', () => {
  const lines = [...linesOf(1, 3), { n: 4, at: '', text: `${ESC}[31mLI${ESC}[0mne 2` }]
  assert.equal(found(lines, 'line 2'), [1, 3])
  assert.equal(found(lines, ''), [])
  assert.equal(found(lines, 'nothing'), [])
})

test('a URL fragment names a line', () => {
  assert.is(lineIn('#L12'), 12)
  for (const hash of ['', '#', '#L', '#12', '#L-1', '#L1x', '#L1234567890']) assert.is(lineIn(hash), undefined)
})

test.run()
