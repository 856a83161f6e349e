/** Folders of this machine that are synchronised with folders of development containers. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { SyncRules } from '../domain/ignore/sync-rules.ts'
import type { Link } from './link.ts'
import type { SyncJournal } from './sync-journal.ts'
import type { OpenTree, TreeFailure } from './tree.ts'

/**
 * `rules`: the ignore rules. `isCaseIgnored`: names that differ only in case are one file. `newId`: a new one each time.
 * `close`: closes the tree, too.
 */
export type SyncedFolder = {
  readonly tree: OpenTree
  readonly journal: SyncJournal
  readonly rules: SyncRules
  readonly isCaseIgnored: boolean
  readonly newId: () => string
  /** What was done at this end, for troubleshooting. */
  readonly diary: () => string
  /** Writes what is done at the other end to the same log. */
  readonly logged: (there: OpenTree) => OpenTree
  readonly close: Task<void>
}

/** `file`: the only file of the folder to be synchronised. */
export type LocatedFolder = { readonly root: string; readonly file?: string }

/** `others`: paths in it that are something else in the container. `file`: the only file that is synchronised. */
export type SyncScope = { readonly others: ReadonlyArray<string>; readonly file?: string }

/**
 * `ignores`: the text of the rules. `file`: its name at both ends, when it is the only one. `session`: that of links that
 * follow each other. `isEager`: small files that change there are most often wanted here.
 */
export type FarFolder = {
  readonly session: string
  readonly root: string
  readonly ignores: string
  readonly isEager?: boolean
  readonly file?: { readonly here: string; readonly there: string }
}

export type PageLogin = { readonly user: string; readonly password: string }

export type SyncPage = { readonly url: string; readonly close: () => void }

export type SyncedFolders = {
  /** The real path of a folder, or of that of a file. Left: why it has none. */
  readonly locate: (local: string) => TaskEither<string, LocatedFolder>
  /**
   * `store`: where everything about it is stored. `hidden`: a path that is never synchronised, even inside the folder.
   * All are absolute. Left: why it cannot be opened.
   */
  readonly open: (root: string, store: string, hidden: string, scope: SyncScope) => TaskEither<string, SyncedFolder>
  /** The log of the other end of a link. Left: why it cannot be read. */
  readonly diary: (link: Link, signal: AbortSignal) => TaskEither<string, string>
  /** Serves a text to this machine only. Left: why that is impossible. */
  readonly serve: (login: PageLogin, text: Task<string>) => TaskEither<string, SyncPage>
  /** The folder at the other end of a link. */
  readonly reach: (link: Link, folder: FarFolder) => TaskEither<TreeFailure, OpenTree>
}
