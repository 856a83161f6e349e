/** Questions to the user at the terminal. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../domain/diagnostic/diagnostic.ts'

/**
 * `flag`: the flag that answers the question; without a terminal every question fails with DT2101, which names it.
 * `signal`: aborted when the question needs no answer any more; it then fails with DT2103.
 */
export type Question = { readonly text: string; readonly flag: string; readonly signal?: AbortSignal }

export type Prompt = {
  readonly confirm: (question: Question) => TaskEither<Diagnostic, boolean>
  /** One of `choices`, which has at least one item. */
  readonly choose: (
    question: Question,
    choices: ReadonlyArray<{ readonly value: string; readonly text: string }>,
  ) => TaskEither<Diagnostic, string>
  readonly ask: (question: Question, fallback?: string) => TaskEither<Diagnostic, string>
}
