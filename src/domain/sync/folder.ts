/** Facts about a synchronised folder besides its entries. */
import * as t from 'io-ts'
import { Count, textUpTo } from '../object/codecs.ts'

/**
 * Identifies who synchronised a folder last. Stored in its root, and never synchronised itself. `id` is random.
 * `prefers`: the files there were chosen, and not all of them have been taken over yet.
 */
export const TreeMarker = t.readonly(
  t.exact(
    t.intersection([
      t.type({ id: textUpTo(256), machine: textUpTo(256), user: textUpTo(256), atMs: Count }),
      t.partial({ prefers: t.literal('there') }),
    ]),
  ),
)
export type TreeMarker = t.TypeOf<typeof TreeMarker>

/** Folders that are polled instead of watched, and why: an error code, or the kind of file system. */
export const PolledFolders = t.readonly(t.strict({ folders: Count, because: textUpTo(100) }))
export type PolledFolders = t.TypeOf<typeof PolledFolders>
