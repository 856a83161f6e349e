/** The file ports over a map, for tests. They pass the contract tests of the real ones. */
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { EntryKind, FileContent } from '../../src/domain/compose/file-content.ts'
import type { HostEntry } from '../../src/domain/compose/files.ts'
import { error } from '../../src/domain/diagnostic/diagnostic.ts'
import { folderOf, normalise, resolvePath } from '../../src/domain/text/path.ts'
import { STDIN } from '../../src/domain/text/source.ts'
import type { FileReader, FileWriter } from '../../src/ports/files.ts'

export type Entry =
  | { readonly _tag: 'File'; readonly bytes: Uint8Array; readonly isExecutable?: boolean }
  | { readonly _tag: 'Pipe' }
  | { readonly _tag: 'Secret' }
  | { readonly _tag: 'Link'; readonly to: string }

export const text = (content: string): Entry => ({ _tag: 'File', bytes: new TextEncoder().encode(content) })

const limitBytes = 16 * 1024 * 1024

type FoundEntry = { readonly path: string; readonly entry: Entry | 'Folder' | undefined }

/** Follows links, also in the middle of a path. */
const follow = (entries: ReadonlyMap<string, Entry>, path: string, hops = 0): FoundEntry => {
  const full = normalise(path)
  for (const [at, entry] of entries) {
    if (entry._tag !== 'Link' || hops > 40 || (full !== at && !full.startsWith(`${at}/`))) continue
    return follow(entries, resolvePath(folderOf(at), entry.to) + full.slice(at.length), hops + 1)
  }
  const isFolder = full === '.' || full === '/' || [...entries.keys()].some((other) => other.startsWith(`${full}/`))
  return { path: full, entry: entries.get(full) ?? (isFolder ? 'Folder' : undefined) }
}

const isInside = (root: string, path: string): boolean => {
  if (root === '.') return !path.startsWith('/') && path !== '..' && !path.startsWith('../')
  return path === root || path.startsWith(`${root}/`)
}

const contentOf = (entries: ReadonlyMap<string, Entry>, path: string, root: string | undefined): FileContent => {
  const found = follow(entries, path)
  if (found.entry === undefined) return { _tag: 'Missing' }
  if (root !== undefined && !isInside(follow(entries, root).path, found.path)) return { _tag: 'Outside' }
  if (found.entry === 'Folder') return { _tag: 'NotAFile' }
  switch (found.entry._tag) {
    case 'File':
      return found.entry.bytes.length > limitBytes ? { _tag: 'TooLarge' } : found.entry
    case 'Secret':
      return { _tag: 'Unreadable', reason: 'permission denied' }
    case 'Pipe':
    case 'Link':
      return { _tag: 'NotAFile' }
  }
}

const kindOf = (entries: ReadonlyMap<string, Entry>, path: string): EntryKind => {
  const { entry } = follow(entries, path)
  if (entry === undefined) return 'Missing'
  if (entry === 'Folder') return 'Folder'
  return entry._tag === 'File' || entry._tag === 'Secret' ? 'File' : 'Other'
}

const lookAt = (entries: ReadonlyMap<string, Entry>, path: string, root: string): HostEntry => {
  const { entry, path: real } = follow(entries, path)
  if (entry === undefined) return { _tag: 'Missing' }
  if (!isInside(follow(entries, root).path, real)) return { _tag: 'Outside' }
  if (entry === 'Folder') {
    const prefix = real === '.' ? '' : `${real}/`
    const below = [...entries.keys()].filter((other) => other.startsWith(prefix) && other !== STDIN)
    const names = below.map((other) => other.slice(prefix.length).split('/')[0] ?? '')
    return { _tag: 'Folder', real, names: [...new Set(names)].toSorted() }
  }
  if (entry._tag !== 'File') return { _tag: 'Other' }
  return { _tag: 'File', real, isExecutable: entry.isExecutable === true, sizeBytes: entry.bytes.length }
}

/** The map is the file system, and contains what was written. `<stdin>` is empty after it was read. */
export const memoryFiles = (entries: Map<string, Entry>): FileReader & FileWriter => ({
  read: (path, { root }) => {
    const confined = path === STDIN ? undefined : root
    return () => {
      const content = contentOf(entries, path, confined)
      if (path === STDIN && entries.has(STDIN)) entries.set(STDIN, text(''))
      return Promise.resolve(content)
    }
  },
  kind: (path) => () => Promise.resolve(kindOf(entries, path)),
  look: (path, root) => () => Promise.resolve(lookAt(entries, path, root)),
  isInside: (path, root) => () => Promise.resolve(isInside(follow(entries, root).path, follow(entries, path).path)),
  replace: (path, content) => {
    const { path: target, entry } = follow(entries, path)
    if (entry === 'Folder' || entry?._tag === 'Pipe') {
      return TE.left(error('DT2006', `cannot write ${path}: it is not a regular file`))
    }
    return TE.fromIO(() => {
      entries.set(target, typeof content === 'string' ? text(content) : { _tag: 'File', bytes: content })
    })
  },
})
