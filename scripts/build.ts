/**
 * Builds dist/: the command (devtool.cjs, which loads app.cjs, which loads further files on demand) and the library
 * (index.js with its types). Fails when the code loaded on every start grows too large or imports excluded packages.
 */
import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { type BuildOptions, build, type Metafile } from 'esbuild'
import { completionScripts } from '../src/cli/completion-scripts.ts'
import { helpText } from '../src/cli/help.ts'
import { helpTopics } from '../src/cli/help-topics.ts'
import { installed, rows } from '../src/cli/installed.ts'
import { commandNames, firstWords } from '../src/cli/registry.ts'
import { statuses } from '../src/domain/diagnostic/statuses.ts'
import { schemaForms } from '../src/domain/init/schema-forms.ts'
import { schemaFiles } from '../src/domain/init/schemas.ts'
import { buildAgent } from './build-agent.ts'
import { type LazyFiles, leanPackages, leavePrinter, splitLazyFiles, writeFiles } from './build-plugins.ts'
import { buildServer } from './build-server.ts'
import { keepTypesOf } from './build-types.ts'
import { buildWeb } from './build-web.ts'
import { binPath, runNode } from './command.ts'
import { arrowsOf, listFiles, parse } from './imports.ts'
import { manPages } from './man.ts'
import { noticesOf } from './notices.ts'
import { commit, date } from './origin.ts'
import { ptyNotice } from './pty.ts'

const out = 'dist'

/**
 * `main` is loaded on every start, has at most `limitBytes`, and excludes the packages of `keptOut`. Modules below
 * `folders` that are imported with `import()` become separate files.
 */
type ProgramRow = {
  readonly name: string
  readonly main: string
  readonly limitBytes: number
  readonly keptOut: ReadonlyArray<string>
  readonly folders: ReadonlyArray<string>
  /** Lazy modules that are used together and share most of their code: they become one file. */
  readonly joint: Readonly<Record<string, ReadonlyArray<string>>>
  /** Sources that the build replaces by a text, and what that text imports lazily. */
  readonly written: ReadonlyMap<string, { readonly text: string; readonly lazy: ReadonlyArray<string> }>
}

/**
 * The table of commands, without their code. A flag that many commands share is written once, and what most have is left
 * out.
 */
const installedFile = () => {
  const loaders = installed.map(
    ({ command, file }) => `[${JSON.stringify(command.name)}, () => import('./commands/${file}')]`,
  )
  const flags = [...new Set(rows.flatMap((row) => row.flags.map((flag) => JSON.stringify(flag))))]
  const table = rows.map(({ words, ...row }) => ({
    ...row,
    ...(words.length === 0 ? {} : { words }),
    flags: row.flags.map((flag) => flags.indexOf(JSON.stringify(flag))),
  }))
  const text = `
    const flags = JSON.parse(${JSON.stringify(`[${flags.map((flag) => flag.replace(',"arity":"One"', '')).join(',')}]`)})
    const table = JSON.parse(${JSON.stringify(JSON.stringify(table))})
    export const rows = table.map((row) => ({ words: [], ...row, flags: row.flags.map((at) => ({ arity: 'One', ...flags[at] })) }))
    const loaders = new Map([${loaders.join(',\n')}])
    export const load = async (name) => {
      const modules = await loaders.get(name)?.()
      return modules && Object.values(modules).flat().find((command) => command.name === name)
    }
  `
  return { text, lazy: [...new Set(installed.map(({ file }) => `src/cli/commands/${file}`))] }
}

const nativeGzip: ProgramRow['written'] = new Map([
  ['src/domain/environment/gzip.ts', { text: "export * from '../../adapters/system/gzip.ts'", lazy: [] }],
])

const programs: ReadonlyArray<ProgramRow> = [
  {
    name: 'app',
    main: 'src/cli/main.ts',
    limitBytes: 150_000,
    keptOut: [
      '@hono/node-server',
      '@kubernetes/client-node',
      '@grpc/grpc-js',
      'hono',
      'jose',
      'openid-client',
      'ssh2',
      'ws',
      'yaml',
      'zod',
    ],
    folders: ['src/domain', 'src/app', 'src/adapters', 'src/cli'],
    joint: {
      project: [
        'src/cli/commands/deploy.ts',
        'src/cli/commands/validate.ts',
        ...['dry-run', 'project', 'validate', 'complete'].map((name) => `src/app/project/${name}.ts`),
        'src/cli/view/dry-run.ts',
      ],
      build: ['src/app/build/build-project.ts', 'src/app/build/check-project.ts', 'src/cli/view/build.ts'],
    },
    written: new Map([
      ['src/cli/installed.ts', installedFile()],
      ['src/domain/diagnostic/statuses.ts', { text: `export const statuses = ${JSON.stringify(statuses)}`, lazy: [] }],
      ...nativeGzip,
    ]),
  },
]

type Names = Readonly<Record<string, string>>
type Package = { readonly version: string; readonly dependencies?: Names; readonly optionalDependencies?: Names }
const manifest: Package = JSON.parse(readFileSync('package.json', 'utf8'))
const { dependencies = {}, optionalDependencies = {}, version } = manifest

const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  alias: { 'fp-ts/lib': 'fp-ts/es6', clipanion: 'clipanion/lib/advanced/index.mjs' },
  define: {
    // Every file of the build is in one folder, which a single executable creates on demand.
    'import.meta.dirname': 'module.path',
    'process.env.NODE_ENV': '"production"',
    'process.env.DEVTOOL_VERSION': JSON.stringify(version),
    'process.env.DEVTOOL_COMMIT': JSON.stringify(commit() ?? ''),
    'process.env.DEVTOOL_DATE': JSON.stringify(date() ?? ''),
    // Optional native modules that ws would look for among the user's packages.
    'process.env.WS_NO_BUFFER_UTIL': '"1"',
    'process.env.WS_NO_UTF_8_VALIDATE': '"1"',
  },
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 200,
  charset: 'ascii',
  legalComments: 'none',
  logLevel: 'warning',
}

/** `src/app/context/connect.ts` → `app-context-connect`. */
const lazyName = (source: string): string => source.slice('src/'.length, -'.ts'.length).replaceAll('/', '-')

const lazyFilesOf = ({ folders, joint, written }: ProgramRow): LazyFiles => {
  const sources = folders
    .flatMap(listFiles)
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => arrowsOf(parse(file)))
    .flatMap(({ isLazy, to }) => (isLazy ? [to] : []))
  const all = new Set([...sources, ...[...written.values()].flatMap(({ lazy }) => lazy)])
  const together = new Set(Object.values(joint).flat())
  const unused = [...together].filter((source) => !all.has(source))
  if (unused.length > 0) throw new Error(`nothing imports ${unused.join(', ')} lazily`)
  const alone = [...all].filter((source) => !together.has(source))
  return new Map([...Object.entries(joint), ...alone.map((source) => [lazyName(source), [source]] as const)])
}

const entryOf = ([name, [first = '', ...more]]: readonly [string, ReadonlyArray<string>]): readonly [
  string,
  string,
] => [name, more.length === 0 ? first : `joint:${name}`]

const buildProgram = async (row: ProgramRow): Promise<Metafile> => {
  const lazy = lazyFilesOf(row)
  const { metafile } = await build({
    ...shared,
    entryPoints: { [row.name]: row.main, ...Object.fromEntries([...lazy].map(entryOf)) },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // Turns `import()` into require(), which also works for code from a code cache on Node 20.
    supported: { 'dynamic-import': false },
    plugins: [splitLazyFiles(lazy), writeFiles(row.written), ...leanPackages, leavePrinter],
    // clipanion needs it only for `static schema`, which no command has.
    external: ['typanion'],
    metafile: true,
  })
  return metafile
}

/**
 * The file that npm links as `devtool`, and its form for single executables. It contains an id of the files it was built
 * with, which is part of the name of code caches.
 */
const buildLoader = async (): Promise<ReadonlyArray<Metafile>> => {
  const hash = createHash('sha256')
  for (const file of readdirSync(out).toSorted()) hash.update(readFileSync(join(out, file)))
  const buildHash = JSON.stringify(hash.digest('hex').slice(0, 16))
  const write = async (name: string, single: string): Promise<Metafile> => {
    const given = { 'process.env.DEVTOOL_BUILD_HASH': buildHash, 'process.env.DEVTOOL_SINGLE': single }
    const [outfile, define] = [join(out, name), { ...shared.define, ...given }]
    const entryPoints = ['src/cli/devtool.cjs']
    const { metafile } = await build({ ...shared, entryPoints, outfile, format: 'cjs', define, metafile: true })
    return metafile
  }
  const loader = await write('devtool.cjs', '""')
  chmodSync(join(out, 'devtool.cjs'), 0o755)
  return [loader, await write('single.cjs', '"1"')]
}

/** Files for shells, `man` and editors. */
const buildPages = (): void => {
  const write = (folder: string, files: Iterable<readonly [string, string]>): void => {
    mkdirSync(join(out, folder), { recursive: true })
    for (const [name, text] of files) writeFileSync(join(out, folder, name), text)
  }
  const commands = installed.map(({ command }) => command)
  write('man', manPages(commands, version, date() ?? ''))
  const { bash, fish, powershell, zsh } = completionScripts
  write(
    'completions',
    Object.entries({ devtool: bash, _devtool: zsh, 'devtool.fish': fish, 'devtool.ps1': powershell }),
  )
  write(
    'schemas',
    schemaFiles(schemaForms, version).map(({ name, text }) => [name, text] as const),
  )
}

/** Help texts by command, '' for all: the loader prints them without loading the app. */
const buildHelp = (): void => {
  const commands = installed.map(({ command }) => command)
  const topics = [undefined, ...new Set([...firstWords, ...commandNames]), ...helpTopics.keys()]
  const texts = topics.map((topic) => [topic ?? '', helpText(commands, version, topic)])
  writeFileSync(join(out, 'help.json'), JSON.stringify(Object.fromEntries(texts)))
}

/** `mentioned`: the packages that its types refer to. */
const buildLibrary = async (): Promise<{
  readonly metafile: Metafile
  readonly mentioned: ReadonlyArray<string>
}> => {
  const { metafile } = await build({
    ...shared,
    entryPoints: { index: 'src/index.ts' },
    outdir: out,
    format: 'esm',
    metafile: true,
  })
  const types = await runNode([binPath('tsc'), '--project', 'tsconfig.types.json'])
  if (types.status !== 0) throw new Error(`the types of the library cannot be written\n${types.output}`)
  return { metafile, mentioned: keepTypesOf(out, `${out}/index.d.ts`) }
}

/** Packages that are imported somewhere but not needed at run time: unused parts, or optional ones. */
const neverLoaded = new Set(['typanion', 'supports-color'])

const requiredBy = ({ outputs }: Metafile): ReadonlyArray<string> =>
  Object.values(outputs)
    .flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external === true && !path.startsWith('.') && !isBuiltin(path))
    .map(({ path }) => path)
    .filter((path) => !neverLoaded.has(path))

/** Bundled packages are dependencies for development only, not for installation. */
const dependencyFindings = (required: ReadonlyArray<string>): ReadonlyArray<string> => {
  const [used, listed] = [new Set(required), Object.keys({ ...dependencies, ...optionalDependencies })]
  return [
    ...[...used].filter((name) => !listed.includes(name)).map((name) => `${name} is required: list it in dependencies`),
    ...Object.keys(dependencies)
      .filter((name) => !used.has(name))
      .map((name) => `${name} is in dependencies, and nothing in ${out} requires it`),
  ]
}

const packageOf = (input: string): string | undefined => /node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1]

const sizeOf = ({ outputs }: Metafile, { name }: ProgramRow): number => outputs[`${out}/${name}.cjs`]?.bytes ?? 0

const findings = (metafile: Metafile, row: ProgramRow): ReadonlyArray<string> => {
  const { keptOut, limitBytes, name } = row
  const inputs = Object.keys(metafile.outputs[`${out}/${name}.cjs`]?.inputs ?? {})
  const used = new Set(inputs.map(packageOf).filter((one) => one !== undefined && keptOut.includes(one)))
  const bytes = sizeOf(metafile, row)
  return [
    ...(bytes > limitBytes ? [`${name}.cjs has ${bytes} bytes, more than ${limitBytes}`] : []),
    ...[...used].map((one) => `${name}.cjs contains ${one}: load it lazily`),
  ]
}

const foreignFindings = (): ReadonlyArray<string> =>
  readdirSync(out)
    .filter((file) => /\.c?js$/.test(file))
    .filter((file) => /\P{ASCII}/u.test(readFileSync(join(out, file), 'utf8')))
    .map((file) => `${file} is not plain ASCII`)

const main = async (): Promise<void> => {
  rmSync(out, { recursive: true, force: true })
  const built = await Promise.all(programs.map(async (row) => ({ row, metafile: await buildProgram(row) })))
  const loaders = await buildLoader()
  const agent = await buildAgent(out, shared)
  const server = await buildServer(out, shared, [writeFiles(nativeGzip), ...leanPackages])
  const web = await buildWeb(join(out, 'platform'))
  buildHelp()
  buildPages()
  const library = await buildLibrary()
  const metafiles = [...built.map(({ metafile }) => metafile), ...loaders, agent, server, web, library.metafile]
  const bundled = metafiles.flatMap(({ inputs }) => Object.keys(inputs))
  const notices = noticesOf(bundled, [ptyNotice()])
  // The image of the platform is built from its folder alone.
  for (const folder of [out, join(out, 'platform')]) writeFileSync(join(folder, 'NOTICES.txt'), notices)
  const required = [...metafiles.flatMap(requiredBy), ...library.mentioned]
  const problems = [
    ...built.flatMap(({ metafile, row }) => findings(metafile, row)),
    ...foreignFindings(),
    ...dependencyFindings(required),
  ]
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (process.argv.includes('--quiet')) return
  for (const { metafile, row } of built) {
    process.stdout.write(`${row.name}.cjs has ${sizeOf(metafile, row)} bytes\n`)
  }
}

try {
  await main()
} catch (cause) {
  process.stderr.write(`build: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}
