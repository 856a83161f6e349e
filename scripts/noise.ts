/**
 * How much a user has to read: `tsx scripts/noise.ts FOLDER...` translates each Compose file below the folders, with all
 * profiles, and counts its findings.
 */
import { existsSync, readdirSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { nodeFiles } from '../src/adapters/node-fs/files.ts'
import { openProject } from '../src/app/project/project.ts'
import type { Diagnostic, Severity } from '../src/domain/diagnostic/diagnostic.ts'

const isCompose = (name: string): boolean =>
  /^(?:.*[.-])?compose(?:[.-].*)?\.ya?ml$/.test(name) && !name.includes('.override.')

/** A file with the one that overrides it, as devtool finds them. */
const withOverride = (path: string): ReadonlyArray<string> => {
  const name = basename(path)
  const over = name.replace(/\.(ya?ml)$/, '.override.$1')
  return existsSync(join(dirname(path), over)) ? [name, over] : [name]
}

/** Links may lead back. */
const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .flatMap((entry) => {
      const path = join(folder, entry.name)
      if (entry.isDirectory()) return filesIn(path)
      return entry.isFile() && isCompose(entry.name) ? [path] : []
    })
    .toSorted()

const findingsIn = async (path: string): Promise<ReadonlyArray<Diagnostic>> => {
  const cwd = resolve(dirname(path))
  const project = openProject({ files: nodeFiles(cwd, () => process.stdin) })({
    cwd,
    files: withOverride(path),
    guess: 'noise',
    given: new Map(),
    shell: new Map(),
    separator: ':',
    services: [],
    settings: { profiles: ['*'] },
    isConfined: false,
    isStrict: false,
  })
  return (await project.translate()).findings
}

const counts = (values: ReadonlyArray<string>): ReadonlyArray<readonly [string, number]> => {
  const found = new Map<string, number>()
  for (const value of values) found.set(value, (found.get(value) ?? 0) + 1)
  return [...found].toSorted(([, a], [, b]) => b - a)
}

const showCounts = (found: ReadonlyArray<Diagnostic>): string =>
  counts(found.map(({ code }) => code))
    .map(([code, count]) => `${code} ${count}`)
    .join(', ')

const say = (text: string): boolean => process.stdout.write(`${text}\n`)

const read: Array<ReadonlyArray<Diagnostic>> = []
for (const path of process.argv.slice(2).flatMap(filesIn)) {
  const found = await findingsIn(path)
  const of = (severity: Severity): ReadonlyArray<Diagnostic> => found.filter((d) => d.severity === severity)
  if (of('error').length > 0) say(`${path}: not counted, ${of('error').length} errors: ${showCounts(of('error'))}`)
  else {
    say(`${path}: ${of('warning').length} warnings, ${of('note').length} notes: ${showCounts(found)}`)
    read.push(found)
  }
}

for (const severity of ['warning', 'note'] satisfies ReadonlyArray<Severity>) {
  const each = read.map((found) => found.filter((d) => d.severity === severity))
  const sizes = each.map(({ length }) => length).toSorted((a, b) => a - b)
  const [median = 0, most = 0] = [sizes[(sizes.length - 1) >> 1], sizes.at(-1)]
  say(`${severity}s in ${read.length} files: median ${median}, max ${most}; ${showCounts(each.flat())}`)
}
