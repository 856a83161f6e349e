/** The URL of a registry: with TLS, or without it when nothing secret would be sent. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Credentials } from '../../ports/credentials.ts'
import type { HttpClient, HttpRequest, HttpResponse } from '../http/client.ts'
import { follow } from '../http/redirects.ts'
import type { Unanswered } from '../http/send.ts'
import { isLoopback } from './loopback.ts'

/** `path` from the root of the host, or the URL of a redirect. */
export type PathRequest = Omit<HttpRequest, 'url' | 'isLenient'> & { readonly path: string }

/** Sends a request to a registry. Redirects are followed, but `authorization` is sent only to the same origin. */
export type RegistryOrigin = (
  host: string,
  asking: PathRequest,
  signal: AbortSignal,
) => TE.TaskEither<Unanswered, HttpResponse>

type OriginOptions = { readonly client: HttpClient; readonly credentials: Credentials; readonly timeoutMs: number }

const hubHost = 'registry-1.docker.io'

export const registryReach = ({ client, credentials, timeoutMs }: OriginOptions): RegistryOrigin => {
  const lenient = (question: HttpRequest): HttpRequest => ({
    ...question,
    isLenient: isLoopback(question.url.hostname),
  })
  const ask = follow((question, signal) => client.ask(lenient(question), timeoutMs, signal))
  const plain = new Set<string>()
  const mayBePlain = async (host: string, { hostname }: URL, { because }: Unanswered): Promise<boolean> => {
    if (isLoopback(hostname)) return because !== 'TimedOut'
    return because === 'NotTls' && (await credentials.of(host)) === undefined
  }
  return (host, { path, ...asking }, signal) => {
    const address = host === 'docker.io' ? hubHost : host
    const to = (scheme: string): TE.TaskEither<Unanswered, HttpResponse> => {
      const url = new URL(`${scheme}://${address}${path}`)
      return ask({ ...asking, url }, signal)
    }
    const plainly = pipe(
      to('http'),
      TE.tapIO(() => () => plain.add(host)),
    )
    const fallBack = (why: Unanswered): TE.TaskEither<Unanswered, HttpResponse> =>
      pipe(
        TE.fromTask(async () => !signal.aborted && (await mayBePlain(host, new URL(`https://${address}`), why))),
        TE.flatMap((mayBe) => (mayBe ? plainly : TE.left(why))),
      )
    return plain.has(host) ? to('http') : pipe(to('https'), TE.orElse(fallBack))
  }
}
