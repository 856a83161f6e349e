/** The port `Folders` over a map of files, for tests. */
import { normalise } from '../../src/domain/text/path.ts'
import type { Folders } from '../../src/ports/folders.ts'

/** Reads only the paths of the map; links are not followed. */
export const memoryFolders = (entries: ReadonlyMap<string, unknown>): Folders => ({
  list: (path) => () => {
    const folder = normalise(path)
    const prefix = folder === '.' ? '' : `${folder}/`
    const below = [...entries.keys()].filter((file) => file.startsWith(prefix)).map((file) => file.slice(prefix.length))
    const names = (of: ReadonlyArray<string>): ReadonlyArray<string> => [...new Set(of)].toSorted()
    return Promise.resolve({
      files: names(below.filter((file) => !file.includes('/'))),
      folders: names(below.flatMap((file) => (file.includes('/') ? [file.slice(0, file.indexOf('/'))] : []))),
    })
  },
})
