/** What is stored about a folder that is, or was, synchronised: what its copies belong to when nothing else is left. */
import { pipe } from 'fp-ts/lib/function.js'
import * as O from 'fp-ts/lib/Option.js'
import * as t from 'io-ts'
import { resolvePath, within } from '../text/path.ts'

const StoredFile = t.readonly(t.type({ here: t.string, there: t.string }))

/**
 * `local`: absolute, on this machine. `remote`: in the container. `others`: paths in it where something else is mounted there.
 * `file`: what it is called at both ends, when it is the only one.
 */
const StoredFolder = t.readonly(
  t.intersection([
    t.type({ dev: t.string, namespace: t.string, context: t.string, local: t.string, remote: t.string }),
    t.partial({ others: t.readonlyArray(t.string), file: StoredFile }),
  ]),
)
export type StoredFolder = t.TypeOf<typeof StoredFolder>

export const storedFolderText = (folder: StoredFolder): string => `${JSON.stringify(StoredFolder.encode(folder))}\n`

/** Undefined: it is none. */
export const storedFolderIn = (text: string): StoredFolder | undefined =>
  pipe(
    O.tryCatch((): unknown => JSON.parse(text)),
    O.flatMap((value) => O.fromEither(StoredFolder.decode(value))),
    O.toUndefined,
  )

/** What is synchronised, in full. */
export const placesOf = ({ file, local, remote }: StoredFolder): Pick<StoredFolder, 'local' | 'remote'> =>
  file === undefined
    ? { local, remote }
    : { local: resolvePath(local, file.here), remote: resolvePath(remote, file.there) }

const isWithin = (folder: string, path: string): boolean => path === folder || within(folder, path) !== path

/** Whether the folder is where somebody stands, above it, or below it. */
export const isNear = ({ local }: StoredFolder, cwd: string): boolean => isWithin(local, cwd) || isWithin(cwd, local)

/** An absolute path as it is seen from the folder: undefined when it is not in it. */
export const pathIn = ({ local }: StoredFolder, path: string): string | undefined =>
  isWithin(local, path) ? within(local, path) : isWithin(path, local) ? '' : undefined
