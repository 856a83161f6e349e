/** What is in a folder, in the order in which BuildKit wants it: by the bytes of the names. */
import { type Dirent, readdirSync } from 'node:fs'

/** `raw`: the bytes of a name that is not valid UTF-8; `name` is only a likeness then. */
export type ListedFiles = { readonly name: string; readonly isDirectory: () => boolean; readonly raw?: Buffer }

/** A path in the file system: bytes where a part of it is no text. */
export type At = string | Buffer

export const below = (folder: At, { name, raw }: ListedFiles): At =>
  typeof folder === 'string' && raw === undefined
    ? `${folder}/${name}`
    : Buffer.concat([Buffer.from(folder), Buffer.from('/'), raw ?? Buffer.from(name)])

const byBytes = (a: ListedFiles, b: ListedFiles): number =>
  Buffer.compare(a.raw ?? Buffer.from(a.name), b.raw ?? Buffer.from(b.name))

const byUnits = (a: ListedFiles, b: ListedFiles): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const bytesOf = (entry: Dirent<Buffer>): ListedFiles => {
  const name = entry.name.toString()
  const isDirectory = (): boolean => entry.isDirectory()
  return Buffer.from(name).equals(entry.name) ? { name, isDirectory } : { name, isDirectory, raw: entry.name }
}

/** Code units sort like bytes except beside surrogates; the replacement character stands for bytes that are no text. */
const UNUSUAL = /[\ud800-\udfff\ufffd]/

/** Throws what the file system throws. */
export const listFolder = (folder: At): ReadonlyArray<ListedFiles> => {
  const entries: Array<ListedFiles> = readdirSync(folder, { withFileTypes: true })
  if (!entries.some(({ name }) => UNUSUAL.test(name))) return entries.toSorted(byUnits)
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map(bytesOf).toSorted(byBytes)
}
