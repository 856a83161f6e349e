/**
 * Requests to one API server with its credentials: answers come as streams, nothing is read or decided here. Requests
 * share a bounded set of connections; streams have their own, so that watches never keep a request waiting.
 */
import { setMaxListeners } from 'node:events'
import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  request as requestHttp,
} from 'node:http'
import { request as requestHttps } from 'node:https'
import type { Socket } from 'node:net'
import { type Duplex, Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { causeOf, codeOf } from '../../http/causes.ts'

type Headers = Readonly<Record<string, string | ReadonlyArray<string>>>

/** `headers` authorize; `requests` and `streams` hold the connections that were made with the same credentials. */
export type Grant = {
  readonly headers: Headers
  readonly requests: Agent
  readonly streams: Agent
}

/** How the server is reached. What cannot be had is said as a text. */
export type Access = {
  readonly server: URL
  /** Renewed before it expires. */
  readonly grant: () => Promise<E.Either<string, Grant>>
  /** Another grant in place of one that the server did not accept; the same when there is no other. */
  readonly renew: (rejected: Grant) => Promise<E.Either<string, Grant>>
  readonly close: () => void
}

/** `path` from the root of the API, with its query. `isStream`: lasts, and may be silent for `idleMs`; 0: for ever. */
export type UpstreamRequest = {
  readonly method: string
  readonly path: string
  readonly headers?: Headers
  readonly body?: string | Uint8Array | Readable
  readonly signal?: AbortSignal
  readonly isStream?: boolean
  readonly idleMs?: number
}

/**
 * `hasLeft`: the server may have got the request. `isDenied`: there were no credentials to send it with. `isFinal`: asking
 * again would end in the same way.
 */
export type NoAnswer = {
  readonly cause: string
  readonly hasLeft: boolean
  readonly isAborted: boolean
  readonly isDenied: boolean
  readonly isFinal: boolean
}

/** `Answered`: the server did not upgrade. */
export type Upgrade =
  | {
      readonly _tag: 'Upgraded'
      readonly response: IncomingMessage
      readonly socket: Duplex
      readonly head: Uint8Array
    }
  | { readonly _tag: 'Answered'; readonly response: IncomingMessage }

export type Upstream = {
  /** The address of the API server. */
  readonly server: string
  /** The head of the answer, of any status; its body is to be read or destroyed. */
  readonly open: (request: UpstreamRequest) => Promise<E.Either<NoAnswer, IncomingMessage>>
  /** As {@link open}, for requests with a header `upgrade`. */
  readonly upgrade: (request: UpstreamRequest) => Promise<E.Either<NoAnswer, Upgrade>>
  readonly close: () => void
}

const silenceMs = 30_000
/** Until a request has a connection: others may be before it. */
const queueMs = 120_000

type Sending = { readonly sent: ClientRequest; readonly hasLeft: () => boolean }

/** Whether the bytes can have reached somebody: from the moment at which there is a connection. */
const followLeaving = (sent: ClientRequest, isSecure: boolean): (() => boolean) => {
  let hasLeft = false
  sent.on('socket', (socket) => {
    const leave = (): void => {
      hasLeft = true
    }
    if (socket.connecting) socket.once(isSecure ? 'secureConnect' : 'connect', leave)
    else leave()
  })
  return () => hasLeft
}

/** Ends what is silent for too long: while it waits for a connection, connects, and while the answer comes. */
const boundSilence = (sent: ClientRequest, idleMs: number): void => {
  const stop = (ms: number): void => {
    sent.destroy(new Error(`no data for ${ms / 1000} s`))
  }
  const queued = setTimeout(() => stop(queueMs), queueMs)
  sent.once('socket', (socket) => {
    clearTimeout(queued)
    socket.setKeepAlive(true, silenceMs)
  })
  sent.once('response', ({ socket }) => {
    boundMs = idleMs
    socket.setTimeout(idleMs)
  })
  sent.once('upgrade', (_response, socket: Socket) => socket.setTimeout(0))
  let boundMs = silenceMs
  sent.on('timeout', () => stop(boundMs))
  sent.once('close', () => clearTimeout(queued))
}

const headersOf = (headers: Headers): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : [...value],
    ]),
  )

/** Node sends the body of a DELETE without saying where it ends. */
const lengthOf = (body: UpstreamRequest['body']): OutgoingHttpHeaders =>
  body === undefined || body instanceof Readable ? {} : { 'content-length': Buffer.byteLength(body) }

const send = (server: URL, grant: Grant, request: UpstreamRequest): Sending => {
  const { body, headers, idleMs, isStream = false, method, path, signal } = request
  const isSecure = server.protocol === 'https:'
  const prefix = server.pathname.replace(/\/$/, '')
  // Many requests at once may end with one signal, which is no leak.
  if (signal !== undefined) setMaxListeners(0, signal)
  const sent = (isSecure ? requestHttps : requestHttp)({
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    ...(server.port === '' ? {} : { port: server.port }),
    path: prefix + path,
    method,
    timeout: silenceMs,
    agent: isStream ? grant.streams : grant.requests,
    headers: { ...lengthOf(body), ...headersOf(headers ?? {}), ...headersOf(grant.headers) },
    ...(signal === undefined ? {} : { signal }),
  })
  boundSilence(sent, idleMs ?? silenceMs)
  const hasLeft = followLeaving(sent, isSecure)
  if (body instanceof Readable) {
    body.once('error', (cause) => sent.destroy(cause))
    body.pipe(sent)
  } else sent.end(body)
  return { sent, hasLeft }
}

const noAnswer = (cause: unknown, hasLeft: boolean, signal: AbortSignal | undefined): NoAnswer => {
  const { because, text } = causeOf(cause)
  return {
    cause: text,
    hasLeft,
    isAborted: signal?.aborted === true,
    isDenied: false,
    // A certificate does not get better within a minute, and neither does what a proxy lets through.
    isFinal: because === 'Untrusted' || because === 'NotTls' || codeOf(cause) === 'ERR_PROXY_DENIED',
  }
}

const denied = (cause: string): NoAnswer => ({ cause, hasLeft: false, isAborted: false, isDenied: true, isFinal: true })

const answerOf = ({ hasLeft, sent }: Sending, signal: AbortSignal | undefined): Promise<E.Either<NoAnswer, Upgrade>> =>
  new Promise((resolve) => {
    sent.on('error', (cause) => resolve(E.left(noAnswer(cause, hasLeft(), signal))))
    sent.once('response', (response) => {
      // Somebody else may look at the body only later: an error before that must not be a crash.
      response.on('error', () => {})
      resolve(E.right({ _tag: 'Answered', response }))
    })
    sent.once('upgrade', (response, socket, head) => {
      resolve(E.right({ _tag: 'Upgraded', response, socket, head }))
    })
  })

const isRejected = (answer: E.Either<NoAnswer, Upgrade>): boolean =>
  E.isRight(answer) && answer.right._tag === 'Answered' && answer.right.response.statusCode === 401

export const openTransport = (access: Access): Upstream => {
  const attempt = (grant: Grant, request: UpstreamRequest): Promise<E.Either<NoAnswer, Upgrade>> =>
    answerOf(send(access.server, grant, request), request.signal)

  const exchange = async (request: UpstreamRequest): Promise<E.Either<NoAnswer, Upgrade>> => {
    const grant = await access.grant()
    if (E.isLeft(grant)) return E.left(denied(grant.left))
    const answer = await attempt(grant.right, request)
    if (!isRejected(answer) || request.body instanceof Readable) return answer
    const renewed = await access.renew(grant.right)
    if (E.isLeft(renewed)) return E.left(denied(renewed.left))
    if (renewed.right === grant.right) return answer
    if (E.isRight(answer)) answer.right.response.resume()
    return attempt(renewed.right, request)
  }

  return {
    server: access.server.href.replace(/\/$/, ''),
    upgrade: exchange,
    open: async (request) => {
      const answer = await exchange(request)
      if (E.isLeft(answer)) return answer
      if (answer.right._tag === 'Upgraded') answer.right.socket.destroy()
      return E.right(answer.right.response)
    },
    close: access.close,
  }
}
