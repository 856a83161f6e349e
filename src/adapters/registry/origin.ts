/** Where a registry is and how it speaks: with TLS, or without it where nothing that is secret would be sent. */
import * as E from 'fp-ts/lib/Either.js'
import type { Credentials } from '../../ports/credentials.ts'
import { type Answer, exchange, isLoopback, type NoAnswer, type Sent } from './exchange.ts'

/** `path` from the root of the host, or an address that it was redirected to. */
export type Asking = Omit<Sent, 'url' | 'isLenient'> & { readonly path: string }

/** Asks a registry; redirects are followed, but `authorization` only within the same origin. */
export type Reach = (host: string, asking: Asking, signal: AbortSignal) => Promise<E.Either<NoAnswer, Answer>>

type Deps = { readonly credentials: Credentials; readonly timeoutMs: number }

const hubHost = 'registry-1.docker.io'
const mostRedirects = 5
const redirects: ReadonlySet<number> = new Set([301, 302, 303, 307, 308])

const placeIn = (answer: Answer, from: URL): URL | undefined => {
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

const withoutAuthorization = ({ headers = {}, ...sent }: Sent): Sent => {
  const { authorization: _left, ...kept } = headers
  return { ...sent, headers: kept }
}

/** Only what reads is sent elsewhere. */
const follow = async (sent: Sent, timeoutMs: number, signal: AbortSignal): Promise<E.Either<NoAnswer, Answer>> => {
  let next = sent
  for (let tries = 0; ; tries += 1) {
    const isLenient = isLoopback(next.url.hostname)
    const answer = await exchange({ ...next, isLenient }, timeoutMs, signal)
    if (E.isLeft(answer) || tries >= mostRedirects || (sent.method !== 'GET' && sent.method !== 'HEAD')) return answer
    const url = placeIn(answer.right, next.url)
    if (url === undefined) return answer
    next = url.origin === next.url.origin ? { ...next, url } : withoutAuthorization({ ...next, url })
  }
}

export const registryReach = ({ credentials, timeoutMs }: Deps): Reach => {
  const plain = new Set<string>()
  const mayBePlain = async (host: string, { hostname }: URL, { _tag }: NoAnswer): Promise<boolean> => {
    if (isLoopback(hostname)) return _tag === 'Plain' || _tag === 'Broken'
    return _tag === 'Plain' && (await credentials.of(host)) === undefined
  }
  return async (host, { path, ...asking }, signal) => {
    const address = host === 'docker.io' ? hubHost : host
    const to = (scheme: string): Promise<E.Either<NoAnswer, Answer>> =>
      follow({ ...asking, url: new URL(`${scheme}://${address}${path}`) }, timeoutMs, signal)
    if (plain.has(host)) return to('http')
    const answer = await to('https')
    if (E.isRight(answer) || signal.aborted) return answer
    if (!(await mayBePlain(host, new URL(`https://${address}`), answer.left))) return answer
    const second = await to('http')
    if (E.isRight(second)) plain.add(host)
    return second
  }
}
