/** Every command in the documentation is one that devtool has, and those that need no cluster succeed as typed. */
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandIn, commandsBelow } from '../../src/cli/registry.ts'
import { blocksIn, devtoolIn, inlineIn, pages, typedIn } from '../support/cli/doc-commands.ts'
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

const needsNoCluster = (words: ReadonlyArray<string>): boolean =>
  /^(?:explain|schema|completion|validate|version|help)$/.test(words[1] ?? '') || words.includes('--dry-run')

/** A sentence may name a command alone, or with a word in capitals for what the reader puts there. */
const isWhole = (words: ReadonlyArray<string>, isTyped: boolean): boolean =>
  isTyped || (words.length > 2 && !words.some((word) => /^[A-Z]+$/.test(word)))

test.before(() => {
  cpSync(join(root, 'examples'), examples, { recursive: true })
  const bin = join(scratch, 'bin')
  mkdirSync(bin)
  const command = join(bin, 'devtool')
  writeFileSync(command, `#!/bin/sh\nexec '${process.execPath}' '${join(root, 'dist/devtool.cjs')}' "$@"\n`)
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

test('the commands that need no cluster are found', () => {
  assert.ok(withoutCluster.length > 12, `${withoutCluster.length}`)
  assert.ok(withoutCluster.every(({ line }) => commandIn(devtoolIn(line)[0]?.slice(1) ?? []) !== undefined))
})

test.run()
