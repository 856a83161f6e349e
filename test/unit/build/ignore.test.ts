/** The text of .dockerignore files: the results were taken down from moby/patternmatcher/ignorefile. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { cleanPath, ignorePatterns } from '../../../src/domain/ignore/ignore.ts'

const text = [
  '\ufeff# comment',
  'node_modules',
  '',
  '  spaced  ',
  ' /abs/path',
  '!  /kept ',
  '#not',
  ' # indented',
  './a/../b//c/\r',
  '\ufeffbom',
  '!',
  '/',
  '**/',
  '..',
  '../up',
  '\u00a0nbsp\u0085',
  'a\\ b\\ ',
  '! ',
  '//x',
].join('\n')

test('comments, blank lines, rooted paths and exceptions are read', () => {
  assert.equal(ignorePatterns(text), [
    'node_modules',
    'spaced',
    'abs/path',
    '!kept',
    '# indented',
    'b/c',
    '\ufeffbom',
    '!',
    '/',
    '**',
    '..',
    '../up',
    'nbsp',
    'a\\ b\\',
    '!',
    'x',
  ])
  assert.equal(ignorePatterns(''), [])
  assert.equal(ignorePatterns('#only'), [])
  assert.equal(ignorePatterns('\ufeffa\r\nb'), ['a', 'b'])
})

test('paths are cleaned without looking at files', () => {
  const cleaned: ReadonlyArray<readonly [path: string, clean: string]> = [
    ['', '.'],
    ['./', '.'],
    ['a/./b//c/', 'a/b/c'],
    ['a/../..', '..'],
    ['../../a', '../../a'],
    ['/../a', '/a'],
    ['/', '/'],
    ['a\\/../b', 'b'],
    ['!a/../b', 'b'],
  ]
  for (const [path, clean] of cleaned) assert.is(cleanPath(path), clean, path)
})

test.run()
