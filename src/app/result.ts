/** What a use case answers. How it is shown is decided by whoever asked. */
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { LineOf } from '../domain/diagnostic/lines.ts'

/**
 * `value` is absent when something in `findings` keeps it from being known. `said` are lines about what was done. `line`
 * finds the text behind a place.
 */
export type Result<A> = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly value?: A
  readonly said?: ReadonlyArray<string>
  readonly line?: LineOf
}

export const failed = (found: Diagnostic): Result<never> => ({ findings: [found] })

/** A failure is a finding, too. */
export const answer = async <A>(work: TaskEither<Diagnostic, Result<A>>): Promise<Result<A>> =>
  E.getOrElse<Diagnostic, Result<A>>(failed)(await work())
