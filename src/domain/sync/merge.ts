/** Three-way merge: what a path should be, from the base and the entry at each end. */
import type { SyncEnd, SyncMode } from './act.ts'
import type { BaseEntry } from './base.ts'
import type { TreeFile, TreeLink } from './entry.ts'

/** An entry without its identity: two folders are the same. */
export type PlainEntry = { readonly _tag: 'Folder' } | TreeFile | TreeLink

export type TargetEntry = PlainEntry | undefined

/** The entry that both ends had; Unsure is equal to no entry, and not even to absence. */
type Known = TargetEntry | { readonly _tag: 'Unsure' }

export type Wants = { readonly here: TargetEntry; readonly there: TargetEntry }

export type PathState = {
  readonly base: BaseEntry | undefined
  readonly here: TargetEntry
  readonly there: TargetEntry
}

export const isSame = (a: Known, b: Known): boolean => {
  if (a === undefined || b === undefined) return a === b
  if (a._tag === 'File') {
    return b._tag === 'File' && a.hash === b.hash && a.isExecutable === b.isExecutable
  }
  if (a._tag === 'Link') return b._tag === 'Link' && a.target === b.target
  return a._tag === 'Folder' && b._tag === 'Folder'
}

const folder: PlainEntry = { _tag: 'Folder' }

/** Nothing was agreed on about an entry that was left alone. */
const knownOf = (base: BaseEntry | undefined): Known => (base?._tag === 'Left' ? undefined : base)

const isContent = (base: Known, file: TreeFile): boolean => base?._tag === 'File' && base.hash === file.hash

const isBit = (base: Known, file: TreeFile): boolean => base?._tag === 'File' && base.isExecutable === file.isExecutable

/** Content and executable bit are merged separately: one may have changed here and the other there. */
const mergedFile = (base: Known, preferred: TreeFile, other: TreeFile): TreeFile => {
  const content = isContent(base, preferred) ? other : preferred
  const bit = isBit(base, preferred) ? other : preferred
  return { _tag: 'File', hash: content.hash, size: content.size, isExecutable: bit.isExecutable }
}

/** An edit wins over a deletion, a folder over a file, and the preferred end where both were changed. */
const merged = ({ base, here, there }: PathState, preferred: SyncEnd): TargetEntry => {
  const known = knownOf(base)
  if (isSame(here, there) || isSame(there, known)) return here
  if (isSame(here, known)) return there
  if (here === undefined || there === undefined) return here ?? there
  if (here._tag === 'Folder' || there._tag === 'Folder') return folder
  const [first, second] = preferred === 'here' ? [here, there] : [there, here]
  return first._tag === 'File' && second._tag === 'File' ? mergedFile(known, first, second) : first
}

/** One way: only changes of the source are carried over, and changed entries of the target are not deleted. */
const carried = (base: BaseEntry | undefined, source: TargetEntry, target: TargetEntry): TargetEntry => {
  const known = knownOf(base)
  if (isSame(source, known)) return target
  if (source !== undefined) return source
  return isSame(target, known) ? undefined : target
}

/** The entry that each end should have at the path. */
export const wantsOf = (state: PathState, mode: SyncMode, preferred: SyncEnd): Wants => {
  const { base, here, there } = state
  if (mode === 'push') return { here, there: carried(base, here, there) }
  if (mode === 'pull') return { here: carried(base, there, here), there }
  if (base?._tag === 'Left' && here === undefined && isSame(there, base.entry)) return { here, there }
  const wanted = merged(state, preferred)
  return { here: wanted, there: wanted }
}

/** Whether the content of the entry would be lost when `wanted` replaces it. */
export const isLost = (base: BaseEntry | undefined, entry: TargetEntry, wanted: TargetEntry): boolean => {
  const known = knownOf(base)
  if (entry === undefined || entry._tag === 'Folder' || isSame(entry, known) || isSame(entry, wanted)) return false
  return entry._tag === 'Link' || !(isContent(known, entry) || isContent(wanted, entry))
}
