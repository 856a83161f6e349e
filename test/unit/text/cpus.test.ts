import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readCpus, showCpus } from '../../../src/domain/text/cpus.ts'

const GOOD: ReadonlyArray<readonly [string, number]> = [
  ['0.5', 500],
  ['1.25', 1250],
  ['2', 2000],
  ['.1', 100],
  ['1.', 1000],
  ['1.1', 1100],
  ['0.29', 290],
  ['0.0001', 1],
  ['0.0011', 2],
  ['1e-1', 100],
  ['1e-999', 1],
  ['0', 0],
  ['0.000', 0],
]

for (const [text, milli] of GOOD) {
  test(`"${text}" CPUs are ${milli} milli-CPU`, () => {
    assert.equal(readCpus(text), E.right(milli))
  })
}

const BAD: ReadonlyArray<readonly [string, string]> = [
  ['', 'the number of CPUs is empty'],
  ['-0.5', 'the number of CPUs "-0.5" is negative'],
  ['500m', '"500m" is not a number of CPUs'],
  ['half', '"half" is not a number of CPUs'],
  ['1,5', '"1,5" is not a number of CPUs'],
  ['.', '"." is not a number of CPUs'],
  ['NaN', '"NaN" is not a number of CPUs'],
  ['1e300', 'the number of CPUs "1e300" is too large'],
]

for (const [text, message] of BAD) {
  test(`"${text}" CPUs are refused: ${message}`, () => {
    assert.equal(readCpus(text), E.left({ message, start: 0, end: text.length }))
  })
}

test('milli-CPU are shown whole where they are', () => {
  assert.equal([500, 2000, 1250, 1, 0].map(showCpus), ['500m', '2', '1250m', '1m', '0'])
})

test.run()
