/**
 * The port `Tokens`: requests a token from the realm that a registry names, with OAuth 2 first, and with Basic
 * authentication if that is not supported.
 */

import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { RegistryCredential } from '../../domain/build/docker-config.ts'
import { readToken, type Token, type TokenRequest, tokenForm, tokenQuery } from '../../domain/build/token.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import type { Credentials, TokenFailure, Tokens } from '../../ports/credentials.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/client.ts'
import { isLoopback } from './loopback.ts'

type TokenOptions = { readonly client: HttpClient; readonly credentials: Credentials; readonly timeoutMs?: number }

const longestMs = 10_000
const clientId = 'devtool'

const failure = (tag: TokenFailure['_tag'], cause: string): TokenFailure => ({ _tag: tag, cause })

/** Without user info and query. */
const shown = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`

const postOf = (url: URL, request: TokenRequest, credential: RegistryCredential): HttpRequest => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: 'application/json' },
  body: Buffer.from(String(new URLSearchParams(Object.fromEntries(tokenForm(request, clientId, credential))))),
})

const getOf = (url: URL, request: TokenRequest, credential: RegistryCredential | undefined): HttpRequest => {
  const asked = new URL(url)
  for (const [name, value] of tokenQuery(request)) asked.searchParams.append(name, value)
  return {
    method: 'GET',
    url: asked,
    headers: { accept: 'application/json', ...defined({ authorization: ifDefined(credential, basic) }) },
  }
}

/** The value of a header. */
export const basic = ({ secret, username }: RegistryCredential): string =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`

/** Statuses of servers that do not support the OAuth 2 form: the other one is tried. */
const knowsNoForm = ({ status }: HttpResponse): boolean => status === 401 || status === 404 || status === 405

const tokenIn = (url: URL, { body, status }: HttpResponse): E.Either<TokenFailure, Token> => {
  const fail = (tag: TokenFailure['_tag'], what: string) => E.left(failure(tag, `${shown(url)} ${what}`))
  if (status === 400 || status === 401 || status === 403) return fail('Denied', `returned no token (status ${status})`)
  if (status >= 500 || status === 429) return fail('Unreachable', `answers with status ${status}`)
  if (status < 200 || status > 299) return fail('Unusable', `answers with status ${status}`)
  const token = readToken(new TextDecoder().decode(body), Date.parse)
  return token === undefined ? fail('Unusable', 'returned no token') : E.right(token)
}

const realmOf = (text: string): URL | undefined => {
  try {
    const url = new URL(text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}

export const httpTokens = ({ client, credentials, timeoutMs = longestMs }: TokenOptions): Tokens => {
  const ask = (question: HttpRequest, signal: AbortSignal): TE.TaskEither<TokenFailure, HttpResponse> =>
    pipe(
      client.ask({ ...question, isLenient: isLoopback(question.url.hostname) }, timeoutMs, signal),
      TE.mapLeft(({ text }) =>
        signal.aborted ? failure('Aborted', 'interrupted') : failure('Unreachable', `${shown(question.url)}: ${text}`),
      ),
    )
  const get = (question: HttpRequest, signal: AbortSignal): TE.TaskEither<TokenFailure, Token> =>
    pipe(
      ask(question, signal),
      TE.flatMapEither((answer) => tokenIn(question.url, answer)),
    )
  const askRealm = (
    request: TokenRequest,
    known: RegistryCredential | undefined,
    signal: AbortSignal,
  ): TE.TaskEither<TokenFailure, Token> => {
    const url = realmOf(request.realm)
    if (url === undefined) return TE.left(failure('Unusable', 'the registry does not name a token server'))
    if (known === undefined || known.secret === '') return get(getOf(url, request, undefined), signal)
    if (url.protocol === 'http:' && !isLoopback(url.hostname)) {
      const cause = `${shown(url)} does not use TLS, and a password is not sent without it`
      return TE.left(failure('Unusable', cause))
    }
    return pipe(
      ask(postOf(url, request, known), signal),
      TE.flatMap((answer) =>
        knowsNoForm(answer) ? get(getOf(url, request, known), signal) : TE.fromEither(tokenIn(url, answer)),
      ),
    )
  }
  return {
    fetch: (request, signal) =>
      pipe(
        TE.fromTask(() => credentials.of(request.host)),
        TE.flatMap((known) =>
          known?.registryToken === undefined
            ? askRealm(request, known, signal)
            : TE.right({ token: known.registryToken, expiresInS: 60 }),
        ),
      ),
  }
}
