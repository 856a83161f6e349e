/** The port `Platforms` over the real API in memory, with a user at a browser who answers at once. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import { eventReader } from '../../src/domain/platform/api/events.ts'
import { answerTo, refusalIn, requestFor } from '../../src/domain/platform/api/exchange.ts'
import { routes } from '../../src/domain/platform/api/routes.ts'
import type { Platforms } from '../../src/ports/platforms.ts'

type Send = (
  method: string,
  path: string,
  more: { headers: Record<string, string>; body: string | undefined },
) => Promise<Response>

/**
 * `url`: where it answers. `returns`: the query with which the browser returns from a page; without it there is no
 * browser. `isTrusted`: whether this machine knows the authority of its certificate.
 */
export type MemoryPlatform = {
  readonly url: string
  readonly send: Send
  readonly returns?: (page: URL) => Promise<ReadonlyMap<string, string>>
  readonly isTrusted?: boolean
}

const CERTIFICATE = { authority: 'PEM of the platform', fingerprint: 'AB:CD', subject: 'devtool' }
const REDIRECT = 'http://127.0.0.1:7777/callback'

const absent = (url: string): Diagnostic => error('DT2110', `the platform ${url} cannot be reached: connection refused`)

/** Each event arrives as a whole. */
async function* linesIn(body: ReadableStream<Uint8Array>, signal: AbortSignal): AsyncGenerator<string> {
  const reader = body.getReader()
  const end = (): void => void reader.cancel()
  signal.addEventListener('abort', end, { once: true })
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return
    yield* new TextDecoder().decode(value).split('\n').slice(0, -1)
  }
}

export const memoryPlatforms = (platform?: MemoryPlatform): Platforms => {
  let back: ReadonlyMap<string, string> | undefined
  const isThere = (url: string): boolean => platform?.url === url
  return {
    send: ({ authority, token, url }, id, input) => {
      if (platform === undefined || !isThere(url)) return TE.left(absent(url))
      if (platform.isTrusted === false && authority !== CERTIFICATE.authority) {
        return TE.left(error('DT2111', `the certificate of ${url} is not trusted`))
      }
      const { body, method, path, ...sent } = requestFor(routes[id], input)
      const headers = {
        ...sent.headers,
        'devtool-version': '9.9.9',
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      }
      return pipe(
        TE.fromTask(async () => {
          const response = await platform.send(method, path, { headers, body })
          return { status: response.status, text: await response.text() }
        }),
        TE.flatMapEither((answer) => answerTo(routes[id], { url, ...answer })),
      )
    },
    follow: async function* follow({ token, url }, id, input, signal) {
      const { headers, method, path } = requestFor(routes[id], input)
      if (platform === undefined || !isThere(url)) return yield { failure: absent(url) }
      const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
      const response = await platform.send(method, path, { headers: { ...headers, ...authorization }, body: undefined })
      if (response.status !== routes[id].status || response.body === null) {
        return yield { failure: refusalIn(url, response.status, await response.text()) }
      }
      const read = eventReader()
      for await (const line of linesIn(response.body, signal)) {
        const event = read(line)
        if (event !== undefined) yield { event: event.event, data: JSON.parse(event.data) }
      }
      return undefined
    },
    certificate: (url) => (isThere(url) ? TE.right(CERTIFICATE) : TE.left(absent(url))),
    listen: () =>
      TE.right({
        redirect: REDIRECT,
        answered: () => async () => back,
        close: async () => {},
      }),
    browse: (url) => async () => {
      back = await platform?.returns?.(new URL(url))
      return back !== undefined
    },
  }
}
