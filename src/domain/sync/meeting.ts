/** How two trees are merged for the first time, without a base. */
import type { SyncEnd } from './act.ts'
import type { TreeEntry } from './entry.ts'
import { isSame } from './merge.ts'

/** What both ends have at a path. */
export type BothEnds = Readonly<Record<SyncEnd, TreeEntry | undefined>>

/**
 * `leaves`: entries that exist only there stay only there. `keeps`: at which end the loser of a conflict is kept beside
 * the winner. `rest`: paths that were compared once and are still to be carried out; the meeting decides about no
 * others.
 */
export type Meeting = {
  readonly preferred: SyncEnd
  readonly leaves: boolean
  readonly keeps: { readonly here: boolean; readonly there: boolean }
  readonly rest?: ReadonlyMap<string, BothEnds>
}

export const settled: Meeting = { preferred: 'here', leaves: false, keeps: { here: true, there: true } }

/** The meeting that applies to a path; for `rest`, only while both ends have the entries that were compared. */
export const meetingAt = (
  meeting: Meeting | undefined,
  { here, path, there }: BothEnds & { readonly path: string },
): Meeting | undefined => {
  if (meeting?.rest === undefined) return meeting
  const met = meeting.rest.get(path)
  return met !== undefined && isSame(met.here, here) && isSame(met.there, there) ? meeting : undefined
}
