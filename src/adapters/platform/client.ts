/** Requests to the API of a platform. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { insecureUrl, isInsecureUrl } from '../../domain/context/store.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import { answerTo, requestFor, type SentRequest } from '../../domain/platform/api/exchange.ts'
import { routes } from '../../domain/platform/api/routes.ts'
import { pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import type { PlatformLogin, Platforms } from '../../ports/platforms.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/client.ts'
import type { Unanswered } from '../http/send.ts'

export type PlatformClientOptions = {
  readonly client: HttpClient
  readonly clock: Pick<Clock, 'after' | 'sleep' | 'timeout'>
  readonly version: string
  readonly timeoutMs?: number
  readonly pauseMs?: number
}

const longestMs = 20_000
const firstPauseMs = 600
const longestPauseMs = 5_000
const mostTries = 4

const untrusted = (url: string, text: string): Diagnostic =>
  error('DT2111', `the certificate of ${url} is not trusted: ${text}`, {
    help: `\`devtool context use ${url}\` shows it and asks whether to trust it; or name its authority with SSL_CERT_FILE`,
  })

export const unreachable = (url: string, { because, text }: Unanswered): Diagnostic =>
  because === 'Untrusted' || because === 'BadCertificate'
    ? untrusted(url, text)
    : error('DT2110', `the platform ${url} cannot be reached: ${text}`)

export const isBusy = ({ status }: Pick<HttpResponse, 'status'>): boolean =>
  status === 429 || status === 502 || status === 503 || status === 504

type Attempt = E.Either<Unanswered, HttpResponse>

/** A request that changes something is repeated only if the platform cannot have received it. */
const mayRepeat = (attempt: Attempt, isRepeatable: boolean): boolean =>
  E.match(
    ({ hasLeft, isFinal }: Unanswered) => !isFinal && (isRepeatable || !hasLeft),
    (answer: HttpResponse) => isBusy(answer) && (isRepeatable || answer.status === 429),
  )(attempt)

export const requestTo = (
  { version }: Pick<PlatformClientOptions, 'version'>,
  { authority, token, url }: PlatformLogin,
  { body, headers, method, path }: SentRequest,
): HttpRequest => ({
  method,
  url: new URL(`${url}${path}`),
  headers: {
    accept: 'application/json, text/event-stream',
    'devtool-version': version,
    ...headers,
    ...defined({
      authorization: ifDefined(token, (text) => `Bearer ${text}`),
      'content-type': ifDefined(body, () => 'application/json'),
    }),
  },
  ...defined({ body: ifDefined(body, (text) => new TextEncoder().encode(text)) }),
  authority,
})

export const platformSend = (options: PlatformClientOptions): Platforms['send'] => {
  const { client, clock, pauseMs = firstPauseMs, timeoutMs = longestMs } = options
  const tried = async (
    login: PlatformLogin,
    sent: SentRequest,
    isSafe: boolean,
    signal: AbortSignal,
  ): Promise<Attempt> => {
    const request = requestTo(options, login, sent)
    // With a key, the platform handles a repeated request only once.
    const isRepeatable = isSafe || 'idempotency-key' in sent.headers
    for (let attempt = 1; ; attempt += 1) {
      const answered = await client.ask(request, timeoutMs, signal)()
      if (attempt === mostTries || signal.aborted || !mayRepeat(answered, isRepeatable)) return answered
      await clock.sleep(pauseAfter({ firstMs: pauseMs, longestMs: longestPauseMs }, attempt - 1), signal)
    }
  }
  return (login, id, input, signal) => {
    const route = routes[id]
    const { url } = login
    // Also for an address that another version has stored.
    if (isInsecureUrl(url)) return TE.left(insecureUrl(url))
    return pipe(
      () => tried(login, requestFor(route, input), route.isRepeatable, signal),
      TE.mapLeft((none) => unreachable(url, none)),
      TE.flatMapEither(({ body, status }) => answerTo(route, { url, status, text: new TextDecoder().decode(body) })),
    )
  }
}
