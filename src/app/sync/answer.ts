/** `sync allow` and `sync refuse`: answer a question of an `up` that runs in another process on this machine. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { showDeletions } from '../../domain/sync/notice.ts'
import { placesOf, type StoredFolder } from '../../domain/sync/stored-folder.ts'
import {
  answerText,
  type StoredAnswer,
  type StoredQuestion,
  type StoredStatus,
  statusIn,
} from '../../domain/sync/stored-status.ts'
import { resolvePath } from '../../domain/text/path.ts'
import type { Ports } from '../../ports/ports.ts'
import { answer, type Result } from '../result.ts'
import { nearFolders } from './kept.ts'

type AnswerPorts = Pick<Ports, 'clock' | 'home'>

/** Undefined: no `up` synchronises it. */
export const storedStatus =
  ({ home }: Pick<Ports, 'home'>) =>
  (key: string): T.Task<StoredStatus | undefined> =>
    pipe(
      home.read(`sync/${key}/status.json`),
      TE.match(
        () => undefined,
        (text) => (text === undefined ? undefined : statusIn(text)),
      ),
    )

type Open = { readonly key: string; readonly folder: StoredFolder; readonly question: StoredQuestion }

export type AnsweredDeletions = { readonly folder: StoredFolder; readonly question: StoredQuestion }

/** How long a running `up` may take. */
const takenMs = 10_000
const pollMs = 100
const storedMs = 1000

const where = ({ folder }: Open): string => {
  const { local, remote } = placesOf(folder)
  return `${folder.dev}: ${local} <-> ${remote}`
}

const nothingAsked = (open: ReadonlyArray<Open>, isRunning: boolean, word: string | undefined): Diagnostic => {
  const help =
    open.length > 0
      ? `open questions: ${open.map(where).join(', ')}`
      : isRunning
        ? '`devtool status` shows how the files are'
        : 'no `devtool up` synchronises a folder here now'
  return error('DT5140', `no question is open${word === undefined ? '' : ` for ${word}`}`, { help })
}

const several = (open: ReadonlyArray<Open>): Diagnostic =>
  error('DT5141', `${open.length} questions are open: ${open.map(where).join(', ')}`, {
    help: 'name the development container, or the folder of this machine or of the container',
  })

const notTaken = (one: Open, why: string): Diagnostic =>
  error('DT5142', `the \`devtool up\` of ${where(one)} did not take the answer: ${why}`, {
    help: '`devtool status` shows what is asked',
  })

const openNear =
  (ports: AnswerPorts) =>
  (cwd: string, word: string | undefined): TE.TaskEither<Diagnostic, Open> =>
    pipe(
      nearFolders(ports)(cwd),
      TE.flatMapTask(
        T.traverseArray(([key, folder]) =>
          pipe(
            storedStatus(ports)(key),
            T.map((status) => ({ key, folder, status })),
          ),
        ),
      ),
      TE.flatMap((all) => {
        const open = all.flatMap(({ folder, key, status }) =>
          status?.question === undefined ? [] : [{ key, folder, question: status.question }],
        )
        const meant = open.filter(({ folder }) => {
          const { local, remote } = placesOf(folder)
          return word === undefined || [folder.dev, remote].includes(word) || resolvePath(cwd, word) === local
        })
        const [one, ...more] = meant
        if (one === undefined)
          return TE.left(
            nothingAsked(
              open,
              all.some(({ status }) => status !== undefined),
              word,
            ),
          )
        return more.length > 0 ? TE.left(several(meant)) : TE.right(one)
      }),
    )

const asksNoMore = 'it does not ask any more'

/** Undefined: not answered yet, or no question is open for a moment. */
const outcomeOf = (
  one: Open,
  given: StoredAnswer['answer'],
  status: StoredStatus | undefined,
): E.Either<Diagnostic, void> | undefined => {
  if (status?.answered?.question === one.question.id) {
    return status.answered.answer === given ? E.right(undefined) : E.left(notTaken(one, 'it was answered otherwise'))
  }
  if (status === undefined) return E.left(notTaken(one, 'it has ended'))
  const { isSettled = false, question } = status
  if (question === undefined && isSettled) return E.left(notTaken(one, asksNoMore))
  return question === undefined || question.id === one.question.id
    ? undefined
    : E.left(notTaken(one, `now ${showDeletions(question)}`))
}

/** Withdraws the answer: a suspended `up` would otherwise take it when it resumes. */
const withdraw = ({ home }: AnswerPorts, { key }: Open): TE.TaskEither<Diagnostic, void> =>
  home.change(`sync/${key}/answer.json`, () => E.right('{}\n'))

/** Waits until `up` has stored that it processed the answer. */
const taken =
  (ports: AnswerPorts, given: StoredAnswer['answer']) =>
  (one: Open): TE.TaskEither<Diagnostic, void> =>
  async () => {
    const { clock } = ports
    const look = async () => outcomeOf(one, given, await storedStatus(ports)(one.key)())
    for (const untilMs = clock.now() + takenMs; clock.now() < untilMs; await clock.sleep(pollMs)) {
      const found = await look()
      if (found !== undefined) return found
    }
    await withdraw(ports, one)()
    // The answer may have been read just before.
    await clock.sleep(storedMs)
    const last = await look()
    if (last !== undefined) return last
    const isAsked = (await storedStatus(ports)(one.key)())?.question !== undefined
    return E.left(notTaken(one, isAsked ? `it did not answer within ${takenMs / 1000} s` : asksNoMore))
  }

/** `word`: selects one of several questions. Finds DT5135, DT5140, DT5141, DT5142. */
export const answerDeletions =
  (ports: AnswerPorts) =>
  (cwd: string, word: string | undefined, given: StoredAnswer['answer']): Promise<Result<AnsweredDeletions>> =>
    answer(
      pipe(
        openNear(ports)(cwd, word),
        TE.tap(({ key, question }) =>
          ports.home.change(`sync/${key}/answer.json`, () =>
            E.right(answerText({ question: question.id, answer: given })),
          ),
        ),
        TE.tap(taken(ports, given)),
        TE.map(({ folder, question }) => ({ findings: [], value: { folder, question } })),
      ),
    )
