/** Repositories over HTTP by git's own server, which is a CGI program (git-http-backend(1)). */
import { spawn } from 'node:child_process'
import type { IncomingMessage, ServerResponse } from 'node:http'

/** The answer of a CGI program is headers, an empty line, the body. */
export const serveRepository = (root: string, request: IncomingMessage, response: ServerResponse): void => {
  const { pathname, search } = new URL(request.url ?? '/', 'http://host')
  const env = {
    PATH: process.env['PATH'],
    GIT_PROJECT_ROOT: root,
    GIT_HTTP_EXPORT_ALL: '1',
    PATH_INFO: decodeURIComponent(pathname),
    QUERY_STRING: search.slice(1),
    REQUEST_METHOD: request.method,
    CONTENT_TYPE: request.headers['content-type'],
    GIT_PROTOCOL: String(request.headers['git-protocol'] ?? ''),
    HTTP_CONTENT_ENCODING: request.headers['content-encoding'],
  }
  const backend = spawn('git', ['http-backend'], { env })
  request.pipe(backend.stdin)
  const parts: Array<Buffer> = []
  backend.stdout.on('data', (part: Buffer) => parts.push(part))
  backend.on('close', () => {
    const all = Buffer.concat(parts)
    const end = all.indexOf('\r\n\r\n')
    const headers = all
      .subarray(0, end)
      .toString()
      .split('\r\n')
      .map((line) => line.split(': ', 2))
    const status = headers.find(([name]) => name === 'Status')?.[1] ?? '200'
    for (const [name = '', value = ''] of headers) if (name !== 'Status') response.setHeader(name, value)
    response.writeHead(Number.parseInt(status, 10))
    response.end(all.subarray(end + 4))
  })
}
