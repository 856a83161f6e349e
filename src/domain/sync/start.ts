/** How two folders begin, from what is stored here and who marked the folder there. */
import type { Meeting } from './meeting.ts'

/**
 * Continue: with the base that is stored; `meeting`: whose files were chosen. Meet: without one. Ask: the folder there
 * belongs to another machine, and only a person can say whose files count.
 */
export type SyncStart<Marker> =
  | { readonly _tag: 'Continue'; readonly meeting?: Meeting }
  | { readonly _tag: 'Meet'; readonly meeting: Meeting }
  | { readonly _tag: 'Ask'; readonly marker: Marker }

const keeps = { here: true, there: true }

/** Into a new container: what it has is of its image, which nobody wrote. */
const fresh: Meeting = { preferred: 'here', leaves: true, keeps: { here: true, there: false } }

/** The base is lost: what differs may have been written at either end. */
const lost: Meeting = { preferred: 'here', leaves: true, keeps }

/** The answers to the question of another machine. What is replaced here is kept by this end anyway. */
export const takeTheirs: Meeting = { preferred: 'there', leaves: false, keeps: { here: false, there: true } }
export const takeMine: Meeting = lost

type StartMarker = { readonly id: string; readonly machine: string; readonly prefers?: 'there' }

/** `stored`: the base that was stored; undefined when there is none, or it cannot be read. An empty one never got far. */
export const startOf = <Marker extends StartMarker>(
  stored: { readonly marker: string; readonly isEmpty: boolean } | undefined,
  marker: Marker | undefined,
  machine: string,
): SyncStart<Marker> => {
  if (marker === undefined) return { _tag: 'Meet', meeting: fresh }
  const meeting = marker.prefers === 'there' ? takeTheirs : lost
  if (marker.id === stored?.marker) {
    if (stored.isEmpty) return { _tag: 'Meet', meeting }
    // What differs now may have been written here since the choice.
    return meeting === takeTheirs ? { _tag: 'Continue', meeting: { ...meeting, keeps } } : { _tag: 'Continue' }
  }
  return marker.machine === machine ? { _tag: 'Meet', meeting } : { _tag: 'Ask', marker }
}
