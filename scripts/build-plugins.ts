/** esbuild plugins for the programs that the build produces. */
import { readFileSync } from 'node:fs'
import { join, relative, sep } from 'node:path'
import type { Plugin } from 'esbuild'

const unixPath = (path: string): string => relative('.', path).split(sep).join('/')

/** The name of a file, and the sources of the modules in it. */
export type LazyFiles = ReadonlyMap<string, ReadonlyArray<string>>

/**
 * Each `import()` of such a source becomes `require('./<name>.cjs')`. A file with several sources exports each module
 * under the name of its source.
 */
export const splitLazyFiles = (files: LazyFiles): Plugin => ({
  name: 'lazy-files',
  setup: (bundler) => {
    bundler.onResolve({ filter: /^\./ }, async ({ importer, kind, path, pluginData, resolveDir }) => {
      if (kind !== 'dynamic-import' || pluginData === 'resolved') return undefined
      const resolved = await bundler.resolve(path, { importer, kind, resolveDir, pluginData: 'resolved' })
      const source = unixPath(resolved.path)
      const [name, sources = []] = [...files].find(([, known]) => known.includes(source)) ?? []
      if (name === undefined) return undefined
      return sources.length === 1
        ? { path: `./${name}.cjs`, external: true }
        : { path: source, namespace: 'joint', pluginData: name }
    })
    bundler.onLoad({ filter: /./, namespace: 'joint' }, ({ path, pluginData }) => ({
      contents: `module.exports = require('./${pluginData}.cjs')[${JSON.stringify(path)}]`,
    }))
    bundler.onResolve({ filter: /./, namespace: 'joint' }, ({ path }) => ({ path, external: true }))
    bundler.onResolve({ filter: /^joint:/ }, ({ path }) => ({ path: path.slice(6), namespace: 'joint-entry' }))
    bundler.onLoad({ filter: /./, namespace: 'joint-entry' }, ({ path }) => ({
      contents: (files.get(path) ?? [])
        .map((source) => `export * as ${JSON.stringify(source)} from ${JSON.stringify(`./${source}`)}`)
        .join('\n'),
      resolveDir: '.',
    }))
  },
})

/** Replaces a source by a text. */
export const writeFiles = (texts: ReadonlyMap<string, { readonly text: string }>): Plugin => ({
  name: 'written-files',
  setup: (bundler) => {
    bundler.onLoad({ filter: /[\\/]src[\\/].*\.ts$/ }, ({ path }) => {
      const written = texts.get(unixPath(path))
      return written === undefined ? undefined : { contents: written.text, loader: 'ts' }
    })
  },
})

/** clipanion opens the standard streams when it is loaded, which takes longer than all its parsing. */
const leaveStreams: Plugin = {
  name: 'leave-streams',
  setup(bundler) {
    bundler.onLoad({ filter: /clipanion[\\/]lib[\\/]advanced[\\/]Cli\.m?js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8')
      const contents = text.replace(/(stdin|stdout|stderr): process\.\1,/g, '$1: undefined,')
      if (contents.includes('process.std') || contents === text) throw new Error(`${path} opens streams in another way`)
      return { contents, loader: 'js' }
    })
    bundler.onResolve({ filter: /^\.\.\/platform$/ }, ({ resolveDir }) =>
      resolveDir.replaceAll(sep, '/').endsWith('/clipanion/lib/advanced')
        ? { path: join(resolveDir, '../platform/browser.js') }
        : undefined,
    )
  },
}

/**
 * js-yaml builds schemas and the patterns of its printer whenever it is loaded. Marked as free of effects, those that
 * nobody uses are left out.
 */
export const leavePrinter: Plugin = {
  name: 'leave-printer',
  setup(bundler) {
    bundler.onLoad({ filter: /js-yaml[\\/]dist[\\/]js-yaml\.mjs$/ }, ({ path }) => {
      const tables = /^var ([\w$]+) = ((?:\{$|[\w.]+[(`]|new |`)[^]*?);$(?=\n\S)/gm
      const text = readFileSync(path, 'utf8')
      return { contents: text.replace(tables, 'var $1 = /* @__PURE__ */ (() => ($2))();'), loader: 'js' }
    })
  },
}

const isClient = (folder: string): boolean => folder.replaceAll(sep, '/').endsWith('/client-node/dist')

/** Parts of the client library that are replaced by nothing. */
const leaveOut = (name: string, parts: RegExp, names: ReadonlyArray<string>): Plugin => ({
  name,
  setup(bundler) {
    bundler.onResolve({ filter: parts }, ({ resolveDir }) =>
      isClient(resolveDir) ? { path: name, namespace: name } : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: name }, () => ({
      contents: ['export default undefined', ...names.map((one) => `export const ${one} = undefined`)].join('\n'),
    }))
  },
})

/**
 * Only the kubeconfig reader of the client library is needed: the generated API is many times as large, and proxies are
 * handled by our own code.
 */
export const leaveGenerated = leaveOut(
  'leave-generated',
  /^(?:\.\/gen\/index\.js|node-fetch|hpagent|socks-proxy-agent)$/,
  ['createConfiguration', 'ServerConfiguration', 'Headers', 'SocksProxyAgent', 'HttpProxyAgent', 'HttpsProxyAgent'],
)

/** The programs read YAML and speak OpenID Connect by their own code. */
const leaveReaders = leaveOut('leave-readers', /^(?:js-yaml|openid-client)$/, [])

/** JSONPath is loaded when a provider of credentials from before plugins needs it. */
const deferJsonPath: Plugin = {
  name: 'defer-json-path',
  setup(bundler) {
    bundler.onResolve({ filter: /^jsonpath-plus$/ }, ({ kind, resolveDir }) =>
      kind === 'import-statement' && isClient(resolveDir)
        ? { path: 'jsonpath', namespace: 'jsonpath', pluginData: resolveDir }
        : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: 'jsonpath' }, ({ pluginData }) => ({
      contents: `export const JSONPath = (query) => require('jsonpath-plus').JSONPath(query)`,
      resolveDir: String(pluginData),
    }))
  },
}

const isSsh2 = (folder: string): boolean => /\/ssh2\/lib(?:\/protocol)?$/.test(folder.replaceAll(sep, '/'))

/** ssh2 does without its optional native modules. */
export const leaveNatives: Plugin = {
  name: 'leave-natives',
  setup(bundler) {
    bundler.onResolve({ filter: /^cpu-features$|\.node$/ }, ({ resolveDir }) =>
      isSsh2(resolveDir) ? { path: 'native', namespace: 'ssh2-native' } : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: 'ssh2-native' }, () => ({
      contents: "throw new Error('native modules are left out')",
    }))
  },
}

/** Of ssh2, builds need only its agent and its reader of keys; links to development containers need its client as well. */
const leaveSshClient: Plugin = {
  name: 'leave-ssh-client',
  setup(bundler) {
    bundler.onResolve({ filter: /\/(?:client|server|http-agents|keygen|SFTP)\.js$/ }, ({ resolveDir }) =>
      isSsh2(resolveDir) ? { path: 'unused', namespace: 'ssh2' } : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: 'ssh2' }, () => ({ contents: 'module.exports = {}' }))
    bundler.onResolve({ filter: /^ssh2$/ }, ({ resolveDir }) =>
      resolveDir.replaceAll(sep, '/').endsWith('/adapters/ssh')
        ? { path: 'client', namespace: 'ssh2-client' }
        : undefined,
    )
    bundler.onLoad({ filter: /./, namespace: 'ssh2-client' }, () => ({
      contents: `
        const { parseKey } = require('ssh2/lib/protocol/keyParser.js')
        exports.Client = require('ssh2/lib/client.js')
        exports.utils = { parseKey, ...require('ssh2/lib/keygen.js') }
      `,
      resolveDir: process.cwd(),
    }))
  },
}

/** What all programs leave out of the packages that they contain. */
export const leanPackages: ReadonlyArray<Plugin> = [
  leaveStreams,
  leaveGenerated,
  leaveReaders,
  deferJsonPath,
  leaveSshClient,
  leaveNatives,
]
