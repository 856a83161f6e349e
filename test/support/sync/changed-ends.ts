/** Ends that agreed once and were changed since, and what properties compare of their acts. */
import * as assert from 'uvu/assert'
import type { SyncAct, SyncEnd } from '../../../src/domain/sync/act.ts'
import { carryOut, cycle, type Ends, newEnds, type Rules, settle } from './ends.ts'
import type { UserTree } from './user-tree.ts'
import { doOp, type UserOp } from './users.ts'

export type Changes = { readonly [K in 'first' | SyncEnd]: ReadonlyArray<UserOp> }

const doAll = (tree: UserTree, all: ReadonlyArray<UserOp>): void => {
  for (const op of all) doOp(tree, op)
}

/** Ends that agreed, both ways, on what `first` made, and then were changed. */
export const changedEnds = ({ first, here, there }: Changes): Ends => {
  const ends = newEnds()
  doAll(ends.here, first)
  settle(ends)
  doAll(ends.here, here)
  doAll(ends.there, there)
  return ends
}

/** Some cycles without interference, in which each act must find the content that it expects. */
export const findsWhatIsExpected = (ends: Ends, rules: Rules = {}): void => {
  for (let at = 0; at < 3; at += 1) {
    cycle(ends, rules, (_, act) => {
      const outcome = carryOut(ends, act)
      assert.is(outcome._tag, 'Done', JSON.stringify({ act, outcome }))
      return outcome
    })
  }
}

export const otherEnd = (end: SyncEnd): SyncEnd => (end === 'here' ? 'there' : 'here')

export const swapped = (act: SyncAct): SyncAct => ({ ...act, end: otherEnd(act.end) })

/** Compares by what is in them, for results whose order says nothing. */
export const byText = (a: unknown, b: unknown): number => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1)
