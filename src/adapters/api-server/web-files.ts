/** The files of the web pages, as built. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

/** `tag`: changes with the content. */
export type WebFile = {
  readonly type: string
  readonly body: Uint8Array<ArrayBuffer>
  readonly zipped: Uint8Array<ArrayBuffer>
  readonly tag: string
}

/** `page`: the same for every address. `assets`: by name, which changes with the content. */
export type WebFiles = { readonly page: WebFile; readonly assets: ReadonlyMap<string, WebFile> }

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

export const webFile = (name: string, content: Uint8Array): WebFile => ({
  type: types[extname(name)] ?? 'application/octet-stream',
  body: new Uint8Array(content),
  zipped: new Uint8Array(gzipSync(content, { level: 9 })),
  tag: `"${createHash('sha256').update(content).digest('hex').slice(0, 32)}"`,
})

/** Throws when the build has no pages. */
export const readWebFiles = (folder: string): WebFiles => {
  const assets = join(folder, 'assets')
  return {
    page: webFile('index.html', readFileSync(join(folder, 'index.html'))),
    assets: new Map(readdirSync(assets).map((name) => [name, webFile(name, readFileSync(join(assets, name)))])),
  }
}
