/** How a pure computation asks for files: it yields what it needs and goes on when the answers are in the store. */
import * as E from 'fp-ts/lib/Either.js'
import type { Checked } from '../../domain/checked.ts'
import { type FileContent, type Files, filesFrom } from '../../domain/compose/files.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { readManifest } from '../../domain/manifest/read/manifest.ts'
import type { Node } from '../../domain/yaml/node.ts'
import type { EntryKind } from '../../ports/files.ts'

/** Code that few projects need, loaded when one does. */
export type Code = { readManifest?: typeof readManifest }

/** What is known so far; drivers add to it. */
export type Store = {
  readonly contents: Map<string, FileContent>
  readonly kinds: Map<string, EntryKind>
  readonly cache: Map<string, Checked<ReadonlyArray<Node>>>
  readonly code: Code
}

/** `code`: what is loaded already, by those who cannot wait. */
export const emptyStore = (code: Code = {}): Store => ({
  contents: new Map(),
  kinds: new Map(),
  cache: new Map(),
  code,
})

/**
 * Paths whose content (`Read`) or kind (`Look`) must be in the store before the computation goes on, or the code (`Load`).
 * `folder` is the project folder, to which reading may be confined.
 */
type Ask =
  | { readonly _tag: 'Read'; readonly paths: ReadonlyArray<string>; readonly folder: string }
  | { readonly _tag: 'Look'; readonly paths: ReadonlyArray<string> }
  | { readonly _tag: 'Load' }

export type Asking<A> = Generator<Ask, A, void>

/** More rounds than this are no project: each file would lead to one further file. */
const mostRounds = 500

/** Runs `attempt` until it asks for nothing new. */
export function* settle<A>(
  store: Store,
  folder: string,
  attempt: (files: Files) => A,
): Asking<E.Either<Diagnostic, A>> {
  for (let round = 0; round < mostRounds; round += 1) {
    const files = filesFrom(store.contents, store.cache)
    const value = attempt(files)
    const paths = files.missing()
    if (paths.length === 0) return E.right(value)
    yield { _tag: 'Read', paths, folder }
  }
  return E.left(error('DT1006', `more than ${mostRounds} files refer to one another`))
}
