/** The port `Home` over a map: for tests. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Home } from '../../src/ports/home.ts'

/** The map is the folder, and contains what was written. */
export const memoryHome = (files: Map<string, string> = new Map()): Home => ({
  where: (path) => `/home/dev/.devtool/${path}`,
  list: (folder) => async () => {
    const within = [...files.keys()].filter((path) => path.startsWith(`${folder}/`))
    return [...new Set(within.flatMap((path) => path.slice(folder.length + 1).split('/', 1)))].toSorted()
  },
  read: (path) => TE.fromIO(() => files.get(path)),
  change: (path, change) =>
    TE.fromIOEither(() => {
      const changed = change(files.get(path))
      if (E.isRight(changed)) files.set(path, changed.right)
      return E.map(() => undefined)(changed)
    }),
})
