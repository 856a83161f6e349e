import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readDuration } from '../../../src/domain/text/duration.ts'

const GOOD: ReadonlyArray<readonly [string, number]> = [
  ['1h5m30s20ms', 3_930_020],
  ['10s', 10_000],
  ['1.5h', 5_400_000],
  ['.5s', 500],
  ['1.s', 1000],
  ['1.1s', 1100],
  ['2ms', 2],
  ['500us', 0.5],
  ['500\u00b5s', 0.5],
  ['500\u03bcs', 0.5],
  ['1ns', 0.000001],
  ['1d', 86_400_000],
  ['2w', 1_209_600_000],
  ['1m1m', 120_000],
  ['0', 0],
  ['0s', 0],
]

for (const [text, ms] of GOOD) {
  test(`duration "${text}" is ${ms} ms`, () => {
    assert.equal(readDuration(text), E.right(ms))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number, number]> = [
  ['', 'the duration is empty', 0, 0],
  ['10', 'the duration "10" has no unit', 0, 2],
  ['1h30', 'the duration "30" has no unit', 2, 4],
  ['00', 'the duration "00" has no unit', 0, 2],
  ['-1s', 'the duration "-1s" is negative', 0, 3],
  ['1x', 'unknown unit of time "x"', 1, 2],
  ['1s 2m', 'unknown unit of time "s "', 1, 3],
  ['1M', 'unknown unit of time "M"', 1, 2],
  ['soon', '"soon" is not a duration', 0, 4],
  ['1.5.5s', 'the duration "1.5" has no unit', 0, 3],
  ['1h.', '"." is not a duration', 2, 3],
  ['300000w', 'the duration "300000w" is too long', 0, 7],
]

for (const [text, message, start, end] of BAD) {
  test(`duration "${text}" is refused: ${message}`, () => {
    assert.equal(readDuration(text), E.left({ message, start, end }))
  })
}

test.run()
