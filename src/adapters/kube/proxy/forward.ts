/** Requests that pass through the proxy unchanged: reads, watches, logs, changes, and upgraded connections. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { type Duplex, pipeline, Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { defined } from '../../../domain/object/defined.ts'
import type { ApiTransport, Upgrade } from '../api/transport.ts'
import { giveAnswer, type ProxyAnswer, unreachable } from './answer.ts'
import { type Headers, mutable, requestHeaders, responseHeaders, upgradeHeaders } from './headers.ts'

const lasts = (path: string): boolean =>
  /[?&](?:watch|follow)=(?:true|1)(?:&|$)|\/(?:proxy|portforward)(?:\/|\?|$)/.test(path)

const hasBody = ({ headers }: IncomingMessage): boolean =>
  headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0'

/** Destroying the body keeps the connection open, since it carries the response. */
const bodyOf = (request: IncomingMessage, read: ReadonlyArray<Buffer>): Readable => {
  const all = async function* (): AsyncGenerator<Buffer> {
    yield* read
    yield* request.iterator({ destroyOnReturn: false })
  }
  return Readable.from(all(), { objectMode: false })
}

/** `read`: the part of the body that was read already. */
export const forward = async (
  upstream: ApiTransport,
  request: IncomingMessage,
  response: ServerResponse,
  read: ReadonlyArray<Buffer> = [],
): Promise<void> => {
  const gone = new AbortController()
  response.once('close', () => {
    if (!response.writableFinished) gone.abort()
  })
  const path = request.url ?? '/'
  const headers = requestHeaders(request)
  const body = hasBody(request) ? bodyOf(request, read) : undefined
  // Set explicitly: a DELETE is not expected to have a body.
  const chunked =
    body !== undefined && headers['content-length'] === undefined ? { 'transfer-encoding': 'chunked' } : {}
  const opened = await upstream.open({
    method: request.method ?? 'GET',
    path,
    headers: { ...headers, ...chunked },
    ...defined({ body }),
    signal: gone.signal,
    isStream: lasts(path),
    idleMs: 0,
  })()
  if (E.isLeft(opened)) {
    if (!response.destroyed) giveAnswer(response, unreachable(upstream.server, opened.left.cause))
    // A client that is still sending reads the response only afterwards.
    request.resume()
    return
  }
  const answer = opened.right
  response.writeHead(answer.statusCode ?? 502, mutable(responseHeaders(answer)))
  // A watch may be silent for long, and its client waits for the headers.
  response.flushHeaders()
  await new Promise<void>((resolve) => {
    pipeline(answer, response, () => resolve())
  })
}

const headText = (status: number, phrase: string, headers: Headers): string => {
  const lines = Object.entries(headers).flatMap(([name, values]) => values.map((value) => `${name}: ${value}\r\n`))
  return `HTTP/1.1 ${status} ${phrase}\r\n${lines.join('')}\r\n`
}

const answerRaw = (socket: Duplex, { body, headers, status }: ProxyAnswer): void => {
  const length = { 'content-length': [String(body.length)] }
  socket.end(Buffer.concat([Buffer.from(headText(status, '', { ...headers, ...length, connection: ['close'] })), body]))
}

/** Each side ends the other; an error destroys it. */
const join = (a: Duplex, b: Duplex): void => {
  for (const [from, to] of [
    [a, b],
    [b, a],
  ] as const) {
    from.pipe(to)
    from.once('error', () => to.destroy())
    from.once('close', () => to.destroy())
  }
}

const connect = (upgrade: Upgrade, client: Duplex, head: Uint8Array): void => {
  const { response } = upgrade
  const [status, phrase] = [response.statusCode ?? 502, response.statusMessage ?? '']
  if (upgrade._tag === 'Answered') {
    client.write(headText(status, phrase, { ...responseHeaders(response), connection: ['close'] }))
    pipeline(response, client, () => {})
    return
  }
  const { socket } = upgrade
  const headers = { ...responseHeaders(response), connection: ['Upgrade'], upgrade: [response.headers.upgrade ?? ''] }
  client.write(headText(status, phrase, headers))
  if (upgrade.head.length > 0) client.write(upgrade.head)
  if (head.length > 0) socket.write(head)
  join(client, socket)
}

/** exec, attach and port-forward, over WebSocket or SPDY: bytes in both directions. */
export const forwardUpgrade = async (
  upstream: ApiTransport,
  request: IncomingMessage,
  client: Duplex,
  head: Uint8Array,
): Promise<void> => {
  const gone = new AbortController()
  const leave = (): void => gone.abort()
  client.once('close', leave)
  client.on('error', leave)
  const upgraded = await upstream.upgrade({
    method: request.method ?? 'GET',
    path: request.url ?? '/',
    headers: upgradeHeaders(request),
    signal: gone.signal,
    isStream: true,
    idleMs: 0,
  })()
  client.off('close', leave)
  if (E.isLeft(upgraded)) answerRaw(client, unreachable(upstream.server, upgraded.left.cause))
  else if (client.destroyed && upgraded.right._tag === 'Upgraded') upgraded.right.socket.destroy()
  else connect(upgraded.right, client, head)
}
