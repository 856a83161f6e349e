/** Listens for requests: those of users on one port, those of the cluster on another. */
import { createServer, type Server, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import type { apiApp } from './app.ts'

export type Listening = {
  readonly port: number
  /** Stops accepting connections, and waits for the requests in progress. */
  readonly close: () => Promise<void>
  /** Closes the remaining connections. */
  readonly cut: () => void
}

/** Slower clients hold connections that others need. */
const limits = { headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 }

const listening = (server: Server, port: number): Promise<Listening> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, () => {
      server.off('error', reject)
      const address: AddressInfo | string | null = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        close: () =>
          new Promise((closed) => {
            server.close(() => closed())
            server.closeIdleConnections()
          }),
        cut: () => server.closeAllConnections(),
      })
    })
  })

export const listenForUsers = (app: ReturnType<typeof apiApp>, port: number): Promise<Listening> => {
  const answer = getRequestListener((request, { incoming, outgoing }) =>
    app.fetch(request, {
      address: 'socket' in incoming ? incoming.socket.remoteAddress : undefined,
      outgoing: outgoing instanceof ServerResponse ? outgoing : undefined,
    }),
  )
  return listening(
    createServer(limits, (request, response) => void answer(request, response)),
    port,
  )
}

/** `page`: the text at a path; `undefined` for 404. `isWell`: false for 503. */
export type ClusterPage = (path: string) => { readonly isWell: boolean; readonly text: string } | undefined

export const listenForCluster = (page: ClusterPage, port: number): Promise<Listening> =>
  listening(
    createServer(limits, ({ url = '' }, response) => {
      const found = page(url)
      response.writeHead(found === undefined ? 404 : found.isWell ? 200 : 503, { 'content-type': 'text/plain' })
      response.end(found?.text ?? 'not found\n')
    }),
    port,
  )
