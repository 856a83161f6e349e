/** Retries with exponential backoff and jitter, so that many clients do not come back at the same moment. */

import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Backoff, pauseAfter } from '../../../domain/time/backoff.ts'
import type { Clock } from '../../../ports/clock.ts'

/** `again`: a retry is safe, after the pause that the server asked for, if any. */
export type Attempt<L, A> = {
  readonly result: E.Either<L, A>
  readonly again?: { readonly afterMs?: number }
}

/** `random`: a number from 0 up to, but not including, 1. */
export type Pauses = { readonly clock: Clock; readonly random: () => number }

const mostTries = 8
const longestMs = 60_000
const backoff: Backoff = { firstMs: 200, longestMs: 10_000 }

/** Half of the pause is random. `tries`: attempts so far, at least 1. */
export const pauseMs = (tries: number, random: number): number => pauseAfter(backoff, tries - 1) * (0.5 + random / 2)

/** At most 8 attempts, and none that would begin more than 60 s after the first. Returns the last result. */
export const retry =
  <L, A>(
    { clock, random }: Pauses,
    attempt: (tries: number) => Promise<Attempt<L, A>>,
    signal?: AbortSignal,
  ): TE.TaskEither<L, A> =>
  async () => {
    const startMs = clock.now()
    for (let tries = 1; ; tries += 1) {
      const { again, result } = await attempt(tries)
      if (E.isRight(result) || again === undefined || tries >= mostTries) return result
      const waitMs = Math.max(pauseMs(tries, random()), again.afterMs ?? 0)
      if (clock.now() + waitMs - startMs > longestMs) return result
      await clock.sleep(waitMs, signal)
      if (signal?.aborted === true) return result
    }
  }
