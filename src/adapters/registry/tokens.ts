/** The port `Tokens`: asks the address that a registry names, by the OAuth 2 form first and by Basic where that is unknown. */
import * as E from 'fp-ts/lib/Either.js'
import type { Credential } from '../../domain/build/docker-config.ts'
import { readToken, type Token, type TokenRequest, tokenForm, tokenQuery } from '../../domain/build/token.ts'
import type { Credentials, TokenFailure, Tokens } from '../../ports/credentials.ts'
import type { Answer, HttpClient, Question } from '../http/client.ts'
import { isLoopback } from './loopback.ts'

type Deps = { readonly client: HttpClient; readonly credentials: Credentials; readonly timeoutMs?: number }

const longestMs = 10_000
const clientId = 'devtool'

const failed = (tag: TokenFailure['_tag'], cause: string): E.Either<TokenFailure, never> => E.left({ _tag: tag, cause })

/** Without the user info and the query it may have. */
const shown = (url: URL): string => `${url.protocol}//${url.host}${url.pathname}`

const postOf = (url: URL, request: TokenRequest, credential: Credential): Question => ({
  method: 'POST',
  url,
  headers: { 'content-type': 'application/x-www-form-urlencoded; charset=utf-8', accept: 'application/json' },
  body: Buffer.from(String(new URLSearchParams(Object.fromEntries(tokenForm(request, clientId, credential))))),
})

const getOf = (url: URL, request: TokenRequest, credential: Credential | undefined): Question => {
  const asked = new URL(url)
  for (const [name, value] of tokenQuery(request)) asked.searchParams.append(name, value)
  return {
    method: 'GET',
    url: asked,
    headers: { accept: 'application/json', ...(credential === undefined ? {} : { authorization: basic(credential) }) },
  }
}

/** The value of a header. */
export const basic = ({ secret, username }: Credential): string =>
  `Basic ${Buffer.from(`${username}:${secret}`).toString('base64')}`

/** What an address answers that knows no such form: it is asked in the other way then. */
const knowsNoForm = ({ status }: Answer): boolean => status === 401 || status === 404 || status === 405

const tokenIn = (url: URL, { body, status }: Answer): E.Either<TokenFailure, Token> => {
  if (status === 400 || status === 401 || status === 403) {
    return failed('Denied', `${shown(url)} returned no token (status ${status})`)
  }
  if (status >= 500 || status === 429) return failed('Unreachable', `${shown(url)} answers with status ${status}`)
  if (status < 200 || status > 299) return failed('Unusable', `${shown(url)} answers with status ${status}`)
  const token = readToken(new TextDecoder().decode(body), Date.parse)
  return token === undefined ? failed('Unusable', `${shown(url)} returned no token`) : E.right(token)
}

const realmOf = (text: string): URL | undefined => {
  try {
    const url = new URL(text)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url : undefined
  } catch {
    return undefined
  }
}

export const httpTokens = ({ client, credentials, timeoutMs = longestMs }: Deps): Tokens => {
  const ask = async (question: Question, signal: AbortSignal): Promise<E.Either<TokenFailure, Answer>> => {
    const isLenient = isLoopback(question.url.hostname)
    const answer = await client.ask({ ...question, isLenient }, timeoutMs, signal)
    if (E.isRight(answer)) return answer
    if (signal.aborted) return failed('Aborted', 'interrupted')
    return failed('Unreachable', `${shown(question.url)}: ${answer.left.text}`)
  }
  const fetch: Tokens['fetch'] = async (request, signal) => {
    const known = await credentials.of(request.host)
    if (known?.registryToken !== undefined) return E.right({ token: known.registryToken, expiresInS: 60 })
    const url = realmOf(request.realm)
    if (url === undefined) return failed('Unusable', 'the registry does not name a token server')
    const credential = known === undefined || known.secret === '' ? undefined : known
    if (credential !== undefined && url.protocol === 'http:' && !isLoopback(url.hostname)) {
      return failed('Unusable', `${shown(url)} does not use TLS, and a password is not sent without it`)
    }
    if (credential !== undefined) {
      const posted = await ask(postOf(url, request, credential), signal)
      if (E.isLeft(posted)) return posted
      if (!knowsNoForm(posted.right)) return tokenIn(url, posted.right)
    }
    const got = await ask(getOf(url, request, credential), signal)
    return E.isLeft(got) ? got : tokenIn(url, got.right)
  }
  return { fetch }
}
