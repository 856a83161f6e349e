/** Requests to the API of the Docker daemon, each on its own connection. */

import { type IncomingMessage, type OutgoingHttpHeaders, request } from 'node:http'
import { type Duplex, pipeline, Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Json, textAt } from '../../domain/cluster/json.ts'
import type { Clock } from '../../ports/clock.ts'
import { readBody } from '../http/body.ts'
import { causeOf, connectDocker } from './connect.ts'
import type { Daemon } from './link.ts'

/** `body`: sent as it comes. */
type Ask = {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly headers?: OutgoingHttpHeaders
  readonly body?: AsyncIterable<Uint8Array>
}

/**
 * `Answered`: with any status; the body has to be read or destroyed. `Upgraded`: the connection belongs to the caller.
 */
export type Answer =
  | { readonly _tag: 'Answered'; readonly response: IncomingMessage }
  | { readonly _tag: 'Upgraded'; readonly socket: Duplex }

/** The limit for the body of an error. */
const textLimit = 64 * 1024

/** Left: why there is no response. The signal ends the body, too, but not an upgraded connection. */
export const askDocker = (
  daemon: Daemon,
  { body, headers = {}, method, path }: Ask,
  signal: AbortSignal,
): TE.TaskEither<string, Answer> =>
  pipe(
    connectDocker(daemon, signal),
    TE.flatMap(
      ({ problem, socket }) =>
        () =>
          new Promise<E.Either<string, Answer>>((resolve) => {
            const stop = (): void => {
              socket.destroy()
              resolve(E.left('interrupted'))
            }
            const leave = (): void => signal.removeEventListener('abort', stop)
            const fail = async (cause: Error): Promise<void> => {
              const known = await problem()
              resolve(E.left(known ?? causeOf(daemon.host, cause)))
            }
            const sent = request({
              createConnection: () => socket,
              method,
              path,
              headers: { host: 'docker', ...headers },
            })
            socket.once('close', leave)
            signal.addEventListener('abort', stop, { once: true })
            sent.on('error', (cause) => {
              socket.destroy()
              void fail(cause)
            })
            sent.once('response', (response) => {
              response.on('error', () => {})
              response.once('close', () => socket.destroy())
              resolve(E.right({ _tag: 'Answered', response }))
            })
            sent.once('upgrade', (_response, upgraded: Duplex, head: Buffer) => {
              leave()
              if (head.length > 0) upgraded.unshift(head)
              resolve(E.right({ _tag: 'Upgraded', socket: upgraded }))
            })
            if (signal.aborted) stop()
            else if (body === undefined) sent.end()
            else pipeline(Readable.from(body), sent, () => {})
          }),
    ),
  )

/** The daemon's message about a request that it refused. */
export const refusalIn = async (response: IncomingMessage): Promise<string> => {
  const body = await readBody(response, textLimit)()
  const text = pipe(
    body,
    E.match(
      () => '',
      (bytes) => bytes.toString('utf8').trim(),
    ),
  )
  const said = messageIn(text) ?? text.slice(0, 300)
  return said === '' ? `status ${response.statusCode ?? 0} without a reason` : said
}

const messageIn = (text: string): string | undefined => {
  try {
    const json: Json = JSON.parse(text)
    return textAt(json, 'message')
  } catch {
    return undefined
  }
}

/** Runs `run` with a signal that is aborted with the other one, or when `heard` was not called for this long. */
export const within = async <A>(
  clock: Pick<Clock, 'after'>,
  limitMs: number,
  outer: AbortSignal | undefined,
  run: (signal: AbortSignal, heard: () => void) => Promise<A>,
): Promise<{ readonly value: A; readonly isLate: boolean }> => {
  const inner = new AbortController()
  const stop = (): void => inner.abort()
  let cancel = clock.after(limitMs, stop)
  const heard = (): void => {
    cancel()
    cancel = clock.after(limitMs, stop)
  }
  outer?.addEventListener('abort', stop, { once: true })
  if (outer?.aborted === true) stop()
  try {
    const value = await run(inner.signal, heard)
    return { value, isLate: inner.signal.aborted && outer?.aborted !== true }
  } finally {
    cancel()
    outer?.removeEventListener('abort', stop)
  }
}
