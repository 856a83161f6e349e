/**
 * Real registries on this machine: open, with an account, with TLS; and one that fails depending on the first part of a
 * name.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { Certificates } from '../build/certificates.ts'
import { pathOf, startDaemon } from '../build/programs.ts'
import { freePort, listen } from '../process/ports.ts'
import { until } from '../process/until.ts'

/** `address`: `HOST:PORT`, as at the beginning of image names. */
export type RegistryServer = { readonly address: string; readonly end: () => void }

/** The account for a registry with `isGuarded`. */
export const account = { user: 'tester', password: 'Correct-Horse-9-Staple' } as const
/** The same password as stored by a registry. */
const passwords = 'tester:$2y$05$Zr8yGm3kQeXoB1vTnLs7Oe2VvPaHSF8.VUJ7BkgrpEce/UvkQGcRC\n'

type Options = { readonly isGuarded?: boolean; readonly tls?: Certificates }

const settings = (folder: string, address: string, { isGuarded = false, tls }: Options): string => {
  const users = join(folder, 'users')
  writeFileSync(users, passwords)
  const server = tls?.server ?? ''
  const secured = { certificate: join(server, 'cert.pem'), key: join(server, 'key.pem') }
  // JSON is valid YAML.
  return JSON.stringify({
    version: 0.1,
    log: { level: 'warn', accesslog: { disabled: true } },
    storage: { filesystem: { rootdirectory: join(folder, 'images') } },
    http: { addr: address, secret: 'of a test', ...(tls === undefined ? {} : { tls: secured }) },
    ...(isGuarded ? { auth: { htpasswd: { realm: 'test', path: users } } } : {}),
  })
}

const answers = (address: string): Promise<boolean> =>
  new Promise((resolve) => {
    const sent = request(`http://${address}/v2/`, { timeout: 1000, agent: false }, (response) => {
      response.resume()
      resolve(true)
    })
    sent.on('timeout', () => sent.destroy(new Error('no answer')))
    sent.on('error', () => resolve(false))
    sent.end()
  })

export const startRegistry = async (options: Options = {}): Promise<RegistryServer> => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-registry-'))
  const address = `127.0.0.1:${await freePort()}`
  mkdirSync(join(folder, 'images'))
  writeFileSync(join(folder, 'config.yml'), settings(folder, address, options))
  const daemon = startDaemon([pathOf('docker-registry'), 'serve', join(folder, 'config.yml')], join(folder, 'log'))
  const end = (): void => {
    process.off('exit', end)
    if (!daemon.hasEnded()) process.kill(daemon.pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 })
  }
  process.once('exit', end)
  try {
    // With TLS it responds with an error page, which is enough.
    await until('docker-registry answers', async () => {
      if (daemon.hasEnded()) throw new Error('docker-registry ended')
      return answers(address)
    })
  } catch (cause) {
    const said = daemon.log()
    end()
    throw new Error(`docker-registry does not start:\n${said}`, { cause })
  }
  return { address, end }
}

/** First parts of image names that fail: `denied/…` gets 403, `broken/…` gets 500, `silent/…` gets no response. */
type ServerFault = 'denied' | 'broken' | 'silent' | 'slow'

const troubleOf = (url: string): ServerFault | undefined => {
  const [, first] = /^\/v2\/(denied|broken|silent|slow)\//.exec(url) ?? []
  return first === 'denied' || first === 'broken' || first === 'silent' || first === 'slow' ? first : undefined
}

const refuse = (response: ServerResponse, status: number, code: string, message: string): void => {
  response.writeHead(status, { 'content-type': 'application/json' })
  response.end(JSON.stringify({ errors: [{ code, message }] }))
}

const passOn = (to: string, incoming: IncomingMessage, response: ServerResponse): void => {
  const { headers, method, url = '/' } = incoming
  const sent = request(`http://${to}${url}`, { method, headers, agent: false }, (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers)
    answer.pipe(response)
  })
  sent.on('error', () => response.destroy())
  response.on('close', () => sent.destroy())
  incoming.pipe(sent)
}

const slowMs = 150

const handle = async (to: string, incoming: IncomingMessage, response: ServerResponse): Promise<void> => {
  const trouble = troubleOf(incoming.url ?? '')
  // Unread data would be taken for the next request.
  if (trouble !== undefined && trouble !== 'slow') incoming.resume()
  if (trouble === 'denied') refuse(response, 403, 'DENIED', 'requested access to the resource is denied')
  else if (trouble === 'broken') refuse(response, 500, 'UNKNOWN', 'unknown error')
  else if (trouble !== 'silent') {
    if (trouble === 'slow') await pause(slowMs)
    passOn(to, incoming, response)
  }
}

/** `asked`: methods and paths of the requests, in order. */
export type TroubledRegistry = RegistryServer & { readonly asked: ReadonlyArray<string> }

/** A proxy in front of another registry. Ends with the process at the latest. */
export const startTroubledRegistry = async (of: RegistryServer): Promise<TroubledRegistry> => {
  const asked: Array<string> = []
  const server = createServer((incoming, response) => {
    asked.push(`${incoming.method} ${incoming.url}`)
    incoming.on('error', () => {})
    handle(of.address, incoming, response).catch(() => response.destroy())
  })
  // A builder keeps its connections: one that ends while it is used again fails a push.
  server.keepAliveTimeout = 0
  server.on('connection', (socket) => socket.unref())
  const port = await listen(server)
  server.unref()
  const end = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { address: `127.0.0.1:${port}`, asked, end }
}
