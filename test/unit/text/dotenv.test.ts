import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Dotenv, readDotenv, readRawEnv } from '../../../src/domain/text/dotenv.ts'

const pairs = ({ entries }: Dotenv) => entries.map(({ name, value }) => [name, value])
const entry = (name: string, value: string | undefined, expand: boolean) => ({
  name,
  ...(value === undefined ? {} : { value }),
  expand,
})
const shape = ({ entries }: Dotenv) => entries.map(({ name, value, expand }) => entry(name, value, expand))

const ONE: ReadonlyArray<readonly [string, string, string, string | undefined, boolean]> = [
  ['a plain value', 'A=b', 'A', 'b', true],
  ['an empty value', 'A=', 'A', '', true],
  ['a value of spaces is empty', 'A=  \t', 'A', '', true],
  ['a hash behind blanks is the value', 'A= # none', 'A', '# none', true],
  ['a bare key inherits', 'A', 'A', undefined, true],
  ['a bare key with export inherits', 'export A\n', 'A', undefined, true],
  ['export is dropped', '  export\tA=1', 'A', '1', true],
  ['a name may begin with export', 'exportA=1', 'exportA', '1', true],
  ['a name may be export', 'export=1', 'export', '1', true],
  ['a colon separates', 'A: b', 'A', 'b', true],
  ['a colon without a space separates', 'A:b', 'A', 'b', true],
  ['an equals sign belongs to a colon value', 'A: b=c', 'A', 'b=c', true],
  ['an equals sign belongs to the value', 'A=b=c:d', 'A', 'b=c:d', true],
  ['spaces around the separator go', 'A = b ', 'A', 'b', true],
  ['names have dots, dashes, digits and brackets', '1.a-b_c[0]=x', '1.a-b_c[0]', 'x', true],
  ['a comment needs a space', 'A=b#c', 'A', 'b#c', true],
  ['a comment ends the value', 'A=b # c # d', 'A', 'b', true],
  ['a hash at the start is the value', 'A=#c', 'A', '#c', true],
  ['quotes inside are kept', 'A=it\'s "b"', 'A', 'it\'s "b"', true],
  ['a backslash outside quotes is kept', 'A=a\\nb\\$', 'A', 'a\\nb\\$', true],
  ['double quotes', 'A="b c"', 'A', 'b c', true],
  ['double quotes keep spaces', 'A=" b "', 'A', ' b ', true],
  ['a comment follows the quote', 'A="b # c" # d', 'A', 'b # c', true],
  ['a comment follows the quote at once', "A='b'#d", 'A', 'b', false],
  ['escapes in double quotes', 'A="a\\n\\r\\t\\"\\\\b"', 'A', 'a\n\r\t"\\b', true],
  ['unknown escapes stay', 'A="a\\d\\\'"', 'A', "a\\d\\'", true],
  ['an escaped backslash guards nothing', 'A="\\\\n"', 'A', '\\n', true],
  ['an escaped dollar is a doubled one', 'A="\\$B \\${C} $D"', 'A', '$$B $${C} $D', true],
  ['octal is a character', 'A="\\0123"', 'A', 'S', true],
  ['octal is bytes of UTF-8', 'A="\\0303\\0251"', 'A', 'é', true],
  ['an octal dollar is no variable', 'A="\\0044B"', 'A', '$$B', true],
  ['octal of two digits is a backslash and digits', 'A="\\012"', 'A', '\\12', true],
  ['single quotes expand nothing', "A='$B \\n \"'", 'A', '$B \\n "', false],
  ['a quote is guarded in single quotes', "A='it\\'s'", 'A', "it's", false],
  ['double quotes span lines', 'A="b\nc\n\nd"\n', 'A', 'b\nc\n\nd', true],
  ['single quotes span lines', "A='b\n# c'\n", 'A', 'b\n# c', false],
  ['CRLF in quotes is one line end', 'A="b\r\nc"\r\n', 'A', 'b\nc', true],
  ['empty quotes', 'A=""', 'A', '', true],
  ['a mark at the start of the file is skipped', '\ufeffA=b', 'A', 'b', true],
  ['a name like a property of objects', '__proto__=1', '__proto__', '1', true],
]

for (const [name, text, key, value, expand] of ONE) {
  test(`dotenv: ${name}`, () => {
    const result = readDotenv(text)
    assert.equal(result.faults, [])
    assert.equal(shape(result), [entry(key, value, expand)])
  })
}

test('dotenv: comments, blank lines and CRLF', () => {
  const result = readDotenv('\r\n# one\r\n  # two\r\nA=1\r\nB\r\n\tC="3" # c\r\nD: 4\r\n#end')
  assert.equal(result.faults, [])
  assert.equal(pairs(result), [
    ['A', '1'],
    ['B', undefined],
    ['C', '3'],
    ['D', '4'],
  ])
})

test('dotenv: an entry knows its place, without export and comment', () => {
  const text = 'A=1\nexport B = two # c\nC="x\ny" # d\nD\nE=  \n'
  const places = readDotenv(text).entries.map(({ start, end }) => text.slice(start, end))
  assert.equal(places, ['A=1', 'B = two', 'C="x\ny"', 'D', 'E='])
})

const BAD: ReadonlyArray<readonly [string, string, string]> = [
  ['A B', 'the name of a variable cannot have spaces: "A B"', 'A B'],
  ['FOO BAR=1', 'the name of a variable cannot have spaces: "FOO BAR"', 'FOO BAR'],
  ['A%=1', 'unexpected character "%" in the name of a variable', '%'],
  ['lol$wut', 'unexpected character "$" in the name of a variable', '$'],
  ['é=1', 'unexpected character "é" in the name of a variable', 'é'],
  ['😀=1', 'unexpected character "😀" in the name of a variable', '😀'],
  ['A # c', 'unexpected character "#" in the name of a variable', '#'],
  ['=1', 'the name is missing before "="', '='],
  [': 1', 'the name is missing before ":"', ':'],
  ['A="b  ', 'the quote " is not closed', '"b'],
  ["A='b", "the quote ' is not closed", "'b"],
  ["A='b\\'", "the quote ' is not closed", "'b\\'"],
  ['A="b"c ', 'unexpected text after the closing quote', 'c'],
  ['A="b" B=1', 'unexpected text after the closing quote', 'B=1'],
]

for (const [line, message, place] of BAD) {
  test(`dotenv: ${line} is a fault, and reading goes on`, () => {
    const text = `X=1\n${line}\nY=2\n`
    const { entries, faults } = readDotenv(text)
    assert.equal(
      faults.map((fault) => [fault.message, text.slice(fault.start, fault.end)]),
      [[message, place]],
    )
    assert.equal(pairs({ entries, faults }), [
      ['X', '1'],
      ['Y', '2'],
    ])
  })
}

test('dotenv: every fault of a file is found', () => {
  assert.equal(
    readDotenv('A B\nC%\n=\n').faults.map(({ start }) => start),
    [0, 5, 7],
  )
})

test('raw env: every line is taken as it is', () => {
  const text = '\ufeff# c\r\n\r\nA="b" # c\r\n  B=\'$C\' \nC=\\n\nD\nE=\nF==\n'
  const result = readRawEnv(text)
  assert.equal(result.faults, [])
  assert.equal(pairs(result), [
    ['A', '"b" # c'],
    ['B', "'$C' "],
    ['C', '\\n'],
    ['D', undefined],
    ['E', ''],
    ['F', '='],
  ])
  assert.ok(result.entries.every(({ expand }) => !expand))
  assert.is(text.slice(result.entries[1]?.start, result.entries[1]?.end), "B='$C' ")
})

test('raw env: a name that is missing or has spaces is a fault', () => {
  const { entries, faults } = readRawEnv('=1\nA =1\nB C\nD=1')
  assert.equal(faults, [
    { message: 'the name is missing before "="', start: 0, end: 1 },
    { message: 'the name of a variable cannot have spaces: "A "', start: 3, end: 5 },
    { message: 'the name of a variable cannot have spaces: "B C"', start: 8, end: 11 },
  ])
  assert.equal(pairs({ entries, faults }), [['D', '1']])
})

test.run()
