/** How two trees begin that have agreed on nothing yet. */
import type { SyncEnd } from './act.ts'
import type { TreeEntry } from './entry.ts'
import { isSame } from './merge.ts'

/** What both ends have at a path. */
export type BothEnds = Readonly<Record<SyncEnd, TreeEntry | undefined>>

/**
 * `leaves`: what is there only stays there only. `keeps`: at which end the loser of a conflict is kept beside the winner.
 * `rest`: what was compared once and is still to be carried out; nothing else is decided by the meeting any more.
 */
export type Meeting = {
  readonly preferred: SyncEnd
  readonly leaves: boolean
  readonly keeps: { readonly here: boolean; readonly there: boolean }
  readonly rest?: ReadonlyMap<string, BothEnds>
}

export const settled: Meeting = { preferred: 'here', leaves: false, keeps: { here: true, there: true } }

/** The meeting that decides at a path: of the rest, only while both ends have what they met with. */
export const meetingAt = (
  meeting: Meeting | undefined,
  { here, path, there }: BothEnds & { readonly path: string },
): Meeting | undefined => {
  if (meeting?.rest === undefined) return meeting
  const met = meeting.rest.get(path)
  return met !== undefined && isSame(met.here, here) && isSame(met.there, there) ? meeting : undefined
}
