/** Redirects: followed only for reads, never from TLS to plain HTTP, and without credentials to another origin. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { HttpRequest, HttpResponse } from './client.ts'
import type { Unanswered } from './send.ts'

type Ask = (question: HttpRequest, signal: AbortSignal) => TE.TaskEither<Unanswered, HttpResponse>

const mostRedirects = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])
const secret: ReadonlySet<string> = new Set(['authorization', 'cookie', 'proxy-authorization'])

const placeIn = (answer: HttpResponse, from: URL): URL | undefined => {
  const location = answer.header('location')
  if (!redirects.has(answer.status) || location === undefined) return undefined
  try {
    const url = new URL(location, from)
    const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && from.protocol === 'http:')
    return isSafe ? url : undefined
  } catch {
    return undefined
  }
}

const withoutSecrets = ({ headers = {}, ...question }: HttpRequest): HttpRequest => ({
  ...question,
  headers: Object.fromEntries(Object.entries(headers).filter(([name]) => !secret.has(name.toLowerCase()))),
})

/** A redirect that is not followed is returned as the response. */
export const follow =
  (ask: Ask): Ask =>
  (question, signal) =>
  async () => {
    let next = question
    for (let tries = 0; ; tries += 1) {
      const answer = await ask(next, signal)()
      const isRead = question.method === 'GET' || question.method === 'HEAD'
      if (E.isLeft(answer) || !isRead || tries >= mostRedirects) return answer
      const url = placeIn(answer.right, next.url)
      if (url === undefined) return answer
      next = url.origin === next.url.origin ? { ...next, url } : withoutSecrets({ ...next, url })
    }
  }
