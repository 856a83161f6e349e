/**
 * Requests to one API server with its credentials: answers come as streams, nothing is read or decided here. Requests
 * share a bounded set of connections; streams have their own, so that watches never keep a request waiting.
 */
import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { type Reply, send } from '../../http/send.ts'

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
export type Upgrade = Reply

export type Upstream = {
  /** The address of the API server. */
  readonly server: string
  /** The head of the answer, of any status; its body is to be read or destroyed. */
  readonly open: (request: UpstreamRequest) => Promise<E.Either<NoAnswer, IncomingMessage>>
  /** As {@link open}, for requests with a header `upgrade`. */
  readonly upgrade: (request: UpstreamRequest) => Promise<E.Either<NoAnswer, Upgrade>>
  readonly close: () => void
}

const headersOf = (headers: Headers): OutgoingHttpHeaders =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      typeof value === 'string' ? value : [...value],
    ]),
  )

const denied = (cause: string): NoAnswer => ({ cause, hasLeft: false, isAborted: false, isDenied: true, isFinal: true })

const sendAs = async (grant: Grant, server: URL, request: UpstreamRequest): Promise<E.Either<NoAnswer, Upgrade>> => {
  const { body, headers, idleMs, isStream = false, method, path, signal } = request
  const answer = await send({
    server,
    agent: isStream ? grant.streams : grant.requests,
    method,
    path: server.pathname.replace(/\/$/, '') + path,
    headers: { ...headersOf(headers ?? {}), ...headersOf(grant.headers) },
    body,
    signal,
    idleMs,
  })
  if (E.isRight(answer)) return answer
  const { hasLeft, isFinal, text } = answer.left
  return E.left({ cause: text, hasLeft, isAborted: signal?.aborted === true, isDenied: false, isFinal })
}

const isRejected = (answer: E.Either<NoAnswer, Upgrade>): boolean =>
  E.isRight(answer) && answer.right._tag === 'Answered' && answer.right.response.statusCode === 401

export const openTransport = (access: Access): Upstream => {
  const exchange = async (request: UpstreamRequest): Promise<E.Either<NoAnswer, Upgrade>> => {
    const grant = await access.grant()
    if (E.isLeft(grant)) return E.left(denied(grant.left))
    const answer = await sendAs(grant.right, access.server, request)
    if (!isRejected(answer) || request.body instanceof Readable) return answer
    const renewed = await access.renew(grant.right)
    if (E.isLeft(renewed)) return E.left(denied(renewed.left))
    if (renewed.right === grant.right) return answer
    if (E.isRight(answer)) answer.right.response.resume()
    return sendAs(renewed.right, access.server, request)
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
