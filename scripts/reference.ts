/**
 * Generates the pages of docs/ that come from tables, the diagrams in docs/architecture.md, and the man pages that
 * package.json lists: `tsx
 * scripts/reference.ts` writes them; with `--check` it fails when one is out of date, or when a page refers to a
 * missing file.
 */
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path/posix'
import { installed } from '../src/cli/installed.ts'
import { type FieldRow, fieldRows } from '../src/domain/compose/field-rows.ts'
import { codes } from '../src/domain/diagnostic/codes.ts'
import { buildCodes } from '../src/domain/diagnostic/codes-build.ts'
import { clusterCodes } from '../src/domain/diagnostic/codes-cluster.ts'
import { commandsCodes } from '../src/domain/diagnostic/codes-commands.ts'
import { contextCodes } from '../src/domain/diagnostic/codes-context.ts'
import { deployCodes } from '../src/domain/diagnostic/codes-deploy.ts'
import { destroyCodes } from '../src/domain/diagnostic/codes-destroy.ts'
import { devCodes } from '../src/domain/diagnostic/codes-dev.ts'
import { inputCodes } from '../src/domain/diagnostic/codes-input.ts'
import { installCodes } from '../src/domain/diagnostic/codes-install.ts'
import { manifestCodes } from '../src/domain/diagnostic/codes-manifest.ts'
import { platformCodes } from '../src/domain/diagnostic/codes-platform.ts'
import { runCodes } from '../src/domain/diagnostic/codes-runs.ts'
import { seeCodes } from '../src/domain/diagnostic/codes-see.ts'
import { syncCodes } from '../src/domain/diagnostic/codes-sync.ts'
import { upCodes } from '../src/domain/diagnostic/codes-up.ts'
import { noteCodes, warningCodes } from '../src/domain/diagnostic/codes-warnings.ts'
import { whyCodes } from '../src/domain/diagnostic/codes-why.ts'
import type { CodeTable } from '../src/domain/diagnostic/status.ts'
import { manifestRows } from '../src/domain/manifest/field-rows.ts'
import { openApi } from '../src/domain/platform/api/openapi.ts'
import type { Effect } from '../src/domain/shape/field.ts'
import { apiPage } from './api-reference.ts'
import { jsonPage } from './json-reference.ts'
import { manPages } from './man.ts'
import { manifestIntro } from './manifest-intro.ts'
import { withPictures } from './picture.ts'
import { refusalSection } from './refusals.ts'
import { severities } from './severities.ts'

const MADE = '<!-- Made by `npm run docs` from the source. Do not edit. -->'

const escapeCell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;').replaceAll('\n', ' ')

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`

const tableOf = (head: ReadonlyArray<string>, rows: ReadonlyArray<ReadonlyArray<string>>): string =>
  [head, head.map(() => '---'), ...rows.map((row) => row.map(escapeCell))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const effectCells = (effect: Effect): readonly [string, string] => {
  switch (effect._tag) {
    case 'maps':
      return [effect.to, effect.but ?? '']
    case 'warns':
      return [effect.isUnnoticed ? '– (note)' : '– (warning)', effect.why]
    case 'ignored':
      return ['–', effect.why]
  }
}

const rowCells = (prefix: string, { about, effect, form, path }: FieldRow): ReadonlyArray<string> => {
  const [becomes, reason] = effectCells(effect)
  return [`\`${path.slice(prefix.length)}\``, form, becomes, reason === '' ? about : `${about}; ${reason}`]
}

const parentOf = (path: string): string => (path.includes('.') ? path.slice(0, path.lastIndexOf('.')) : '')

const section = (parent: string, rows: ReadonlyArray<FieldRow>): string => {
  const prefix = parent === '' ? '' : `${parent}.`
  const table = tableOf(
    ['field', 'form', 'becomes', 'notes'],
    rows.map((row) => rowCells(prefix, row)),
  )
  return `## ${parent === '' ? 'Top level' : `\`${parent}\``}\n\n${table}\n`
}

const composeIntro = (rows: ReadonlyArray<FieldRow>): string => {
  const count = (tag: Effect['_tag']): number => rows.filter(({ effect }) => effect._tag === tag).length
  return `# Compose fields

${MADE}

All ${rows.length} keys that devtool knows, and what they become on Kubernetes. In the paths, \`*\` stands for a name that
you choose and \`[]\` for the items of a list.

- ${count('maps')} fields have an effect. The column *becomes* names the part of a manifest, or what devtool does.
- ${count('warns')} fields have no effect that you would expect: each causes the warning DT1102 with its place and the reason in *notes*, or a note
  where nobody can notice at run time. Neither changes the exit status; with \`--strict\` the warning is an error. A value that matches what Kubernetes does anyway causes no warning.
- ${count('ignored')} fields have no effect, and nothing is lost without them. They are accepted silently.

Any other key is the error DT1004, so that a misspelled key is never dropped. Keys that begin with \`x-\` are extensions and allowed
everywhere. A key without a value counts as absent. \`devtool explain services.web.ports\` shows a row of this page.
`
}

/** One table per mapping with fields, the top level first. */
const sectionsOf = (rows: ReadonlyArray<FieldRow>): ReadonlyArray<string> => {
  const parents = [...new Set(rows.map(({ path }) => parentOf(path)))].toSorted(
    (a, b) => Number(a !== '') - Number(b !== ''),
  )
  return parents.map((parent) =>
    section(
      parent,
      rows.filter(({ path }) => parentOf(path) === parent),
    ),
  )
}

const composePage = (): string =>
  [composeIntro(fieldRows()), refusalSection(tableOf), ...sectionsOf(fieldRows())].join('\n')

const manifestPage = (): string => [`# Manifest\n\n${MADE}\n`, manifestIntro, ...sectionsOf(manifestRows())].join('\n')

const examples = 'test/golden/codes'

/** A fence longer than any in the text. */
const fenced = (language: string, text: string): string => {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}${language}\n${text.replace(/\n*$/, '\n')}${fence}\n`
}

/** The golden file of a code: its Compose file, and the output for it. */
const exampleOf = (code: string): ReadonlyArray<string> => {
  const folder = join(examples, code)
  const read = (...names: ReadonlyArray<string>): string | undefined => {
    const name = names.find((candidate) => existsSync(join(folder, candidate)))
    return name === undefined ? undefined : readFileSync(join(folder, name), 'utf8')
  }
  const input = read('devtool.yml', 'compose.yaml', 'compose.yml')
  const printed = read('expected.txt', 'stderr.txt')
  return [
    ...(input === undefined ? [] : [fenced('yaml', input)]),
    ...(printed === undefined ? [] : [fenced('text', printed)]),
  ]
}

const errorsIntro = `# Codes

${MADE}

Everything that devtool reports has a code, and a code never changes its meaning. \`devtool explain DT1012\` prints the entry on this page.

- An *error* makes the command fail. The exit status is that of the first error; when \`--timeout\` ran out it is 6.
- A *warning* does not change the exit status. With \`--strict\` it counts as an error.
- A *note* needs no action.
`

/** The tables of codes, each as a topic. */
const codeTopics: ReadonlyArray<readonly [string, CodeTable]> = [
  ['Mistakes in Compose files', inputCodes],
  ['Mistakes in manifests', manifestCodes],
  ['What is different on Kubernetes', warningCodes],
  ['Worth knowing', noteCodes],
  ['Contexts', contextCodes],
  ['The cluster and its permissions', clusterCodes],
  ['Deploying', deployCodes],
  ['Why something does not start', whyCodes],
  ['Destroying', destroyCodes],
  ['Looking at what runs', seeCodes],
  ['Commands of the manifest', commandsCodes],
  ['Building images', buildCodes],
  ['Developing in the cluster', { ...devCodes, ...upCodes }],
  ['Synchronising files', syncCodes],
  ['Installing the platform', installCodes],
  ['Using the platform', platformCodes],
  ['Runs on the platform', runCodes],
]

/** The anchor that code hosts generate for a heading. */
const anchorOf = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/[^\p{L}\p{N} _-]/gu, '')
    .replaceAll(' ', '-')

const codeIndex = (): string => {
  const listed = new Set(codeTopics.flatMap(([, table]) => Object.keys(table)))
  const others: CodeTable = Object.fromEntries(Object.entries(codes).filter(([code]) => !listed.has(code)))
  const links = (table: CodeTable): string =>
    Object.entries(table)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([code, { title }]) => `[${code}](#${anchorOf(`${code}: ${title}`)}) ${title}`)
      .join(' · ')
  const all = [...codeTopics, ['The command line, golden files, and devtool itself', others] as const]
  return `## By topic\n\n${all.map(([topic, table]) => `**${topic}**: ${links(table)}`).join('\n\n')}\n`
}

/** Only an error has an exit status. */
const kindOf = (kinds: ReadonlyArray<string>, status: number): string => {
  const others = kinds.filter((kind) => kind !== 'error')
  const asError = kinds.length === others.length && kinds.length > 0 ? [] : [`error (exit status ${status})`]
  return sentence([...asError, ...others].join(', '))
}

const errorsPage = (): string => {
  const table: CodeTable = codes
  const kinds = severities()
  const entries = Object.entries(table).map(([code, { status, text, title }]) =>
    [
      `## ${code}: ${title}\n`,
      `${kindOf(kinds.get(code) ?? [], status)}\n`,
      `${text.trim()}\n`,
      ...exampleOf(code),
    ].join('\n'),
  )
  return [errorsIntro, codeIndex(), ...entries].join('\n')
}

/** npm links only the man pages that are listed one by one. */
const packageFile = (): string => {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const commands = installed.map(({ command }) => command)
  const man = [...manPages(commands, '', '').keys()].map((name) => `./dist/man/${name}`)
  return `${JSON.stringify({ ...manifest, man }, undefined, 2)}\n`
}

const pages: Readonly<Record<string, () => string>> = {
  'docs/compose.md': composePage,
  'docs/manifest.md': manifestPage,
  'docs/errors.md': errorsPage,
  'docs/api.md': () => apiPage(MADE, tableOf),
  'docs/openapi.json': () => `${JSON.stringify(openApi('1'), undefined, 2)}\n`,
  'docs/json.md': () => jsonPage(MADE, tableOf),
  'package.json': packageFile,
  'docs/architecture.md': () => withPictures(readFileSync('docs/architecture.md', 'utf8')),
}

const isCheck = process.argv.includes('--check')
for (const [file, page] of Object.entries(pages)) {
  const text = page()
  if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
  if (isCheck) {
    process.stdout.write(`${file} is stale: run npm run docs\n`)
    process.exitCode = 1
    continue
  }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
  process.stdout.write(`${file}\n`)
}

/** Files and folders of the source that a page mentions, except those with a placeholder (<name>, NAME). */
const named = (page: string): ReadonlyArray<string> =>
  [...page.matchAll(/`((?:src|test|scripts)\/[\w./-]+)`/g)]
    .map(([, path = '']) => path)
    .filter((path) => !path.includes('NAME'))

const handmade = readdirSync('docs').filter((file) => file.endsWith('.md') && file !== 'manifest.md')
for (const file of ['CONTRIBUTING.md', ...handmade.map((name) => join('docs', name))]) {
  for (const path of named(readFileSync(file, 'utf8')).filter((one) => !existsSync(one))) {
    process.stdout.write(`${file} names ${path}, which is not there\n`)
    process.exitCode = 1
  }
}
