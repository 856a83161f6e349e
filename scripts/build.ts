/**
 * Builds dist/: the command (devtool.cjs, which loads app.cjs, which loads further files only when they are needed) and
 * the library (index.js with its types). Fails when what every start must read grows or draws in what it should not.
 */
import { createHash } from 'node:crypto'
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild'
import { helpText, nameOf } from '../src/cli/help.ts'
import { allDefinitions } from '../src/cli/registry.ts'
import { binPath, runNode } from './command.ts'

const out = 'dist'
/** Of it the fields of Compose with their documentation are a quarter, js-yaml and clipanion another. */
const appLimitBytes = 640_000
const keptOutOfApp = /node_modules\/(@kubernetes\/client-node|@grpc\/grpc-js|ssh2|yaml|zod)\//

/**
 * Files of their own beside app.cjs: name → source. Reached only by `import()` of exactly that source, which becomes
 * `require('./<name>.cjs')`.
 */
const lazyFiles: Readonly<Record<string, string>> = {
  kube: 'src/adapters/kube/clusters.ts',
  'kubeconfig-edit': 'src/adapters/kube/select.ts',
  manifest: 'src/domain/manifest/read/manifest.ts',
  locate: 'src/app/context/locate.ts',
  deploy: 'src/app/deploy/deploy-project.ts',
  build: 'src/app/build/build-project.ts',
  buildkit: 'src/adapters/buildkit/builders.ts',
  'build-contexts': 'src/adapters/buildkit/contexts.ts',
  registry: 'src/adapters/registry/client.ts',
  credentials: 'src/adapters/registry/credentials.ts',
  tokens: 'src/adapters/registry/tokens.ts',
  destroy: 'src/app/destroy/destroy-project.ts',
  explain: 'src/domain/explain/explain.ts',
  schema: 'src/app/project/schema.ts',
  progress: 'src/adapters/tty/progress.ts',
  questions: 'src/adapters/tty/questions.ts',
  connect: 'src/app/context/connect.ts',
  contexts: 'src/app/context/contexts.ts',
  namespaces: 'src/app/context/namespaces.ts',
  why: 'src/app/inspect/why.ts',
  logs: 'src/app/logs/print.ts',
  'log-pattern': 'src/domain/logs/pattern.ts',
  list: 'src/app/inspect/list.ts',
  endpoints: 'src/app/inspect/endpoints.ts',
  doctor: 'src/app/inspect/doctor.ts',
  check: 'src/app/inspect/check.ts',
  init: 'src/app/project/init.ts',
  analytics: 'src/app/context/analytics.ts',
  network: 'src/adapters/network/network.ts',
  'proxy-agent': 'src/adapters/http/proxy-agent.ts',
  'proxy-dial': 'src/adapters/http/through.ts',
}

type Package = { readonly version: string }
const { version }: Package = JSON.parse(readFileSync('package.json', 'utf8'))

const shared: BuildOptions = {
  bundle: true,
  platform: 'node',
  target: 'node20',
  mainFields: ['module', 'main'],
  alias: { 'fp-ts/lib': 'fp-ts/es6' },
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEVTOOL_VERSION': JSON.stringify(version) },
  minifySyntax: true,
  minifyWhitespace: true,
  lineLimit: 200,
  charset: 'ascii',
  legalComments: 'linked',
  logLevel: 'warning',
}

const unixPath = (path: string): string => relative('.', path).split(sep).join('/')

const splitLazyFiles: Plugin = {
  name: 'lazy-files',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\./ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (kind !== 'dynamic-import' || pluginData === 'resolved') return undefined
      const found = await bundler.resolve(path, { importer, kind, resolveDir, pluginData: 'resolved' })
      const name = Object.keys(lazyFiles).find((key) => lazyFiles[key] === unixPath(found.path))
      return name === undefined ? undefined : { path: `./${name}.cjs`, external: true }
    })
  },
}

/** clipanion opens the standard input when it is loaded, which costs every command more than all its parsing. */
const leaveStdin: Plugin = {
  name: 'leave-stdin',
  setup(bundler) {
    bundler.onLoad({ filter: /clipanion[\\/]lib[\\/]advanced[\\/]Cli\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const opened = 'stdin: process.stdin,'
      if (!text.includes(opened)) throw new Error(`${path} no longer has "${opened}"`)
      return { contents: text.replace(opened, 'stdin: undefined,'), loader: 'js' }
    })
  },
}

/** Of the client library only the reading of kubeconfigs is wanted: the generated API is many times as large. */
const leaveGenerated: Plugin = {
  name: 'leave-generated',
  setup(bundler) {
    bundler.onResolve({ filter: /^(?:\.\/gen\/index\.js|node-fetch)$/ }, ({ resolveDir }) =>
      resolveDir.replaceAll(sep, '/').endsWith('/client-node/dist')
        ? { path: 'generated', namespace: 'generated' }
        : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: 'generated' }, () => ({
      contents: 'export const createConfiguration = undefined, ServerConfiguration = undefined, Headers = undefined',
    }))
  },
}

const buildCommand = async (): Promise<Metafile> => {
  const { metafile } = await build({
    ...shared,
    entryPoints: { app: 'src/cli/main.ts', ...lazyFiles },
    outdir: out,
    outExtension: { '.js': '.cjs' },
    format: 'cjs',
    // Makes `import()` a require(), which a file that was compiled from a code cache can do on Node 20, too.
    supported: { 'dynamic-import': false },
    plugins: [splitLazyFiles, leaveStdin, leaveGenerated],
    // clipanion wants it only for `static schema`, which no command has.
    external: ['typanion'],
    metafile: true,
  })
  return metafile
}

/** The file that npm links as `devtool`. It knows which files it was built with: compiled forms are kept by that. */
const buildLoader = async (): Promise<void> => {
  const outfile = join(out, 'devtool.cjs')
  const hash = createHash('sha256')
  for (const name of ['app', ...Object.keys(lazyFiles)]) hash.update(readFileSync(join(out, `${name}.cjs`)))
  const buildHash = JSON.stringify(hash.digest('hex').slice(0, 16))
  const define = { ...shared.define, 'process.env.DEVTOOL_BUILD_HASH': buildHash }
  await build({ ...shared, entryPoints: ['src/cli/devtool.cjs'], outfile, format: 'cjs', define })
  chmodSync(outfile, 0o755)
}

/** Help texts by command, '' for all: the loader prints them without the app. */
const buildHelp = async (): Promise<void> => {
  const definitions = await allDefinitions()
  const topics = [undefined, ...definitions.map(nameOf)]
  const texts = topics.map((topic) => [topic ?? '', helpText(definitions, version, topic)])
  writeFileSync(join(out, 'help.json'), JSON.stringify(Object.fromEntries(texts)))
}

const buildLibrary = async (): Promise<void> => {
  await build({ ...shared, entryPoints: { index: 'src/index.ts' }, outdir: out, format: 'esm' })
  const types = await runNode([binPath('tsc'), '--project', 'tsconfig.types.json'])
  if (types.status !== 0) throw new Error(`the types of the library cannot be written\n${types.output}`)
}

const findings = ({ outputs }: Metafile): ReadonlyArray<string> => {
  const app = outputs[`${out}/app.cjs`]
  if (app === undefined) return [`${out}/app.cjs was not built`]
  const used = new Set(Object.keys(app.inputs).flatMap((input) => keptOutOfApp.exec(input)?.[1] ?? []))
  const foreign = readdirSync(out)
    .filter((file) => /\.c?js$/.test(file))
    .filter((file) => /\P{ASCII}/u.test(readFileSync(join(out, file), 'utf8')))
  return [
    ...(app.bytes > appLimitBytes ? [`app.cjs has ${app.bytes} bytes, more than ${appLimitBytes}`] : []),
    ...[...used].map((name) => `app.cjs contains ${name}: load it lazily`),
    ...foreign.map((file) => `${file} is not plain ASCII`),
  ]
}

const main = async (): Promise<void> => {
  rmSync(out, { recursive: true, force: true })
  const metafile = await buildCommand()
  await Promise.all([buildLoader(), buildHelp(), buildLibrary()])
  const problems = findings(metafile)
  if (problems.length > 0) throw new Error(problems.join('\n'))
  if (!process.argv.includes('--quiet')) {
    process.stdout.write(`app.cjs has ${metafile.outputs[`${out}/app.cjs`]?.bytes ?? 0} bytes\n`)
  }
}

try {
  await main()
} catch (cause) {
  process.stderr.write(`build: ${cause instanceof Error ? cause.message : String(cause)}\n`)
  process.exitCode = 1
}
