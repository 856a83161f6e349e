/** Which paths git ignores. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isGitIgnored, readGitRules } from '../../../src/domain/ignore/gitignore.ts'

const ignored: ReadonlyArray<readonly [string, string, boolean]> = [
  ['*.log', 'a/b.log', true],
  ['/*.log', 'a/b.log', false],
  ['build/', 'a/build/x', true],
  ['a/build', 'a/build/x', true],
  ['a/build', 'b/a/build/x', false],
  ['**/x/y', 'a/x/y', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**', 'a/b/c', true],
  ['*\n!keep', 'keep', false],
  ['dir/\n!dir/keep', 'dir/keep', true],
  ['# no', '# no', false],
  ['\\#yes', '#yes', true],
  ['end ', 'end', true],
  ['[!a]x', 'bx', true],
  ['[!a]x', 'ax', false],
  ['x\r\ny', 'x', true],
  ['[', '[', false],
  ['[[:alnum:]]x', '5x', true],
  ['[^[:digit:]]x', '5x', false],
  ['id_[[:upper:]_]', 'id_Q', true],
  ['\\a.txt', 'a.txt', true],
  ['x[\\d]', 'xd', true],
]

for (const [rules, path, expected] of ignored) {
  test(`git ${expected ? 'ignores' : 'keeps'} ${path} with ${JSON.stringify(rules)}`, () => {
    assert.is(isGitIgnored([readGitRules('', rules)], path, false), expected)
  })
}

test('a .gitignore in a subfolder takes precedence over those above it', () => {
  const lists = [readGitRules('', '*.tmp\n'), readGitRules('sub', '!a.tmp\nb.txt\n')]
  assert.equal(
    ['a.tmp', 'sub/a.tmp', 'sub/c.tmp', 'b.txt', 'sub/b.txt'].map((path) => isGitIgnored(lists, path, false)),
    [true, false, true, false, true],
  )
})

test.run()
