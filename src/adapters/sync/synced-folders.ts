/** The port `SyncedFolders`: folders on disk, and those behind the agent. */
import { randomUUID } from 'node:crypto'
import * as fs from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { addAbortSignal, type Duplex } from 'node:stream'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { rulesOfFile } from '../../domain/ignore/one-file.ts'
import { ignoredBy, syncRulesOf } from '../../domain/ignore/sync-rules.ts'
import { defined } from '../../domain/object/defined.ts'
import { visibleLines } from '../../domain/text/visible.ts'
import type { Clock } from '../../ports/clock.ts'
import type { LocatedFolder, SyncedFolder, SyncedFolders, SyncScope } from '../../ports/synced-folders.ts'
import { diaryOf } from './diary.ts'
import { isAbsent, reasonOf } from './disk.ts'
import { type DiskTree, diskTree } from './disk-tree.ts'
import { fileJournal } from './journal.ts'
import { keeping, namesIn, tidyKept } from './kept.ts'
import { logFile } from './log-file.ts'
import type { IsIgnored } from './look.ts'
import { diarySubsystem, syncSubsystem } from './messages.ts'
import { ignoresCase } from './naming.ts'
import { servePage } from './page.ts'
import { remoteTree } from './remote-tree.ts'
import { renamedTree } from './renamed-tree.ts'
import { claimRoot } from './root.ts'
import { sharedTrees } from './shared-trees.ts'
import { sweepStore } from './store.ts'

const mostText = 1024 * 1024

/** Throws when the file exists and cannot be read: files that it excludes would be synchronised. */
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

const textFrom = async (channel: Duplex, signal: AbortSignal): Promise<string> => {
  let text = ''
  for await (const part of addAbortSignal(signal, channel).setEncoding('utf8')) {
    text += String(part)
    if (text.length > mostText) throw new Error('it is too long')
  }
  return visibleLines(text, '')
}

const hourMs = 60 * 60 * 1000

const locate = (local: string): LocatedFolder => {
  const real = fs.realpathSync(local)
  const stat = fs.statSync(real)
  if (stat.isFile()) return { root: dirname(real), file: basename(real) }
  if (!stat.isDirectory()) throw new Error(`${local} is neither a folder nor a file`)
  return { root: real }
}

const realPath = (path: string): string => {
  try {
    return fs.realpathSync(path)
  } catch {
    return path
  }
}

/** Excludes the stored data itself, whose changes would be synchronised for ever. */
const withHidden = (isIgnored: IsIgnored, root: string, hidden: ReadonlyArray<string>): IsIgnored => {
  const own = hidden.map((path) => relative(root, realPath(path)).split(sep).join('/'))
  return (path, isFolder) => own.some((one) => path === one || path.startsWith(`${one}/`)) || isIgnored(path, isFolder)
}

const openFolder = async (
  clock: Clock,
  share: ReturnType<typeof sharedTrees>,
  root: string,
  store: string,
  hidden: string,
  { file, others }: SyncScope,
): Promise<SyncedFolder> => {
  const rules = file === undefined ? syncRulesOf(textIn(root), others) : rulesOfFile(file)
  const isCaseIgnored = ignoresCase(root)
  await sweepStore(store)
  const claimed = await claimRoot(root, store)
  const kept = join(store, 'kept')
  /** Includes folders that are no longer synchronised, such as those of a project that was moved. */
  const tidy = (): void => {
    for (const name of namesIn(dirname(store))) {
      try {
        tidyKept(join(dirname(store), name, 'kept'), clock.wallMs())
      } catch {
        // Files that cannot be deleted now are tried again in an hour.
      }
    }
  }
  tidy()
  const stopTidying = clock.every(hourMs, tidy)
  const log = logFile(clock, join(store, 'log'))
  const diary = diaryOf(clock, root, log.add)
  const far = diaryOf(clock, 'the folder', log.add, 'in the container: ')
  const stores = [hidden, dirname(store)]
  const open = (): DiskTree => {
    const isIgnored = withHidden(ignoredBy(rules), root, stores)
    return diskTree({ clock, root, rootId: claimed.id, isIgnored })
  }
  const key = JSON.stringify([root, claimed.id, rules.text, stores])
  const tree = diary.watched(share(key, open, keeping(kept, clock.wallMs)))
  const close = (): Promise<void> => {
    stopTidying()
    tree.close()
    log.close()
    return claimed.release()
  }
  const journal = fileJournal(join(store, 'base'))
  return { tree, journal, rules, isCaseIgnored, newId: randomUUID, diary: diary.text, logged: far.watched, close }
}

export const syncedFolders = (clock: Clock): SyncedFolders => {
  const share = sharedTrees()
  return {
    locate: (local) => TE.tryCatch(async () => locate(local), reasonOf),
    open: (...given) => TE.tryCatch(() => openFolder(clock, share, ...given), reasonOf),
    diary: (link, signal) =>
      pipe(
        link.subsystem(diarySubsystem),
        TE.mapLeft(({ reason }) => reason),
        TE.flatMap((channel) => TE.tryCatch(() => textFrom(channel, signal), reasonOf)),
      ),
    serve: (login, text) => TE.tryCatch(() => servePage(login, text), reasonOf),
    reach: (link, { file, ...folder }) =>
      pipe(
        link.subsystem(syncSubsystem),
        TE.mapLeft(({ _tag, reason }) => ({ _tag: _tag === 'Lost' ? 'Lost' : 'NoRoot', reason }) as const),
        TE.flatMap((channel) => remoteTree(clock, channel, { ...folder, ...defined({ file: file?.there }) })),
        TE.map((tree) => (file === undefined ? tree : renamedTree(tree, file.here, file.there))),
      ),
  }
}
