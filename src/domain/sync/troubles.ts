/**
 * Conflicts, and entries that are not synchronised, for people. Names of files and reasons may come from a container.
 */
import { visible } from '../text/visible.ts'
import type { SyncEnd } from './act.ts'
import { conflictOf } from './conflict-name.ts'
import type { CycleState } from './cycle-state.ts'
import type { SeenEntry } from './entry.ts'
import { keyOf } from './held.ts'
import { childOf, leadsOut } from './path.ts'

export const places: Readonly<Record<SyncEnd, string>> = { here: 'here', there: 'in the container' }

const ends: ReadonlyArray<SyncEnd> = ['here', 'there']

/** Further ones are only counted. */
const mostNamed = 100

const reasonOf = (path: string, entry: SeenEntry): string | undefined => {
  if (entry._tag === 'Special' || entry._tag === 'Unknown') return entry.reason
  return entry._tag === 'Link' && leadsOut(path, entry.target) ? 'it is a link that leads out of the folder' : undefined
}

/** Entries that neither end takes over. */
const leftEntries = ({ trees }: Pick<CycleState, 'trees'>): ReadonlyMap<string, string> => {
  const found = new Map<string, string>()
  for (const end of ends) {
    for (const [folder, { entries }] of trees[end]) {
      for (const [name, entry] of entries) {
        const path = childOf(folder, name)
        const reason = reasonOf(path, entry)
        if (reason !== undefined)
          found.set(path, `${visible(path)} is left as it is ${places[end]}: ${visible(reason)}`)
      }
    }
  }
  return found
}

/** One line each. */
export const troublesOf = (
  state: Pick<CycleState, 'delays' | 'hindrances' | 'open' | 'trees'>,
): ReadonlyArray<string> => {
  const found = new Map(leftEntries(state))
  for (const { path, reason } of state.hindrances) {
    if (found.has(path) || reason === 'Unknown' || reason === 'Special') continue
    found.set(path, `${visible(path)} is not the same at both ends: something in it is left out, or left as it is`)
  }
  // What is no longer to be done is no trouble any more.
  for (const key of state.open.map(keyOf)) {
    const delay = state.delays.get(key)
    if (delay === undefined) continue
    const { act, reason } = delay
    found.set(act.path, `${visible(act.path)} cannot be written ${places[act.end]}: ${visible(reason)}`)
  }
  const all = [...found.values()]
  const more = all.length - mostNamed
  return more > 0 ? [...all.slice(0, mostNamed), `${more} more`] : all
}

/** Conflict copies that still exist, by path. */
export const conflictsIn = ({ trees }: Pick<CycleState, 'trees'>): ReadonlyArray<string> => {
  const found: Array<string> = []
  for (const [folder, { entries }] of trees.here) {
    for (const name of entries.keys()) {
      if (name.includes('.conflict-') && conflictOf(name) !== undefined) found.push(childOf(folder, name))
    }
  }
  return found.toSorted()
}
