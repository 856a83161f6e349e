/** A text page for the user of this machine, protected by a name and a password. */
import { timingSafeEqual } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import type { Task } from 'fp-ts/lib/Task.js'
import { sha256 } from '../../domain/text/sha256.ts'
import type { PageLogin, SyncPage } from '../../ports/synced-folders.ts'

const mayRead = ({ headers }: IncomingMessage, { password, user }: PageLogin): boolean => {
  const expected = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
  return timingSafeEqual(Buffer.from(sha256(headers.authorization ?? '')), Buffer.from(sha256(expected)))
}

/** Listens on a free port of 127.0.0.1. */
export const servePage = (login: PageLogin, text: Task<string>): Promise<SyncPage> =>
  new Promise((resolve, reject) => {
    const server = createServer((request, response) => {
      if (!mayRead(request, login)) {
        response.writeHead(401, { 'WWW-Authenticate': 'Basic realm="devtool"' }).end()
        return
      }
      void text().then((page) =>
        response
          .writeHead(200, { 'Content-Type': 'text/plain; charset=utf-8', 'X-Content-Type-Options': 'nosniff' })
          .end(page),
      )
    })
    server.once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' ? address?.port : undefined
      server.unref()
      resolve({
        url: `http://127.0.0.1:${port}/`,
        close: () => {
          server.close()
          server.closeAllConnections()
        },
      })
    })
  })
