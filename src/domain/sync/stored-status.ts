/**
 * The status of a folder's synchronisation, as `up` stores it for other commands, and the answers that these store for
 * `up`.
 */
import * as t from 'io-ts'
import { fromJson } from '../object/codecs.ts'

const end = t.union([t.literal('here'), t.literal('there')])

/** `id`: identifies this question, and is repeated in the answer. */
const StoredQuestion = t.readonly(t.type({ id: t.string, deleter: end, deleted: t.number, files: t.number }))
export type StoredQuestion = t.TypeOf<typeof StoredQuestion>

/** Addresses on this machine at which both ends can be viewed. */
const StoredPages = t.readonly(t.type({ here: t.string, there: t.string, user: t.string, password: t.string }))
export type StoredPages = t.TypeOf<typeof StoredPages>

const texts = t.readonlyArray(t.string)

const StoredAnswer = t.readonly(
  t.type({ question: t.string, answer: t.union([t.literal('Carry'), t.literal('Restore')]) }),
)
export type StoredAnswer = t.TypeOf<typeof StoredAnswer>

/**
 * `troubles`: what is not synchronised, and why. `conflicts`: copies of entries that lost a conflict. `answered`: the
 * last answer that was processed. `isSettled`: no deletions wait, so no question can come back.
 */
const StoredStatus = t.readonly(
  t.intersection([
    t.type({ percent: t.number, troubles: texts, conflicts: texts }),
    t.partial({ question: StoredQuestion, pages: StoredPages, answered: StoredAnswer, isSettled: t.boolean }),
  ]),
)
export type StoredStatus = t.TypeOf<typeof StoredStatus>

/** Undefined: no `up` is running. */
export const statusText = (status: StoredStatus | undefined): string => `${JSON.stringify(status ?? {})}\n`
export const statusIn = (text: string): StoredStatus | undefined => fromJson(StoredStatus, text)

export const answerText = (answer: StoredAnswer): string => `${JSON.stringify(answer)}\n`
export const answerIn = (text: string): StoredAnswer | undefined => fromJson(StoredAnswer, text)
