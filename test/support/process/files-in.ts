/** The files of a folder with arbitrary content. */
import * as fs from 'node:fs'
import { join } from 'node:path'

/**
 * The regular files below a folder. Links are not followed: `readdir` with `recursive` does so in some releases of Node, and
 * two links that lead back are then as many folders as memory can hold.
 */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  fs.readdirSync(folder, { withFileTypes: true }).flatMap((one) => {
    const path = join(folder, one.name)
    if (one.isDirectory()) return filesIn(path)
    return one.isFile() ? [path] : []
  })
