/** How the file system of a root treats the names of files. */
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { finished, unfinishedIn } from './unfinished.ts'

/** Mixed case, and a letter that has two forms in Unicode. */
const name = 'Aa\u00c9'

const namesMadeIn = (folder: string): ReadonlyArray<string> => {
  try {
    writeFileSync(join(folder, name), '')
    return readdirSync(folder)
  } catch {
    // It takes fewer characters than others, and tells so.
    return []
  }
}

/**
 * Whether names that differ only in case are one file. Throws when files get other names than those that they are
 * created with: at the other end, they would be renamed. A folder that cannot be written to is not tried.
 */
export const ignoresCase = (root: string): boolean => {
  const path = unfinishedIn(root)('')
  const folder = join(root, path)
  try {
    mkdirSync(folder)
  } catch {
    finished(path)
    return false
  }
  try {
    const [made = name] = namesMadeIn(folder)
    if (made !== name) {
      throw new Error(
        `the file system of ${root} changes the names of files, so those at the other end would be renamed`,
      )
    }
    return existsSync(join(folder, name.toLowerCase()))
  } finally {
    rmSync(folder, { recursive: true, force: true })
    finished(path)
  }
}

/** The name by which the entry at the path is stored, if that differs from the name in the path. */
export const twinOf = (path: string): string | undefined => {
  const [wanted, names] = [basename(path), readdirSync(dirname(path))]
  return names.includes(wanted)
    ? undefined
    : names.find((one) => one.normalize().toLowerCase() === wanted.normalize().toLowerCase())
}
