/** The acts that turn one entry into another, and the order of all acts. */

import { defined } from '../object/defined.ts'
import type { SyncAct, SyncEnd } from './act.ts'
import type { TreeEntry } from './entry.ts'
import type { TargetEntry } from './merge.ts'
import { isSame } from './merge.ts'
import { depthOf } from './path.ts'

const make = (end: SyncEnd, path: string, wanted: Exclude<TargetEntry, undefined>): SyncAct => {
  const at = { end, path, expect: undefined }
  if (wanted._tag === 'Folder') return { _tag: 'MakeFolder', ...at }
  if (wanted._tag === 'Link') return { _tag: 'MakeLink', ...at, target: wanted.target }
  return { _tag: 'Write', ...at, file: wanted }
}

/** A folder and a file or link cannot replace each other in one act. */
export const actsFor = (
  end: SyncEnd,
  path: string,
  entry: TreeEntry | undefined,
  wanted: TargetEntry,
  keep: string | undefined,
): ReadonlyArray<SyncAct> => {
  if (isSame(entry, wanted)) return []
  if (entry === undefined) return wanted === undefined ? [] : [make(end, path, wanted)]
  const kept = defined({ keep })
  if (wanted === undefined) return [{ _tag: 'Remove', end, path, expect: entry, ...kept }]
  if (entry._tag === 'Folder' || wanted._tag === 'Folder') {
    return [{ _tag: 'Remove', end, path, expect: entry, ...kept }, make(end, path, wanted)]
  }
  const at = { end, path, expect: entry, ...kept }
  if (wanted._tag === 'Link') return [{ _tag: 'MakeLink', ...at, target: wanted.target }]
  if (entry._tag === 'File' && entry.hash === wanted.hash) {
    return [{ _tag: 'SetExecutable', end, path, expect: entry, isExecutable: wanted.isExecutable }]
  }
  return [{ _tag: 'Write', ...at, file: wanted }]
}

const isRemoval = ({ _tag }: SyncAct): boolean => _tag === 'Remove'

const keyOf = ({ end, path }: SyncAct): string => `${end}/${path}`

const byPath = (a: SyncAct, b: SyncAct): number => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0)

/**
 * Entries are created before others are removed, so that a renamed folder is never missing under both names. Only an
 * entry in the way of another one is removed first. Folders are created from the top down and removed from the bottom
 * up.
 */
export const inOrder = (acts: ReadonlyArray<SyncAct>): ReadonlyArray<SyncAct> => {
  const replaced = new Set(acts.filter((act) => !isRemoval(act)).map(keyOf))
  const cleared = new Set(acts.filter((act) => isRemoval(act) && replaced.has(keyOf(act))).map(keyOf))
  const isInTheWay = (act: SyncAct): boolean => {
    if (cleared.has(keyOf(act))) return true
    for (let at = act.path.indexOf('/'); cleared.size > 0 && at >= 0; at = act.path.indexOf('/', at + 1)) {
      if (cleared.has(`${act.end}/${act.path.slice(0, at)}`)) return true
    }
    return false
  }
  const removals = acts.filter(isRemoval).toSorted((a, b) => depthOf(b.path) - depthOf(a.path) || byPath(a, b))
  return [
    ...removals.filter(isInTheWay),
    ...acts.filter((act) => !isRemoval(act)).toSorted((a, b) => depthOf(a.path) - depthOf(b.path) || byPath(a, b)),
    ...removals.filter((act) => !isInTheWay(act)),
  ]
}
