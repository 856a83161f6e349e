/** Methods with one request and one response. */
import * as E from 'fp-ts/lib/Either.js'
import type { Handler, Unary } from '../rpc/call.ts'

const internal = 13

export const unary =
  (method: Unary): Handler =>
  async ({ messages, send, signal }) => {
    let request: Uint8Array | undefined
    for await (const message of messages) {
      request = message
      break
    }
    if (request === undefined) return { code: internal, message: 'the call came without a message' }
    const answer = await method(request, signal)()
    if (E.isLeft(answer)) return answer.left
    await send(answer.right)
    return undefined
  }
