/** Stores the base: small additions to a journal, and from time to time all of it. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { BaseChange, SyncBase } from '../../domain/sync/base.ts'
import {
  addedTo,
  type JournalEnd,
  type JournalRead,
  type JournalWrite,
  newJournal,
  readJournal,
  type StoredBase,
} from '../../domain/sync/journal.ts'
import type { SyncJournal } from '../../ports/sync-journal.ts'

/** `begin`: discards what was stored. */
export type BaseKeeper = {
  /** Undefined: there is none, or it is damaged. */
  readonly read: TE.TaskEither<string, StoredBase | undefined>
  readonly begin: (stored: StoredBase) => TE.TaskEither<string, void>
  /** `base`: with the changes applied. */
  readonly store: (changes: ReadonlyArray<BaseChange>, base: () => SyncBase) => TE.TaskEither<string, void>
}

/** When additions have made the journal this much longer, it is rewritten. */
const leastGrowth = 4 * 1024 * 1024

/** `end`: undefined when it is unknown, so that only a complete rewrite is possible. */
type Kept = { readonly marker: string; readonly end: JournalEnd | undefined; readonly whole: number }

export const keepBase = (journal: SyncJournal): BaseKeeper => {
  let kept: Kept = { marker: '', end: undefined, whole: 0 }

  const after = (written: TE.TaskEither<string, void>, { end }: JournalWrite): TE.TaskEither<string, void> => {
    kept = { ...kept, end: undefined }
    return pipe(
      written,
      TE.map(() => {
        kept = { ...kept, end }
      }),
    )
  }

  const begin = (stored: StoredBase): TE.TaskEither<string, void> => {
    const write = newJournal(stored)
    kept = { marker: stored.marker, end: undefined, whole: write.end.length }
    return after(journal.replace(write), write)
  }

  const known = ({ end, stored }: JournalRead): StoredBase => {
    kept = { marker: stored.marker, end, whole: end.length }
    return stored
  }

  return {
    begin,
    read: pipe(
      journal.read,
      TE.map((bytes) =>
        bytes === undefined ? undefined : E.getOrElseW(() => undefined)(pipe(readJournal(bytes), E.map(known))),
      ),
    ),
    store: (changes, base) => async () => {
      const { end, marker, whole } = kept
      if (end === undefined || end.length - whole > Math.max(leastGrowth, whole)) {
        return begin({ marker, base: base() })()
      }
      const write = addedTo(end, changes)
      return after(journal.add(end.length, write), write)()
    },
  }
}
