/**
 * Which files of a folder of manifests to write and delete. The list of our files is written first, with old and new
 * hashes, and again at the end with the new ones only: if the run is interrupted in between, the next one still
 * recognises every file as ours.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import { type Diagnostic, error } from '../diagnostic/diagnostic.ts'
import { fileHash, LIST_FILE, type ListedFile, readFileList, showFileList } from './file-list.ts'
import { isSecretFile, type ManifestFile } from './manifest-files.ts'

/** The entry of a folder under a name; links are not followed. */
export type FolderEntry =
  | { readonly _tag: 'Absent' }
  | { readonly _tag: 'File'; readonly text: string }
  | { readonly _tag: 'Other'; readonly what: string }

/** `before` is absent for a new file, `after` for one that is deleted. */
export type FileChange = {
  readonly name: string
  readonly before?: string
  readonly after?: string
  readonly isPrivate?: boolean
}

type NamedEntry = { readonly name: string; readonly entry: FolderEntry }

const foreign = (folder: string, { entry, name }: NamedEntry): Diagnostic => {
  const what = entry._tag === 'Other' ? `it is ${entry.what}` : 'devtool did not write it, or it was changed since'
  return error('DT2007', `${folder}/${name} is not replaced: ${what}`, {
    help: 'move it away, or choose another folder',
  })
}

const noList = (folder: string): Diagnostic =>
  error('DT2007', `${folder}/${LIST_FILE} is not a list of files that devtool wrote`, {
    help: 'move it away, or choose another folder',
  })

/** The files that the folder's list names, as far as the list can be read. DT2007. */
export const listedIn = (folder: string, entry: FolderEntry): E.Either<Diagnostic, ReadonlyArray<ListedFile>> => {
  if (entry._tag === 'Absent') return E.right([])
  const listed = entry._tag === 'File' ? readFileList(entry.text) : undefined
  return listed === undefined ? E.left(noList(folder)) : E.right(listed)
}

const textIn = (entry: FolderEntry): { readonly before?: string } =>
  entry._tag === 'File' ? { before: entry.text } : {}

const changeOf = (file: ManifestFile, entry: FolderEntry): ReadonlyArray<FileChange> => {
  const { isPrivate, name, text: after } = file
  const isSame = entry._tag === 'File' && fileHash(entry.text) === fileHash(after)
  return isSame ? [] : [{ name, ...textIn(entry), after, isPrivate }]
}

const isOurs = (listed: ReadonlyArray<ListedFile>, wanted: ReadonlyMap<string, ManifestFile>) => {
  const hashes = new Set(listed.map(({ name, sha256 }) => `${name} ${sha256}`))
  return ({ entry, name }: NamedEntry): boolean => {
    if (entry._tag !== 'File') return entry._tag === 'Absent'
    const hash = fileHash(entry.text)
    const file = wanted.get(name)
    return hashes.has(`${name} ${hash}`) || (file !== undefined && hash === fileHash(file.text))
  }
}

type LookedInto = { readonly found: ReadonlyMap<string, FolderEntry>; readonly list: FolderEntry }

const changesOf = (
  folder: string,
  files: ReadonlyArray<ManifestFile>,
  { found, list, listed }: LookedInto & { readonly listed: ReadonlyArray<ListedFile> },
): E.Either<ReadonlyArray<Diagnostic>, ReadonlyArray<FileChange>> => {
  const wanted = new Map(files.map((file) => [file.name, file]))
  const others = [...found].map(([name, entry]) => ({ name, entry })).filter((one) => !isOurs(listed, wanted)(one))
  if (others.length > 0) return E.left(others.map((one) => foreign(folder, one)))
  const written = files.flatMap((file) => changeOf(file, found.get(file.name) ?? { _tag: 'Absent' }))
  const stale = [...found].flatMap(
    ([name, entry]): ReadonlyArray<FileChange> =>
      wanted.has(name) || entry._tag !== 'File' ? [] : [{ name, before: entry.text, isPrivate: isSecretFile(name) }],
  )
  const names = new Set(listed.map(({ name }) => name))
  // An unlisted file that already has the wanted content is somebody else's: it is never removed.
  const now = files
    .filter(({ name }) => names.has(name) || found.get(name)?._tag !== 'File')
    .map(({ name, text }) => ({ name, sha256: fileHash(text) }))
  const [during, after] = [showFileList([...listed, ...now]), showFileList(now)]
  const changes = [...written, ...stale]
  const before = textIn(list)
  if (changes.length === 0) return E.right(before.before === after ? [] : [{ name: LIST_FILE, ...before, after }])
  const first: FileChange = { name: LIST_FILE, ...before, after: during }
  const last: FileChange = { name: LIST_FILE, before: during, after }
  return E.right([first, ...changes, last])
}

/** `found`: the entry under each name that is listed or wanted. DT2007 for every entry that is not ours. */
export const fileChanges = (
  folder: string,
  files: ReadonlyArray<ManifestFile>,
  { found, list }: LookedInto,
): E.Either<ReadonlyArray<Diagnostic>, ReadonlyArray<FileChange>> =>
  pipe(
    listedIn(folder, list),
    E.mapLeft((why): ReadonlyArray<Diagnostic> => [why]),
    E.flatMap((listed) => changesOf(folder, files, { found, list, listed })),
  )
