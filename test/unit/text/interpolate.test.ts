import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { expandVariables } from '../../../src/domain/text/interpolate.ts'

const VARIABLES: ReadonlyMap<string, string> = new Map([
  ['FOO', 'first'],
  ['BAR', ''],
  ['a1', 'x'],
  ['_', 'low'],
  ['SELF', '${SELF} $FOO $$'],
])

const expand = (text: string) => {
  const expanded = expandVariables(text, (name) => VARIABLES.get(name))
  if (expanded._tag === 'Left') throw new Error(expanded.left.message)
  const { value, unset, required } = expanded.right
  return { value, unset: unset.map(({ name }) => name), required }
}

const refused = (text: string) => expandVariables(text, (name) => VARIABLES.get(name))

const GOOD: ReadonlyArray<readonly [string, string]> = [
  ['', ''],
  ['plain } { text', 'plain } { text'],
  ['$FOO', 'first'],
  ['a $FOO-bar', 'a first-bar'],
  ['$FOO$a1', 'firstx'],
  ['${FOO}bar', 'firstbar'],
  ['$_', 'low'],
  ['$FOO.x', 'first.x'],
  ['${BAR}', ''],
  ['ok ${X:-def}', 'ok def'],
  ['ok ${X-def}', 'ok def'],
  ['ok ${BAR:-def}', 'ok def'],
  ['ok ${BAR-def}', 'ok '],
  ['ok ${FOO:-def}', 'ok first'],
  ['${X:-}', ''],
  ['${X:-/non:-alphanumeric}', '/non:-alphanumeric'],
  ['${FOO:+alt}', 'alt'],
  ['${BAR:+alt}', ''],
  ['${BAR+alt}', 'alt'],
  ['${X+alt}', ''],
  ['${FOO:?err}', 'first'],
  ['${FOO?err}', 'first'],
  ['${BAR?err}', ''],
  ['${X-$FOO}', 'first'],
  ['${X-${FOO} ${FOO}}', 'first first'],
  ['${X:-${Y:-${FOO}}}', 'first'],
  ['${X:-${Y:-deep}-end}', 'deep-end'],
  ['${FOO:+${a1}}', 'x'],
  ['${X:-{"json":1}}', '{"json":1}'],
  ['${X:-{"a":{"b":"${FOO}"}}}!', '{"a":{"b":"first"}}!'],
  ['${X:-{}', '{'],
  ['${X:-{}}', '{}'],
  ['${X:-{}}${FOO:-{}}', '{}}first'],
  ['${X:-{${FOO}}', '{first'],
  ['${FOO:-${ y}}', 'first'],
  ['${FOO:-${y}', 'first'],
  ['${X-b?c}', 'b?c'],
  ['${X-b:-c}', 'b:-c'],
  ['${X:-b?c}', 'b?c'],
  ['${FOO+b-c}', 'b-c'],
  ['$$', '$'],
  ['$$FOO', '$FOO'],
  ['$${FOO}', '${FOO}'],
  ['$$$FOO', '$first'],
  ['$$$$', '$$'],
  ['${X:-$$FOO}', '$FOO'],
  ['${X:-$${FOO}}', '${FOO}'],
  ['^REGEX$', '^REGEX$'],
  ['$}', '$}'],
  ['a$', 'a$'],
  ['$ 5', '$ 5'],
  ['cost $5', 'cost $5'],
  ['$(FOO)', '$(FOO)'],
  ['$-', '$-'],
  ['$é', '$é'],
  ['${X:-a$}', 'a$'],
  ['${X:-$1 $}', '$1 $'],
  ['$SELF', '${SELF} $FOO $$'],
  ['${X:-$SELF}', '${SELF} $FOO $$'],
]

for (const [text, value] of GOOD) {
  test(`interpolation of ${JSON.stringify(text)} gives ${JSON.stringify(value)}`, () => {
    assert.equal(expand(text), { value, unset: [], required: [] })
  })
}

const BAD: ReadonlyArray<readonly [string, string, number, number]> = [
  ['a${', '"${" is not closed', 1, 3],
  ['a${FOO', '"${" is not closed', 1, 6],
  ['${FOO:-a', '"${" is not closed', 0, 8],
  ['${X:-${Y', '"${" is not closed', 0, 8],
  ['${X:-${Y}', '"${" is not closed', 5, 8],
  ['${X:-{}}$$${FOO}', '"${" is not closed', 10, 15],
  ['a ${} b', 'the name of the variable is missing', 2, 5],
  ['${ }', 'unexpected character " " where the name of a variable begins', 2, 3],
  ['${ foo}', 'unexpected character " " where the name of a variable begins', 2, 3],
  ['${1}', 'unexpected character "1" where the name of a variable begins', 2, 3],
  ['${:-a}', 'unexpected character ":" where the name of a variable begins', 2, 3],
  ['${😀}', 'unexpected character "😀" where the name of a variable begins', 2, 4],
  ['${foo }', 'unexpected character " " after the variable name "foo"', 5, 6],
  ['a ${foo!}', 'unexpected character "!" after the variable name "foo"', 7, 8],
  ['${foo:}', 'unexpected character ":" after the variable name "foo"', 5, 6],
  ['${foo:=a}', 'unexpected character ":" after the variable name "foo"', 5, 6],
  ['${a.b}', 'unexpected character "." after the variable name "a"', 3, 4],
  ['${X:-${ y}}', 'unexpected character " " where the name of a variable begins', 7, 8],
]

for (const [text, message, start, end] of BAD) {
  test(`interpolation of ${JSON.stringify(text)} is refused: ${message}`, () => {
    assert.equal(refused(text), E.left({ message, start, end }))
  })
}

test('unset variables are named once, in order, and count as empty', () => {
  assert.equal(expand('$X-${Y}-$X'), { value: '--', unset: ['X', 'Y'], required: [] })
})

test('variables of branches that are not taken are not examined', () => {
  assert.equal(expand('${FOO:-$X}${Y:+$X}${FOO?$X}').unset, [])
  assert.equal(expand('${Y:-$X}').unset, ['X'])
})

test('a required variable that is missing is named with its message and place', () => {
  assert.equal(expand('a ${X:?set ${FOO}} ${BAR:?} ${Y?b-c}'), {
    value: 'a   ',
    unset: [],
    required: [
      { name: 'X', message: 'set first', start: 2, end: 18 },
      { name: 'BAR', message: '', start: 19, end: 27 },
      { name: 'Y', message: 'b-c', start: 28, end: 36 },
    ],
  })
})

test('nesting is read to a depth of 50', () => {
  const nested = (depth: number) => `${'${X:-'.repeat(depth)}${'}'.repeat(depth)}`
  assert.is(expand(nested(50)).value, '')
  const message = 'variables are nested more than 50 deep'
  assert.equal(refused(nested(51)), E.left({ message, start: 250, end: 252 }))
})

test('braces in literal text do not count as nesting', () => {
  const text = '{'.repeat(100) + '}'.repeat(100)
  assert.is(expand(`\${X:-${text}}`).value, text)
})

test.run()
