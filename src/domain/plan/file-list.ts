/**
 * The list of the files that devtool wrote into a folder, with the hash of what it wrote: anything else there belongs
 * to somebody else.
 */
import * as t from 'io-ts'
import { fromJson } from '../object/codecs.ts'
import { sha256 } from '../text/sha256.ts'

export const LIST_FILE = '.devtool-files.json'

/** A name with a folder, or one that devtool never writes, shows that the list is not ours. */
const isOwnName = (name: string): boolean => /^[a-z0-9][a-z0-9.-]*\.yaml$/.test(name)

const Name = t.refinement(t.string, isOwnName, 'name of a file')

const FileList = t.strict({
  schema: t.literal(1),
  files: t.readonlyArray(t.strict({ name: Name, sha256: t.string })),
})

/** While files are being replaced, a name is listed twice, with its old and its new hash. */
export type ListedFile = t.TypeOf<typeof FileList>['files'][number]

/** Git may convert line endings, so these are ignored. */
export const fileHash = (text: string): string => sha256(text.replaceAll('\r\n', '\n'))

/** `undefined` when the text is not such a list. */
export const readFileList = (text: string): ReadonlyArray<ListedFile> | undefined => fromJson(FileList, text)?.files

export const showFileList = (files: ReadonlyArray<ListedFile>): string => {
  const byName = new Map(files.map((file) => [`${file.name} ${file.sha256}`, file]))
  const sorted = [...byName].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, file]) => file)
  return `${JSON.stringify({ schema: 1, files: sorted }, undefined, 2)}\n`
}
