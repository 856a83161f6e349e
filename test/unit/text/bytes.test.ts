import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readBytes, showBytes } from '../../../src/domain/text/bytes.ts'

const GOOD: ReadonlyArray<readonly [string, number]> = [
  ['0', 0],
  ['300', 300],
  ['300b', 300],
  ['2k', 2048],
  ['50M', 50 * 1024 ** 2],
  ['512m', 512 * 1024 ** 2],
  ['512mb', 512 * 1024 ** 2],
  ['512MiB', 512 * 1024 ** 2],
  ['512Mi', 512 * 1024 ** 2],
  ['1.5G', 1.5 * 1024 ** 3],
  ['1gb', 1024 ** 3],
  ['2T', 2 * 1024 ** 4],
  ['1p', 1024 ** 5],
  ['1PiB', 1024 ** 5],
  ['32 mb', 32 * 1024 ** 2],
  ['32.3 mb', 33_869_005],
  ['.5k', 512],
  ['0.5', 1],
]

for (const [text, bytes] of GOOD) {
  test(`size "${text}" is ${bytes} bytes`, () => {
    assert.equal(readBytes(text), E.right(bytes))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number, number]> = [
  ['', 'the size is empty', 0, 0],
  ['-1', 'the size "-1" is negative', 0, 2],
  ['-5m', 'the size "-5m" is negative', 0, 3],
  ['big', '"big" is not a size', 0, 3],
  ['12x', 'unknown unit of size "x"', 2, 3],
  ['1e3', 'unknown unit of size "e3"', 1, 3],
  ['1bb', 'unknown unit of size "bb"', 1, 3],
  ['5  m', 'unknown unit of size " m"', 2, 4],
  ['1.2.3m', 'unknown unit of size ".3m"', 3, 6],
  ['8192p', 'the size "8192p" is too large', 0, 5],
]

for (const [text, message, start, end] of BAD) {
  test(`size "${text}" is refused: ${message}`, () => {
    assert.equal(readBytes(text), E.left({ message, start, end }))
  })
}

const SHOWN: ReadonlyArray<readonly [number, string]> = [
  [0, '0'],
  [1, '1'],
  [1000, '1000'],
  [1024, '1Ki'],
  [1025, '1025'],
  [1023.2, '1Ki'],
  [512 * 1024 ** 2, '512Mi'],
  [1024 ** 3, '1Gi'],
  [1536 * 1024 ** 2, '1536Mi'],
  [1024 ** 6, '1Ei'],
  [2 ** 62, '4Ei'],
]

for (const [bytes, text] of SHOWN) {
  test(`${bytes} bytes are shown as ${text}`, () => {
    assert.is(showBytes(bytes), text)
  })
}

test.run()
