/** Detects that the program at a builder's address is not a builder. */
import * as E from 'fp-ts/lib/Either.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import { defined } from '../../domain/object/defined.ts'
import { InfoRequest, ListWorkersRequest } from './gen/buildkit.ts'
import { helpFor, type ReachedBuilder, showBuilder } from './reach.ts'
import type { Rpc, RpcFailure } from './rpc/rpc.ts'

const longestAnswerMs = 20_000
const unimplemented = 12

/** The failure of a peer that may not be a builder. */
export const failureAtStart = (found: ReachedBuilder, failure: RpcFailure): BuildFailure => {
  const address = showBuilder(found)
  const unreachable = (cause: string): BuildFailure => {
    const help = helpFor(found, cause)
    return { _tag: 'Unreachable', address, cause, ...defined({ help }) }
  }
  switch (failure._tag) {
    case 'Status':
      return unreachable(
        failure.code === unimplemented
          ? 'what answers at that address is not BuildKit'
          : `it refuses: ${failure.message}`,
      )
    case 'Broken':
      return unreachable(failure.cause)
    case 'Silent':
      return { _tag: 'Silent', address, afterMs: failure.afterMs, isAtStart: true }
    case 'Cut':
      return unreachable('what it answers is too large')
    case 'Aborted':
      return { _tag: 'Aborted' }
  }
}

/**
 * Called when a build failed before it began: why the peer is not a builder, `undefined` when it is one. `Info` is not
 * known to older BuildKit versions and Docker daemons; `ListWorkers` always exists.
 */
export const strangerAt = async (
  rpc: Rpc,
  found: ReachedBuilder,
  signal: AbortSignal,
): Promise<BuildFailure | undefined> => {
  const options = { timeoutMs: longestAnswerMs, signal }
  const ask = (method: string, request: Uint8Array) =>
    rpc.unary(`/moby.buildkit.v1.Control/${method}`, request, options)()
  const info = await ask('Info', InfoRequest.encode({}).finish())
  const isOld = E.isLeft(info) && info.left._tag === 'Status' && info.left.code === unimplemented
  const answer = isOld ? await ask('ListWorkers', ListWorkersRequest.encode({ filter: [] }).finish()) : info
  return E.match(
    (failure: RpcFailure) => failureAtStart(found, failure),
    () => undefined,
  )(answer)
}
