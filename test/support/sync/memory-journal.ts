/** The journal of a synchronisation, in memory. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { journalHeadLength } from '../../../src/domain/sync/journal.ts'
import type { SyncJournal } from '../../../src/ports/sync-journal.ts'

/** `bytes`: as on disk. */
export type MemoryJournal = SyncJournal & { bytes: Uint8Array | undefined }

export const memoryJournal = (): MemoryJournal => {
  const journal: MemoryJournal = {
    bytes: undefined,
    read: () => Promise.resolve(E.right(journal.bytes)),
    replace: (write) => () => {
      journal.bytes = Buffer.concat([write.head, write.bytes])
      return Promise.resolve(E.right(undefined))
    },
    add: (length, write) => () => {
      const before = journal.bytes ?? new Uint8Array()
      const kept = before.subarray(journalHeadLength, journalHeadLength + length)
      journal.bytes = Buffer.concat([write.head, kept, write.bytes])
      return Promise.resolve(E.right(undefined))
    },
  }
  return journal
}

/** `die`: ends all writing. */
export type OwnJournal = SyncJournal & { readonly die: () => void }

/** The journal on disk, as seen by one process. */
export const journalOf = ({ add, read, replace }: SyncJournal): OwnJournal => {
  let isDead = false
  const dead = TE.left('it was killed')
  return {
    read,
    replace: (write) => () => (isDead ? dead : replace(write))(),
    add: (length, write) => () => (isDead ? dead : add(length, write))(),
    die: () => {
      isDead = true
    },
  }
}
