/** Stores the status of a folder's synchronisation for other commands, and reads their answers to its questions. */
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
  /** In devtool's folder. */
  readonly path: string
  /** Returns a new id. */
  readonly newId: () => string
  readonly teller: SyncTeller
  readonly serving: ReturnType<typeof servePages>
}

const everyMs = 1000

type Findings = Pick<StoredStatus, 'conflicts' | 'troubles'>

/** At most 2 % of the time is spent on this: while files change, the status changes all the time. */
const leastShare = 50

/** Conflicts and troubles are only computed when something has changed, and not too often for large folders. */
const findingsOnce = (clock: Pick<Ports['clock'], 'now'>): ((state: CycleState) => Findings) => {
  let last: { readonly state: CycleState; readonly found: Findings; readonly untilMs: number } | undefined
  return (state) => {
    const isSame =
      last !== undefined &&
      (['trees', 'hindrances', 'delays', 'open'] as const).every((key) => last?.state[key] === state[key])
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
  /** A question that returns after it was answered is a new one, since the old answer must not count again. */
  const asked = (): StoredQuestion | undefined => {
    const now = sync.state().question
    // While everything is looked at again, there is no question for a moment; the same one then returns.
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
