/** Copies of files of this machine that synchronisation overwrote or deleted, and those that lost a conflict. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { KeptCopy } from '../domain/sync/kept.ts'

/** `store`: the folder of copies. `local`: the synchronised folder. Both are absolute. */
export type KeptIn = { readonly store: string; readonly local: string }

/** Same: the file is there already. Occupied: something else is there. */
export type GivenBack = 'Restored' | 'Same' | 'Occupied'

export type KeptFiles = {
  /** Oldest first. */
  readonly list: (store: string) => Task<ReadonlyArray<KeptCopy>>
  /** `isReplacing`: the current entry is kept as a copy, and then replaced. Left: why it cannot be written. */
  readonly restore: (at: KeptIn, copy: KeptCopy, isReplacing: boolean) => TaskEither<string, GivenBack>
  /** Paths of conflict copies below a folder. Left: why it cannot be listed. */
  readonly conflicts: (local: string) => TaskEither<string, ReadonlyArray<string>>
}
