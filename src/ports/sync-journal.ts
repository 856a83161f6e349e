/** Where the base of a synchronisation is stored, on this machine. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { JournalWrite } from '../domain/sync/journal.ts'

/** Left: why it could not be read or written. */
export type SyncJournal = {
  /** `undefined`: there is none. */
  readonly read: TaskEither<string, Uint8Array | undefined>
  /** Replaces the whole journal atomically. */
  readonly replace: (write: JournalWrite) => TaskEither<string, void>
  /** Writes the bytes after the first `length` bytes of the body, then the head. */
  readonly add: (length: number, write: JournalWrite) => TaskEither<string, void>
}
