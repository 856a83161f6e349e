/** Two trees in memory, and an engine's acts on them. */

import type { ActOutcome, SyncAct, SyncMode } from '../../../src/domain/sync/act.ts'
import { type BaseChange, emptyBase, type SyncBase, unsure, withChanges } from '../../../src/domain/sync/base.ts'
import { afterLook, emptyTree } from '../../../src/domain/sync/look.ts'
import type { Meeting } from '../../../src/domain/sync/meeting.ts'
import { type Decision, reconcile } from '../../../src/domain/sync/reconcile.ts'
import { UserTree } from './user-tree.ts'

export type Ends = { readonly here: UserTree; readonly there: UserTree; base: SyncBase }

export const newEnds = (isIgnored?: (path: string) => boolean): Ends => ({
  here: new UserTree(isIgnored),
  there: new UserTree(isIgnored),
  base: emptyBase,
})

export type Rules = { readonly modeOf?: (path: string) => SyncMode; readonly meeting?: Meeting }

export const stateOf = ({ base, here, there }: Ends, { meeting, modeOf = () => 'two-way' }: Rules = {}) => ({
  base,
  here: afterLook(emptyTree, here.look()),
  there: afterLook(emptyTree, there.look()),
  modeOf,
  ...(meeting === undefined ? {} : { meeting }),
})

export const decide = (ends: Ends, rules?: Rules): Decision => reconcile(stateOf(ends, rules))

export const carryOut = (ends: Ends, act: SyncAct): ActOutcome => {
  const source = ends[act.end === 'here' ? 'there' : 'here'].node(act.path)
  return ends[act.end].act(act, source?._tag === 'File' ? source.content : undefined)
}

const agree = (ends: Ends, changes: ReadonlyArray<BaseChange>): void => {
  ends.base = withChanges(ends.base, changes)
}

/** One cycle; `act` carries out each act. The marks are set before, as an engine does. */
export const cycle = (ends: Ends, rules?: Rules, act = carryOut): Decision => {
  const decision = decide(ends, rules)
  agree(ends, decision.agreed)
  agree(ends, unsure(decision.acts.map(({ path }) => path)))
  for (const one of decision.acts) act(ends, one)
  return decision
}

/** Cycles until nothing is left to be done; returns the number of cycles with acts. */
export const settle = (ends: Ends, rules?: Rules): number => {
  const steady: Rules = rules?.modeOf === undefined ? {} : { modeOf: rules.modeOf }
  for (let done = 0; done < 12; done += 1) {
    const { acts } = cycle(ends, done === 0 ? rules : steady)
    if (acts.length === 0) return done
  }
  throw new Error(`never settled: ${JSON.stringify(decide(ends, rules).acts.slice(0, 3))}`)
}

/** The base as it would be if each end were the other one. */
export const mirrored = (base: SyncBase): SyncBase =>
  new Map(
    [...base].map(([folder, names]) => [
      folder,
      new Map(
        [...names].map(([name, entry]) => [
          name,
          entry._tag === 'Folder' ? { ...entry, here: entry.there, there: entry.here } : entry,
        ]),
      ),
    ]),
  )

export const show = (tree: UserTree): ReadonlyArray<string> =>
  tree.paths().map((path) => {
    const node = tree.node(path)
    if (node?._tag === 'File') return `${path}=${node.content}${node.isExecutable ? ' +x' : ''}`
    return node?._tag === 'Link' ? `${path}->${node.target}` : `${path} ${node?._tag}`
  })
