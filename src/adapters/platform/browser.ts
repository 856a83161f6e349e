/** Opens a page in the user's browser, and waits for the browser to return. */
import { spawn } from 'node:child_process'
import { createHash, timingSafeEqual } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Platforms } from '../../ports/platforms.ts'
import { causeText } from '../http/causes.ts'
import { envMap, findProgram, withoutCurrentFolder } from '../process/programs.ts'

const PATH = '/callback'

const page = (text: string): string =>
  `<!doctype html><html lang="en"><meta charset="utf-8"><title>devtool</title><body style="font-family:system-ui;margin:3em">${text}</body></html>`

const headers = {
  'content-type': 'text/html; charset=utf-8',
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
  'referrer-policy': 'no-referrer',
  connection: 'close',
}

const isSame = (given: string, wanted: string): boolean => {
  const [a, b] = [given, wanted].map((text) => createHash('sha256').update(text).digest())
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}

/**
 * Only the request with the right path and state counts: browsers also request an icon, and other programs and pages
 * may send anything. `host`: the name to which the browser was redirected; no other is accepted.
 */
const answering = (server: Server, state: string, host: () => string): Promise<ReadonlyMap<string, string>> =>
  new Promise((resolve) => {
    server.on('request', ({ headers: { host: named }, method, url = '' }, response) => {
      const [path, query = ''] = url.split('?')
      const searchParams = new URLSearchParams(query)
      const isAsked = method === 'GET' && path === PATH && named === host()
      const isReturn = isAsked && isSame(searchParams.get('state') ?? '', state)
      response.writeHead(isReturn ? 200 : 404, headers)
      response.end(page(isReturn ? 'You can close this page and go back to the terminal.' : 'Not found.'))
      if (isReturn) response.once('close', () => resolve(new Map(searchParams)))
    })
  })

const ended = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    const end = (): void => resolve(undefined)
    if (signal.aborted) end()
    else signal.addEventListener('abort', end, { once: true })
  })

/** Only this machine can connect. */
export const listenForBrowser: Platforms['listen'] = (state) => () =>
  new Promise((resolve) => {
    const server = createServer({ requestTimeout: 10_000, headersTimeout: 10_000 })
    let host = ''
    const answer = answering(server, state, () => host)
    server.once('error', (cause) => {
      resolve(E.left(error('DT6012', `the login cannot wait for the browser: ${causeText(cause)}`)))
    })
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const close: Task<void> = () =>
        new Promise((closed) => {
          server.close(() => closed())
          server.closeAllConnections()
        })
      host = `127.0.0.1:${port}`
      resolve(
        E.right({
          redirect: `http://${host}${PATH}`,
          answered: (signal) => () => Promise.race([answer, ended(signal)]),
          close,
        }),
      )
    })
  })

type Env = Readonly<Record<string, string | undefined>>

/** `undefined`: the user would not see the browser. */
const openerOf = (env: Env): readonly [string, ...ReadonlyArray<string>] | undefined => {
  const own = env['BROWSER'] ?? ''
  if (own !== '') return [own]
  if ((env['SSH_CONNECTION'] ?? '') !== '') return undefined
  if (process.platform === 'darwin') return ['open']
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  const hasScreen = [env['DISPLAY'], env['WAYLAND_DISPLAY']].some(Boolean)
  return hasScreen ? ['xdg-open'] : undefined
}

/** Long enough for a program that does not exist, or cannot open a window, to fail. */
const startMs = 1500

export const browseWith =
  (env: Env, clock: Pick<Clock, 'after'>): Platforms['browse'] =>
  (url) =>
  async () => {
    const opener = openerOf(env)
    if (opener === undefined) return false
    const [name, ...args] = opener
    const command = await findProgram(name, envMap(env), '/')
    if (command === undefined) return false
    return new Promise((resolve) => {
      const child = spawn(command, [...args, url], {
        stdio: 'ignore',
        detached: true,
        env: Object.fromEntries(withoutCurrentFolder(envMap(env))),
      })
      const stop = clock.after(startMs, () => resolve(true))
      const end = (isOpen: boolean): void => {
        stop()
        resolve(isOpen)
      }
      child.once('error', () => end(false))
      child.once('exit', (status) => end(status === 0))
      child.unref()
    })
  }
