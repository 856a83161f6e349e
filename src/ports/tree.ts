/**
 * One end of a synchronised folder: it lists entries and carries out acts. The engine in `domain/sync` decides which.
 */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { ActOutcome, FillAct, SyncAct } from '../domain/sync/act.ts'
import type { TreeFile, TreeLook } from '../domain/sync/entry.ts'
import type { PolledFolders, TreeMarker } from '../domain/sync/folder.ts'

/** NoRoot: the folder itself does not exist, or cannot be listed. Lost: the link to the end broke. */
export type TreeFailure = { readonly _tag: 'NoRoot' | 'Lost'; readonly reason: string }

/**
 * Looked: folders in which something may have changed. Overflow: changes were missed, so everything has to be looked
 * at.
 */
export type TreeEvent =
  | { readonly _tag: 'Looked'; readonly look: TreeLook }
  | { readonly _tag: 'Overflow' }
  | { readonly _tag: 'Lost'; readonly reason: string }

/**
 * Looks and acts of one end are ordered: a look, requested or not, is never older than an act whose outcome has been
 * reported already.
 */
export type TreeEndpoint = {
  /** Looks at these folders, or at all of them. Missing folders are left out. */
  readonly look: (folders?: ReadonlyArray<string>) => TaskEither<TreeFailure, TreeLook>
  /** Reports changes until it is stopped. A folder is watched before it is listed, so that nothing is missed. */
  readonly watch: (onEvent: (event: TreeEvent) => void) => () => void
  /** The content of a file, if it still matches `file`; otherwise reading fails. */
  readonly read: (path: string, file: TreeFile) => AsyncIterable<Uint8Array>
  /**
   * Acts are carried out in the order in which they are sent, even before earlier ones are answered. `content` is
   * present for Write only; when it fails or has another hash, nothing is written.
   */
  readonly act: (act: SyncAct, content?: AsyncIterable<Uint8Array>) => Task<ActOutcome>
  /**
   * The outcomes of acts that were lost with an earlier link, which no longer changes anything. Undefined: this end does
   * not know them.
   */
  readonly outcomes: (tickets: ReadonlyArray<string>) => TaskEither<TreeFailure, ReadonlyArray<ActOutcome> | undefined>
  readonly marker: TaskEither<TreeFailure, TreeMarker | undefined>
  readonly mark: (marker: TreeMarker) => TaskEither<TreeFailure, void>
}

/** An open end: it watches, or holds a stream, until it is closed. */
export type OpenTree = TreeEndpoint & {
  /**
   * Creates missing entries in a folder that was never synchronised. `contents`: of the files, concatenated. Right: the
   * indexes of those that were not created.
   */
  readonly makeAll: (
    acts: ReadonlyArray<FillAct>,
    contents: Uint8Array,
  ) => TaskEither<TreeFailure, ReadonlyArray<number>>
  readonly polled: TaskEither<TreeFailure, PolledFolders | undefined>
  readonly close: () => void
}
