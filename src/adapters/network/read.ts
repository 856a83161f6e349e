/** Reads the text at a URL, and follows redirects. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../ports/clock.ts'
import type { HttpClient, HttpResponse } from '../http/client.ts'

const mostRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

export const urlOf = (text: string, base?: URL): URL | undefined => {
  try {
    return new URL(text, base)
  } catch {
    return undefined
  }
}

/** A redirect from https to http is not followed. */
const nextOf = (from: URL, location: string | undefined): E.Either<string, URL> => {
  const next = location === undefined ? undefined : urlOf(location, from)
  if (next === undefined || !/^https?:$/.test(next.protocol)) return E.left('it redirects to what is no web address')
  if (from.protocol === 'https:' && next.protocol === 'http:')
    return E.left(`it redirects from https to http, to ${next.host}`)
  return E.right(next)
}

/** `timeoutMs`: for all redirects together. */
export const readText =
  (client: Pick<HttpClient, 'ask'>, clock: Pick<Clock, 'now'>) =>
  (text: string, timeoutMs: number): TE.TaskEither<string, string> => {
    const end = clock.now() + timeoutMs
    const textIn = ({ body, header, status }: HttpResponse, from: URL, left: number): TE.TaskEither<string, string> => {
      if (status === 200) return TE.right(new TextDecoder().decode(body))
      if (!redirects.has(status)) return TE.left(`HTTP status ${status}`)
      if (left === 0) return TE.left(`more than ${mostRedirects} redirects`)
      return pipe(
        TE.fromEither(nextOf(from, header('location'))),
        TE.flatMap((next) => readAt(next, left - 1)),
      )
    }
    const readAt = (url: URL, left: number): TE.TaskEither<string, string> =>
      pipe(
        client.ask(
          { method: 'GET', url, headers: { accept: '*/*' } },
          Math.max(1, end - clock.now()),
          new AbortController().signal,
        ),
        TE.mapLeft((unanswered) => unanswered.text),
        TE.flatMap((response) => textIn(response, url, left)),
      )
    const url = urlOf(text)
    return url === undefined ? TE.left('it is no URL') : readAt(url, mostRedirects)
  }
