/** One call on a connection, from its headers to its status. */
import { type ClientHttp2Stream, constants, type IncomingHttpHeaders } from 'node:http2'
import * as E from 'fp-ts/lib/Either.js'
import { causeText } from '../../http/causes.ts'
import type { Http2Link } from './link.ts'
import type { CallOptions, RpcFailure } from './rpc.ts'
import { failureOfReset, readStatus } from './status.ts'

type RpcEnd = E.Either<RpcFailure, void>

export type RpcRequest = {
  /** `undefined` when the connection accepts no more calls. */
  readonly stream: ClientHttp2Stream | undefined
  readonly ended: Promise<RpcEnd>
  /** Cancels the call: sends RST_STREAM to the builder, and resolves `ended` with this failure. */
  readonly giveUp: (failure: RpcFailure) => void
}

const headersOf = (
  authority: string,
  method: string,
  headers: ReadonlyArray<readonly [string, string]>,
): Record<string, string | Array<string>> => {
  const all: Record<string, string | Array<string>> = {
    ':method': 'POST',
    ':path': method,
    ':authority': authority,
    'content-type': 'application/grpc',
    te: 'trailers',
    'user-agent': 'devtool',
  }
  for (const [name, value] of headers) {
    const before = all[name]
    // Node's HTTP/2 writes strings as latin1.
    const bytes = Buffer.from(value, 'utf8').toString('latin1')
    all[name] = Array.isArray(before) ? [...before, bytes] : [bytes]
  }
  return all
}

const begin = (
  link: Http2Link,
  method: string,
  headers: ReadonlyArray<readonly [string, string]>,
): E.Either<RpcFailure, ClientHttp2Stream> => {
  const failure = link.failure()
  if (failure !== undefined) return E.left(failure)
  try {
    return E.right(link.session.request(headersOf(link.authority, method, headers), { endStream: false }))
  } catch (cause) {
    return E.left({ _tag: 'Broken', cause: causeText(cause) })
  }
}

/** Why a stream ended without a status. */
const whyClosed = async (link: Http2Link, stream: ClientHttp2Stream): Promise<RpcFailure> => {
  // A stream may be closed before its connection reports why.
  await new Promise((resolve) => {
    setImmediate(resolve)
  })
  const failure = link.failure()
  if (failure !== undefined) return failure
  if (link.session.destroyed) return (await link.closed) ?? { _tag: 'Aborted' }
  return failureOfReset(stream.rstCode)
}

const never: RpcRequest['giveUp'] = () => {}

/** Ends within `timeoutMs`, with the signal, with the connection, or when the builder answers. */
export const openRequest = (
  link: Http2Link,
  method: string,
  headers: ReadonlyArray<readonly [string, string]>,
  { signal, timeoutMs }: CallOptions = {},
): RpcRequest => {
  const begun = signal?.aborted === true ? E.left<RpcFailure>({ _tag: 'Aborted' }) : begin(link, method, headers)
  if (E.isLeft(begun)) return { stream: undefined, ended: Promise.resolve(begun), giveUp: never }
  const stream = begun.right
  let settle = (_ended: RpcEnd): void => {}
  const ended = new Promise<RpcEnd>((resolve) => {
    settle = resolve
  })
  let isOver = false
  const finish = (result: RpcEnd): void => {
    if (isOver) return
    isOver = true
    letGo?.()
    signal?.removeEventListener('abort', abort)
    leave()
    settle(result)
  }
  const giveUp = (failure: RpcFailure): void => {
    finish(E.left(failure))
    if (!stream.destroyed) stream.close(constants.NGHTTP2_CANCEL)
  }
  const abort = (): void => giveUp({ _tag: 'Aborted' })
  const leave = link.enter(abort)
  const letGo =
    timeoutMs === undefined
      ? undefined
      : link.clock.after(timeoutMs, () => giveUp({ _tag: 'Silent', afterMs: timeoutMs, isAtStart: false }))
  signal?.addEventListener('abort', abort, { once: true })

  let status: ReturnType<typeof readStatus>
  const read = (received: IncomingHttpHeaders): void => {
    status ??= readStatus(received)
  }
  stream.on('response', (received) => {
    read(received)
    // The body is an HTML page.
    if (received[':status'] !== 200 && status !== undefined && status !== 'OK') giveUp(status)
  })
  stream.on('trailers', read)
  stream.on('error', () => {})
  stream.on('close', () => {
    if (status === 'OK') return finish(E.right(undefined))
    if (status !== undefined) return finish(E.left(status))
    void whyClosed(link, stream).then((failure) => finish(E.left(failure)))
  })
  return { stream, ended, giveUp }
}
