/** How the synchronisation of two folders starts, or continues after a link was lost. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { emptyBase, type SyncBase } from '../../domain/sync/base.ts'
import type { TreeMarker } from '../../domain/sync/folder.ts'
import type { Meeting } from '../../domain/sync/meeting.ts'
import { startOf, takeMine, takeTheirs } from '../../domain/sync/start.ts'
import type { Clock } from '../../ports/clock.ts'
import type { TreeEndpoint, TreeFailure } from '../../ports/tree.ts'
import type { BaseKeeper } from './keep-base.ts'

export type SyncIdentity = {
  readonly machine: string
  readonly user: string
  /** A new marker for a folder that has none. */
  readonly newId: () => string
  /**
   * Asks whose files to keep in a folder that was last synchronised by another machine. Left: why nobody can decide.
   */
  readonly whose: (marker: TreeMarker) => TE.TaskEither<string, 'Mine' | 'Theirs'>
}

/**
 * `marker`: that of the folder there, to which the base belongs. `meeting`: until both folders have been compared once.
 */
export type SyncBeginning = {
  readonly marker: string | undefined
  readonly base: SyncBase
  readonly meeting: Meeting | undefined
}

/**
 * Sends files before anything is compared. `isNew`: the folder there was never synchronised. `agree` gets the entries
 * that both ends have, as soon as they are known.
 */
export type FirstTransfer = (
  begun: { readonly base: SyncBase; readonly isNew: boolean },
  agree: (base: SyncBase) => void,
) => TE.TaskEither<TreeFailure, void>

type Begun = SyncBeginning & { readonly marker: string }

const keeps = { here: true, there: true }

/** The choice is stored, so that it outlives this process. */
const chosen = ({ preferred }: Meeting): Pick<TreeMarker, 'prefers'> =>
  preferred === 'there' ? { prefers: preferred } : {}

/** `note`: called before anything is changed there, since an answer may be lost. */
export const begin = (
  clock: Clock,
  keeper: BaseKeeper,
  { machine, newId, user, whose }: SyncIdentity,
  note: (begun: SyncBeginning) => void,
) => {
  /**
   * Files that are written in the container during the transfer are kept, since the base has all files of the image.
   */
  const sent = (first: FirstTransfer | undefined, begun: Begun, isNew: boolean): TE.TaskEither<string, Begun> => {
    // When the files there were chosen, nothing is sent first.
    if (first === undefined || begun.meeting?.preferred === 'there') return TE.right(begun)
    let latest = begun
    const agree = (base: SyncBase): void => {
      latest = { ...begun, base }
      note(latest)
    }
    return pipe(
      first({ base: begun.base, isNew }, agree),
      TE.mapLeft(({ reason }) => reason),
      TE.flatMap(() => keeper.begin({ marker: begun.marker, base: latest.base })),
      TE.map(() => latest),
    )
  }

  const meet = (
    there: TreeEndpoint,
    meeting: Meeting,
    isNew: boolean,
    first: FirstTransfer | undefined,
  ): TE.TaskEither<string, SyncBeginning> => {
    const id = newId()
    const isSent = first !== undefined && meeting.preferred === 'here'
    const begun = { marker: id, base: emptyBase, meeting: isSent ? { ...meeting, keeps } : meeting }
    return pipe(
      keeper.begin({ marker: id, base: emptyBase }),
      TE.tapIO(() => () => note(begun)),
      TE.flatMap(() =>
        pipe(
          there.mark({ id, machine, user, atMs: clock.wallMs(), ...chosen(meeting) }),
          TE.mapLeft(({ reason }) => reason),
        ),
      ),
      TE.flatMap(() => sent(first, begun, isNew)),
    )
  }

  /** `before`: the state known on this machine. */
  return (there: TreeEndpoint, before: SyncBeginning, first?: FirstTransfer): TE.TaskEither<string, SyncBeginning> =>
    pipe(
      there.marker,
      TE.mapLeft(({ reason }) => reason),
      TE.flatMap((marker) => {
        const { base, marker: stored, meeting } = before
        if (meeting !== undefined && marker !== undefined && marker.id === stored) {
          return meeting.rest === undefined ? sent(first, { ...before, marker: stored }, false) : TE.right(before)
        }
        const known = stored === undefined ? undefined : { marker: stored, isEmpty: base.size === 0 }
        const start = startOf(known, marker, machine)
        if (start._tag === 'Continue') return TE.right({ ...before, meeting: start.meeting })
        if (start._tag === 'Meet') return meet(there, start.meeting, marker === undefined, first)
        return pipe(
          whose(start.marker),
          TE.flatMap((answer) => meet(there, answer === 'Mine' ? takeMine : takeTheirs, false, undefined)),
        )
      }),
    )
}
