/** Questions that have to be answered with yes. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../domain/diagnostic/diagnostic.ts'
import type { Prompt, Question } from '../ports/prompt.ts'

const declined = error('DT3116', 'nothing was changed: the question was answered with no')

/** Fails with DT3116 when the answer is no, and with DT2101 without a terminal. */
export const askYes = (prompt: Prompt, question: Question): TE.TaskEither<Diagnostic, true> =>
  pipe(
    prompt.confirm(question),
    TE.filterOrElse(
      (isConfirmed): isConfirmed is true => isConfirmed,
      () => declined,
    ),
  )
