/** The port `Prompt` for tests: a user with prepared answers, or no terminal at all. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../src/domain/diagnostic/diagnostic.ts'
import type { Prompt, Question } from '../../src/ports/prompt.ts'

const unanswered = ({ flag, text }: Question): TE.TaskEither<Diagnostic, never> =>
  TE.left(error('DT2101', `cannot ask "${text}" without a terminal`, { help: `answer it with ${flag}` }))

/** As an answer. */
export const ctrlC = '\x03'

/**
 * `answers` by flag: `yes` or `no` for confirmations. A question without an answer fails as without a terminal; `asked`
 * is called with the others.
 */
export const memoryPrompt = (
  answers: ReadonlyMap<string, string> = new Map(),
  asked: (text: string) => void = () => {},
): Prompt => {
  const answerTo = (question: Question): TE.TaskEither<Diagnostic, string> => {
    const answer = answers.get(question.flag)
    if (answer === undefined) return unanswered(question)
    asked(question.text)
    if (answer === ctrlC) return TE.left(error('DT2103', `"${question.text}" was not answered`))
    return TE.right(answer)
  }
  return {
    confirm: (question) => TE.map((answer) => answer === 'yes')(answerTo(question)),
    choose: (question) => answerTo(question),
    ask: (question) => answerTo(question),
  }
}
