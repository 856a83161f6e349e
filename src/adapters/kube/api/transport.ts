/**
 * Requests to one API server with its credentials. Responses are streams: nothing is parsed or decided here. Requests
 * share a limited number of connections; streams have their own, so that watches never block a request.
 */
import type { Agent, IncomingMessage, OutgoingHttpHeaders } from 'node:http'
import { Readable } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { publicUrl } from '../../../domain/text/public-url.ts'
import type { Clock } from '../../../ports/clock.ts'
import type { Account } from '../../../ports/cluster.ts'
import { type Reply, send, type Unanswered, unanswered } from '../../http/send.ts'
import type { OpenedSocket } from '../../websocket/connect.ts'

type Headers = Readonly<Record<string, string | ReadonlyArray<string>>>

/** `headers` authenticate; `requests` and `streams` hold the connections made with the same credentials. */
export type Grant = {
  readonly headers: Headers
  readonly requests: Agent
  readonly streams: Agent
}

/** How to reach the server. Errors are texts. */
export type Access = {
  readonly clock: Clock
  readonly server: URL
  /** Renewed before it expires. */
  readonly grant: TE.TaskEither<string, Grant>
  /** New credentials after the server rejected these; the same ones when there are no others. */
  readonly renew: (rejected: Grant) => TE.TaskEither<string, Grant>
  readonly close: () => void
}

/**
 * `path` from the root of the API, with its query. `isStream`: a long-lived response that may be silent for `idleMs`;
 * 0: forever.
 */
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
 * `hasLeft`: the server may have received the request. `isDenied`: no credentials could be obtained. `isFinal`: a retry
 * would fail in the same way.
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

/** Subprotocols are offered in order of preference. The signal ends the link, too. */
type LinkRequest = {
  readonly path: string
  readonly protocols: ReadonlyArray<string>
  readonly clock: Clock
  readonly signal: AbortSignal
}

export type ApiTransport = {
  readonly clock: Clock
  /** The address of the API server. */
  readonly server: string
  /** The head of the response, with any status; the body has to be read or destroyed. */
  readonly open: (request: UpstreamRequest) => TE.TaskEither<NoAnswer, IncomingMessage>
  /** As {@link open}, for requests with an `upgrade` header. */
  readonly upgrade: (request: UpstreamRequest) => TE.TaskEither<NoAnswer, Upgrade>
  /** A WebSocket whose messages are channels; or the server's response instead. */
  readonly link: (request: LinkRequest) => TE.TaskEither<NoAnswer, OpenedSocket>
  /** The same connections and credentials, impersonating somebody else. Closing it keeps them open. */
  readonly as: (account: Account) => ApiTransport
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

type Route = {
  readonly clock: Clock
  readonly server: URL
  readonly grant: Grant
  readonly account: Account | undefined
}

const adviceFor = ({ because }: Unanswered): string =>
  because === 'Untrusted' ? '; certificate-authority in the kubeconfig holds the trusted authority' : ''

const noAnswer = (none: Unanswered, signal: AbortSignal | undefined): NoAnswer => ({
  cause: none.text + adviceFor(none),
  hasLeft: none.hasLeft,
  isAborted: signal?.aborted === true,
  isDenied: false,
  isFinal: none.isFinal,
})

/** Whom to impersonate, unless the credentials say so already. Headers for another user are removed. */
const identified = (headers: OutgoingHttpHeaders, account: Account | undefined): OutgoingHttpHeaders => {
  if (account === undefined) return headers
  const { groups = [], user } = account
  const others = Object.entries(headers).filter(([name]) => !name.startsWith('impersonate-'))
  return {
    ...Object.fromEntries(others),
    'impersonate-user': user,
    ...(groups.length === 0 ? {} : { 'impersonate-group': [...groups] }),
  }
}

/** The server gives up a write after 34 s, and webhooks may take 30 of them. */
const writeMs = 60_000

const sendAs = (
  { account, clock, grant, server }: Route,
  request: UpstreamRequest,
): TE.TaskEither<NoAnswer, Upgrade> => {
  const { body, headers, idleMs, isStream = false, method, path, signal } = request
  return pipe(
    send({
      clock,
      server,
      agent: isStream ? grant.streams : grant.requests,
      method,
      path: server.pathname.replace(/\/$/, '') + path,
      headers: identified({ ...headersOf(headers ?? {}), ...headersOf(grant.headers) }, account),
      body,
      signal,
      idleMs,
      ...(method === 'GET' ? {} : { answerMs: writeMs }),
    }),
    TE.mapLeft((none) => noAnswer(none, signal)),
  )
}

type Answered = { readonly _tag: string; readonly response?: IncomingMessage }

const rejectionIn = ({ _tag, response }: Answered): IncomingMessage | undefined =>
  _tag === 'Answered' && response?.statusCode === 401 ? response : undefined

const linkTo = (
  { account, grant, server }: Route,
  { clock, path, protocols, signal }: LinkRequest,
): TE.TaskEither<NoAnswer, OpenedSocket> => {
  const wanted = {
    url: new URL(server.origin + server.pathname.replace(/\/$/, '') + path),
    protocols,
    headers: identified(headersOf(grant.headers), account),
    agent: grant.streams,
    signal,
  }
  return pipe(
    TE.fromTask(() => import('../../websocket/connect.ts')),
    TE.flatMap(({ openLink }) => openLink(wanted, clock)),
    TE.mapLeft((cause) => noAnswer(unanswered(cause, false), signal)),
  )
}

export const openTransport = (access: Access, account?: Account): ApiTransport => {
  const wayOf = (grant: Grant): Route => ({ clock: access.clock, server: access.server, grant, account })

  /** Retries once with new credentials when the server rejects these. */
  const authorized = <A extends Answered>(
    attempt: (grant: Grant) => TE.TaskEither<NoAnswer, A>,
    isRepeatable = true,
  ): TE.TaskEither<NoAnswer, A> => {
    const again = (grant: Grant, answer: A): TE.TaskEither<NoAnswer, A> => {
      const rejection = rejectionIn(answer)
      if (rejection === undefined || !isRepeatable) return TE.right(answer)
      return pipe(
        access.renew(grant),
        TE.mapLeft(denied),
        TE.flatMap((renewed) => {
          if (renewed === grant) return TE.right(answer)
          rejection.resume()
          return attempt(renewed)
        }),
      )
    }
    return pipe(
      access.grant,
      TE.mapLeft(denied),
      TE.flatMap((grant) =>
        pipe(
          attempt(grant),
          TE.flatMap((answer) => again(grant, answer)),
        ),
      ),
    )
  }

  const exchange = (request: UpstreamRequest): TE.TaskEither<NoAnswer, Upgrade> =>
    authorized((grant) => sendAs(wayOf(grant), request), !(request.body instanceof Readable))

  return {
    clock: access.clock,
    server: publicUrl(access.server.href).replace(/\/$/, ''),
    upgrade: exchange,
    open: (request) =>
      pipe(
        exchange(request),
        TE.map((answer) => {
          if (answer._tag === 'Upgraded') answer.socket.destroy()
          return answer.response
        }),
      ),
    link: (request) => authorized((grant) => linkTo(wayOf(grant), request)),
    as: (other) => openTransport({ ...access, close: () => {} }, other),
    close: access.close,
  }
}
