/** A fake Docker daemon on its own socket, with responses defined by the test. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { type ListenOptions, type Server, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import type { DockerHost } from '../../../src/domain/build/address.ts'

type DockerRequest = { readonly method: string; readonly url: string; readonly headers: IncomingMessage['headers'] }

/**
 * `ping`: the headers of its response to a ping. `answer`: responds to everything else. `upgrade`: takes over the
 * connection; upgrades are refused without it.
 */
export type Behaviour = {
  readonly ping?: Readonly<Record<string, string>>
  readonly answer?: (request: IncomingMessage, response: ServerResponse) => void
  readonly upgrade?: (socket: Duplex, head: Buffer) => void
}

export type FakeDocker = {
  readonly host: DockerHost
  readonly asked: ReadonlyArray<DockerRequest>
  /** The number of open connections. */
  readonly open: () => number
  /** Resolves when no connection is open any more. */
  readonly quiet: () => Promise<void>
}

/** As sent by the engine in Debian. */
export const usualPing = { 'api-version': '1.41', ostype: 'linux', server: 'Docker/20.10.24 (linux)' } as const

/** The daemon's response to an upgrade that it accepts. */
export const switching = 'HTTP/1.1 101 UPGRADED\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n'

type ListenAddress = 'Socket' | { readonly cert: string; readonly key: string; readonly ca?: string }

const listen = (server: Server, at: ListenOptions): Promise<number> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(at, () => {
      const address = server.address()
      resolve(typeof address === 'object' && address !== null ? address.port : 0)
    })
  })

const makeServer = (place: ListenAddress) =>
  place === 'Socket'
    ? createServer()
    : createSecureServer({ ...place, ...(place.ca === undefined ? {} : { requestCert: true }) })

/** Runs `use` with it, then closes it and all connections. */
export const withDocker = async <A>(
  { answer, ping = usualPing, upgrade }: Behaviour,
  use: (docker: FakeDocker) => Promise<A>,
  place: ListenAddress = 'Socket',
): Promise<A> => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-docker-'))
  const path = join(folder, 'socket')
  const asked: Array<DockerRequest> = []
  const sockets = new Set<Socket>()
  let look = (): void => {}
  const server = makeServer(place)
  server.on('connection', (socket: unknown) => {
    if (!(socket instanceof Socket)) return
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => {
      sockets.delete(socket)
      look()
    })
  })
  const note = ({ headers, method = '', url = '' }: IncomingMessage): void => {
    asked.push({ method, url, headers })
  }
  server.on('request', (request: IncomingMessage, response: ServerResponse) => {
    note(request)
    if (request.url === '/_ping') response.writeHead(200, ping).end('OK')
    else if (answer === undefined) response.writeHead(404).end('{"message":"page not found"}\n')
    else answer(request, response)
  })
  if (upgrade !== undefined) {
    server.on('upgrade', (request: IncomingMessage, socket: Duplex, head: Buffer) => {
      note(request)
      socket.on('end', () => socket.end())
      upgrade(socket, head)
      socket.resume()
    })
  }
  const port = await listen(server, place === 'Socket' ? { path } : { host: '127.0.0.1', port: 0 })
  const quiet = (): Promise<void> =>
    new Promise((resolve) => {
      look = () => {
        if (sockets.size === 0) resolve()
      }
      look()
    })
  const host: DockerHost =
    place === 'Socket' ? { _tag: 'Unix', path } : { _tag: 'Tcp', host: '127.0.0.1', port, isTls: true }
  try {
    return await use({ host, asked, open: () => sockets.size, quiet })
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}
