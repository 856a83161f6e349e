/** Handles one call of the builder, from its headers to its final status. */
import { constants, type ServerHttp2Stream } from 'node:http2'
import type { CallStatus, Handler, RpcCall, RpcService } from '../rpc/call.ts'
import { openInbox } from '../rpc/inbox.ts'
import { encodeMessage } from '../rpc/status.ts'
import { Unreadable } from '../rpc/unreadable.ts'
import { openOutbox } from './outbox.ts'

const contentType = { ':status': 200, 'content-type': 'application/grpc' } as const
const unimplemented = 12
const internal = 13

type StatusHeaders = { readonly 'grpc-status': string; readonly 'grpc-message'?: string }

const statusHeaders = (status: CallStatus | undefined): StatusHeaders =>
  status === undefined
    ? { 'grpc-status': '0' }
    : { 'grpc-status': String(status.code), 'grpc-message': encodeMessage(status.message) }

/** Alternating names and values; names are lower case in HTTP/2. */
const valuesOf = (rawHeaders: ReadonlyArray<string>, name: string): ReadonlyArray<string> =>
  rawHeaders.filter((_value, index) => index % 2 === 1 && rawHeaders[index - 1] === name)

const refuse = (stream: ServerHttp2Stream, status: CallStatus): void => {
  stream.respond({ ...contentType, ...statusHeaders(status) }, { endStream: true })
  stream.resume()
}

/** Sends the status after everything else. Further data from the builder is discarded. */
const finish = (stream: ServerHttp2Stream, status: CallStatus | undefined): void => {
  if (stream.destroyed || stream.closed) return
  stream.once('wantTrailers', () => {
    if (!stream.destroyed) stream.sendTrailers({ ...statusHeaders(status) })
  })
  stream.end()
  stream.resume()
}

const run = async (stream: ServerHttp2Stream, rawHeaders: ReadonlyArray<string>, handler: Handler): Promise<void> => {
  const ended = new AbortController()
  stream.respond(contentType, { waitForTrailers: true })
  let refused: CallStatus | undefined
  const inbox = openInbox(stream, {
    refuse: (status) => {
      refused = status
      ended.abort()
    },
  })
  const outbox = openOutbox(stream)
  let isOver = false
  stream.on('close', () => {
    if (!isOver) ended.abort()
  })
  const call: RpcCall = {
    header: (name) => valuesOf(rawHeaders, name.toLowerCase()),
    messages: inbox.messages,
    send: outbox.send,
    signal: ended.signal,
  }
  try {
    const status = await handler(call)
    isOver = true
    inbox.end()
    outbox.flush()
    finish(stream, refused ?? status)
  } catch (defect) {
    if (defect instanceof Unreadable) return finish(stream, { code: internal, message: defect.message })
    if (!stream.destroyed) finish(stream, { code: internal, message: 'the client failed' })
    // An exception in a handler of an ended call is not a defect.
    if (!ended.signal.aborted) throw defect
  }
}

/** Rejects with a defect of the handler. */
export const answerCall = async (
  service: RpcService,
  stream: ServerHttp2Stream,
  rawHeaders: ReadonlyArray<string>,
): Promise<void> => {
  stream.on('error', () => {})
  if (stream.destroyed) return
  const [path = ''] = valuesOf(rawHeaders, constants.HTTP2_HEADER_PATH)
  const handler = service.get(path)
  if (handler === undefined) return refuse(stream, { code: unimplemented, message: `no method ${path}` })
  return run(stream, rawHeaders, handler)
}
