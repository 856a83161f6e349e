/** The state, events and commands of the synchronisation engine. */
import type { ActOutcome, SyncAct, SyncEnd, SyncMode } from './act.ts'
import { type BaseChange, type BaseEntry, emptyBase, type SyncBase } from './base.ts'
import type { SyncTree, TreeLook } from './entry.ts'
import { type EndGuard, isDeletion } from './guard.ts'
import { keyOf } from './held.ts'
import { emptyTree } from './look.ts'
import type { Meeting } from './meeting.ts'
import type { Hindrance } from './reconcile.ts'

/** An act that failed; it is retried at `untilMs`. */
export type ActDelay = {
  readonly act: SyncAct
  readonly failures: number
  readonly untilMs: number
  readonly reason: string
}

/** The latest first. */
export type Outcomes = { readonly act: SyncAct; readonly outcome: ActOutcome; readonly earlier: Outcomes } | undefined

/**
 * Acts that are being carried out. `count`: the number of outcomes; `over`: outcomes that have not been processed.
 * `before`: the base at paths with a single act. `enough`: paths where a single act makes both ends agree.
 */
export type RunningActs = {
  readonly run: number
  readonly acts: number
  readonly count: number
  readonly over: Outcomes
  readonly before: ReadonlyMap<string, BaseEntry | undefined>
  readonly enough: ReadonlySet<string>
}

export type Deletions = { readonly deleter: SyncEnd; readonly deleted: number; readonly files: number }

/**
 * `dirty`: folders in which the ends may differ. `confirmed`: deletions that were seen twice. `hasMissed`: changes at
 * that end were not reported, and it has not been looked at as a whole since.
 */
export type CycleState = {
  readonly modeOf: (path: string) => SyncMode
  readonly isLinked: boolean
  readonly base: SyncBase
  /** Changes of the base that are stored together with the next ones. */
  readonly unstored: ReadonlyArray<BaseChange>
  readonly trees: Readonly<Record<SyncEnd, SyncTree>>
  readonly isLooked: Readonly<Record<SyncEnd, boolean>>
  readonly hasMissed: Readonly<Record<SyncEnd, boolean>>
  readonly meeting: Meeting | undefined
  readonly dirty: ReadonlySet<string> | 'All'
  readonly runs: number
  readonly running: RunningActs | undefined
  /** Acts whose link was lost: their outcomes may still be known before the next link. */
  readonly lost: Pick<RunningActs, 'run' | 'before' | 'enough'> | undefined
  readonly guards: Readonly<Record<SyncEnd, EndGuard>>
  readonly confirming: Readonly<Record<SyncEnd, ReadonlySet<string>>>
  readonly confirmed: Readonly<Record<SyncEnd, ReadonlySet<string>>>
  readonly question: Deletions | undefined
  readonly delays: ReadonlyMap<string, ActDelay>
  readonly hindrances: ReadonlyArray<Hindrance>
  /** Acts that the last comparison has left to be done. */
  readonly open: ReadonlyArray<SyncAct>
  readonly isComplete: boolean
  readonly wholeAtMs: number
  /** When to retry a look that failed, by end. */
  readonly lookAgainMs: Readonly<Partial<Record<SyncEnd, number>>>
}

/**
 * Each event has its time. `isSecond`: the look was a second one, for deletions. `isRepeated`: another look at the whole
 * end follows, since changes may have been missed during this one. `unsent`: acts that reached no end.
 */
export type CycleEvent = { readonly nowMs: number } & (
  | { readonly _tag: 'Linked'; readonly base: SyncBase; readonly meeting?: Meeting }
  | { readonly _tag: 'Tick' }
  | { readonly _tag: 'LinkLost'; readonly unsent: ReadonlyArray<SyncAct> }
  | {
      readonly _tag: 'Looked'
      readonly end: SyncEnd
      readonly look: TreeLook
      readonly isSecond?: boolean
      readonly isRepeated?: boolean
    }
  | { readonly _tag: 'NotLooked'; readonly end: SyncEnd; readonly reason: string }
  | { readonly _tag: 'Overflow'; readonly end: SyncEnd }
  | { readonly _tag: 'ActOver'; readonly run: number; readonly act: SyncAct; readonly outcome: ActOutcome }
  | { readonly _tag: 'NotStored'; readonly run: number; readonly reason: string }
  | { readonly _tag: 'DeletionsAnswered'; readonly deletions: Deletions; readonly answer: 'Carry' | 'Restore' }
)

/** Notices for users. */
export type SyncNotice =
  | { readonly _tag: 'Complete' }
  | { readonly _tag: 'Conflict'; readonly end: SyncEnd; readonly path: string; readonly keptAs: string }
  | { readonly _tag: 'Deletions'; readonly deletions: Deletions }
  | { readonly _tag: 'ActTrouble'; readonly act: SyncAct; readonly reason: string }
  | { readonly _tag: 'TreeTrouble'; readonly end: SyncEnd; readonly reason: string }
  | { readonly _tag: 'StoreTrouble'; readonly reason: string }
  | { readonly _tag: 'Polled'; readonly end: SyncEnd; readonly folders: number; readonly because: string }

/**
 * `Look`: without folders, at everything. `Carry`: first store the changes of the base, then carry out the acts, in
 * their order at each end; each results in an ActOver. `Wake`: send a Tick at that time.
 */
export type CycleCommand =
  | {
      readonly _tag: 'Look'
      readonly end: SyncEnd
      readonly folders?: ReadonlyArray<string>
      readonly isSecond?: boolean
    }
  | {
      readonly _tag: 'Carry'
      readonly run: number
      readonly changes: ReadonlyArray<BaseChange>
      readonly acts: ReadonlyArray<SyncAct>
    }
  | { readonly _tag: 'Wake'; readonly atMs: number }
  | { readonly _tag: 'TellSync'; readonly notice: SyncNotice }

export type CycleStep = readonly [CycleState, ReadonlyArray<CycleCommand>]

export const newCycle = (modeOf: CycleState['modeOf']): CycleState => ({
  modeOf,
  isLinked: false,
  base: emptyBase,
  unstored: [],
  meeting: undefined,
  running: undefined,
  lost: undefined,
  question: undefined,
  trees: { here: emptyTree, there: emptyTree },
  isLooked: { here: false, there: false },
  hasMissed: { here: false, there: false },
  dirty: 'All',
  runs: 0,
  guards: { here: {}, there: {} },
  confirming: { here: new Set(), there: new Set() },
  confirmed: { here: new Set(), there: new Set() },
  delays: new Map(),
  hindrances: [],
  open: [],
  isComplete: false,
  wholeAtMs: 0,
  lookAgainMs: {},
})

/** Nothing more is to be done, apart from retries of failed acts and deletions that wait. */
export const isAtRest = ({ delays, hasMissed, isLinked, isLooked, open, running }: CycleState): boolean =>
  isLinked &&
  isLooked.here &&
  isLooked.there &&
  !hasMissed.here &&
  !hasMissed.there &&
  running === undefined &&
  open.every((act) => delays.has(keyOf(act)) || isDeletion(act))

/** No deletions wait to be carried out or to be asked about. */
export const isSettled = (state: CycleState): boolean => isAtRest(state) && !state.open.some(isDeletion)

/**
 * 100 only when all of both ends has been looked at since they were linked, and since an end last missed changes, and
 * this and every change reported since left nothing to be done. Called every second, so nothing is counted then.
 */
export const percentOf = ({ base, hindrances, isComplete, open }: CycleState): number => {
  if (isComplete) return 100
  const undone = new Set([...open, ...hindrances].map(({ path }) => path))
  let agreed = 0
  for (const names of base.values()) {
    for (const { _tag } of names.values()) if (_tag !== 'Unsure' && _tag !== 'Left') agreed += 1
  }
  const items = agreed + undone.size
  return items === 0 ? 0 : Math.min(99, Math.floor((100 * agreed) / items))
}
