/** docs/reference.md has a row for each command and flag, and names only files, headings, commands and flags that exist. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { helpTopics } from '../../src/cli/help-topics.ts'
import { installed } from '../../src/cli/installed.ts'
import { commandIn, commandNames, commandsBelow, flagNamed } from '../../src/cli/registry.ts'
import { referenceFlags } from '../support/flags/reference.ts'

const root = join(import.meta.dirname, '../..')
const page = 'docs/reference.md'
const text = readFileSync(join(root, page), 'utf8')

type PageRow = { readonly first: string; readonly cells: ReadonlyArray<string>; readonly line: string }

const rows = text.split('\n').flatMap((line): ReadonlyArray<PageRow> => {
  const cells = line.split('|').map((cell) => cell.trim())
  const [before, first = '', ...others] = cells.slice(0, -1)
  return before !== '' || cells.length < 3 || first.startsWith('---') ? [] : [{ first, cells: others, line }]
})
const isHead = ({ cells }: PageRow): boolean => cells.join() === 'implemented in,shown by,read of it'
const ruled = rows.filter((row) => row.cells.length !== 1 && !isHead(row))

const codesIn = (cell: string): ReadonlyArray<string> => [...cell.matchAll(/`([^`]+)`/g)].map(([, code = '']) => code)
const named = new Set(ruled.flatMap(({ first }) => codesIn(first)))

/** As code hosts make the anchor of a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-')

const read = new Map<string, ReadonlySet<string>>()

const anchorsIn = (path: string): ReadonlySet<string> => {
  const known = read.get(path)
  if (known !== undefined) return known
  const lines = readFileSync(join(root, path), 'utf8').replaceAll(/^```[^]*?^```$/gm, '')
  const found = new Set([...lines.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) => anchorOf(heading)))
  read.set(path, found)
  return found
}

const isThere = (href: string): boolean => {
  const [to = '', anchor] = href.split('#')
  const path = to === '' ? page : join(dirname(page), to)
  return existsSync(join(root, path)) && (anchor === undefined || anchorsIn(path).has(anchor))
}

test('every link leads to a file and a heading that exist', () => {
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, href = '']) => href)
  assert.ok(links.length > 500, `only ${links.length} links were found`)
  assert.equal(
    links.filter((href) => !isThere(href)),
    [],
  )
})

test('every row says where its rule is implemented, tested and documented', () => {
  const full = ruled.filter(({ cells: [implemented = '', shown = '', told = '', ...more] }) => {
    const isMade = implemented === 'not yet' || /\]\(\.\.\/src\//.test(implemented)
    const isShown = shown === 'no test' || /\]\(\.\.\/test\//.test(shown)
    return isMade && isShown && /\]\(|`help/.test(told) && more.length === 0
  })
  assert.ok(ruled.length > 200, `only ${ruled.length} rows were found`)
  assert.equal(
    ruled.filter((row) => !full.includes(row)).map(({ line }) => line),
    [],
  )
})

test('every command has a row', () => {
  assert.equal(
    commandNames.filter((name) => !named.has(name)),
    [],
  )
})

test('every flag of the reference has a row', () => {
  const flags = Object.entries(referenceFlags).flatMap(([command, names]) =>
    names.map((name) => (name === '--loglevel' ? name : `${command} ${name}`)),
  )
  assert.equal(
    flags.filter((flag) => !named.has(flag)),
    [],
  )
})

/** `deploy --wait` → the flag, if there is such a command with such a flag. */
const isFlag = (code: string): boolean => {
  const [, command = '', flag = ''] = /^([a-z ]+) (-\S+)$/.exec(code) ?? []
  return commandIn(command.split(' ')) === command && flagNamed(flag, command) !== undefined
}

test('every flag and help text that is named exists', () => {
  const flags = [...named].filter((code) => /^[a-z ]+ -\S+$/.test(code))
  assert.ok(flags.length > 80, `only ${flags.length} flags were found`)
  assert.equal(
    flags.filter((flag) => !isFlag(flag)),
    [],
  )
  const told = ruled.flatMap(({ cells }) => codesIn(cells.at(-1) ?? ''))
  const helps = told.flatMap((code) => (/^help\b/.test(code) ? [code.slice('help '.length)] : []))
  assert.ok(helps.length > 100, `only ${helps.length} help texts were found`)
  const hasHelp = (name: string): boolean =>
    name === '' || helpTopics.has(name) || commandIn(name.split(' ')) === name || commandsBelow(name).length > 0
  assert.equal(
    helps.filter((name) => !hasHelp(name)),
    [],
  )
})

/** Of a flag whose default is a text. */
const defaultOf = (code: string): string | undefined => {
  const at = code.lastIndexOf(' ')
  const found = installed.find(({ command }) => command.name === code.slice(0, at))
  return Object.values(found?.command.flags ?? {}).find(({ names }) => names.includes(code.slice(at + 1)))?.otherwise
}

test('flags have the defaults that the page lists', () => {
  const listed = rows
    .filter(({ cells }) => cells.length === 1)
    .flatMap(({ cells: [value = ''], first }) => codesIn(first).map((code) => [code, codesIn(value)[0]] as const))
  assert.ok(listed.length > 8, `only ${listed.length} defaults were found`)
  assert.equal(
    listed.map(([code]) => [code, defaultOf(code)]),
    listed,
  )
})

test.run()
