/** The stored description of a folder that is, or was, synchronised, by which its kept copies can be found. */
import * as t from 'io-ts'
import { fromJson } from '../object/codecs.ts'
import { resolvePath, within } from '../text/path.ts'

const StoredFile = t.readonly(t.type({ here: t.string, there: t.string }))

/**
 * `local`: absolute, on this machine. `remote`: in the container. `others`: paths in it where something else is mounted
 * there. `file`: the name at both ends, when it is a single file.
 */
const StoredFolder = t.readonly(
  t.intersection([
    t.type({ dev: t.string, namespace: t.string, context: t.string, local: t.string, remote: t.string }),
    t.partial({ others: t.readonlyArray(t.string), file: StoredFile }),
  ]),
)
export type StoredFolder = t.TypeOf<typeof StoredFolder>

export const storedFolderText = (folder: StoredFolder): string => `${JSON.stringify(StoredFolder.encode(folder))}\n`

/** Undefined for any other text. */
export const storedFolderIn = (text: string): StoredFolder | undefined => fromJson(StoredFolder, text)

/** The full paths of what is synchronised. */
export const placesOf = ({ file, local, remote }: StoredFolder): Pick<StoredFolder, 'local' | 'remote'> =>
  file === undefined
    ? { local, remote }
    : { local: resolvePath(local, file.here), remote: resolvePath(remote, file.there) }

const isWithin = (folder: string, path: string): boolean => path === folder || within(folder, path) !== path

/** Whether the folder is `cwd`, above it, or below it. */
export const isNear = ({ local }: StoredFolder, cwd: string): boolean => isWithin(local, cwd) || isWithin(cwd, local)

/** An absolute path, relative to the folder; undefined when it is not inside. */
export const pathIn = ({ local }: StoredFolder, path: string): string | undefined =>
  isWithin(local, path) ? within(local, path) : isWithin(path, local) ? '' : undefined
