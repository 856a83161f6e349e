/** The port `SyncedFolders`: folders of the disk, and the agent. */
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'
import type { Duplex } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { ignoredBy, syncRulesOf } from '../../domain/ignore/sync-rules.ts'
import { visibleLines } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import type { SyncedFolder, SyncedFolders } from '../../ports/synced-folders.ts'
import { diaryOf } from './diary.ts'
import { isAbsent, reasonOf } from './disk.ts'
import { diskTree } from './disk-tree.ts'
import { fileJournal } from './journal.ts'
import { keeping, tidyKept } from './kept.ts'
import { logFile } from './log-file.ts'
import type { IsIgnored } from './look.ts'
import { diarySubsystem, syncSubsystem } from './messages.ts'
import { servePage } from './page.ts'
import { remoteTree } from './remote-tree.ts'
import { claimRoot } from './root.ts'

const mostText = 1024 * 1024

/** Throws when a file is there and cannot be read: what was meant to be left out would be synchronised. */
const textIn =
  (root: string) =>
  (file: string): string | undefined => {
    try {
      return fs.readFileSync(join(root, file), 'utf8').slice(0, mostText)
    } catch (cause) {
      if (isAbsent(cause)) return undefined
      throw cause
    }
  }

const textFrom = async (channel: Duplex): Promise<string> => {
  let text = ''
  for await (const part of channel.setEncoding('utf8')) {
    text += String(part)
    if (text.length > mostText) throw new Error('it is too long')
  }
  return visibleLines(text, '')
}

const hourMs = 60 * 60 * 1000

const locate = (local: string): string => {
  const root = fs.realpathSync(local)
  if (!fs.statSync(root).isDirectory()) throw new Error(`${local} is not a folder`)
  return root
}

const realPath = (path: string): string => {
  try {
    return fs.realpathSync(path)
  } catch {
    return path
  }
}

/** What synchronisation stores would be synchronised, and so on for ever. */
const withHidden = (isIgnored: IsIgnored, root: string, hidden: ReadonlyArray<string>): IsIgnored => {
  const own = hidden.map((path) => relative(root, realPath(path)).split(sep).join('/'))
  return (path, isFolder) => own.some((one) => path === one || path.startsWith(`${one}/`)) || isIgnored(path, isFolder)
}

const openFolder = async (
  clock: Clock,
  root: string,
  store: string,
  hidden: string,
  others: ReadonlyArray<string>,
): Promise<SyncedFolder> => {
  const rules = syncRulesOf(textIn(root), others)
  const isIgnored = withHidden(ignoredBy(rules), root, [hidden, dirname(store)])
  const claimed = await claimRoot(root, store)
  const kept = join(store, 'kept')
  const tidy = (): void => tidyKept(kept, clock.wallMs())
  tidy()
  const stopTidying = clock.every(hourMs, tidy)
  const diary = diaryOf(clock, root, logFile(join(store, 'log')))
  const disk = diskTree({
    clock,
    root,
    rootId: claimed.id,
    isIgnored,
    keep: keeping(kept, clock.wallMs),
  })
  const tree = diary.watched(disk)
  const close = (): Promise<void> => {
    stopTidying()
    tree.close()
    return claimed.release()
  }
  return { tree, journal: fileJournal(join(store, 'base')), rules, newId: randomUUID, diary: diary.text, close }
}

export const syncedFolders = (clock: Clock): SyncedFolders => ({
  locate: (local) => TE.tryCatch(async () => locate(local), reasonOf),
  open: (...given) => TE.tryCatch(() => openFolder(clock, ...given), reasonOf),
  diary: (link) =>
    pipe(
      link.subsystem(diarySubsystem),
      TE.mapLeft(({ reason }) => reason),
      TE.flatMap((channel) => TE.tryCatch(() => textFrom(channel), reasonOf)),
    ),
  serve: (login, text) => TE.tryCatch(() => servePage(login, text), reasonOf),
  reach: (link, root, ignores) =>
    pipe(
      link.subsystem(syncSubsystem),
      TE.mapLeft(({ _tag, reason }) => ({ _tag: _tag === 'Lost' ? 'Lost' : 'NoRoot', reason }) as const),
      TE.flatMap((channel) => remoteTree(clock, channel, { root, ignores })),
    ),
})
