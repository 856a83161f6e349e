/** What a use case returns. The caller decides how to show it. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Chosen } from '../domain/compose/choose.ts'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'
import type { LineOf } from '../domain/diagnostic/lines.ts'

/**
 * `value` is absent when an error in `findings` prevents it. `chosen`: the files that were read, unless that was
 * reported already. `line` finds the text of a line. Views turn values into text; a type check ensures that no value is
 * text already.
 */
export type Result<A extends object> = {
  readonly findings: ReadonlyArray<Diagnostic>
  readonly value?: A
  readonly chosen?: Chosen
  readonly line?: LineOf
}

export const failed = (found: Diagnostic): Result<never> => ({ findings: [found] })

/** Turns a failure into a finding. */
export const answer = async <A extends object>(work: TE.TaskEither<Diagnostic, Result<A>>): Promise<Result<A>> =>
  E.getOrElse<Diagnostic, Result<A>>(failed)(await work())

/** A failure as one of several that may have been found. */
export const asFindings = TE.mapLeft((found: Diagnostic): ReadonlyArray<Diagnostic> => [found])

/** Failures with several findings. */
export const answerAll = async <A extends object>(
  work: TE.TaskEither<ReadonlyArray<Diagnostic>, Result<A>>,
): Promise<Result<A>> => E.getOrElse<ReadonlyArray<Diagnostic>, Result<A>>((findings) => ({ findings }))(await work())
