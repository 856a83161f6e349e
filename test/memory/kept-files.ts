/** The port `KeptFiles` over maps, for tests. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import { conflictOf } from '../../src/domain/sync/conflict-name.ts'
import type { KeptCopy } from '../../src/domain/sync/kept.ts'
import { within } from '../../src/domain/text/path.ts'
import type { KeptFiles } from '../../src/ports/kept-files.ts'

export type MemoryCopy = Pick<KeptCopy, 'atMs' | 'path'> & { readonly content: string }

const copyOf = ({ atMs, content, path }: MemoryCopy): KeptCopy => ({
  ...{ path, atMs, name: `${atMs}/${path}`, size: content.length },
})

/** `kept`: by store. `tree`: files by their absolute paths. */
export const memoryKeptFiles = (
  kept: Map<string, ReadonlyArray<MemoryCopy>> = new Map(),
  tree: Map<string, string> = new Map(),
): KeptFiles => ({
  list: (store) => async () => (kept.get(store) ?? []).map(copyOf).toSorted((a, b) => a.atMs - b.atMs),
  restore: ({ local, store }, { name, path }, isReplacing) =>
    TE.fromIO(() => {
      const all = kept.get(store) ?? []
      const content = all.find((copy) => copyOf(copy).name === name)?.content ?? ''
      const there = tree.get(`${local}/${path}`)
      if (there === content) return 'Same'
      if (there !== undefined && !isReplacing) return 'Occupied'
      if (there !== undefined) kept.set(store, [...all, { path, content: there, atMs: Date.now() }])
      tree.set(`${local}/${path}`, content)
      return 'Restored'
    }),
  conflicts: (local) =>
    TE.fromIO(() =>
      [...tree.keys()]
        .filter((path) => path.startsWith(`${local}/`))
        .map((path) => within(local, path))
        .filter((path) => conflictOf(path) !== undefined)
        .toSorted(),
    ),
})
