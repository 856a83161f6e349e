/**
 * Outcomes of acts. They are collected as they arrive, and processed together: each on its own would copy the listing
 * of a folder.
 */
import { type Backoff, pauseAfter } from '../time/backoff.ts'
import type { ActOutcome, SyncAct, SyncEnd } from './act.ts'
import { type BaseChange, withChanges } from './base.ts'
import type { ActDelay, CycleCommand, CycleState, CycleStep, Outcomes, RunningActs, SyncNotice } from './cycle-state.ts'
import { foldersFor } from './deletions.ts'
import type { TreeFile, TreeLink } from './entry.ts'
import { deleterOf } from './guard.ts'
import { keyOf } from './held.ts'
import { type EntryChange, withEntries } from './look.ts'
import { isSame } from './merge.ts'

/** Pauses after an act was refused because somebody changed the file, and after an error that will last. */
const afterRefusal: Backoff = { firstMs: 10, longestMs: 5000, factor: 3 }
const afterFailure: Backoff = { firstMs: 1000, longestMs: 30_000 }

export const tell = (notice: SyncNotice): CycleCommand => ({ _tag: 'TellSync', notice })

const inOrder = (last: Outcomes): ReadonlyArray<Exclude<Outcomes, undefined>> => {
  const found: Array<Exclude<Outcomes, undefined>> = []
  for (let one = last; one !== undefined; one = one.earlier) found.push(one)
  return found.toReversed()
}

const delayOf = (act: SyncAct, before: ActDelay | undefined, outcome: ActOutcome, nowMs: number): ActDelay => {
  const failures = before?.failures ?? 0
  const isFailure = outcome._tag === 'Failed' && outcome.trouble !== 'NoSource' && outcome.trouble !== 'KeptNameTaken'
  const pauseMs = pauseAfter(isFailure ? afterFailure : afterRefusal, failures)
  const reason = outcome._tag === 'Failed' ? outcome.reason : 'it changed meanwhile'
  return { act, failures: failures + 1, untilMs: nowMs + pauseMs, reason }
}

/** The entry at the path after the act; for a folder, a look has to follow. */
const madeBy = (act: Exclude<SyncAct, { readonly _tag: 'MakeFolder' }>): TreeFile | TreeLink | undefined => {
  switch (act._tag) {
    case 'Write':
      return act.file
    case 'MakeLink':
      return { _tag: 'Link', target: act.target }
    case 'SetExecutable':
      return { ...act.expect, isExecutable: act.isExecutable }
    case 'Remove':
      return undefined
  }
}

/** What the outcome of an act says about the base. */
export const baseAfter = (
  { before, enough }: Pick<RunningActs, 'before' | 'enough'>,
  act: SyncAct,
  outcome: ActOutcome,
): BaseChange | undefined => {
  const { path } = act
  if (outcome._tag === 'Done') {
    // Both ends had it at that moment, whatever was changed since. Folders are agreed on when both are compared again.
    const isAgreed = enough.has(path) && act._tag !== 'MakeFolder' && isSame(outcome.entry, madeBy(act))
    return isAgreed ? [path, madeBy(act)] : undefined
  }
  // Nothing was done there, so the base is still valid.
  return outcome._tag !== 'Lost' && before.has(path) ? [path, before.get(path)] : undefined
}

type Taken = {
  readonly entries: Record<SyncEnd, Array<EntryChange>>
  readonly agreed: Array<BaseChange>
  readonly looks: Record<SyncEnd, Array<string>>
  readonly delays: Map<string, ActDelay>
  readonly commands: Array<CycleCommand>
}

const takeIn = (taken: Taken, before: CycleState, act: SyncAct, outcome: ActOutcome, nowMs: number): void => {
  const { end, keep, path } = act
  const { agreed, commands, delays, entries, looks } = taken
  if (outcome._tag === 'Lost') return
  const change = before.running && baseAfter(before.running, act, outcome)
  if (change !== undefined) agreed.push(change)
  if (outcome._tag === 'Done') {
    delays.delete(keyOf(act))
    entries[end].push([path, outcome.entry])
    if (keep !== undefined) commands.push(tell({ _tag: 'Conflict', end, path, keptAs: keep }))
    return
  }
  const delay = delayOf(act, delays.get(keyOf(act)), outcome, nowMs)
  delays.set(keyOf(act), delay)
  const isSource = outcome._tag === 'Failed' && outcome.trouble === 'NoSource'
  looks[isSource ? deleterOf(act) : end].push(path)
  const isTrouble = outcome._tag === 'Failed' && !isSource && outcome.trouble !== 'KeptNameTaken'
  if (isTrouble && delay.failures === 1) commands.push(tell({ _tag: 'ActTrouble', act, reason: delay.reason }))
}

/** Adds the outcomes so far to the state. */
export const withOutcomes = (before: CycleState, nowMs: number): CycleStep => {
  const { running } = before
  if (running?.over === undefined) return [before, []]
  const taken: Taken = {
    entries: { here: [], there: [] },
    agreed: [],
    looks: { here: [], there: [] },
    delays: new Map(before.delays),
    commands: [],
  }
  for (const { act, outcome } of inOrder(running.over)) takeIn(taken, before, act, outcome, nowMs)
  const { agreed, commands, delays, entries, looks } = taken
  const trees = {
    here: withEntries(before.trees.here, entries.here),
    there: withEntries(before.trees.there, entries.there),
  }
  const again = (['here', 'there'] as const)
    .filter((end) => looks[end].length > 0)
    .map((end): CycleCommand => ({ _tag: 'Look', end, folders: foldersFor(before, end, looks[end]) }))
  return [
    {
      ...before,
      trees,
      delays,
      base: withChanges(before.base, agreed),
      unstored: agreed.length === 0 ? before.unstored : [...before.unstored, ...agreed],
      running: { ...running, over: undefined },
    },
    [...commands, ...again],
  ]
}
