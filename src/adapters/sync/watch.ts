/**
 * Detects in which folders of a tree something changes, with a watch for each folder. The events are only hints: they
 * may be late, repeated or lost. A folder that cannot be watched is polled.
 */
import { type FSWatcher, lstatSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { PolledFolders } from '../../domain/sync/folder.ts'
import type { Clock } from '../../ports/clock.ts'
import { eventQueue } from './event-queue.ts'

/** `All`: changes may have been missed. */
export type Dirty = ReadonlyArray<string> | 'All'

export type FolderWatches = {
  /** Called before a folder is listed. Watches it, replacing the watch when another folder has the name now. */
  readonly see: (folder: string) => void
  /** The folder is gone; those below it are listed too. */
  readonly forget: (folder: string) => void
  readonly polled: () => PolledFolders | undefined
  readonly close: () => void
}

type Watched = { readonly inode: bigint; readonly watcher: FSWatcher | undefined; signature?: string }

export type WatchClock = Pick<Clock, 'after' | 'every' | 'now'>

/** Changes that follow each other are told together. The first after a pause is most often a save: it is told sooner. */
const [soonMs, togetherMs, pauseMs] = [1, 3, 50]
const pollMs = 2_000

const inodeOf = (path: string): bigint | undefined => {
  const stat = lstatSync(path, { bigint: true, throwIfNoEntry: false })
  return stat?.isDirectory() === true ? stat.ino : undefined
}

/** A text that changes with everything that a listing of the folder depends on. */
const signatureOf = (path: string): string => {
  try {
    return readdirSync(path)
      .map((name) => {
        const stat = lstatSync(join(path, name), { bigint: true, throwIfNoEntry: false })
        return stat === undefined ? name : `${name} ${stat.ino} ${stat.size} ${stat.mtimeNs} ${stat.ctimeNs}`
      })
      .join('\n')
  } catch {
    return ''
  }
}

export const watchFolders = (
  clock: WatchClock,
  root: string,
  isPolling: string | undefined,
  tell: (dirty: Dirty) => void,
): FolderWatches => {
  const all = new Map<string, Watched>()
  const dirty = new Set<string>()
  let isOverflow = false
  let stopPending: (() => void) | undefined
  let toldMs = Number.NEGATIVE_INFINITY
  let because = isPolling
  let isClosed = false

  const say = (): void => {
    stopPending = undefined
    toldMs = clock.now()
    const told = isOverflow ? 'All' : [...dirty]
    dirty.clear()
    isOverflow = false
    if (!isClosed) tell(told)
  }
  const saySoon = (): void => {
    stopPending ??= clock.after(clock.now() - toldMs > pauseMs ? soonMs : togetherMs, say)
  }
  const soil = (folder: string): void => {
    dirty.add(folder)
    saySoon()
  }
  const stopCounting = eventQueue.onOverflow(() => {
    isOverflow = true
    saySoon()
  })

  const poll = (): void => {
    for (const [folder, watched] of all) {
      if (watched.watcher !== undefined) continue
      const signature = signatureOf(join(root, folder))
      if (watched.signature !== undefined && watched.signature !== signature) soil(folder)
      watched.signature = signature
    }
  }
  let stopPolling: (() => void) | undefined
  const pollFrom = (folder: string, inode: bigint, reason: string): void => {
    because ??= reason
    all.set(folder, { inode, watcher: undefined, signature: signatureOf(join(root, folder)) })
    stopPolling ??= clock.every(pollMs, poll)
  }

  const drop = (folder: string): void => {
    const watcher = all.get(folder)?.watcher
    // The end of a watch is an event, too.
    if (watcher !== undefined) eventQueue.count()
    watcher?.close()
    all.delete(folder)
  }

  const start = (folder: string, path: string, inode: bigint): void => {
    if (isPolling !== undefined) return pollFrom(folder, inode, isPolling)
    try {
      const watcher = watch(path, () => {
        eventQueue.count()
        soil(folder)
      })
      watcher.on('error', () => {
        drop(folder)
        soil(folder)
      })
      all.set(folder, { inode, watcher })
    } catch (cause) {
      const code = cause instanceof Error && 'code' in cause ? String(cause.code) : String(cause)
      if (code !== 'ENOENT' && code !== 'ENOTDIR') pollFrom(folder, inode, code)
    }
  }

  return {
    see: (folder) => {
      if (isClosed) return
      const path = join(root, folder)
      // Another folder may take the name meanwhile, and the watch would be on the wrong one.
      for (let tries = 0; tries < 3; tries += 1) {
        const inode = inodeOf(path)
        if (inode === undefined) return drop(folder)
        if (all.get(folder)?.inode === inode) return
        drop(folder)
        start(folder, path, inode)
      }
    },
    forget: drop,
    polled: () => {
      const folders = [...all.values()].filter(({ watcher }) => watcher === undefined).length
      return folders === 0 || because === undefined ? undefined : { folders, because }
    },
    close: () => {
      isClosed = true
      stopCounting()
      stopPending?.()
      stopPolling?.()
      for (const folder of [...all.keys()]) drop(folder)
    },
  }
}
