/** One request to a registry and its whole answer, on a connection of its own and within a bounded time. */
import { type IncomingMessage, type OutgoingHttpHeaders, request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import * as E from 'fp-ts/lib/Either.js'

/** `isLenient`: any certificate will do. */
export type Sent = {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT'
  readonly url: URL
  readonly headers?: OutgoingHttpHeaders
  readonly body?: Uint8Array
  readonly isLenient?: boolean
}

export type Answer = {
  readonly status: number
  readonly header: (name: string) => string | undefined
  readonly body: Uint8Array
}

/** Plain: the other side answered, but does not speak TLS. Untrusted: it does, with a certificate of nobody we know. */
export type NoAnswer = { readonly _tag: 'Plain' | 'Untrusted' | 'Late' | 'Broken'; readonly cause: string }

/** Registries take no manifest beyond 4 MiB. */
const limitBytes = 8 * 1024 * 1024

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause && typeof cause.code === 'string' ? cause.code : ''

/** The start of an HTTP answer, taken for a record of TLS. Its code is EPROTO in older versions of Node. */
const isPlain = (cause: unknown): boolean =>
  cause instanceof Error && /wrong.version.number|packet.length.too.long/i.test(`${codeOf(cause)} ${cause.message}`)

const reasons: ReadonlyMap<string, string> = new Map([
  ['ECONNREFUSED', 'the connection is refused'],
  ['ECONNRESET', 'the connection broke'],
  ['ENOTFOUND', 'there is no such host'],
  ['EAI_AGAIN', 'the name of the host cannot be resolved now'],
  ['ETIMEDOUT', 'nobody answers'],
  ['EHOSTUNREACH', 'there is no way to the host'],
  ['ENETUNREACH', 'there is no way to its network'],
])

const isTrust = (code: string): boolean =>
  /^(?:ERR_TLS_CERT|CERT_|UNABLE_TO_|DEPTH_ZERO_|SELF_SIGNED_|HOSTNAME_MISMATCH)/.test(code)

/** Of several addresses that were tried one after the other, the first counts. */
const noAnswer = (cause: unknown): NoAnswer => {
  const [first]: ReadonlyArray<unknown> = cause instanceof AggregateError ? cause.errors : []
  const code = codeOf(first ?? cause)
  if (isTrust(code)) return { _tag: 'Untrusted', cause: `its certificate is not trusted (${code})` }
  if (isPlain(first ?? cause)) return { _tag: 'Plain', cause: 'it does not use TLS' }
  return broken(reasons.get(code) ?? (code === '' ? 'the request failed' : `the request failed (${code})`))
}

const broken = (cause: string): NoAnswer => ({ _tag: 'Broken', cause })

const readBody = async (response: IncomingMessage): Promise<E.Either<NoAnswer, Uint8Array>> => {
  const chunks: Array<Buffer> = []
  let length = 0
  for await (const chunk of response) {
    const bytes = Buffer.from(chunk)
    length += bytes.length
    if (length > limitBytes) return E.left(broken('the answer is too large'))
    chunks.push(bytes)
  }
  return response.complete ? E.right(Buffer.concat(chunks)) : E.left(broken('the answer broke off'))
}

const respond = ({ body, headers, isLenient, method, url }: Sent, signal: AbortSignal): Promise<IncomingMessage> =>
  new Promise((resolve, reject) => {
    const options = {
      method,
      agent: false,
      signal,
      headers: {
        'user-agent': 'devtool',
        ...headers,
        ...(body === undefined ? {} : { 'content-length': body.byteLength }),
      },
      ...(isLenient === true ? { rejectUnauthorized: false } : {}),
    }
    const request = url.protocol === 'https:' ? requestHttps(url, options) : requestHttp(url, options)
    request.on('response', resolve)
    request.on('error', reject)
    request.end(body)
  })

/** Left when no whole answer came within `timeoutMs`, or the signal did. No cause holds anything that was sent. */
export const exchange = async (
  sent: Sent,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<E.Either<NoAnswer, Answer>> => {
  const stopped = new AbortController()
  const stop = (): void => stopped.abort()
  const timer = setTimeout(stop, timeoutMs)
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  try {
    const response = await respond(sent, stopped.signal)
    response.on('error', () => {})
    const body = await readBody(response)
    response.destroy()
    if (E.isLeft(body)) return body
    const header = (name: string): string | undefined => {
      const value = response.headers[name]
      return typeof value === 'string' ? value : value?.join(', ')
    }
    return E.right({ status: response.statusCode ?? 0, header, body: body.right })
  } catch (cause) {
    const isLate = stopped.signal.aborted && !signal.aborted
    return E.left(isLate ? { _tag: 'Late', cause: `no answer within ${timeoutMs / 1000} s` } : noAnswer(cause))
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', stop)
  }
}

/** Whether everything that is sent to it stays on this machine. Names below `localhost` may be anywhere. */
export const isLoopback = (hostname: string): boolean => /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/i.test(hostname)
