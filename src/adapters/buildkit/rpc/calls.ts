/** Calls to the builder with one request message, and one or many responses. */
import * as E from 'fp-ts/lib/Either.js'
import type { CallStatus } from './call.ts'
import { frameOf } from './frames.ts'
import { openInbox } from './inbox.ts'
import type { Http2Link } from './link.ts'
import { openRequest } from './request.ts'
import type { Rpc, RpcFailure, RpcStream } from './rpc.ts'

const statusFailure = (status: CallStatus): RpcFailure => ({ _tag: 'Status', ...status })

const internal = (message: string): RpcFailure => statusFailure({ code: 13, message })

const nothing: AsyncIterable<Uint8Array> = {
  [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
}

export const streamOn =
  (link: Http2Link): Rpc['stream'] =>
  (method, message, options): RpcStream => {
    const { ended, giveUp, stream } = openRequest(link, method, options?.headers ?? [], options)
    if (stream === undefined) return { messages: nothing, ended: () => ended }
    const { end, messages } = openInbox(stream, {
      refuse: (status) => giveUp(statusFailure(status)),
      leave: () => giveUp({ _tag: 'Aborted' }),
    })
    stream.end(frameOf(message))
    // On a connection that accepts no more bytes a cancelled stream is never closed, so the messages end here.
    void ended.then(end)
    return { messages, ended: () => ended }
  }

export const unaryOn =
  (link: Http2Link): Rpc['unary'] =>
  (method, message, options) =>
  async () => {
    const { ended, messages } = streamOn(link)(method, message, options)
    let answer: Uint8Array | undefined
    for await (const one of messages) {
      if (answer !== undefined) return E.left(internal('several messages came instead of one'))
      answer = one
    }
    const result = await ended()
    if (E.isLeft(result)) return result
    return answer === undefined ? E.left(internal('the call ended without a message')) : E.right(answer)
  }
