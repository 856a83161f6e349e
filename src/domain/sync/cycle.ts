/**
 * The synchronisation engine: looks are compared with the base, and acts are the result. File watchers only say where
 * to look again; no decision is based on their events.
 */
import { defined } from '../object/defined.ts'
import type { SyncAct, SyncEnd } from './act.ts'
import { type BaseChange, unsure, withChanges } from './base.ts'
import type { CycleCommand, CycleEvent, CycleState, CycleStep, RunningActs } from './cycle-state.ts'
import { isOpenQuestion, judgeDeletions, withoutQuestion } from './deletions.ts'
import { allow } from './guard.ts'
import { heldBack, keyOf } from './held.ts'
import { afterLook } from './look.ts'
import { baseAfter, tell, withOutcomes } from './outcomes.ts'
import { nameOf, parentOf } from './path.ts'
import { type Decision, reconcile } from './reconcile.ts'
import { wholeLookEveryMs } from './whole-look.ts'

const ends: ReadonlyArray<SyncEnd> = ['here', 'there']

const rootAgainMs = 2000
const storeAgainMs = 2000

const lookAtAll: ReadonlyArray<CycleCommand> = ends.map((end) => ({ _tag: 'Look', end }))

const isReady = ({ isLinked, isLooked, running }: CycleState): boolean =>
  isLinked && isLooked.here && isLooked.there && running === undefined

const decide = (state: CycleState): Decision => {
  const { base, dirty, meeting, modeOf, trees } = state
  const folders = dirty === 'All' ? undefined : [...dirty]
  return reconcile({ base, here: trees.here, there: trees.there, modeOf, ...defined({ meeting }) }, folders)
}

/** Hindrances in folders that were not compared again remain. */
const hindrancesOf = (state: CycleState, { hindrances }: Decision): CycleState['hindrances'] => {
  const { dirty } = state
  if (dirty === 'All') return hindrances
  const found = new Set(hindrances.map(({ path }) => path))
  const isOther = ({ path }: { readonly path: string }): boolean => {
    for (let folder = parentOf(path); ; folder = parentOf(folder)) {
      if (dirty.has(folder)) return false
      if (folder === '') return !found.has(path)
    }
  }
  return [...hindrances, ...state.hindrances.filter(isOther)]
}

const wakeFor = (delays: CycleState['delays'], acts: ReadonlyArray<SyncAct>): ReadonlyArray<CycleCommand> => {
  const times = acts.flatMap((act) => delays.get(keyOf(act))?.untilMs ?? [])
  const [first] = times.toSorted((a, b) => a - b)
  return first === undefined ? [] : [{ _tag: 'Wake', atMs: first }]
}

/** Paths with a single act. */
const onceIn = (acts: ReadonlyArray<SyncAct>): ReadonlySet<string> => {
  const found = new Set<string>()
  const several = new Set<string>()
  for (const { path } of acts) (found.has(path) ? several : found).add(path)
  for (const path of several) found.delete(path)
  return found
}

const runOf = (
  { base }: CycleState,
  run: number,
  acts: ReadonlyArray<SyncAct>,
  all: ReadonlyArray<SyncAct>,
): RunningActs => {
  const before = [...onceIn(acts)].map((path) => [path, base.get(parentOf(path))?.get(nameOf(path))] as const)
  return { run, acts: acts.length, count: 0, over: undefined, before: new Map(before), enough: onceIn(all) }
}

/** Compares both ends, and sends the acts that can be carried out now. */
const advance = (before: CycleState, nowMs: number): CycleStep => {
  if (!isReady(before) || (before.dirty !== 'All' && before.dirty.size === 0)) return [before, []]
  const decision = decide(before)
  const { rest } = decision
  const ours = judgeDeletions(before, 'here', decision.acts, nowMs)
  const theirs = judgeDeletions(ours.state, 'there', decision.acts, nowMs)
  const delayed = decision.acts.filter((act) => (before.delays.get(keyOf(act))?.untilMs ?? 0) > nowMs)
  const isHeld = heldBack([...ours.waits, ...theirs.waits, ...delayed])
  const acts = decision.acts.filter((act) => !isHeld(act))
  const changes = [...before.unstored, ...decision.agreed, ...unsure([...new Set(acts.map(({ path }) => path))])]
  const hindrances = hindrancesOf(before, decision)
  const { hasMissed } = before
  const isKnown = !hasMissed.here && !hasMissed.there && !hindrances.some(({ reason }) => reason === 'Unknown')
  const isComplete = isKnown && decision.acts.length === 0
  const state: CycleState = {
    ...theirs.state,
    meeting: before.meeting === undefined || rest.size === 0 ? undefined : { ...before.meeting, rest },
    unstored: [],
    base: withChanges(before.base, changes),
    dirty: new Set(decision.acts.map(({ path }) => parentOf(path))),
    open: decision.acts,
    hindrances,
    isComplete,
  }
  const commands: Array<CycleCommand> = [...ours.commands, ...theirs.commands, ...wakeFor(before.delays, delayed)]
  if (isComplete && !before.isComplete) commands.push(tell({ _tag: 'Complete' }))
  if (changes.length === 0) return [state, commands]
  const run = state.runs + 1
  const running = acts.length === 0 ? undefined : runOf(before, run, acts, decision.acts)
  return [{ ...state, runs: run, running }, [...commands, { _tag: 'Carry', run, changes, acts }]]
}

const isOverdue = (state: CycleState, nowMs: number): boolean =>
  isReady(state) && nowMs - state.wholeAtMs >= wholeLookEveryMs(state.trees.here)

const ticked = (before: CycleState, nowMs: number): CycleStep => {
  const again = ends.filter((end) => before.isLinked && nowMs >= (before.lookAgainMs[end] ?? Number.POSITIVE_INFINITY))
  if (again.length > 0) return [{ ...before, lookAgainMs: {} }, again.map((end) => ({ _tag: 'Look', end }))]
  if (isOverdue(before, nowMs)) return [{ ...before, wholeAtMs: nowMs }, lookAtAll]
  return advance(before, nowMs)
}

const looked = (before: CycleState, event: Extract<CycleEvent, { _tag: 'Looked' }>): CycleStep => {
  const { end, isRepeated = false, isSecond = false, look, nowMs } = event
  if (!before.isLinked || (!look.isWhole && !before.isLooked[end])) return [before, []]
  const trees = { ...before.trees, [end]: afterLook(before.trees[end], look) }
  const isAll = look.isWhole || before.dirty === 'All'
  const dirty = isAll ? 'All' : new Set([...before.dirty, ...look.listings.keys()])
  const seen = isSecond ? before.confirming[end] : new Set<string>()
  return advance(
    {
      ...before,
      trees,
      dirty,
      isLooked: { ...before.isLooked, [end]: true },
      hasMissed: { ...before.hasMissed, [end]: before.hasMissed[end] && (!look.isWhole || isRepeated) },
      ...(isSecond
        ? {
            confirming: { ...before.confirming, [end]: new Set<string>() },
            confirmed: { ...before.confirmed, [end]: seen },
          }
        : {}),
    },
    nowMs,
  )
}

const notLooked = (before: CycleState, event: Extract<CycleEvent, { _tag: 'NotLooked' }>): CycleStep => {
  const { end, nowMs, reason } = event
  const atMs = nowMs + rootAgainMs
  return [
    {
      ...before,
      isLooked: { ...before.isLooked, [end]: false },
      isComplete: false,
      confirming: { ...before.confirming, [end]: new Set<string>() },
      lookAgainMs: { ...before.lookAgainMs, [end]: atMs },
    },
    [tell({ _tag: 'TreeTrouble', end, reason }), { _tag: 'Wake', atMs }],
  ]
}

/** Forgets the trees of both ends, but not the base. */
const unlooked = (state: CycleState): CycleState => {
  const none = { here: new Set<string>(), there: new Set<string>() }
  return {
    ...withoutQuestion(state),
    running: undefined,
    isLooked: { here: false, there: false },
    dirty: 'All',
    isComplete: false,
    confirming: none,
    confirmed: none,
    delays: new Map(),
    lookAgainMs: {},
  }
}

const withBase = (state: CycleState, changes: ReadonlyArray<BaseChange>): CycleState => ({
  ...state,
  base: withChanges(state.base, changes),
  unstored: [...state.unstored, ...changes],
})

/** Nothing was done at these paths, so the base there is still valid. */
const withUnsent = (state: CycleState, paths: Iterable<string>): CycleState => {
  const { running } = state
  return withBase(
    state,
    [...paths].flatMap(
      (path): ReadonlyArray<BaseChange> =>
        running?.before.has(path) === true ? [[path, running.before.get(path)]] : [],
    ),
  )
}

const linked = (before: CycleState, event: Extract<CycleEvent, { _tag: 'Linked' }>): CycleStep => {
  const { base, meeting, nowMs } = event
  const unstored = base === before.base ? before.unstored : []
  return [
    {
      ...unlooked(before),
      base,
      unstored,
      meeting,
      lost: undefined,
      isLinked: true,
      runs: before.runs + 1,
      wholeAtMs: nowMs,
    },
    lookAtAll,
  ]
}

const actOver = (before: CycleState, event: Extract<CycleEvent, { _tag: 'ActOver' }>): CycleStep => {
  const { act, nowMs, outcome, run } = event
  const { lost, running } = before
  if (lost?.run === run) {
    const change = baseAfter(lost, act, outcome)
    return [change === undefined ? before : withBase(before, [change]), []]
  }
  if (running === undefined || running.run !== run) return [before, []]
  const { count, over } = running
  const state = { ...before, running: { ...running, count: count + 1, over: { act, outcome, earlier: over } } }
  if (count + 1 < running.acts) return [state, []]
  const [taken, commands] = withOutcomes(state, nowMs)
  const [next, more] = advance({ ...taken, running: undefined }, nowMs)
  return [next, [...commands, ...more]]
}

/** Restore: removes the paths from the base, so that the other end's entries count as new. */
const answered = (before: CycleState, event: Extract<CycleEvent, { _tag: 'DeletionsAnswered' }>): CycleStep => {
  const { answer, deletions, nowMs } = event
  const { deleter } = deletions
  if (!isOpenQuestion(before, deletions)) return [before, []]
  const guard = before.guards[deleter]
  const state = withoutQuestion(before)
  if (answer === 'Carry') return advance({ ...state, guards: { ...state.guards, [deleter]: allow(guard) } }, nowMs)
  const restored = [...(guard.waiting?.paths ?? [])].map((path) => [path, undefined] as const)
  const changes = [...before.unstored, ...restored]
  const run = state.runs + 1
  const [next, commands] = advance(
    {
      ...state,
      runs: run,
      unstored: [],
      base: withChanges(state.base, changes),
      guards: { ...state.guards, [deleter]: {} },
    },
    nowMs,
  )
  return [next, [{ _tag: 'Carry', run, changes, acts: [] }, ...commands]]
}

const stepOf = (before: CycleState, event: Exclude<CycleEvent, { _tag: 'ActOver' }>): CycleStep => {
  const { nowMs } = event
  switch (event._tag) {
    case 'Linked':
      return linked(before, event)
    case 'LinkLost':
      return [
        {
          ...unlooked(
            withUnsent(
              before,
              event.unsent.map(({ path }) => path),
            ),
          ),
          isLinked: false,
          lost: before.running ?? before.lost,
        },
        [],
      ]
    case 'Tick':
      return ticked(before, nowMs)
    case 'Looked':
      return looked(before, event)
    case 'NotLooked':
      return notLooked(before, event)
    case 'Overflow':
      return [
        { ...before, isComplete: false, hasMissed: { ...before.hasMissed, [event.end]: true } },
        before.isLinked ? [{ _tag: 'Look', end: event.end }] : [],
      ]
    case 'NotStored': {
      if (before.running?.run !== event.run) return [before, []]
      return [
        { ...withUnsent(before, before.running.before.keys()), running: undefined, dirty: 'All' },
        [tell({ _tag: 'StoreTrouble', reason: event.reason }), { _tag: 'Wake', atMs: nowMs + storeAgainMs }],
      ]
    }
    case 'DeletionsAnswered':
      return answered(before, event)
  }
}

/** Total: an event without meaning in a state leaves it unchanged. */
export const cycleStep = (before: CycleState, event: CycleEvent): CycleStep => {
  if (event._tag === 'ActOver') return actOver(before, event)
  // A look that arrives now is newer than these outcomes.
  const [state, commands] = withOutcomes(before, event.nowMs)
  const [next, more] = stepOf(state, event)
  return commands.length === 0 ? [next, more] : [next, [...commands, ...more]]
}
