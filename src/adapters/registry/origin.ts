/** Where a registry is and how it speaks: with TLS, or without it where nothing that is secret would be sent. */
import * as E from 'fp-ts/lib/Either.js'
import type { Credentials } from '../../ports/credentials.ts'
import type { Answer, HttpClient, Question } from '../http/client.ts'
import { follow } from '../http/redirects.ts'
import type { Unanswered } from '../http/send.ts'
import { isLoopback } from './loopback.ts'

/** `path` from the root of the host, or an address that it was redirected to. */
export type Asking = Omit<Question, 'url' | 'isLenient'> & { readonly path: string }

/** Asks a registry; redirects are followed, but `authorization` only within the same origin. */
export type Reach = (host: string, asking: Asking, signal: AbortSignal) => Promise<E.Either<Unanswered, Answer>>

type Deps = { readonly client: HttpClient; readonly credentials: Credentials; readonly timeoutMs: number }

const hubHost = 'registry-1.docker.io'

export const registryReach = ({ client, credentials, timeoutMs }: Deps): Reach => {
  const lenient = (question: Question): Question => ({ ...question, isLenient: isLoopback(question.url.hostname) })
  const ask = follow((question, signal) => client.ask(lenient(question), timeoutMs, signal))
  const plain = new Set<string>()
  const mayBePlain = async (host: string, { hostname }: URL, { because }: Unanswered): Promise<boolean> => {
    if (isLoopback(hostname)) return because !== 'TimedOut'
    return because === 'NotTls' && (await credentials.of(host)) === undefined
  }
  return async (host, { path, ...asking }, signal) => {
    const address = host === 'docker.io' ? hubHost : host
    const to = (scheme: string): Promise<E.Either<Unanswered, Answer>> =>
      ask({ ...asking, url: new URL(`${scheme}://${address}${path}`) }, signal)
    if (plain.has(host)) return to('http')
    const answer = await to('https')
    if (E.isRight(answer) || signal.aborted) return answer
    if (!(await mayBePlain(host, new URL(`https://${address}`), answer.left))) return answer
    const second = await to('http')
    if (E.isRight(second)) plain.add(host)
    return second
  }
}
