/** Looks at a tree on disk: at all of it, or at some folders. Unchanged files are not read again. */
import { lstatSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { SeenEntry, TreeListing, TreeLook } from '../../domain/sync/entry.ts'
import { childOf, depthOf, nameOf, parentOf } from '../../domain/sync/path.ts'
import { breathe, type DiskClock, folderId, type Held, isAbsent, type ReadEntry, reasonOf } from './disk.ts'
import { isReserved, isUnfinished, mostDepth } from './names.ts'
import { isSame } from './same.ts'
import { sweep } from './unfinished.ts'

export type IsIgnored = (path: string, isFolder: boolean) => boolean

/** The entries at the last look, by folder and name. */
export type Memory = {
  readonly at: (path: string) => Held | undefined
  readonly put: (path: string, held: Held | undefined) => void
}

export type Looks = Memory & { readonly look: (folders?: ReadonlyArray<string>) => Promise<TreeLook> }

type LookSettings = {
  readonly clock: DiskClock
  readonly root: string
  /** Throws when another folder is there. */
  readonly checkRoot: () => void
  readonly read: ReadEntry
  readonly isIgnored: IsIgnored
  /** Called before a folder is listed. */
  readonly see: (folder: string) => void
  readonly forget: (folder: string) => void
}

type KnownFolder = { readonly id: string; readonly names: Map<string, Held> }

const sliceMs = 8
const gone = new Error('another folder has its name')

const idOf = (path: string): string => {
  const stat = lstatSync(path, { bigint: true })
  if (!stat.isDirectory()) throw new Error('it is not a folder')
  return folderId(stat)
}

export const looksAt = ({ checkRoot, clock, forget, isIgnored, read, root, see }: LookSettings): Looks => {
  const known = new Map<string, KnownFolder>()
  /** Entries in folders that have not been listed yet. */
  const written = new Map<string, Held>()
  let since = clock.now()

  const drop = (folder: string): void => {
    const was = known.get(folder)
    // The folder may be watched although it could not be listed.
    forget(folder)
    if (was === undefined) return
    known.delete(folder)
    for (const [name, { entry }] of was.names) if (entry._tag === 'Folder') drop(childOf(folder, name))
  }

  /** Throws when the folder cannot be listed. */
  const list = async (folder: string): Promise<TreeListing> => {
    see(folder)
    const id = idOf(join(root, folder))
    const held = known.get(folder)
    const names = new Map<string, Held>()
    const entries = new Map<string, SeenEntry>()
    let isHeld = false
    for (const one of readdirSync(join(root, folder), { withFileTypes: true })) {
      const { name } = one
      const path = childOf(folder, name)
      if (isUnfinished(name)) sweep(root, path, clock.wallMs())
      if (isReserved(name)) continue
      if (isIgnored(path, one.isDirectory())) {
        isHeld = true
        continue
      }
      // An invalid name, under which the entry cannot be opened.
      if (name.includes('\uFFFD')) {
        entries.set(name, { _tag: 'Unknown', reason: 'its name is not UTF-8' })
        continue
      }
      const was = held?.names.get(name) ?? written.get(path)
      const found = await read(path, was)
      written.delete(path)
      if (clock.now() - since > sliceMs) {
        await breathe()
        since = clock.now()
      }
      if (found === undefined) continue
      // The same object for as long as it is unchanged.
      const entry = was !== undefined && isSame(was.entry, found.entry) ? was.entry : found.entry
      names.set(name, found === was ? found : { ...found, entry })
      entries.set(name, entry)
    }
    for (const [name, { entry }] of held?.names ?? []) {
      if (entry._tag === 'Folder' && names.get(name)?.entry._tag !== 'Folder') drop(childOf(folder, name))
    }
    known.set(folder, { id, names })
    return { entries, isHeld }
  }

  type Listings = Map<string, TreeListing>

  const replaceIn = (listings: Listings, path: string, entry: SeenEntry | undefined): void => {
    const parent = listings.get(parentOf(path))
    if (parent === undefined) return
    const entries = new Map(parent.entries)
    if (entry === undefined) entries.delete(nameOf(path))
    else entries.set(nameOf(path), entry)
    listings.set(parentOf(path), { ...parent, entries })
  }

  const looked = async (listings: Listings, from: string, isAll: boolean): Promise<void> => {
    const waiting = [from]
    for (let folder = waiting.pop(); folder !== undefined; folder = waiting.pop()) {
      try {
        if (depthOf(folder) >= mostDepth) throw new Error('folders are nested too deeply')
        const was = known.get(folder)?.id
        // The new folder at this path may be reached through a link.
        if (was !== undefined && folder !== '' && idOf(join(root, folder)) !== was) throw gone
        const listing = await list(folder)
        listings.set(folder, listing)
        for (const [name, entry] of listing.entries) {
          const path = childOf(folder, name)
          if (entry._tag !== 'Folder' || listings.has(path)) continue
          const before = known.get(path)?.id
          if (before !== undefined && before !== entry.id) drop(path)
          if (isAll || before !== entry.id) waiting.push(path)
        }
      } catch (cause) {
        if (folder === '') throw cause
        drop(folder)
        const isGone = cause === gone || isAbsent(cause)
        if (!listings.has(parentOf(folder))) waiting.push(parentOf(folder))
        else replaceIn(listings, folder, isGone ? undefined : { _tag: 'Unknown', reason: reasonOf(cause) })
      }
    }
  }

  return {
    at: (path) => known.get(parentOf(path))?.names.get(nameOf(path)),
    put: (path, held) => {
      const names = known.get(parentOf(path))?.names
      const [all, name] = names === undefined ? [written, path] : [names, nameOf(path)]
      if (held === undefined) all.delete(name)
      else all.set(name, held)
    },
    look: async (folders) => {
      const listings = new Map<string, TreeListing>()
      since = clock.now()
      checkRoot()
      // From the top down, so that a new folder is found by its parent first.
      for (const folder of folders?.toSorted() ?? []) {
        if (!listings.has(folder) && (folder === '' || known.has(folder))) await looked(listings, folder, false)
      }
      if (folders === undefined) await looked(listings, '', true)
      // The root may have been replaced meanwhile.
      checkRoot()
      return { isWhole: folders === undefined, listings }
    },
  }
}
