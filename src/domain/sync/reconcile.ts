/**
 * What is to be done so that both ends become equal: a pure comparison of their entries with the base. The order in
 * which changes happened does not matter.
 */
import { type SyncAct, type SyncEnd, type SyncMode } from './act.ts'
import { actsFor, inOrder } from './acts.ts'
import type { BaseChange, BaseEntry, SyncBase } from './base.ts'
import { conflictName } from './conflict-name.ts'
import type { SeenEntry, SyncTree, TreeEntry, TreeListing } from './entry.ts'
import { type BothEnds, type Meeting, meetingAt, settled } from './meeting.ts'
import { isLost, isSame, type PlainEntry, type TargetEntry, wantsOf } from './merge.ts'
import { ancestorsOf, childOf, leadsOut, nameOf, parentOf } from './path.ts'

/** `meeting`: applies where nothing was agreed on yet. */
export type SyncState = {
  readonly base: SyncBase
  readonly here: SyncTree
  readonly there: SyncTree
  readonly modeOf: (path: string) => SyncMode
  readonly meeting?: Meeting
}

/** Why nothing is done at a path. InTheWay: an entry that is not synchronised is at the path. */
export type Hindrance = { readonly path: string; readonly reason: 'Unknown' | 'Special' | 'InTheWay' | 'Below' }

/**
 * `agreed`: paths where both ends are as they should be, and the base has to follow. `rest`: paths of the meeting that
 * are still to be carried out.
 */
export type Decision = {
  readonly acts: ReadonlyArray<SyncAct>
  readonly rest: ReadonlyMap<string, BothEnds>
  readonly agreed: ReadonlyArray<BaseChange>
  readonly hindrances: ReadonlyArray<Hindrance>
}

/**
 * What is at a path or below. `isBlocked`: an entry that must not be touched. `holds`: an entry that only one end has,
 * and keeps.
 */
type Below = { readonly isWanted: boolean; readonly isBlocked: boolean; readonly holds: Record<SyncEnd, boolean> }

type Draft = {
  readonly state: SyncState
  readonly acts: Array<SyncAct>
  readonly agreed: Array<BaseChange>
  readonly hindrances: Array<Hindrance>
  readonly rest: Map<string, BothEnds>
}

type Met = BothEnds & { readonly path: string; readonly base: BaseEntry | undefined }

const none: ReadonlyMap<string, never> = new Map<string, never>()

const nothing: Below = { isWanted: false, isBlocked: false, holds: { here: false, there: false } }
const blocked: Below = { ...nothing, isBlocked: true }

const isOpaque = (path: string, entry: SeenEntry | undefined): boolean =>
  entry?._tag === 'Special' || (entry?._tag === 'Link' && leadsOut(path, entry.target))

const isSameBase = (a: BaseEntry | undefined, b: BaseEntry | undefined): boolean => {
  if (a === undefined || b === undefined) return a === b
  if (a._tag === 'Left') return b._tag === 'Left' && isSame(a.entry, b.entry)
  if (a._tag === 'Folder') return b._tag === 'Folder' && a.here === b.here && a.there === b.there
  return a._tag !== 'Unsure' && b._tag !== 'Left' && isSame(a, b)
}

const agree = (draft: Draft, path: string, before: BaseEntry | undefined, after: BaseEntry | undefined): void => {
  if (!isSameBase(before, after)) draft.agreed.push([path, after])
}

const hinder = (draft: Draft, path: string, reason: Hindrance['reason']): Below => {
  draft.hindrances.push({ path, reason })
  return blocked
}

const idOf = (entry: TreeEntry | undefined): string => (entry?._tag === 'Folder' ? entry.id : '')

const baseOf = (wanted: TargetEntry, { here, there }: Met): BaseEntry | undefined =>
  wanted?._tag === 'Folder' ? { _tag: 'Folder', here: idOf(here), there: idOf(there) } : wanted

/** Special files, and links that lead out of the tree, stay at one end. */
const visitOpaque = (draft: Draft, met: { path: string; base: BaseEntry | undefined }, ends: Opaque): Below => {
  const { here, there } = ends
  if (here?._tag === 'Unknown' || there?._tag === 'Unknown') return hinder(draft, met.path, 'Unknown')
  const holds = { here: isOpaque(met.path, here), there: isOpaque(met.path, there) }
  if ((here !== undefined && !holds.here) || (there !== undefined && !holds.there)) {
    return hinder(draft, met.path, 'Special')
  }
  agree(draft, met.path, met.base, undefined)
  return { ...nothing, holds }
}

type Opaque = { readonly here: SeenEntry | undefined; readonly there: SeenEntry | undefined }

const isTreeEntry = (path: string, entry: SeenEntry | undefined): entry is TreeEntry | undefined =>
  entry?._tag !== 'Unknown' && !isOpaque(path, entry) && entry?._tag !== 'Special'

const listingOf = (tree: SyncTree, path: string, entry: TreeEntry | undefined): TreeListing | undefined =>
  entry?._tag === 'Folder' ? tree.get(path) : undefined

/** The usual case: both ends have the entry of the base. */
const isAgreed = (base: BaseEntry | undefined, here: SeenEntry | undefined, there: SeenEntry | undefined): boolean =>
  base?._tag === 'File' && here?._tag === 'File' && there?._tag === 'File' && isSame(here, base) && isSame(there, base)

type Names = { readonly open: ReadonlyArray<string>; readonly hasAgreed: boolean }

/** Names of entries that may need an act. */
const namesIn = ({ base, here, there }: SyncState, folder: string): Names => {
  const [known, ours, theirs] = [
    base.get(folder) ?? none,
    here.get(folder)?.entries ?? none,
    there.get(folder)?.entries ?? none,
  ]
  const open: Array<string> = []
  for (const [name, entry] of known) if (!isAgreed(entry, ours.get(name), theirs.get(name))) open.push(name)
  const hasAgreed = open.length < known.size
  for (const name of ours.keys()) if (!known.has(name)) open.push(name)
  for (const name of theirs.keys()) if (!known.has(name) && !ours.has(name)) open.push(name)
  return { open: open.toSorted(), hasAgreed }
}

const visitAll = (draft: Draft, folder: string): Below => {
  const { hasAgreed, open } = namesIn(draft.state, folder)
  let found = { ...nothing, isWanted: hasAgreed }
  for (const name of open) {
    const { holds, isBlocked, isWanted } = visit(draft, childOf(folder, name), true)
    found = {
      isWanted: found.isWanted || isWanted,
      isBlocked: found.isBlocked || isBlocked,
      holds: { here: found.holds.here || holds.here, there: found.holds.there || holds.there },
    }
  }
  return found
}

const below = (draft: Draft, { path, here, there }: Met): Below => {
  const { state } = draft
  const [ours, theirs] = [listingOf(state.here, path, here), listingOf(state.there, path, there)]
  const found = visitAll(draft, path)
  const holds = {
    here: found.holds.here || ours?.isHeld === true,
    there: found.holds.there || theirs?.isHeld === true,
  }
  return { ...found, holds }
}

/** A folder with entries that stay is not removed. */
const withBelow = (wanted: TargetEntry, isStaying: boolean): TargetEntry =>
  isStaying && wanted?._tag !== 'Folder' ? { _tag: 'Folder' } : wanted

const nameFor = (draft: Draft, met: Met, end: SyncEnd, wanted: TargetEntry): string | undefined => {
  const { path } = met
  const { state } = draft
  const entry = met[end]
  // An Unsure entry may have been written since the meeting.
  const isKept = met.base?._tag === 'Unsure' || (meetingAt(state.meeting, met) ?? settled).keeps[end]
  if (entry === undefined || entry._tag === 'Folder' || !isKept || !isLost(met.base, entry, wanted)) return undefined
  const folder = parentOf(path)
  const at = (tree: SyncTree, name: string): SeenEntry | undefined => tree.get(folder)?.entries.get(name)
  const own = (name: string): SeenEntry | undefined => at(state[end], name)
  const other = end === 'here' ? state.there : state.here
  return conflictName(path, entry, (name) => {
    const found = own(name)
    return found === undefined ? at(other, name) === undefined : isTreeEntry(path, found) && isSame(found, entry)
  })
}

/**
 * One end has a folder that cannot be removed, since only this end has its entries; the other end has no such folder.
 */
const visitHeld = (draft: Draft, met: Met, holder: SyncEnd, holds: Below['holds']): Below => {
  const { base, path } = met
  if (met[holder === 'here' ? 'there' : 'here'] !== undefined) return hinder(draft, path, 'InTheWay')
  const entry = met[holder]
  const isLeft = holder === 'there' && (base?._tag === 'Left' || (base === undefined && leaves(draft.state, met)))
  agree(draft, path, base, isLeft && entry !== undefined ? { _tag: 'Left', entry } : undefined)
  return { ...nothing, holds: { ...nothing.holds, [holder]: holds[holder] } }
}

const leaves = ({ meeting, modeOf }: SyncState, met: Met): boolean =>
  meetingAt(meeting, met)?.leaves === true && modeOf(met.path) === 'two-way'

const holderOf = ({ here, there }: Met, { holds, isWanted }: Below): SyncEnd | undefined => {
  if (isWanted) return undefined
  if (here?._tag === 'Folder' && there?._tag !== 'Folder' && holds.here) return 'here'
  return there?._tag === 'Folder' && here?._tag !== 'Folder' && holds.there ? 'there' : undefined
}

const visitMet = (draft: Draft, met: Met, found: Below): Below => {
  const { base, here, path, there } = met
  const { modeOf } = draft.state
  const meeting = meetingAt(draft.state.meeting, met)
  const holder = holderOf(met, found)
  if (holder !== undefined && !found.isBlocked) return visitHeld(draft, met, holder, found.holds)
  if (base === undefined && here === undefined && there !== undefined && !found.isWanted && leaves(draft.state, met)) {
    agree(draft, path, base, { _tag: 'Left', entry: there })
    return { ...nothing, holds: { here: false, there: true }, isBlocked: found.isBlocked }
  }
  const mode = modeOf(path)
  const raw = wantsOf({ base, here, there }, mode, (meeting ?? settled).preferred)
  const wants = {
    here: withBelow(raw.here, found.isWanted),
    there: withBelow(raw.there, found.isWanted),
  }
  const isTouched = !isSame(here, wants.here) || !isSame(there, wants.there)
  if (found.isBlocked && isTouched && (wants.here?._tag !== 'Folder' || wants.there?._tag !== 'Folder')) {
    return hinder(draft, path, 'Below')
  }
  for (const end of ['here', 'there'] as const) {
    for (const act of actsFor(end, path, met[end], wants[end], nameFor(draft, met, end, wants[end])))
      draft.acts.push(act)
  }
  if (isTouched && meeting !== undefined) draft.rest.set(path, { here, there })
  if (!isTouched && !(base?._tag === 'Left' && here === undefined && there !== undefined)) {
    agree(draft, path, base, agreedOn(mode, met, wants))
  }
  const stays: PlainEntry | undefined = wants.here ?? wants.there
  return {
    isWanted: wants.here !== undefined && wants.there !== undefined,
    isBlocked: found.isBlocked,
    holds: {
      here: stays !== undefined && wants.there === undefined,
      there: stays !== undefined && wants.here === undefined,
    },
  }
}

/** With one way, only the source counts: the target's changes are its own. */
const agreedOn = (mode: SyncMode, met: Met, wants: { here: TargetEntry; there: TargetEntry }): BaseEntry | undefined =>
  baseOf(mode === 'pull' ? wants.there : wants.here, met)

/** `isDeep`: includes everything below a folder that both ends have. */
const visit = (draft: Draft, path: string, isDeep: boolean): Below => {
  const { state } = draft
  const [folder, name] = [parentOf(path), nameOf(path)]
  const base = state.base.get(folder)?.get(name)
  const here = state.here.get(folder)?.entries.get(name)
  const there = state.there.get(folder)?.entries.get(name)
  if (!isTreeEntry(path, here) || !isTreeEntry(path, there)) return visitOpaque(draft, { path, base }, { here, there })
  const met: Met = { path, base, here, there }
  const isLeaf = here?._tag !== 'Folder' && there?._tag !== 'Folder' && base?._tag !== 'Folder' && !state.base.has(path)
  const isShallow = !isDeep && isSettled(met)
  return visitMet(draft, met, isLeaf || isShallow ? nothing : below(draft, met))
}

/** A folder of both ends, which stays whatever it contains. */
const isSettled = ({ base, here, there }: Met): boolean =>
  base?._tag === 'Folder' && here?._tag === 'Folder' && there?._tag === 'Folder'

const isSettledPath = ({ base, here, there }: SyncState, path: string): boolean => {
  const [folder, name] = [parentOf(path), nameOf(path)]
  return (
    base.get(folder)?.get(name)?._tag === 'Folder' &&
    here.get(folder)?.entries.get(name)?._tag === 'Folder' &&
    there.get(folder)?.entries.get(name)?._tag === 'Folder'
  )
}

const visitFolder = (draft: Draft, folder: string, isDeep: boolean): void => {
  for (const name of namesIn(draft.state, folder).open) visit(draft, childOf(folder, name), isDeep)
}

/**
 * Compares everything, or only what is directly in some folders. Both give the same result as long as nothing changed
 * in any other folder since the ends agreed on it.
 */
export const reconcile = (state: SyncState, folders?: ReadonlyArray<string>): Decision => {
  const draft: Draft = { state, acts: [], agreed: [], hindrances: [], rest: new Map() }
  if (folders === undefined) visitFolder(draft, '', true)
  else {
    const tops = new Set<string>()
    for (const folder of new Set(folders)) {
      const above = folder === '' ? [] : [...ancestorsOf(folder), folder]
      const top = above.find((path) => !isSettledPath(state, path))
      if (top === undefined) visitFolder(draft, folder, false)
      else tops.add(top)
    }
    for (const top of tops) {
      // Visiting its parent folder includes it already.
      if (!folders.includes(parentOf(top))) visit(draft, top, true)
    }
  }
  return { acts: inOrder(draft.acts), agreed: draft.agreed, hindrances: draft.hindrances, rest: draft.rest }
}
