/** How a pure computation asks for files: it yields what it needs and goes on when the answers are in the store. */
import type { Checked } from '../domain/checked.ts'
import type { FileContent } from '../domain/compose/files.ts'
import type { Node } from '../domain/yaml/node.ts'
import type { EntryKind } from '../ports/files.ts'

/** What is known so far; drivers add to it. */
export type Store = {
  readonly contents: Map<string, FileContent>
  readonly kinds: Map<string, EntryKind>
  readonly cache: Map<string, Checked<ReadonlyArray<Node>>>
}

export const emptyStore = (): Store => ({ contents: new Map(), kinds: new Map(), cache: new Map() })

/**
 * Paths whose content (`Read`) or kind (`Look`) must be in the store before the computation goes on. `folder` is
 * the project folder, to which reading may be confined.
 */
type Ask =
  | { readonly _tag: 'Read'; readonly paths: ReadonlyArray<string>; readonly folder: string }
  | { readonly _tag: 'Look'; readonly paths: ReadonlyArray<string> }

export type Asking<A> = Generator<Ask, A, void>
