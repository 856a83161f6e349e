import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readQuantity } from '../../../src/domain/text/quantity.ts'

const GOOD: ReadonlyArray<readonly [string, number]> = [
  ['0', 0],
  ['100m', 0.1],
  ['512m', 0.512],
  ['5n', 5e-9],
  ['7u', 7e-6],
  ['1k', 1000],
  ['50M', 50e6],
  ['1G', 1e9],
  ['1T', 1e12],
  ['1P', 1e15],
  ['1E', 1e18],
  ['1Ki', 1024],
  ['1.5Gi', 1.5 * 1024 ** 3],
  ['1Ti', 1024 ** 4],
  ['1Pi', 1024 ** 5],
  ['1Ei', 1024 ** 6],
  ['1e3', 1000],
  ['1E3', 1000],
  ['12e-1', 1.2],
  ['+2', 2],
  ['-1', -1],
  ['.5', 0.5],
  ['5.', 5],
  ['5.k', 5000],
]

for (const [text, value] of GOOD) {
  test(`quantity "${text}" is ${value}`, () => {
    assert.equal(readQuantity(text), E.right(value))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number]> = [
  ['', 'the quantity is empty', 0],
  ['Mi', '"Mi" is not a quantity', 0],
  ['.', '"." is not a quantity', 0],
  ['+-1', '"+-1" is not a quantity', 0],
  ['1K', 'unknown suffix of a quantity "K"', 1],
  ['1g', 'unknown suffix of a quantity "g"', 1],
  ['512mb', 'unknown suffix of a quantity "mb"', 3],
  ['1 Gi', 'unknown suffix of a quantity " Gi"', 1],
  ['1e', 'unknown suffix of a quantity "e"', 1],
  ['1e3Mi', 'unknown suffix of a quantity "e3Mi"', 1],
  ['1e999', 'the quantity "1e999" is too large', 0],
]

for (const [text, message, start] of BAD) {
  test(`quantity "${text}" is refused: ${message}`, () => {
    assert.equal(readQuantity(text), E.left({ message, start, end: text.length }))
  })
}

test.run()
