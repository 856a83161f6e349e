/** Serves the built site like a web server for static files: compressed, with addresses without `.html`. */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { extname, join } from 'node:path'
import { gzipSync } from 'node:zlib'

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '': 'text/plain',
}

/** `/up` → `up.html`. */
const fileOf = (folder: string, path: string): string | undefined =>
  [path, `${path}.html`, join(path, 'index.html')]
    .map((candidate) => join(folder, candidate))
    .find((file) => existsSync(file) && statSync(file).isFile())

const cached = new Map<string, Buffer>()

const compressed = (file: string): Buffer => {
  const known = cached.get(file)
  if (known !== undefined) return known
  const bytes = gzipSync(readFileSync(file), { level: 9 })
  cached.set(file, bytes)
  return bytes
}

export type SiteServer = { readonly address: string; readonly close: () => Promise<void> }

const closing = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.closeAllConnections()
    server.close(() => resolve())
  })

/** Addresses outside of `folder` get the page 404. */
export const serveSite = (folder: string): Promise<SiteServer> =>
  new Promise((resolve, reject) => {
    const server = createServer(({ url = '/' }, response) => {
      const { pathname } = new URL(url, 'http://localhost')
      const found = fileOf(folder, decodeURIComponent(pathname))
      const file = found ?? join(folder, '404.html')
      const type = types[extname(file)] ?? 'application/octet-stream'
      response
        .writeHead(found === undefined ? 404 : 200, {
          'content-type': `${type}; charset=utf-8`,
          'content-encoding': 'gzip',
        })
        .end(compressed(file))
    })
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const given = server.address()
      const port = typeof given === 'object' && given !== null ? given.port : 0
      resolve({ address: `http://127.0.0.1:${port}`, close: () => closing(server) })
    })
  })
