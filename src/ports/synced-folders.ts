/** Folders of this machine that are kept the same as folders of development containers. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { SyncRules } from '../domain/ignore/sync-rules.ts'
import type { Link } from './link.ts'
import type { SyncJournal } from './sync-journal.ts'
import type { OpenTree, TreeFailure } from './tree.ts'

/** `rules`: what is left out. `newId`: another one each time. `close`: the tree, too. */
export type SyncedFolder = {
  readonly tree: OpenTree
  readonly journal: SyncJournal
  readonly rules: SyncRules
  readonly newId: () => string
  /** What was done here: for people who look for a fault. */
  readonly diary: () => string
  readonly close: Task<void>
}

/** `file`: the only one of the folder that is meant. */
export type LocatedFolder = { readonly root: string; readonly file?: string }

/** `others`: paths in it that are something else in the container. `file`: the only one that is synchronised. */
export type SyncScope = { readonly others: ReadonlyArray<string>; readonly file?: string }

/** `ignores`: the text of the rules. `file`: what it is called at both ends, when it is the only one. */
export type FarFolder = {
  readonly root: string
  readonly ignores: string
  readonly file?: { readonly here: string; readonly there: string }
}

export type PageLogin = { readonly user: string; readonly password: string }

export type SyncPage = { readonly url: string; readonly close: () => void }

export type SyncedFolders = {
  /** The real path of a folder, or of that of a file. Left: why it has none. */
  readonly locate: (local: string) => TaskEither<string, LocatedFolder>
  /**
   * `store`: where everything about it is stored. `hidden`: what is never synchronised, though it may be in the folder.
   * All are absolute. Left: why it cannot be.
   */
  readonly open: (root: string, store: string, hidden: string, scope: SyncScope) => TaskEither<string, SyncedFolder>
  /** What was done at the other end of a link. Left: why that is not known. */
  readonly diary: (link: Link, signal: AbortSignal) => TaskEither<string, string>
  /** Serves a text to this machine alone. Left: why it cannot be. */
  readonly serve: (login: PageLogin, text: Task<string>) => TaskEither<string, SyncPage>
  /** The folder at the other end of a link. */
  readonly reach: (link: Link, folder: FarFolder) => TaskEither<TreeFailure, OpenTree>
}
