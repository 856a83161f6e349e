/**
 * The port `Prompt` on the terminal: questions go to stderr, since stdout is for data. The code for questions is loaded
 * on demand.
 */
import type { Readable, Writable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { isUnicode, marksFor } from '../../domain/text/marks.ts'
import { visible } from '../../domain/text/visible.ts'
import type { Prompt, Question } from '../../ports/prompt.ts'

/** `interruption` is used only while a question is open. */
type Terminal = {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly stdin: () => Readable
  readonly stderr: () => Writable
  readonly isTerminal: { readonly stdin: boolean; readonly stderr: boolean }
  readonly interruption: () => AbortSignal
}

/** The functions that ask questions. */
type Streams = { readonly input: Readable; readonly output: Writable; readonly signal: AbortSignal }

type Choice = { readonly name: string; readonly value: string }

/** Each returns the answer, or throws when it was interrupted. */
export type Questions = {
  readonly askYesNo: (message: string, streams: Streams) => Promise<boolean>
  readonly askChoice: (message: string, choices: ReadonlyArray<Choice>, streams: Streams) => Promise<string>
  readonly askText: (message: string, fallback: string | undefined, streams: Streams) => Promise<string>
}

const unasked = ({ flag, text }: Question): Diagnostic =>
  error('DT2101', `cannot ask "${text}" without a terminal`, { help: `answer it with ${flag}` })

const brokenOff = ({ text }: Question): Diagnostic => error('DT2103', `"${text}" was not answered`)

const isBrokenOff = (cause: unknown): boolean =>
  cause instanceof Error && ['AbortPromptError', 'ExitPromptError'].includes(cause.name)

/** Fails with DT2101 without a terminal, and with DT2103 on Ctrl-C. */
export const ttyPrompt = ({ env, interruption, isTerminal, stderr, stdin }: Terminal): Prompt => {
  const marked = marksFor(env)
  const shown = (text: string): string => marked(visible(text))
  const asking =
    <A>(question: Question, ask: (questions: Questions, streams: Streams) => Promise<A>): TaskEither<Diagnostic, A> =>
    async () => {
      if (!isTerminal.stdin || !isTerminal.stderr) return E.left(unasked(question))
      try {
        const { questionsFor } = await import('./questions.ts')
        const signal = AbortSignal.any([interruption(), ...(question.signal === undefined ? [] : [question.signal])])
        return E.right(await ask(questionsFor(isUnicode(env)), { input: stdin(), output: stderr(), signal }))
      } catch (cause) {
        if (isBrokenOff(cause)) return E.left(brokenOff(question))
        throw cause
      }
    }
  return {
    confirm: (question) => asking(question, ({ askYesNo }, streams) => askYesNo(shown(question.text), streams)),
    choose: (question, choices) =>
      asking(question, ({ askChoice }, streams) =>
        askChoice(
          shown(question.text),
          choices.map(({ text, value }) => ({ name: shown(text), value })),
          streams,
        ),
      ),
    ask: (question, fallback) =>
      asking(question, ({ askText }, streams) => askText(shown(question.text), fallback, streams)),
  }
}
