/** Builds dist/platform/web/: the pages of the platform. Fails when what a browser has to load grows too large. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { build, type Metafile } from 'esbuild'

/** Of scripts, compressed. */
const limits = { first: 25_000, all: 60_000 }

const page = (script: string, style: string, icon: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>devtool</title>
<link rel="icon" href="/assets/${icon}">
<link rel="stylesheet" href="/assets/${style}">
<script type="module" src="/assets/${script}"></script>
</head>
<body>
<div id="app"></div>
<noscript><p>These pages need JavaScript. Everything they show, the devtool command shows as well.</p></noscript>
</body>
</html>
`

type Outputs = Metafile['outputs']

const entryOf = (outputs: Outputs, source: string): string => {
  const [path] = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source) ?? []
  if (path === undefined) throw new Error(`${source} is not in the build`)
  return path
}

/** Including its static imports. */
const loadedBy = (outputs: Outputs, entry: string): ReadonlySet<string> => {
  const loaded = new Set([entry])
  for (const path of loaded) {
    for (const one of outputs[path]?.imports ?? []) if (one.kind === 'import-statement') loaded.add(one.path)
  }
  return loaded
}

const sentBytes = (paths: Iterable<string>): number =>
  [...paths].reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0)

/** `platform`: the folder of the platform's files. */
export const buildWeb = async (platform: string): Promise<Metafile> => {
  const folder = join(platform, 'web')
  const icon = 'src/web/icon.svg'
  const sources = { app: 'src/web/main.tsx', style: 'src/web/style.css', icon }
  const { metafile } = await build({
    entryPoints: sources,
    outdir: join(folder, 'assets'),
    entryNames: '[name]-[hash]',
    chunkNames: '[name]-[hash]',
    loader: { '.svg': 'copy' },
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    target: 'es2022',
    tsconfig: 'src/web/tsconfig.json',
    define: { 'process.env.NODE_ENV': '"production"' },
    minify: true,
    charset: 'utf8',
    legalComments: 'none',
    logLevel: 'warning',
    metafile: true,
  })
  const { outputs } = metafile
  const [script, style] = [entryOf(outputs, sources.app), entryOf(outputs, sources.style)]
  const image = Object.keys(outputs).find((path) => path.endsWith('.svg')) ?? ''
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'index.html'), page(basename(script), basename(style), basename(image)))
  const scripts = Object.keys(outputs).filter((path) => path.endsWith('.js'))
  const sizes = { first: sentBytes(loadedBy(outputs, script)), all: sentBytes(scripts) }
  for (const [what, limit] of Object.entries(limits)) {
    const size = what === 'first' ? sizes.first : sizes.all
    if (size > limit) throw new Error(`the scripts of ${what} pages have ${size} bytes gzipped, more than ${limit}`)
  }
  return metafile
}
