/**
 * Sends one request and returns the head of the response. Idle time is bounded; nothing is parsed, retried or decided
 * here.
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
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { ConnectionCause } from '../../domain/network/causes.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Clock } from '../../ports/clock.ts'
import { causeOf, codeOf } from './causes.ts'
import { connectionError } from './sockets.ts'

/**
 * `path` is sent as it is. A `body` stream is destroyed with the request, read or not. `answerMs`: how long the server
 * may take to respond. `idleMs`: how long the response may be silent; 0: no limit.
 */
export type Outgoing = {
  readonly clock: Pick<Clock, 'after'>
  readonly server: URL
  readonly agent: Agent
  readonly method: string
  readonly path: string
  readonly headers: OutgoingHttpHeaders
  readonly body?: string | Uint8Array | Readable | undefined
  readonly signal?: AbortSignal | undefined
  readonly answerMs?: number | undefined
  readonly idleMs?: number | undefined
}

/** `hasLeft`: the server may have received the request. `isFinal`: a retry would fail in the same way. */
export type Unanswered = ConnectionCause & { readonly hasLeft: boolean; readonly isFinal: boolean }

/** `Answered`: with any status; the body has to be read or destroyed. */
export type Reply =
  | { readonly _tag: 'Answered'; readonly response: IncomingMessage }
  | {
      readonly _tag: 'Upgraded'
      readonly response: IncomingMessage
      readonly socket: Duplex
      readonly head: Uint8Array
    }

const silenceMs = 30_000
/** How long a request may queue for a connection. */
const queueMs = 120_000
/** How long the head of the response may take once the request is sent, whatever comes meanwhile. */
const headMs = 120_000

/** Whether the server may have received bytes: true as soon as there is a connection. */
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

/** Ends a request that is silent for too long: while queued, while connecting, and while the response comes. */
const boundSilence = (
  sent: ClientRequest,
  { answerMs, idleMs }: { readonly answerMs: number; readonly idleMs: number },
  clock: Pick<Clock, 'after'>,
): void => {
  const stop = (ms: number): void => {
    sent.destroy(connectionError('ERR_LATE', `no data for ${ms / 1000} s`))
  }
  const leaveQueue = clock.after(queueMs, () => stop(queueMs))
  let isAnswered = false
  for (const head of ['response', 'upgrade', 'close']) {
    sent.once(head, () => {
      isAnswered = true
      leaveHead()
    })
  }
  let leaveHead = (): void => {}
  sent.once('finish', () => {
    const late = connectionError('ERR_LATE', `no complete answer within ${headMs / 1000} s`)
    if (!isAnswered) leaveHead = clock.after(headMs, () => sent.destroy(late))
  })
  sent.once('socket', (socket) => {
    leaveQueue()
    socket.setKeepAlive(true, silenceMs)
  })
  sent.once('response', ({ socket }) => {
    boundMs = idleMs
    socket.setTimeout(idleMs)
  })
  sent.once('upgrade', (_response, socket: Socket) => socket.setTimeout(0))
  let boundMs = answerMs
  sent.on('timeout', () => stop(boundMs))
  sent.once('close', leaveQueue)
}

/** Without this header Node sends the body of a DELETE without its length. */
const lengthOf = (body: Outgoing['body']): OutgoingHttpHeaders =>
  body === undefined || body instanceof Readable ? {} : { 'content-length': Buffer.byteLength(body) }

const final: ReadonlySet<ConnectionCause['because']> = new Set(['Untrusted', 'BadCertificate', 'NotTls'])

/** An invalid certificate, or a proxy's refusal, will not change within a minute. */
export const unanswered = (cause: unknown, hasLeft: boolean): Unanswered => {
  const { because, text } = causeOf(cause)
  const isFinal = final.has(because) || codeOf(cause) === 'ERR_PROXY_DENIED'
  return { because, text, hasLeft, isFinal }
}

const begin = (
  { agent, answerMs = silenceMs, body, clock, headers, idleMs = silenceMs, method, path, server, signal }: Outgoing,
  isSecure: boolean,
) => {
  // Many concurrent requests may share a signal, which is no leak.
  if (signal !== undefined) setMaxListeners(0, signal)
  const sent = (isSecure ? requestHttps : requestHttp)({
    hostname: server.hostname.replace(/^\[|\]$/g, ''),
    ...(server.port === '' ? {} : { port: server.port }),
    path,
    method,
    timeout: answerMs,
    agent,
    headers: { ...lengthOf(body), ...headers },
    ...defined({ signal }),
  })
  boundSilence(sent, { answerMs, idleMs }, clock)
  return sent
}

export const send =
  (outgoing: Outgoing): TE.TaskEither<Unanswered, Reply> =>
  () =>
    new Promise((resolve) => {
      const isSecure = outgoing.server.protocol === 'https:'
      const sent = begin(outgoing, isSecure)
      const hasLeft = followLeaving(sent, isSecure)
      sent.on('error', (cause) => resolve(E.left(unanswered(cause, hasLeft()))))
      sent.once('response', (response) => {
        // The caller may look at the body only later: an error before that must not crash the process.
        response.on('error', () => {})
        resolve(E.right({ _tag: 'Answered', response }))
      })
      sent.once('upgrade', (response, socket, head) => {
        resolve(E.right({ _tag: 'Upgraded', response, socket, head }))
      })
      const { body } = outgoing
      if (body instanceof Readable) {
        body.once('error', (cause) => sent.destroy(cause))
        sent.once('close', () => body.destroy())
        body.pipe(sent)
      } else sent.end(body)
    })
