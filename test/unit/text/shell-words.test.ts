import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readWords } from '../../../src/domain/text/shell-words.ts'

const GOOD: ReadonlyArray<readonly [string, ReadonlyArray<string>, ReadonlyArray<string>]> = [
  ['', [], []],
  [' \t\n', [], []],
  ['a b  c', ['a', 'b', 'c'], []],
  ['a\tb\nc\r\nd', ['a', 'b', 'c', 'd'], []],
  ["'a b' c", ['a b', 'c'], []],
  ['"a b" c', ['a b', 'c'], []],
  ["''", [''], []],
  ['a "" b', ['a', '', 'b'], []],
  [`a'b'"c"d`, ['abcd'], []],
  ["'a\\n'", ['a\\n'], []],
  ['"a\\"b\\\\c\\$d\\`e"', ['a"b\\c$d`e'], []],
  ['"a\\nb"', ['a\\nb'], []],
  ['"a\\\nb"', ['ab'], []],
  ['a\\ b', ['a b'], []],
  ["\\'", ["'"], []],
  ['a\\\nb', ['ab'], []],
  ['a \\\n b', ['a', 'b'], []],
  ['echo $HOME ${X} `ls`', ['echo', '$HOME', '${X}', '`ls`'], []],
  ['a#b # c', ['a#b', '#', 'c'], []],
  ['a && b | c; d > e < f &', ['a', '&&', 'b', '|', 'c;', 'd', '>', 'e', '<', 'f', '&'], ['&', '|', ';', '>', '<']],
  ["sh -c 'a && b'", ['sh', '-c', 'a && b'], []],
  ['a\\;b', ['a;b'], []],
]

for (const [text, words, operators] of GOOD) {
  test(`words of ${JSON.stringify(text)}`, () => {
    assert.equal(readWords(text), E.right({ words, operators }))
  })
}

const BAD: ReadonlyArray<readonly [string, string, number]> = [
  ["a 'b", "the quote ' is not closed", 2],
  ['a "b c', 'the quote " is not closed', 2],
  ['a"b\\"', 'the quote " is not closed', 1],
  ['"\\', 'the quote " is not closed', 0],
  ['a b\\', 'nothing follows the backslash', 3],
]

for (const [text, message, start] of BAD) {
  test(`words of ${JSON.stringify(text)} are refused: ${message}`, () => {
    assert.equal(readWords(text), E.left({ message, start, end: text.length }))
  })
}

test.run()
