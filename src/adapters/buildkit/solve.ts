/** One build: its session, its progress and its result, all concurrent. */
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import type { BuildFailure } from '../../domain/build/failure.ts'
import type { Solve } from '../../domain/build/solve.ts'
import type { Clock } from '../../ports/clock.ts'
import { failedCall, failedOf } from './errors.ts'
import { kindOf, solveRequest } from './exporters.ts'
import { type Following, followBuild, type Tell } from './follow.ts'
import { SolveRequest, SolveResponse } from './gen/buildkit.ts'
import { errorInHistory } from './history.ts'
import { type ReachedBuilder, showBuilder } from './reach.ts'
import type { RpcService } from './rpc/call.ts'
import type { Rpc, RpcFailure } from './rpc/rpc.ts'
import { openSession } from './session.ts'
import { strangerAt } from './stranger.ts'
import { settledWithin } from './waits.ts'

/** `service`: what the session serves; it calls `fail` for what it cannot serve. */
export type Solving = {
  readonly clock: Clock
  readonly found: ReachedBuilder
  readonly ref: string
  readonly session: string
  readonly sharedKey: string
  readonly solve: Solve
  readonly service: (tell: Tell, fail: (failure: BuildFailure) => void) => RpcService
  readonly tell: Tell
}

/** The metadata of the exporters, with BuildKit's keys: `containerimage.digest`. */
export type ExportedImage = ReadonlyMap<string, string>

/** Status ends with the build; for a build refused before it started, it waits for the start. */
const longestStatusMs = 5000
const longestBeginningMs = 100
/** How long the result may come after the end of Status. */
const longestAnswerMs = 20_000
/** Users who interrupt do not want to wait; a step usually ends sooner. */
const longestGoodbyeMs = 120
const longestCleanupMs = 2000
const unknown = 2

const lost = 'the builder ended the build, and its answer did not come'

type Answer = E.Either<RpcFailure, Uint8Array>

/** A result that does not arrive after all progress counts as lost. */
const answerOf = async (solved: Promise<Answer>, { ended }: Following, clock: Clock): Promise<Answer> => {
  const isOver = async (): Promise<'Over'> => {
    if (E.isRight(await ended())) return 'Over'
    // A failure of Status says nothing about the build.
    await solved
    return 'Over'
  }
  const first = await Promise.race([solved, isOver()])
  if (first !== 'Over') return first
  return (await settledWithin(clock, solved, longestAnswerMs)) ?? E.left({ _tag: 'Cut' })
}

const exportedIn = (bytes: Uint8Array): E.Either<BuildFailure, ExportedImage> =>
  E.tryCatch(
    () => SolveResponse.decode(bytes).exporterResponse,
    (): BuildFailure => ({
      _tag: 'Failed',
      message: 'the answer of the builder cannot be read',
      code: unknown,
      sources: [],
    }),
  )

const cutOff = async (
  rpc: Rpc,
  { ref }: Solving,
  { failed }: Following,
  signal: AbortSignal,
): Promise<BuildFailure> => {
  const recorded = await errorInHistory(rpc, ref, signal)
  if (recorded !== undefined) return failedOf(recorded, failed())
  const step = failed()
  return failedOf({ code: unknown, message: step?.error ?? lost, details: [] }, step)
}

const failureOf = async (
  rpc: Rpc,
  solving: Solving,
  failure: RpcFailure,
  following: Following,
  signal: AbortSignal,
): Promise<BuildFailure> => {
  const address = showBuilder(solving.found)
  const stranger = async () => (following.hasBegun() ? undefined : strangerAt(rpc, solving.found, signal))
  switch (failure._tag) {
    case 'Status':
      return (await stranger()) ?? failedCall(failure, following.failed())
    case 'Broken':
      return { _tag: 'Lost', address, cause: failure.cause }
    case 'Silent':
      return { _tag: 'Silent', address, afterMs: failure.afterMs, isAtStart: failure.isAtStart }
    case 'Cut':
      return (await stranger()) ?? cutOff(rpc, solving, following, signal)
    case 'Aborted':
      return { _tag: 'Aborted' }
  }
}

/** Waits until `close`, so that the builder can end the running step. */
const openBuild = (rpc: Rpc, solving: Solving, fail: (failure: BuildFailure) => void) => {
  const { clock, found, ref, session, sharedKey, solve, tell } = solving
  const [answering, listening] = [new AbortController(), new AbortController()]
  let isTelling = true
  const tellOn: Tell = (events) => {
    if (isTelling) tell(events)
  }
  const serving = openSession(rpc, { id: session, sharedKey }, solving.service(tellOn, fail))
  const following = followBuild(rpc, ref, tellOn, listening.signal)
  const request = SolveRequest.encode(solveRequest(kindOf(found), { ref, session }, solve)).finish()
  const solved = rpc.unary('/moby.buildkit.v1.Control/Solve', request, { signal: answering.signal })()
  const close = async (): Promise<void> => {
    isTelling = false
    answering.abort()
    await settledWithin(clock, following.ended(), longestCleanupMs)
    listening.abort()
    serving.close()
  }
  // The builder notices a session that ends too early; exceptions of its handlers are rethrown here.
  const defect = new Promise<never>((_resolve, reject) => {
    serving.ended.catch(reject)
  })
  const answer = Promise.race([answerOf(solved, following, clock), defect])
  return { following, answer, cancel: () => answering.abort(), close }
}

/** Aborted: the builder has been told, and had a moment to report that the step has ended. */
export const runSolve =
  (rpc: Rpc, solving: Solving, signal: AbortSignal): TE.TaskEither<BuildFailure, ExportedImage> =>
  async () => {
    if (signal.aborted) return E.left({ _tag: 'Aborted' })
    const { clock } = solving
    let unusable: BuildFailure | undefined
    const { answer, cancel, close, following } = openBuild(rpc, solving, (failure) => {
      unusable ??= failure
    })
    signal.addEventListener('abort', cancel, { once: true })
    try {
      const answered = await answer
      if (E.isRight(answered)) {
        await settledWithin(clock, following.ended(), longestStatusMs, signal)
        return exportedIn(answered.right)
      }
      if (signal.aborted || answered.left._tag === 'Aborted') {
        await settledWithin(clock, following.ended(), longestGoodbyeMs)
        return E.left({ _tag: 'Aborted' })
      }
      await settledWithin(clock, following.ended(), following.hasBegun() ? longestStatusMs : longestBeginningMs, signal)
      const failure = await failureOf(rpc, solving, answered.left, following, signal)
      return E.left(answered.left._tag === 'Status' ? (unusable ?? failure) : failure)
    } finally {
      signal.removeEventListener('abort', cancel)
      void close()
    }
  }
