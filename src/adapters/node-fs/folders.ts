/** The port `Folders` over node:fs. */
import { readdirSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { FolderListing, Folders } from '../../ports/folders.ts'

const kindOf = (path: string): 'File' | 'Folder' | 'Other' => {
  const stat = statSync(path, { throwIfNoEntry: false })
  return stat?.isFile() === true ? 'File' : stat?.isDirectory() === true ? 'Folder' : 'Other'
}

const list = (folder: string): FolderListing => {
  try {
    const entries = readdirSync(folder)
      .toSorted()
      .map((name) => ({ name, kind: kindOf(join(folder, name)) }))
    const named = (kind: 'File' | 'Folder') => entries.filter((entry) => entry.kind === kind).map(({ name }) => name)
    return { files: named('File'), folders: named('Folder') }
  } catch {
    return { files: [], folders: [] }
  }
}

export const nodeFolders = (cwd: string): Folders => ({ list: (path) => async () => list(resolve(cwd, path)) })
