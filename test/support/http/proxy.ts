/** An HTTP proxy on this machine, to which every name has the same address. */

import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type Server } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { type AddressInfo, connect, type Server as NetServer, type Socket } from 'node:net'
import type { Duplex } from 'node:stream'

/** `url` contains the credentials; `asked` lists the requested authorities. */
export type Proxy = {
  readonly url: string
  readonly port: number
  readonly asked: ReadonlyArray<string>
  readonly close: () => void
}

/**
 * `behaviour`: used instead of forwarding. `status`: the response to everything. `address`: where it listens. `to`: the
 * address of every name.
 */
type Options = {
  readonly address?: string
  readonly credentials?: string
  readonly behaviour?: 'hangs' | 'resets' | 'answers garbage'
  readonly status?: number
  readonly isSecure?: boolean
  readonly to?: string
}

const file = (name: string): Buffer => readFileSync(new URL(`../tls/${name}`, import.meta.url))

export const listening = (server: NetServer, at = '127.0.0.1'): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, at, () => {
      const address: AddressInfo | string | null = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

/** Also closes the connections. */
export const closing = (server: NetServer): (() => void) => {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('close', () => sockets.delete(socket))
  })
  return () => {
    server.close()
    for (const socket of sockets) socket.destroy()
  }
}

export const join = (near: Duplex, far: Duplex): void => {
  for (const [from, to] of [
    [near, far],
    [far, near],
  ] as const) {
    from.on('error', () => to.destroy())
    from.once('close', () => to.destroy())
    from.pipe(to)
  }
}

const phrase = (status: number): string => `HTTP/1.1 ${status} Because\r\ncontent-length: 0\r\n\r\n`

export const httpProxy = async ({
  address = '127.0.0.1',
  behaviour,
  credentials,
  isSecure = false,
  status,
  to = '127.0.0.1',
}: Options = {}): Promise<Proxy> => {
  const asked: Array<string> = []
  const server: Server = isSecure
    ? createTlsServer({ key: file('server-key.pem'), cert: file('server.pem') })
    : createServer()
  const expected = credentials === undefined ? undefined : `Basic ${Buffer.from(credentials).toString('base64')}`
  /** The response given instead of the server's. */
  const answerOf = ({ headers }: IncomingMessage): number | undefined =>
    expected !== undefined && headers['proxy-authorization'] !== expected ? 407 : status
  server.on('connect', (sent: IncomingMessage, client: Duplex) => {
    client.on('error', () => {})
    asked.push(sent.url ?? '')
    if (behaviour === 'hangs') return
    if (behaviour === 'resets') return void client.destroy()
    if (behaviour === 'answers garbage') return void client.end('SSH-2.0-OpenSSH_9.6\r\n')
    const answer = answerOf(sent)
    if (answer !== undefined) return void client.end(phrase(answer))
    const far = connect(Number(/\d+$/.exec(sent.url ?? '')?.[0]), to)
    far.once('error', () => client.end(phrase(502)))
    far.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      join(client, far)
    })
  })
  server.on('request', (sent, response) => {
    asked.push(sent.url ?? '')
    if (behaviour === 'hangs') return
    if (behaviour === 'resets') return void sent.socket.destroy()
    const answer = answerOf(sent)
    if (answer !== undefined) return void response.writeHead(answer).end()
    const url = new URL(sent.url ?? '')
    const { 'proxy-authorization': _own, ...headers } = sent.headers
    const far = request(
      { host: to, port: url.port, path: url.pathname + url.search, method: sent.method, headers },
      (got) => {
        response.writeHead(got.statusCode ?? 0, got.headers)
        got.pipe(response)
      },
    )
    far.on('error', () => response.writeHead(502).end())
    sent.pipe(far)
  })
  const close = closing(server)
  const port = await listening(server, address)
  const named = credentials === undefined ? '' : `${credentials}@`
  return { url: `${isSecure ? 'https' : 'http'}://${named}${address}:${port}`, port, asked, close }
}
