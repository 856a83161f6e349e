/** Every command in the documentation is one that devtool has, and those that need no cluster succeed as typed. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandIn, commandsBelow } from '../../src/cli/registry.ts'
import {
  blocksIn,
  commentsIn,
  type DocPlace,
  devtoolIn,
  docLines,
  inlineIn,
  needsNoCluster,
  pages,
  typedIn,
} from '../support/cli/doc-commands.ts'
import { installedScript } from '../support/cli/installed.ts'
import { isParsed } from '../support/cli/parsed.ts'

const root = join(import.meta.dirname, '../..')
const scratch = mkdtempSync(join(tmpdir(), 'devtool-docs-'))
const examples = join(scratch, 'examples')

type DocLine = { readonly page: string; readonly line: string; readonly isTyped: boolean }

/** The page of diagnostics shows mistakes on purpose; its blocks are goldens. */
const linesOf = (page: string): ReadonlyArray<DocLine> => [
  ...(page === 'docs/errors.md' ? [] : blocksIn(page).flatMap(typedIn)).map((line) => ({ page, line, isTyped: true })),
  ...inlineIn(page).map((line) => ({ page, line, isTyped: false })),
]

const lines = pages.flatMap(linesOf)

test.before(() => {
  cpSync(join(root, 'examples'), examples, { recursive: true })
  const bin = join(scratch, 'bin')
  mkdirSync(bin)
  const command = join(bin, 'devtool')
  writeFileSync(command, installedScript)
  chmodSync(command, 0o755)
})

test.after(() => rmSync(scratch, { recursive: true }))

test('the command line parser accepts every command of the documentation', async () => {
  const commands = lines.flatMap(({ line, page }) => devtoolIn(line).map((words) => ({ page, words })))
  assert.ok(commands.length > 60, `only ${commands.length} commands were found`)
  const wrong = []
  for (const { page, words } of commands) {
    // A command or a group of them may be mentioned without the arguments that it needs.
    const name = words.slice(1).join(' ')
    const isThere = commandIn(words.slice(1)) === name || commandsBelow(name).length > 0
    if (!isThere && !(await isParsed(words))) wrong.push(`${page}: ${words.join(' ')}`)
  }
  assert.equal(wrong, [])
})

test('a shell that takes comments for arguments, as zsh does what is typed, finds nothing to run in them', () => {
  const comments = pages.flatMap((page) => blocksIn(page).flatMap(commentsIn))
  assert.ok(comments.length > 60, `only ${comments.length} comments were found`)
  assert.equal(
    comments.filter((comment) => /[;&|<>()`$'"!*?[\]{}]/.test(comment)),
    [],
  )
})

test('the settings of VS Code in the page of the manifest are those that schema --install writes', () => {
  const folder = mkdtempSync(join(scratch, 'editor-'))
  assert.is(spawnSync(join(scratch, 'bin/devtool'), ['schema', '--install'], { cwd: folder }).status, 0)
  const [shown] = blocksIn('docs/manifest.md', 'In an editor').filter(({ language }) => language === 'json')
  assert.equal(
    JSON.parse(shown?.lines.join('\n') ?? ''),
    JSON.parse(readFileSync(join(folder, '.vscode/settings.json'), 'utf8')),
  )
})

test('every npm script named in the documentation exists', () => {
  const manifest: { readonly scripts: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(root, 'package.json'), 'utf8'),
  )
  const named = lines.flatMap(({ line }) => [...line.matchAll(/\bnpm run ([\w:]+)/g)].map(([, name = '']) => name))
  assert.ok(named.length > 10)
  assert.equal(
    named.filter((name) => manifest.scripts[name] === undefined),
    [],
  )
})

test('every file that a command of the examples reads exists', () => {
  const read = lines
    .filter(({ page }) => page === 'examples/README.md')
    .flatMap(({ line }) => [...line.matchAll(/ (?:-f|--file) (\S+)/g)].map(([, file = '']) => file))
  assert.ok(read.length > 2)
  assert.equal(
    read.filter((file) => !existsSync(join(root, 'examples', file))),
    [],
  )
})

/** A sentence may name a command alone, or with a word in capitals for what the reader puts there. */
const isWhole = (words: ReadonlyArray<string>, isTyped: boolean): boolean =>
  isTyped || (words.length > 2 && !words.some((word) => /^[A-Z]+$/.test(word)))

const withoutCluster = lines.filter(({ isTyped, line }) => {
  const commands = devtoolIn(line)
  return commands.length > 0 && commands.every((words) => needsNoCluster(words) && isWhole(words, isTyped))
})

for (const { line, page } of withoutCluster) {
  test(`${page}: ${line}`, () => {
    const { PATH = '' } = process.env
    const env = {
      PATH: `${join(scratch, 'bin')}:${PATH}`,
      HOME: scratch,
      DEVTOOL_HOME: join(scratch, '.devtool'),
      KUBECONFIG: join(scratch, 'none'),
    }
    const cwd = page === 'examples/README.md' ? examples : join(examples, 'vote')
    const { status, stderr } = spawnSync('bash', ['-ec', line], { cwd, env, encoding: 'utf8', timeout: 60_000 })
    assert.is(status, 0, stderr)
  })
}

/** By a test of test/e2e. */
const typedOnCluster = [
  ...['On a cluster', 'Develop in the cluster', 'Images', 'Use it in CI', 'For a team'].map(
    (heading) => `README.md, ${heading}`,
  ),
  ...['ci', 'coming-from', 'goldens', 'manifest', 'platform', 'sync', 'tutorial', 'up'].map(
    (name) => `docs/${name}.md`,
  ),
  'examples/README.md',
]
const onlyNamed: Readonly<Record<string, string>> = {
  'docs/errors.md': 'what diagnostics say, which has tests of its own',
  'docs/json.md': 'says which command prints which document, each in test/cli/json.test.ts',
  'docs/reference.md': 'a table of rules with the tests of each',
  'docs/release.md': 'needs a registry for releases',
  'docs/reliability.md': 'compares with a command of kubectl',
}

test('documented commands that need a cluster are typed by a test, or only mentioned', () => {
  const headings = [...readFileSync(join(root, 'README.md'), 'utf8').matchAll(/^## (.*)$/gm)].map(
    ([, text = '']) => text,
  )
  const places: ReadonlyArray<DocPlace> = [
    ...headings.map((heading) => ({ page: 'README.md', heading })),
    ...pages.filter((page) => page !== 'README.md').map((page) => ({ page })),
  ]
  const found = places
    .filter((place) => docLines([place]).left().length > 0)
    .map(({ heading, page }) => (heading === undefined ? page : `${page}, ${heading}`))
  assert.equal(found.toSorted(), [...typedOnCluster, ...Object.keys(onlyNamed)].toSorted())
})

test('a documented command that no test types is reported, and so is a reason for a command that is no longer documented', () => {
  const page = docLines([{ page: 'docs/sync.md' }], { 'devtool nowhere --at-all': 'no page has it' })
  assert.ok(page.left().includes('devtool sync allow api'))
  page.the('devtool sync allow api')
  assert.not.ok(page.left().includes('devtool sync allow api'))
  assert.ok(page.left().includes('devtool nowhere --at-all'))
  assert.throws(() => page.the('devtool sync allow web'))
})

test('the commands that need no cluster are found', () => {
  assert.ok(withoutCluster.length > 12, `${withoutCluster.length}`)
  assert.ok(withoutCluster.every(({ line }) => commandIn(devtoolIn(line)[0]?.slice(1) ?? []) !== undefined))
})

test.run()
