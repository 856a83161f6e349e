/** What is in a folder, in the order in which BuildKit wants it: by the bytes of the names. */
import { type Dirent, readdirSync } from 'node:fs'

/** `raw`: the bytes of a name that is not valid UTF-8; `name` is only a likeness then. */
export type Listed = { readonly name: string; readonly isDirectory: () => boolean; readonly raw?: Buffer }

/** A path in the file system: bytes where a part of it is no text. */
export type At = string | Buffer

export const below = (folder: At, { name, raw }: Listed): At =>
  typeof folder === 'string' && raw === undefined
    ? `${folder}/${name}`
    : Buffer.concat([Buffer.from(folder), Buffer.from('/'), raw ?? Buffer.from(name)])

const byBytes = (a: Listed, b: Listed): number =>
  Buffer.compare(a.raw ?? Buffer.from(a.name), b.raw ?? Buffer.from(b.name))

const byUnits = (a: Listed, b: Listed): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

const bytesOf = (entry: Dirent<Buffer>): Listed => {
  const name = entry.name.toString()
  const isDirectory = (): boolean => entry.isDirectory()
  return Buffer.from(name).equals(entry.name) ? { name, isDirectory } : { name, isDirectory, raw: entry.name }
}

/** Code units sort like bytes except beside surrogates; the replacement character stands for bytes that are no text. */
const UNUSUAL = /[\ud800-\udfff\ufffd]/

/** Throws what the file system throws. */
export const listFolder = (folder: At): ReadonlyArray<Listed> => {
  const entries: Array<Listed> = readdirSync(folder, { withFileTypes: true })
  if (!entries.some(({ name }) => UNUSUAL.test(name))) return entries.toSorted(byUnits)
  return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' }).map(bytesOf).toSorted(byBytes)
}
