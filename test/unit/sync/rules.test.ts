/** What is not synchronised, and which line says so. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { showRules } from '../../../src/domain/ignore/show-rules.ts'
import {
  explainPath,
  ignoredBy,
  modeIn,
  type SyncRules,
  syncRulesFrom,
  syncRulesOf,
} from '../../../src/domain/ignore/sync-rules.ts'

const rulesOf = (files: Readonly<Record<string, string>>): SyncRules => syncRulesOf((file) => files[file])

const isIgnored = (files: Readonly<Record<string, string>>, path: string): boolean =>
  ignoredBy(rulesOf(files))(path.replace(/\/$/, ''), path.endsWith('/'))

/** A path that ends in a slash is a folder. */
const git: ReadonlyArray<readonly [rules: string, path: string, expected: boolean]> = [
  ['*.log', 'a/b.log', true],
  ['*.log\n!keep.log', 'a/keep.log', false],
  ['build/', 'build', false],
  ['build/\n!build/x', 'build/x', true],
  ['node_modules', 'a.js', false],
  ['a', 'node_modules/x', false],
  ['', '.git', true],
  ['', 'module/.git/HEAD', true],
  ['', '.github/x', false],
  ['!.git', '.git/HEAD', false],
  ['!.git/', 'module/.git/', false],
  ['.*\n!.*', '.git/HEAD', true],
  ['!.git\n.git', '.git/', true],
]
for (const [text, path, expected] of git) {
  test(`.devtoolignore with ${JSON.stringify(text)} ${expected ? 'leaves out' : 'keeps'} ${path}`, () => {
    assert.is(isIgnored({ '.devtoolignore': text }, path), expected)
  })
}

const st: ReadonlyArray<readonly [rules: string, path: string, expected: boolean]> = [
  ['foo', 'a/foo/b', true],
  ['/foo', 'a/foo', false],
  ['foo/', 'foo/', false],
  ['foo/', 'foo/a', true],
  ['!a.log\n*.log', 'b/a.log', false],
  ['*.log\n!a.log', 'b/a.log', true],
  ['(?i)FOO', 'x/fOo', true],
  ['(?d)(?i)!Foo\n*', 'foo', false],
  ['*.{o,a}', 'lib/x.a', true],
  ['*.{o,a}', 'lib/x.c', false],
  ['a*c', 'a/c', false],
  ['a**c', 'a/b/c', true],
  ['[!a]x', 'bx', true],
  ['// foo', 'foo', false],
  ['!/src/keep\n/src', 'src/keep/x', false],
  ['!/src/keep\n/src', 'src/other', true],
  ['!/src/keep\n/src', 'src/', false],
  ['\\{a\\}', '{a}', true],
  ['', '.git/HEAD', true],
  ['!.git', '.git/HEAD', false],
]
for (const [text, path, expected] of st) {
  test(`.stignore with ${JSON.stringify(text)} ${expected ? 'leaves out' : 'keeps'} ${path}`, () => {
    assert.is(isIgnored({ '.stignore': text }, path), expected)
  })
}

test('the first of the two files counts, and dependency folders only without one', () => {
  assert.is(isIgnored({ '.devtoolignore': 'a', '.stignore': 'b' }, 'b'), false)
  assert.is(isIgnored({ '.stignore': 'b' }, 'b'), true)
  assert.is(isIgnored({}, 'web/node_modules/'), true)
  assert.is(isIgnored({ '.stignore': 'b' }, 'node_modules/'), false)
  assert.ok(rulesOf({}).defaults.includes('node_modules/'))
  assert.equal(rulesOf({ '.devtoolignore': '' }).defaults, [])
})

test('.gitignore and .dockerignore count only where a line includes them', () => {
  const files = { '.gitignore': '*.log\n!a.log', '.dockerignore': 'dist\n', 'sub/.gitignore': '/only' }
  assert.is(isIgnored(files, 'b.log'), false)
  const all = { ...files, '.devtoolignore': '#include .gitignore\n#include .dockerignore\n#include sub/.gitignore\n' }
  assert.equal(
    ['b.log', 'a.log', 'dist/', 'web/dist/', 'only', 'sub/only'].map((path) => isIgnored(all, path)),
    [true, false, true, false, false, true],
  )
  const included = { ...files, '.stignore': '!b.log\n#include .gitignore\n' }
  assert.equal(
    ['b.log', 'c.log', 'a.log'].map((path) => isIgnored(included, path)),
    [false, true, false],
  )
})

test('an invalid line is reported at its place', () => {
  const { troubles } = rulesOf({ '.stignore': 'a\n[\n#include ../x\n#include .stignore\n{a', '../x': 'b' })
  assert.equal(
    troubles.map(({ file, line, reason }) => `${file}:${line} ${reason}`),
    ['.stignore:2 Pattern', '.stignore:3 NoFile', '.stignore:4 NoFile', '.stignore:5 Pattern'],
  )
  assert.is(showRules(rulesOf({ '.stignore': 'a\n{b' }))[0], '.stignore:2: "{b" is not understood')
  assert.match(showRules(rulesOf({}))[0] ?? '', /^not synchronised: \.git, node_modules\//)
})

const rulesThere = (text: string): SyncRules => {
  const rules = syncRulesFrom(text)
  if (rules === undefined) throw new Error('the rules are invalid')
  return rules
}

test('rules that are invalid are refused by the other end, rather than taken for none', () => {
  for (const text of ['no JSON', '{}', '[["a"]]', '[["a", 1]]', '[["", "no JSON"]]', '[["", "[1]"]]'])
    assert.is(syncRulesFrom(text), undefined, text)
})

test('the other end decides the same by the text alone', () => {
  const rules = rulesOf({ '.devtoolignore': '#include .gitignore\n!.git', '.gitignore': '*.log' })
  const [here, there] = [ignoredBy(rules), ignoredBy(rulesThere(rules.text))]
  for (const path of ['a.log', '.git/HEAD', 'a', 'node_modules/x'])
    assert.is(here(path, false), there(path, false), path)
  const usual = rulesOf({})
  assert.is(ignoredBy(rulesThere(usual.text))('node_modules', true), true)
})

test('a path is explained by the line that decides, or by that of a folder above', () => {
  const rules = rulesOf({ '.devtoolignore': '# built\nbuild/\n!src\n' })
  assert.equal(explainPath(rules, 'build/a/b', false), {
    isIgnored: true,
    folder: 'build',
    rule: { file: '.devtoolignore', line: 2, pattern: 'build/' },
  })
  assert.equal(explainPath(rules, 'src', true), {
    isIgnored: false,
    rule: { file: '.devtoolignore', line: 3, pattern: '!src' },
  })
  assert.equal(explainPath(rules, '.git', true), {
    isIgnored: true,
    rule: { file: 'default', line: 1, pattern: '.git' },
  })
  assert.equal(explainPath(rules, 'main.go', false), { isIgnored: false })
})

test('names that another file system reads as .git are ignored as well', () => {
  const leftOut = ignoredBy(syncRulesOf((file) => (file === '.devtoolignore' ? '!.git' : undefined)))
  for (const name of ['.GIT', '.Git', '.g\u200cit', 'git~1']) {
    assert.is(leftOut(`a/${name}`, true), true, name)
    assert.is(leftOut(`a/${name}/hooks/post-checkout`, false), true, name)
  }
  assert.is(leftOut('a/.git/config', false), false)
  assert.is(leftOut('.gitignore', false), false)
})

test('.git is synchronised one way only', () => {
  const paths = ['.git/HEAD', 'a/.git', '.gitignore']
  assert.equal(paths.map(modeIn()), ['push', 'push', 'two-way'])
  assert.equal(paths.map(modeIn('pull')), ['push', 'push', 'pull'])
})

test('a path that is mounted or developed separately at one end is ignored at both, whatever the ignore files say', () => {
  const rules = syncRulesOf((file) => (file === '.devtoolignore' ? '!data\n!data/**' : undefined), ['data', 'a/[b]'])
  for (const one of [rules, rulesThere(rules.text)]) {
    const decides = ignoredBy(one)
    assert.equal(
      ['data', 'data/x', 'a/[b]', 'a/[b]/c', 'a', 'a/b', 'database', 'x/data'].map((path) => decides(path, false)),
      [true, true, true, true, false, false, false, false],
    )
    assert.is(explainPath(one, 'data/x', false).folder, 'data')
  }
})

test.run()
