/** Patterns of BuildKit: what matches was taken down from moby/patternmatcher 0.6.1 itself. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { globMatch, isGlob } from '../../../src/domain/ignore/glob.ts'
import {
  compilePatterns,
  matchBelow,
  mayChooseIn,
  mayTakeBackIn,
  type Patterns,
} from '../../../src/domain/ignore/patterns.ts'

type Case = readonly [patterns: ReadonlyArray<string>, chosen: ReadonlyArray<string>, others: ReadonlyArray<string>]

const cases: ReadonlyArray<Case> = [
  [['foo'], ['foo', 'foo/bar'], ['a/foo', 'foox']],
  [['foo/'], ['foo', 'foo/bar'], []],
  [['./foo/../bar//baz'], ['bar/baz', 'bar/baz/x'], ['foo/bar/baz']],
  [['/foo'], [], ['foo', 'foo/bar']],
  [['*'], ['a', '.a', 'a/b', 'line\nfeed'], []],
  [['*/b'], ['a/b', 'a/b/c'], ['b', 'a/c/b']],
  [['*.go'], ['a.go', '.go'], ['a.gox', 'd/a.go']],
  [['?'], ['a', 'é', '😀', 'a/b'], ['ab']],
  [['a?b'], ['axb', 'a😀b'], ['a/b']],
  [['**'], ['a', 'a/b', '.a', 'line\nfeed/x'], []],
  [['**/**'], ['a', 'a/b'], ['line\nfeed/x']],
  [['dir/**'], ['dir/a', 'dir/a/b'], ['dir', 'dirx']],
  [['dir**'], ['dir', 'dirx', 'dir/a'], ['xdir']],
  [['**/foo'], ['foo', 'a/foo', 'a/b/foo', 'a/foo/b', 'line\nfeed/foo'], ['afoo']],
  [['**foo'], ['foo', 'a/foo', 'afoo', 'a/bfoo'], ['foob']],
  [['**/foo/bar'], ['foo/bar', 'a/foo/bar'], ['bar', 'xfoo/bar']],
  [['**/*.txt'], ['a.txt', 'a/b.txt', 'a/b/.txt', 'line\nfeed.txt'], ['line\nfeed/a.txt', 'a.txtx']],
  [['a/**/b'], ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'x/a/b']],
  [['a**/b'], ['ab', 'a/b', 'ax/b', 'a/x/b'], ['a/xb']],
  [
    ['**/node_modules/**'],
    ['node_modules/x', 'a/node_modules/x'],
    ['node_modules', 'a/node_modules', 'xnode_modules/x'],
  ],
  [['**/a*/**'], ['a/b', 'x/ab/c'], ['x/ab', 'b/c']],
  [['***'], ['a', 'a/b'], []],
  [['[a-c]x'], ['ax', 'cx'], ['dx', '-x']],
  [['[^a-c]x'], ['dx', 'éx', '\nx'], ['ax']],
  [['a[^x]b'], ['a/b', 'ayb'], ['axb']],
  [['[!a]x'], ['!x', 'ax'], ['bx']],
  [['[é-ü]'], ['ö', 'ü'], ['o']],
  [['[\\]a]'], [']', 'a'], ['\\']],
  [['[*]'], [']'], ['*', 'a]', 'a']],
  [['[?]x'], ['^]x'], ['?x', 'a]x']],
  [['a\\*b'], ['a*b'], ['axb', 'a\\*b']],
  [['a\\\\b'], ['a\\b'], ['ab']],
  [['\\a\\b'], [], ['ab', '\u0007b']],
  [['v\\d'], ['v1'], ['vd', 'v12']],
  [['\\w\\W\\s\\S\\D'], ['a- bc'], ['aa bc']],
  [['x\\x41\\101'], ['xAA'], ['xx41']],
  [['\\bfoo\\B*'], ['foob'], ['foo', 'foo-']],
  [['^foo*'], ['foobar'], ['^foobar']],
  [['^foo'], ['^foo'], ['foo']],
  [['a^*'], [], ['a^', 'a^b']],
  [['a(b)|c+{1}$.'], ['a(b)|c+{1}$.'], ['ab']],
  [['a.b*'], ['a.b', 'a.bc'], ['axb']],
  [[']'], [']'], ['a']],
  [['x*\\'], ['xy$z'], ['x', 'x\\']],
  [
    ['docs', '!docs/README.md'],
    ['docs', 'docs/x'],
    ['docs/README.md', 'docs/README.md/x'],
  ],
  [['docs/*', '!docs/README.md'], ['docs/x'], ['docs', 'docs/README.md']],
  [['!docs/README.md', 'docs'], ['docs/README.md'], []],
  [
    ['**', '!src'],
    ['a', 'a/src'],
    ['src', 'src/a', 'src/a/b'],
  ],
  [['**', '!src', 'src/gen'], ['src/gen', 'src/gen/a'], ['src/a']],
  [
    ['**', '!**/*.md', '**/secret.md'],
    ['a/secret.md', 'a'],
    ['a.md', 'a/b.md'],
  ],
  [
    ['a', '!a/b', 'a/b/c', '!a/b/c/d'],
    ['a/x', 'a/b/c', 'a/b/c/x'],
    ['a/b', 'a/b/x', 'a/b/c/d'],
  ],
  [['*', '!*.txt', '!d'], ['x'], ['x.txt', 'd', 'd/x', 'd/x.txt']],
  [['!a', 'a/b'], ['a/b'], ['a']],
  [['!/a', '  b  ', '', ' '], ['b'], ['a']],
  [['!a/../b'], ['b'], ['a']],
  [
    ['a*', '!ab', 'abc*'],
    ['abc', 'abcd', 'a'],
    ['ab', 'ab/x', 'ab/abc'],
  ],
]

const compile = (...patterns: ReadonlyArray<string>): Patterns => {
  const compiled = compilePatterns(patterns)
  if (E.isLeft(compiled)) throw new Error(`malformed: ${compiled.left}`)
  return compiled.right
}

const none: ReadonlyArray<number> = []

/** As a walk does it: from the top down. */
const isChosen = (patterns: Patterns, path: string): boolean => {
  const parts = path.split('/')
  return parts.reduce((above, _, index) => matchBelow(patterns, parts.slice(0, index + 1).join('/'), above.matched), {
    isMatch: false,
    matched: none,
  }).isMatch
}

for (const [patterns, chosen, others] of cases) {
  test(`patterns ${JSON.stringify(patterns)}`, () => {
    const compiled = compile(...patterns)
    for (const path of chosen) assert.ok(isChosen(compiled, path), path)
    for (const path of others) assert.not.ok(isChosen(compiled, path), path)
  })
}

test('patterns that BuildKit refuses are errors', () => {
  const malformed = [
    '[',
    '[]a]',
    '[-]',
    'a[',
    '[a-',
    '[^',
    '\\',
    '!',
    '[b-a]x',
    'x*\\h',
    'x*\\8',
    '\\é*',
    '[x-]',
    'x*\\pL',
    '**/'.repeat(100_000),
  ]
  for (const pattern of malformed) assert.equal(compilePatterns(['fine', pattern]), E.left(pattern))
})

test('thousands of patterns are looked up rather than tried one by one', () => {
  const patterns = compile(
    ...Array.from(
      { length: 4000 },
      (_, at) => [`src/d${at}`, `**/name${at}`, `d${at}/**`, `**/*.e${at}`, `**/g${at}/**/*.js`][at % 5] ?? '',
    ),
    '**/*f*f*',
  )
  const paths = ['src/d5', 'a/name6', 'd7/x', 'a/b.e8', 'x/g9/y/z.js', 'g9/z.js', 'offer']
  assert.equal(
    paths.map((path) => isChosen(patterns, path)),
    [true, true, true, true, true, true, true],
  )
  assert.equal(
    paths.map((path) => isChosen(patterns, `${path}_`)),
    [false, false, true, false, false, false, true],
  )
})

test('every pattern is matched quickly', () => {
  const patterns = compile(`**/${'a*'.repeat(100)}b?`, `${'**/a'.repeat(30)}*`, `[a]*${'[^b]*'.repeat(100)}`)
  assert.not.ok(isChosen(patterns, `x${'a'.repeat(4000)}`))
})

test('a folder is searched only if a pattern may match below it', () => {
  const plain = compile('a/b/*', 'c', '!d/e/**', '!f')
  assert.equal(
    ['a', 'a/b', 'c', 'd', 'b', 'a/bc'].map((path) => mayChooseIn(plain, path)),
    [true, true, true, false, false, false],
  )
  assert.equal(
    ['d', 'd/e', 'f', 'a', 'd/ex'].map((path) => mayTakeBackIn(plain, path)),
    [true, true, true, false, false],
  )
  const open = compile('**/a', '!*/b')
  assert.ok(mayChooseIn(open, 'anywhere') && mayTakeBackIn(open, 'anywhere'))
  assert.not.ok(mayTakeBackIn(compile('a'), 'a'))
})

test('shell patterns match names as in Go', () => {
  const matches: ReadonlyArray<readonly [pattern: string, name: string, expected: boolean | undefined]> = [
    ['a*', 'abc', true],
    ['a*', 'a/c', false],
    ['*b*d', 'abcd', true],
    ['*b*d', 'abdc', false],
    ['a\\*', 'a*', true],
    ['a\\*', 'ab', false],
    ['[a-c]?', 'b😀', true],
    ['[^a-c]', 'b', false],
    ['[a', 'a', undefined],
    ['x[', 'a', undefined],
    ['x*[', 'a', false],
    ['', '', true],
  ]
  for (const [pattern, name, expected] of matches) assert.is(globMatch(pattern, name), expected, `${pattern} ${name}`)
  assert.equal(['a*', '[', '?', 'a', 'a\\*', '\\\\*', ']'].map(isGlob), [true, true, true, false, false, true, false])
})

test.run()
