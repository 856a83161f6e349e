/**
 * Entries of a synchronised folder. Paths are relative to its root, with `/` between names; '' is the root itself. The
 * sizes of their texts are limited, since a container may send anything.
 */
import * as t from 'io-ts'
import { Count, textUpTo } from '../object/codecs.ts'

/** `id` distinguishes it from every other folder that had this path: device, inode and time of birth, as text. */
const TreeFolder = t.readonly(t.strict({ _tag: t.literal('Folder'), id: textUpTo(256) }))
export type TreeFolder = t.TypeOf<typeof TreeFolder>

/** `hash`: SHA-256 of the content, in lower-case hexadecimal digits. */
export const TreeFile = t.readonly(
  t.strict({
    _tag: t.literal('File'),
    hash: textUpTo(64, (text) => /^[0-9a-f]{64}$/.test(text)),
    isExecutable: t.boolean,
    size: Count,
  }),
)
export type TreeFile = t.TypeOf<typeof TreeFile>

/** Never followed. */
export const TreeLink = t.readonly(t.strict({ _tag: t.literal('Link'), target: textUpTo(4096) }))
export type TreeLink = t.TypeOf<typeof TreeLink>

/** Entries that can be synchronised. */
export const TreeEntry = t.union([TreeFolder, TreeFile, TreeLink])
export type TreeEntry = t.TypeOf<typeof TreeEntry>

const mostReason = 1000

/** Why something is impossible, for people: a longer text is cut. */
export const Reason = new t.Type<string>(
  'a reason',
  textUpTo(8192).is,
  (input, context) => (typeof input === 'string' ? t.success(input.slice(0, mostReason)) : t.failure(input, context)),
  (text) => text.slice(0, mostReason),
)

/**
 * Special: a socket, pipe or device. Unknown: it could not be read or listed. Neither counts as absent: nothing is done
 * at such a path.
 */
const OpaqueEntry = t.union([
  t.readonly(t.strict({ _tag: t.literal('Special'), reason: Reason })),
  t.readonly(t.strict({ _tag: t.literal('Unknown'), reason: Reason })),
])
export type OpaqueEntry = t.TypeOf<typeof OpaqueEntry>

export const SeenEntry = t.union([...TreeEntry.types, ...OpaqueEntry.types])
export type SeenEntry = t.TypeOf<typeof SeenEntry>

/**
 * The entries directly in a folder, by name. `isHeld`: there are ignored entries as well, so the folder is not empty.
 */
export type TreeListing = { readonly entries: ReadonlyMap<string, SeenEntry>; readonly isHeld: boolean }

/** By the path of the folder. Each folder that a listing contains has its own listing. */
export type SyncTree = ReadonlyMap<string, TreeListing>

/**
 * A look at a whole tree, or at some of its folders. A folder that is new at its path, or has another `id` than before,
 * comes with the listings of all folders below it.
 */
export type TreeLook = { readonly isWhole: boolean; readonly listings: SyncTree }
