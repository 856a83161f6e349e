/**
 * Folders that are synchronised with several development containers: each is watched, listed and read once. What differs
 * is where copies are kept.
 */
import type { OpenTree } from '../../ports/tree.ts'
import type { DiskTree } from './disk-tree.ts'
import type { Keep } from './kept.ts'

type Shared = { readonly tree: DiskTree; readonly users: Set<OpenTree> }

/** `key`: that of trees that are the same. `open`: called when no such tree is open. */
type SharedTrees = (key: string, open: () => DiskTree, keep: Keep) => OpenTree

export const sharedTrees = (): SharedTrees => {
  const all = new Map<string, Shared>()
  return (key, open, keep) => {
    const shared = all.get(key) ?? { tree: open(), users: new Set() }
    all.set(key, shared)
    const tree: OpenTree = {
      ...shared.tree.keeping(keep),
      close: () => {
        if (!shared.users.delete(tree) || shared.users.size > 0) return
        all.delete(key)
        shared.tree.close()
      },
    }
    shared.users.add(tree)
    return tree
  }
}
