/**
 * Compiles test files together before they run: a loader that compiles each module as it is imported costs more than
 * most tests. Modules that several files import are compiled once.
 */
import { mkdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, isAbsolute, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { build, type Plugin } from 'esbuild'
import { makeScratchFolder } from '../src/adapters/process/scratch-folder.ts'
import { leaveGenerated } from './build-plugins.ts'

export type CompiledTests = {
  /** The compiled form of a source; `undefined` when it has none and needs the loader. */
  readonly pathOf: (file: string) => string | undefined
  readonly remove: () => void
}

/**
 * Compiled code keeps the path of its source, by which tests find their data. The plugin's own patterns must not match
 * themselves.
 */
const sourcePlaces: Plugin = {
  name: 'source-places',
  setup: (bundler) => {
    bundler.onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const contents = readFileSync(path, 'utf8')
        .replaceAll(/import\.meta\.dirname/g, () => JSON.stringify(dirname(path)))
        .replaceAll(/import\.meta\.url/g, () => JSON.stringify(pathToFileURL(path).href))
      return { contents, loader: 'ts' }
    })
  },
}

/**
 * Packages that find files beside their own code, have native parts, are not installed, or must be the same for files
 * that are not compiled.
 */
const leftOut = [
  'axe-core',
  'bufferutil',
  'esbuild',
  'knip',
  'node-pty',
  'oidc-provider',
  'oxc-parser',
  'playwright-core',
  'ssh2',
  'supports-color',
  'tsx',
  'typanion',
  'typescript',
  'utf-8-validate',
  'uvu',
]

/** Without a compiled form when something does not compile: the loader then reports the file. */
export const compileTests = async (root: string, files: ReadonlyArray<string>): Promise<CompiledTests> => {
  const cache = join(root, '.cache')
  mkdirSync(cache, { recursive: true })
  // Inside the tree, so that packages are found.
  const { path: folder } = await makeScratchFolder(cache, 'tests-')
  const here = JSON.stringify(join(root, 'package.json'))
  const entryPoints = files.filter((file) => !isAbsolute(file))
  const remove = (): void => rmSync(folder, { recursive: true, force: true })
  try {
    await build({
      absWorkingDir: root,
      entryPoints,
      outdir: folder,
      outbase: '.',
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      // All other packages are compiled as well: loading them file by file takes a third of the time of a short test.
      external: leftOut,
      mainFields: ['module', 'main'],
      alias: { 'fp-ts/lib': 'fp-ts/es6' },
      // For packages that are written as CommonJS.
      banner: {
        js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(${here});`,
      },
      logLevel: 'silent',
      plugins: [sourcePlaces, leaveGenerated],
    })
  } catch {
    return { pathOf: () => undefined, remove }
  }
  const compiled = new Map(entryPoints.map((file) => [file, join(folder, file.replace(/\.ts$/, '.js'))]))
  return { pathOf: (file) => compiled.get(file), remove }
}
