/**
 * Requests to any HTTP server, through the proxies and with the authorities of the environment, with bounded responses.
 */

import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { isIP } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { defined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import { agentFor, type TlsChoice } from './agent.ts'
import { readBody } from './body.ts'
import { type Env, proxyAuthorization, proxyOf, refusalOf } from './proxy.ts'
import { send, type Unanswered, unanswered } from './send.ts'

/** `isLenient`: accepts any certificate. `authority`: PEM; only what it has signed, or is in it, is accepted. */
export type HttpRequest = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE'
  readonly url: URL
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Uint8Array
  readonly isLenient?: boolean
  readonly authority?: string | undefined
}

export type HttpResponse = {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/** No reason contains anything that was sent. */
export type HttpClient = {
  /** The head of the response, with any status; the body has to be read or destroyed. */
  readonly open: (question: HttpRequest, signal: AbortSignal) => TE.TaskEither<Unanswered, IncomingMessage>
  /** Left when no complete response came within `timeoutMs`, or the signal did. */
  readonly ask: (
    question: HttpRequest,
    timeoutMs: number,
    signal: AbortSignal,
  ) => TE.TaskEither<Unanswered, HttpResponse>
}

/** Registries accept no manifest over 4 MiB. */
const limitBytes = 8 * 1024 * 1024
const mostConnections = 16
/** Shorter than the idle timeouts of servers and load balancers. */
const unusedMs = 15_000

/** `server`: the host to connect to. `path`: an absolute URL for proxies (RFC 9112, 3.2.2). */
type Route = {
  readonly agent: Agent
  readonly server: URL
  readonly path: string
  readonly proxy?: URL | undefined
}

/** Requests without TLS are sent to an HTTP proxy directly: many proxies allow CONNECT only for TLS ports. */
const isHandedOver = (url: URL, proxy: URL | undefined): proxy is URL =>
  url.protocol === 'http:' && proxy !== undefined && /^https?:$/.test(proxy.protocol)

const headersOf = ({ headers, url }: HttpRequest, { proxy }: Route): OutgoingHttpHeaders => {
  const authorization = proxy === undefined ? undefined : proxyAuthorization(proxy)
  return {
    'user-agent': 'devtool',
    ...headers,
    ...defined({ host: proxy && url.host, 'proxy-authorization': authorization }),
  }
}

const wayFinder = (env: Env, clock: Clock) => {
  const agents = new Map<string, Promise<Agent>>()
  const agentTo = (server: URL, proxy: URL | undefined, tls: TlsChoice): Promise<Agent> => {
    const key = `${server.origin} ${tls.rejectUnauthorized} ${proxy?.href} ${String(tls.ca)}`
    const known = agents.get(key)
    if (known !== undefined) return known
    const made = agentFor(server, { clock, env, proxy }, tls, {
      keepAlive: true,
      maxSockets: mostConnections,
      timeout: unusedMs,
    })
    agents.set(key, made)
    return made
  }
  return ({ authority, isLenient, url }: HttpRequest): TE.TaskEither<string, Route> =>
    pipe(
      TE.fromEither(proxyOf(url, env)),
      TE.flatMapTask((proxy) => async (): Promise<Route> => {
        if (isHandedOver(url, proxy)) {
          const path = `${url.origin}${url.pathname}${url.search}`
          // Node checks the certificate against the `host` header, which is that of the target.
          const servername = isIP(proxy.hostname.replace(/^\[|\]$/g, '')) === 0 ? proxy.hostname : ''
          return { agent: await agentTo(proxy, undefined, { servername }), server: proxy, path, proxy }
        }
        const tls = isLenient === true ? { rejectUnauthorized: false } : defined({ ca: authority })
        const agent = await agentTo(url, proxy, tls)
        return { agent, server: url, path: url.pathname + url.search }
      }),
    )
}

/** Only the status tells whether a response is from the proxy or from the server. */
const ofServer = (response: IncomingMessage, { proxy }: Route): E.Either<Unanswered, IncomingMessage> => {
  if (proxy === undefined || response.statusCode !== 407) return E.right(response)
  response.destroy()
  return E.left(unanswered(refusalOf(proxy, 407), false))
}

const answerOf = (response: IncomingMessage, body: Uint8Array): HttpResponse => ({
  status: response.statusCode ?? 0,
  header: (name) => {
    const value = response.headers[name]
    return typeof value === 'string' ? value : value?.join(', ')
  },
  body,
})

const failed = (text: string): Unanswered => ({ because: 'Broken', text, hasLeft: true, isFinal: false })

export const httpClient = (env: Env, clock: Clock): HttpClient => {
  const wayTo = wayFinder(env, clock)
  const sendBy = (
    question: HttpRequest,
    way: Route,
    signal: AbortSignal,
  ): TE.TaskEither<Unanswered, IncomingMessage> => {
    const { agent, path, server } = way
    const { body, method } = question
    return pipe(
      send({ clock, agent, server, path, method, body, signal, headers: headersOf(question, way) }),
      TE.flatMapEither((reply) => {
        if (reply._tag === 'Upgraded') reply.socket.destroy()
        return ofServer(reply.response, way)
      }),
    )
  }
  const begin: HttpClient['open'] = (question, signal) =>
    pipe(
      wayTo(question),
      TE.mapLeft(failed),
      TE.flatMap((way) => sendBy(question, way, signal)),
    )
  const open: HttpClient['open'] = (question, signal) =>
    pipe(
      TE.tryCatch(begin(question, signal), (cause) => unanswered(cause, false)),
      TE.flatMapEither((opened) => opened),
    )
  const readAll = (response: IncomingMessage): TE.TaskEither<Unanswered, HttpResponse> =>
    pipe(
      readBody(response, limitBytes),
      TE.bimap(
        (reason) => {
          response.destroy()
          return failed(reason)
        },
        (body) => answerOf(response, body),
      ),
    )
  const ask: HttpClient['ask'] = (question, timeoutMs, signal) => async () => {
    const stopped = new AbortController()
    const stop = (): void => stopped.abort()
    const cancel = clock.after(timeoutMs, stop)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    const late = (none: Unanswered): Unanswered =>
      stopped.signal.aborted && !signal.aborted
        ? { ...none, because: 'TimedOut', text: `no response within ${timeoutMs / 1000} s` }
        : none
    try {
      return await pipe(open(question, stopped.signal), TE.flatMap(readAll), TE.mapLeft(late))()
    } finally {
      cancel()
      signal.removeEventListener('abort', stop)
    }
  }
  return { open, ask }
}
