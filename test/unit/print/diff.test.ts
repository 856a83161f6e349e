import { applyPatch } from 'diff'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { unifiedDiff } from '../../../src/domain/print/diff.ts'

const options = { from: 'a.yaml', to: 'b.yaml' }
const head = '--- a.yaml\n+++ b.yaml\n'
const numbered = (count: number, prefix = 'line'): ReadonlyArray<string> =>
  Array.from({ length: count }, (_, i) => `${prefix} ${i + 1}\n`)

test('equal texts have no diff', () => {
  assert.is(unifiedDiff(options, '', ''), '')
  assert.is(unifiedDiff(options, 'a\nb', 'a\nb'), '')
})

test('a change is shown with three lines around it', () => {
  const before = numbered(9)
  const after = before.with(4, 'new\n')
  const body = ' line 2\n line 3\n line 4\n-line 5\n+new\n line 6\n line 7\n line 8\n'
  assert.is(unifiedDiff(options, before.join(''), after.join('')), `${head}@@ -2,7 +2,7 @@\n${body}`)
  assert.is(
    unifiedDiff({ ...options, context: 0 }, before.join(''), after.join('')),
    `${head}@@ -5 +5 @@\n-line 5\n+new\n`,
  )
})

test('changes share a hunk when their context meets', () => {
  const before = numbered(30)
  const diffOf = (second: number): string =>
    unifiedDiff(options, before.join(''), before.with(4, 'new\n').with(second, 'new\n').join(''))
  assert.is(diffOf(11).match(/^@@/gm)?.length, 1)
  assert.is(diffOf(12).match(/^@@/gm)?.length, 2)
})

test('a file that is new or removed is shown whole', () => {
  assert.is(unifiedDiff(options, '', 'a\nb\n'), `${head}@@ -0,0 +1,2 @@\n+a\n+b\n`)
  assert.is(unifiedDiff(options, 'a\n', ''), `${head}@@ -1 +0,0 @@\n-a\n`)
})

test('a missing newline at the end is shown on its side', () => {
  const mark = '\\ No newline at end of file\n'
  assert.is(unifiedDiff(options, 'a\nb', 'a\nb\n'), `${head}@@ -1,2 +1,2 @@\n a\n-b\n${mark}+b\n`)
  assert.is(unifiedDiff(options, 'a\nb\n', 'a\nb'), `${head}@@ -1,2 +1,2 @@\n a\n-b\n+b\n${mark}`)
  assert.is(unifiedDiff(options, 'x\nb', 'a\nb'), `${head}@@ -1,2 +1,2 @@\n-x\n+a\n b\n${mark}`)
})

test('the origin of added lines is shown once for each change, and none for removed lines', () => {
  const before = ['image: a\n', 'args:\n', 'kind: x\n', 'gone: 1\n', 'end\n']
  const after = ['image: b\n', 'extra: c\n', 'more: d\n', 'args:\n', 'kind: x\n', 'end\n']
  const asked: Array<number> = []
  const shown = unifiedDiff(options, before.join(''), after.join(''), (line) => {
    asked.push(line)
    return { 1: 'compose.yaml:4', 2: 'compose.yaml:4', 3: 'compose.yaml:7', 6: 'compose.yaml:4' }[line]
  })
  assert.is(
    shown,
    [
      `${head}@@ -1,5 +1,6 @@`,
      '-image: a',
      '+image: b # from compose.yaml:4',
      '+extra: c',
      '+more: d # from compose.yaml:7',
      ' args:',
      ' kind: x',
      '-gone: 1',
      ' end',
      '',
    ].join('\n'),
  )
  assert.equal(asked, [1, 2, 3])
})

test('a line without a known origin has no note', () => {
  assert.is(
    unifiedDiff(options, 'a\nb', 'a\n', () => undefined),
    unifiedDiff(options, 'a\nb', 'a\n'),
  )
  assert.match(unifiedDiff(options, 'a\n', 'a\nb', String), '+b # from 2\n\\ No newline')
})

test('two large texts with nothing in common end soon, as everything replaced', () => {
  const before = `same\n${numbered(200_000, 'some long line of the old text').join('')}end\n`
  const after = `same\n${numbered(200_000, 'some long line of the new text').join('')}end\n`
  const shown = unifiedDiff(options, before, after)
  assert.match(shown, '@@ -1,200002 +1,200002 @@\n same\n-some')
  assert.is(applyPatch(before, shown), after)
})

test('ten thousand changed lines are ten thousand small changes', () => {
  const before = numbered(100_000)
  const after = before.map((line, i) => (i % 10 === 5 ? `new ${line}` : line))
  const shown = unifiedDiff({ ...options, context: 0 }, before.join(''), after.join(''))
  assert.is(shown.match(/^@@/gm)?.length, 10_000)
})

test('texts that differ too much are shown as one replacement', () => {
  const lines = numbered(5000)
  const [before, after] = [`a\n${lines.join('')}z\n`, `a\n${lines.toReversed().join('')}z\n`]
  const shown = unifiedDiff(options, before, after)
  assert.match(shown, '@@ -1,5002 +1,5002 @@\n a\n-line 1\n-line 2\n')
  assert.is(applyPatch(before, shown), after)
})

test.run()
