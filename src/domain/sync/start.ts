/**
 * How the synchronisation of two folders starts, depending on the base stored here and on the marker of the folder
 * there.
 */
import type { Meeting } from './meeting.ts'

/**
 * Continue: with the stored base; `meeting`: whose files were chosen. Meet: without a base. Ask: the folder there
 * belongs to another machine, so a person has to choose whose files count.
 */
export type SyncStart<Marker> =
  | { readonly _tag: 'Continue'; readonly meeting?: Meeting }
  | { readonly _tag: 'Meet'; readonly meeting: Meeting }
  | { readonly _tag: 'Ask'; readonly marker: Marker }

const keeps = { here: true, there: true }

/** For a new container: its files come from the image, and nobody has written them. */
const fresh: Meeting = { preferred: 'here', leaves: true, keeps: { here: true, there: false } }

/** The base is lost: differences may have been written at either end. */
const lost: Meeting = { preferred: 'here', leaves: true, keeps }

/** The answers to the question about another machine. Files replaced here are kept as copies anyway. */
export const takeTheirs: Meeting = { preferred: 'there', leaves: false, keeps: { here: false, there: true } }
export const takeMine: Meeting = lost

type StartMarker = { readonly id: string; readonly machine: string; readonly prefers?: 'there' }

/**
 * `stored`: the stored base; undefined when there is none, or it cannot be read. An empty base means that the first
 * synchronisation did not get far.
 */
export const startOf = <Marker extends StartMarker>(
  stored: { readonly marker: string; readonly isEmpty: boolean } | undefined,
  marker: Marker | undefined,
  machine: string,
): SyncStart<Marker> => {
  if (marker === undefined) return { _tag: 'Meet', meeting: fresh }
  const meeting = marker.prefers === 'there' ? takeTheirs : lost
  if (marker.id === stored?.marker) {
    if (stored.isEmpty) return { _tag: 'Meet', meeting }
    // Differences may have been written here since the choice.
    return meeting === takeTheirs ? { _tag: 'Continue', meeting: { ...meeting, keeps } } : { _tag: 'Continue' }
  }
  return marker.machine === machine ? { _tag: 'Meet', meeting } : { _tag: 'Ask', marker }
}
