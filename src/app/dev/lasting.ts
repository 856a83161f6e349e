/** Runs the program of `up`: when its container is replaced, the program is restarted in the next one. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { firstStart, nextStart } from '../../domain/dev/starts.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Ports } from '../../ports/ports.ts'
import type { ProgramFailure } from './program-failure.ts'

type Lasting = {
  readonly run: TaskEither<ProgramFailure, number>
  /** Prepares the next container before the program starts. Left: why that is impossible. */
  readonly prepare: (because: string) => TaskEither<string, void>
}

const pauses: Backoff = { firstMs: 100, longestMs: 2000 }

export const runLasting =
  ({ clock }: Pick<Ports, 'clock'>, { prepare, run }: Lasting): TaskEither<ProgramFailure, number> =>
  async () => {
    for (let starts = firstStart(clock.now()); ; ) {
      const ended = await run()
      if (E.isRight(ended) || ended.left._tag !== 'Gone') return ended
      const next = nextStart(starts, clock.now())
      if (next === undefined) return ended
      await clock.sleep(pauseAfter(pauses, next.inARow - 1))
      starts = next
      const prepared = await prepare(ended.left.reason)()
      if (E.isLeft(prepared)) return E.left({ _tag: 'Gone', reason: prepared.left })
    }
  }
