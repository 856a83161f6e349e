/** Follows a build: turns Control/Status of its ref into events. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildEvent } from '../../domain/build/event.ts'
import { StatusRequest } from './gen/buildkit.ts'
import type { Rpc, RpcFailure } from './rpc/rpc.ts'
import { type FailedStep, statusReader } from './status.ts'

export type Tell = (events: ReadonlyArray<BuildEvent>) => void

export type Following = {
  /**
   * Resolves when all events were reported. Right: the builder ended the stream normally. Rejects only for defects of
   * `tell`.
   */
  readonly ended: TE.TaskEither<RpcFailure, void>
  readonly failed: () => FailedStep | undefined
  /** Called when something was reported. */
  readonly hasBegun: () => boolean
}

/** A message that cannot be read is skipped: progress must not affect the build. */
export const followBuild = (rpc: Rpc, ref: string, tell: Tell, signal: AbortSignal): Following => {
  const request = StatusRequest.encode({ ref }).finish()
  const { ended, messages } = rpc.stream('/moby.buildkit.v1.Control/Status', request, { signal })
  const { failed, read, rest } = statusReader()
  let hasBegun = false
  const tellAny: Tell = (events) => {
    if (events.length > 0) tell(events)
  }
  const follow: TE.TaskEither<RpcFailure, void> = async () => {
    for await (const message of messages) {
      const events = read(message)
      hasBegun = true
      if (E.isRight(events)) tellAny(events.right)
    }
    tellAny(rest())
    return ended()
  }
  const following = follow()
  return { ended: () => following, failed, hasBegun: () => hasBegun }
}
