/**
 * The base: the state that both ends last agreed on. It changes only where both ends are found equal, or an act was
 * carried out.
 */

import type { TreeFile, TreeFolder, TreeLink } from './entry.ts'
import { nameOf, parentOf } from './path.ts'

/** A folder at both ends, with its identity at each. */
type AgreedFolder = { readonly _tag: 'Folder'; readonly here: string; readonly there: string }

/**
 * Unsure: an act on it may or may not have been carried out, so it counts as changed at both ends. Left: it existed
 * only in the container when the ends first met, and is left alone until it changes.
 */
export type BaseEntry =
  | AgreedFolder
  | TreeFile
  | TreeLink
  | { readonly _tag: 'Unsure' }
  | { readonly _tag: 'Left'; readonly entry: TreeFile | TreeLink | TreeFolder }

/** By folder and name, like a tree. */
export type SyncBase = ReadonlyMap<string, ReadonlyMap<string, BaseEntry>>

/** Undefined: nothing is agreed on at the path any more. */
export type BaseChange = readonly [path: string, entry: BaseEntry | undefined]

export const emptyBase: SyncBase = new Map()

export const withChanges = (before: SyncBase, changes: ReadonlyArray<BaseChange>): SyncBase => {
  if (changes.length === 0) return before
  const base = new Map(before)
  const own = new Map<string, Map<string, BaseEntry>>()
  for (const [path, entry] of changes) {
    const folder = parentOf(path)
    const names = own.get(folder) ?? new Map(base.get(folder))
    own.set(folder, names)
    if (entry === undefined) names.delete(nameOf(path))
    else names.set(nameOf(path), entry)
  }
  for (const [folder, names] of own) {
    if (names.size === 0) base.delete(folder)
    else base.set(folder, names)
  }
  return base
}

/** After a crash, it is unknown which acts were carried out. */
export const unsure = (paths: ReadonlyArray<string>): ReadonlyArray<BaseChange> =>
  paths.map((path) => [path, { _tag: 'Unsure' }])
