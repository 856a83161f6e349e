/** The entries of a folder in BuildKit's order: by the bytes of their names. */
import { readdirSync } from 'node:fs'
import { bytesOfName, nameOf, toPath } from '../../paths/name.ts'

export type ListedFiles = { readonly name: string; readonly isDirectory: () => boolean }

const byBytes = (a: ListedFiles, b: ListedFiles): number => Buffer.compare(bytesOfName(a.name), bytesOfName(b.name))

const byUnits = (a: ListedFiles, b: ListedFiles): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0)

/** Code units sort like bytes except next to surrogates; the replacement character stands for invalid bytes. */
const UNUSUAL = /[\ud800-\udfff\ufffd]/

/** Throws errors of the file system. */
export const listFolder = (folder: string): ReadonlyArray<ListedFiles> => {
  const at = toPath(folder)
  const entries: Array<ListedFiles> = readdirSync(at, { withFileTypes: true })
  if (!entries.some(({ name }) => UNUSUAL.test(name))) return entries.toSorted(byUnits)
  return readdirSync(at, { withFileTypes: true, encoding: 'buffer' })
    .map((entry) => ({ name: nameOf(entry.name), isDirectory: () => entry.isDirectory() }))
    .toSorted(byBytes)
}
