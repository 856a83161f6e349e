/**
 * Deletions are not carried over at once: they wait, are confirmed by a second look, and may need an answer by the
 * user.
 */
import type { SyncAct, SyncEnd } from './act.ts'
import type { CycleCommand, CycleState, Deletions } from './cycle-state.ts'
import { deleterOf, type GuardVerdict, isDeletion, judge, letGo } from './guard.ts'
import { parentOf } from './path.ts'

/** The nearest parent folders that are known to exist. */
export const foldersFor = (state: CycleState, end: SyncEnd, paths: Iterable<string>): ReadonlyArray<string> => {
  const found = new Set<string>()
  for (const path of paths) {
    let folder = parentOf(path)
    while (folder !== '' && !state.trees[end].has(folder)) folder = parentOf(folder)
    found.add(folder)
  }
  return [...found]
}

type Judged = {
  readonly state: CycleState
  readonly waits: ReadonlyArray<SyncAct>
  readonly commands: ReadonlyArray<CycleCommand>
}

/** An answer counts only for the question that was asked. */
export const isOpenQuestion = (
  { question }: Pick<CycleState, 'question'>,
  { deleted, deleter, files }: Deletions,
): boolean => question?.deleter === deleter && question.deleted === deleted && question.files === files

const isAnswered = (state: CycleState, deleter: SyncEnd): boolean => state.question?.deleter !== deleter

export const withoutQuestion = (state: CycleState): CycleState => ({ ...state, question: undefined })

/** A new question, unless it is the one already asked. */
const asked = (state: CycleState, deleter: SyncEnd, verdict: GuardVerdict): Judged => {
  if (verdict._tag !== 'Ask') {
    return { state: isAnswered(state, deleter) ? state : withoutQuestion(state), waits: [], commands: [] }
  }
  // One question at a time.
  if (state.question !== undefined && isAnswered(state, deleter)) return { state, waits: [], commands: [] }
  const deletions = { deleter, deleted: verdict.deleted, files: verdict.files }
  const isTold = state.question !== undefined && !verdict.isNews
  return {
    state: { ...state, question: deletions },
    waits: [],
    commands: isTold ? [] : [{ _tag: 'TellSync', notice: { _tag: 'Deletions', deletions } }],
  }
}

/** Releases the deletions of one end that were seen twice, and holds back the others. */
export const judgeDeletions = (
  before: CycleState,
  deleter: SyncEnd,
  all: ReadonlyArray<SyncAct>,
  nowMs: number,
): Judged => {
  const acts = all.filter((act) => isDeletion(act) && deleterOf(act) === deleter)
  const facts = { acts, base: before.base, deleter: before.trees[deleter], nowMs }
  const [guard, verdict] = judge(before.guards[deleter], facts)
  const { commands, state } = asked({ ...before, guards: { ...before.guards, [deleter]: guard } }, deleter, verdict)
  if (verdict._tag === 'None' || verdict._tag === 'Ask') {
    return { state: { ...state, confirmed: { ...state.confirmed, [deleter]: new Set() } }, waits: acts, commands }
  }
  if (verdict._tag === 'Wait') {
    return { state, waits: acts, commands: [...commands, { _tag: 'Wake', atMs: verdict.untilMs }] }
  }
  const confirmed = state.confirmed[deleter]
  const seen = acts.filter(({ path }) => confirmed.has(path))
  if (seen.length > 0) {
    const guards = { ...state.guards, [deleter]: letGo(guard, { ...facts, acts: seen }) }
    const waits = acts.filter(({ path }) => !confirmed.has(path))
    return { state: { ...state, guards, confirmed: { ...state.confirmed, [deleter]: new Set() } }, waits, commands }
  }
  if (state.confirming[deleter].size > 0) return { state, waits: acts, commands }
  const paths = new Set(acts.map(({ path }) => path))
  const folders = foldersFor(state, deleter, paths)
  return {
    state: { ...state, confirming: { ...state.confirming, [deleter]: paths } },
    waits: acts,
    commands: [...commands, { _tag: 'Look', end: deleter, folders, isSecond: true }],
  }
}
