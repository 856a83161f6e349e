/** Calls to a builder that are reported, with their gRPC status. */
import * as E from 'fp-ts/lib/Either.js'
import { requestLine, type Tracing } from '../../http/trace.ts'
import type { Rpc, RpcFailure } from './rpc.ts'

const statusOf = (result: E.Either<RpcFailure, unknown>): string | number =>
  E.isRight(result) ? 0 : result.left._tag === 'Status' ? result.left.code : result.left._tag.toLowerCase()

export const tracedRpc = (rpc: Rpc, { clock, trace }: Tracing): Rpc => {
  const begin = (path: string) => {
    const startMs = clock.now()
    return (result: E.Either<RpcFailure, unknown>): void =>
      trace(requestLine({ to: 'builder', method: 'POST', path }, statusOf(result), clock.now() - startMs))
  }
  return {
    ...rpc,
    unary: (method, message, options) => async () => {
      const end = begin(method)
      const result = await rpc.unary(method, message, options)()
      end(result)
      return result
    },
    stream: (method, message, options) => {
      const end = begin(method)
      const stream = rpc.stream(method, message, options)
      void stream.ended().then(end)
      return stream
    },
  }
}
