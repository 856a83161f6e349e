/** Stores how the synchronisation of a folder is, for other commands, and takes their answers to its questions. */
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { defined } from '../../domain/object/defined.ts'
import { type CycleState, isSettled } from '../../domain/sync/cycle-state.ts'
import { isOpenQuestion } from '../../domain/sync/deletions.ts'
import {
  answerIn,
  type StoredAnswer,
  type StoredQuestion,
  type StoredStatus,
  statusText,
} from '../../domain/sync/stored-status.ts'
import { conflictsIn, troublesOf } from '../../domain/sync/troubles.ts'
import type { Ports } from '../../ports/ports.ts'
import type { FolderSync } from './sync-folder.ts'
import type { servePages } from './sync-pages.ts'
import type { SyncTeller } from './tell-sync.ts'

type ReportRequest = {
  /** In the folder of devtool. */
  readonly path: string
  /** Returns a new id. */
  readonly newId: () => string
  readonly teller: SyncTeller
  readonly serving: ReturnType<typeof servePages>
}

const everyMs = 500

type Findings = Pick<StoredStatus, 'conflicts' | 'troubles'>

/** Of the time: while files change, there is something new again and again. */
const leastShare = 50

/** Everything is gone through only when something has changed, and large folders not too often. */
const findingsOnce = (clock: Pick<Ports['clock'], 'now'>): ((state: CycleState) => Findings) => {
  let last: { readonly state: CycleState; readonly found: Findings; readonly untilMs: number } | undefined
  return (state) => {
    const isSame =
      last !== undefined && (['trees', 'hindrances', 'delays'] as const).every((key) => last?.state[key] === state[key])
    const beganMs = clock.now()
    if (last !== undefined && (isSame || beganMs < last.untilMs)) return last.found
    const found = { conflicts: conflictsIn(state), troubles: troublesOf(state) }
    const nowMs = clock.now()
    last = { state, found, untilMs: nowMs + leastShare * (nowMs - beganMs) }
    return found
  }
}

export const reportSync = (
  { clock, home }: Pick<Ports, 'clock' | 'home'>,
  sync: FolderSync,
  { newId, path, serving, teller }: ReportRequest,
): { readonly end: Task<void> } => {
  let stored: string | undefined
  let storing: Promise<unknown> = Promise.resolve()
  const store = (status: StoredStatus | undefined): Promise<unknown> => {
    const text = statusText(status)
    if (text === stored) return storing
    stored = text
    return (storing = storing.then(home.change(`${path}/status.json`, () => E.right(text))))
  }
  let question: StoredQuestion | undefined
  /** One that comes back after it was answered is another one, or its answer would count again. */
  const asked = (): StoredQuestion | undefined => {
    const now = sync.state().question
    // For a moment nothing is asked while everything is looked at again; what then comes back is the same question.
    if (now === undefined) return undefined
    if (question === undefined || !isOpenQuestion({ question: now }, question)) question = { ...now, id: newId() }
    return question
  }
  let answered: StoredAnswer | undefined
  const takeAnswer = async (open: StoredQuestion): Promise<void> => {
    const found = await home.read(`${path}/answer.json`)()
    const given = E.isRight(found) && found.right !== undefined ? answerIn(found.right) : undefined
    if (given?.question !== open.id || asked()?.id !== open.id || !sync.answer(open, given.answer)) return
    question = undefined
    answered = given
  }
  const seen = findingsOnce(clock)
  const report = (): void => {
    const state = sync.state()
    const { conflicts, troubles: lines } = seen(state)
    teller.troubles(lines)
    const failure = sync.trouble()
    const open = asked()
    void store({
      percent: sync.percent(),
      conflicts,
      isSettled: isSettled(state),
      troubles: failure === undefined ? lines : [failure, ...lines],
      ...defined({ question: open, pages: served?.pages, answered }),
    })
    if (open !== undefined) void takeAnswer(open)
  }
  let served: Awaited<ReturnType<typeof serving>>
  const begin = async (): Promise<void> => {
    served = await serving()
  }
  const beginning = begin()
  const stop = clock.every(everyMs, report)
  return {
    end: async () => {
      stop()
      teller.end()
      await beginning
      served?.close()
      await store(undefined)
    },
  }
}
