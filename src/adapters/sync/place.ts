/** Gives an entry of a synchronised folder the name at which users find it. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { withEnding } from '../../domain/sync/conflict-name.ts'
import { childOf, nameOf, parentOf } from '../../domain/sync/path.ts'
import { codeOf } from './disk.ts'

/** Returns false if the name is not free. Otherwise the entry may have both names. */
export const placeNew = (from: string, to: string): boolean => {
  try {
    fs.linkSync(from, to)
    return true
  } catch (cause) {
    if (codeOf(cause) === 'EEXIST') return false
    // Some file systems have no hard links.
    if (fs.lstatSync(to, { throwIfNoEntry: false }) !== undefined) return false
    fs.renameSync(from, to)
    return true
  }
}

/**
 * Moves an entry that was set aside to its path, or to the first free `NAME.conflict-N`: in the root, if its folder is
 * gone. `from`: the first N; 0 is the path itself.
 */
export const putBack = (root: string, aside: string, path: string, from: number): void => {
  const full = join(root, aside)
  const isPlaced = (to: string): boolean => {
    try {
      return placeNew(full, join(root, to))
    } catch (cause) {
      if (fs.existsSync(join(root, parentOf(to)))) throw cause
      return placeNew(full, join(root, nameOf(to)))
    }
  }
  for (let again = from; fs.lstatSync(full, { throwIfNoEntry: false }) !== undefined; again += 1) {
    const name = again === 0 ? path : childOf(parentOf(path), withEnding(nameOf(path), `.conflict-${again}`))
    if (isPlaced(name)) fs.rmSync(full, { force: true })
  }
}
