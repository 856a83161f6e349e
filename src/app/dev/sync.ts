/** The files of a development container: keeps its folders equal to those of this machine. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { mountedBelow } from '../../domain/dev/mounts.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { rulesOfFile } from '../../domain/ignore/one-file.ts'
import { showRules } from '../../domain/ignore/show-rules.ts'
import type { DevContainer } from '../../domain/manifest/dev-model.ts'
import { defined } from '../../domain/object/defined.ts'
import { showCount } from '../../domain/progress/size.ts'
import type { TreeMarker } from '../../domain/sync/folder.ts'
import { placesOf, type StoredFolder, storedFolderText } from '../../domain/sync/stored-folder.ts'
import { baseName, folderOf } from '../../domain/text/path.ts'
import { sha256 } from '../../domain/text/sha256.ts'
import type { Link } from '../../ports/link.ts'
import type { Ports } from '../../ports/ports.ts'
import type { FarFolder, LocatedFolder, SyncedFolder, SyncScope } from '../../ports/synced-folders.ts'
import type { Target } from '../context/target.ts'
import { askDeletions } from './ask-deletions.ts'
import { developmentEnded } from './program-failure.ts'
import { reportSync } from './report-sync.ts'
import { interrupted } from './rounds.ts'
import type { DevSession } from './session.ts'
import { type FolderSync, syncFolder } from './sync-folder.ts'
import { servePages } from './sync-pages.ts'
import { tellSync } from './tell-sync.ts'

/** `mounts`: where the container has volumes. `mayAsk`: whether the terminal is free for a question. */
export type DevSyncRequest = {
  readonly session: Pick<DevSession, 'ended' | 'link'>
  readonly dev: Pick<DevContainer, 'folders' | 'mode' | 'name'>
  readonly record: Pick<DevRecord, 'mirror'>
  readonly mounts: ReadonlyArray<string>
  readonly target: Pick<Target, 'context' | 'namespace'>
  readonly isReset: boolean
  readonly mayAsk: () => boolean
  readonly say: (text: string) => void
}

export type DevSync = {
  /**
   * Resolves when all files are in the currently connected container. Finds DT5055, and DT5053 when the session is
   * over.
   */
  readonly settled: TE.TaskEither<Diagnostic, void>
  /** Resolves earlier for large folders, whose remaining files follow; a message tells when all have arrived. */
  readonly begun: TE.TaskEither<Diagnostic, void>
  readonly stop: T.Task<void>
}

type SyncPorts = Pick<Ports, 'clock' | 'home' | 'machine' | 'plainFolders' | 'progress' | 'prompt' | 'syncedFolders'>

type Folder = DevContainer['folders'][number]

/** Where everything about one folder is stored, in devtool's folder. */
const storeOf = ({ record, target }: DevSyncRequest, { remote }: Folder, root: string): string =>
  `sync/${sha256(JSON.stringify([target.context, target.namespace, record.mirror, remote, root])).slice(0, 16)}`

/** `file`: the only file of both folders that is synchronised. */
const storedAs = (
  { dev, mounts, target }: DevSyncRequest,
  { remote }: Folder,
  { file, root }: LocatedFolder,
): StoredFolder => ({
  ...{ dev: dev.name, namespace: target.namespace, context: target.context, local: root },
  ...(file === undefined
    ? { remote, others: mountedBelow(remote, [...mounts, ...dev.folders.map((folder) => folder.remote)]) }
    : { remote: folderOf(remote), others: [], file: { here: file, there: baseName(remote) } }),
})

const scopeOf = ({ file, others = [] }: StoredFolder): SyncScope => ({ others, ...defined({ file: file?.here }) })

const farOf = ({ file, remote }: StoredFolder, { newId, rules }: SyncedFolder): FarFolder => {
  const far = { root: remote, session: newId() }
  return file === undefined ? { ...far, ignores: rules.text } : { ...far, ignores: rulesOfFile(file.there).text, file }
}

const whose =
  ({ prompt }: Pick<Ports, 'prompt'>, { dev, isReset, mayAsk }: DevSyncRequest, { remote }: Folder) =>
  ({ machine, user }: TreeMarker): TE.TaskEither<string, 'Mine' | 'Theirs'> => {
    if (isReset) return TE.right('Mine')
    const text = `${remote} of ${dev.name} was synchronised by ${user} on ${machine}: which files count?`
    if (!mayAsk()) return TE.left(`${text} \`devtool up ${dev.name}\` asks`)
    return pipe(
      prompt.choose({ text, flag: '--reset' }, [
        { value: 'theirs', text: 'those of the container; what is different here is kept in a copy' },
        { value: 'mine', text: 'those of this machine; what is different there is kept in a copy' },
      ]),
      TE.mapBoth(
        ({ help, message }) => [message, help].filter(Boolean).join(': '),
        (answer) => (answer === 'theirs' ? 'Theirs' : 'Mine'),
      ),
    )
  }

const opened = (ports: SyncPorts, request: DevSyncRequest, folder: Folder): TE.TaskEither<string, FolderSync> => {
  const { clock, home, machine, plainFolders, syncedFolders } = ports
  const { dev, isReset, say, session } = request
  const teller = tellSync(clock, dev.name, say)
  return pipe(
    syncedFolders.locate(folder.local),
    TE.map((located) => {
      const stored = storedAs(request, folder, located)
      const path = storeOf(request, folder, placesOf(stored).local)
      return { located, stored, path, store: home.where(path) }
    }),
    TE.bind('lock', ({ store }) =>
      pipe(
        plainFolders.lock(store),
        TE.mapLeft(({ message }) => message),
      ),
    ),
    TE.flatMap(({ located, lock, path, store, stored }) =>
      pipe(
        home.change(`${path}/folder.json`, () => E.right(storedFolderText(stored))),
        TE.mapLeft(({ message }) => message),
        TE.flatMap(() => syncedFolders.open(located.root, store, home.where(''), scopeOf(stored))),
        TE.map((local): FolderSync => {
          for (const line of showRules(local.rules)) say(line)
          if (local.isCaseIgnored)
            say(`${folder.local} ignores case: of README and readme in the container, only one can be here`)
          const sync = syncFolder(ports, session, {
            folder: local,
            mode: folder.mode,
            remote: farOf(stored, local),
            isReset,
            machine: machine.host,
            user: machine.who,
            whose: whose(ports, request, folder),
            say: teller.notice,
          })
          const report = reportSync(ports, sync, {
            path,
            newId: local.newId,
            serving: servePages(ports, session, local, () => sync.state().trees),
            teller,
          })
          const stop = pipe(
            sync.stop,
            T.tap(() => report.end),
            T.tapIO(() => lock.release),
          )
          return { ...sync, stop }
        }),
        TE.tapError(() => TE.fromIO(lock.release)),
      ),
    ),
  )
}

const arrows = { 'two-way': '<->', push: '->', pull: '<-' } as const

const showEnds = ({ local, mode = 'two-way', remote }: Folder): string => `${local} ${arrows[mode]} ${remote}`

const showMs = 500

/** A shell can be used before all files have arrived. */
const patienceMs = 2000

const filesIn = ({ state }: FolderSync): number => {
  let files = 0
  for (const { entries } of state().trees.here.values()) {
    for (const { _tag } of entries.values()) if (_tag !== 'Folder') files += 1
  }
  return files
}

/** A lost link may mean that its pod is gone as well, so the pod of the next link counts. */
const settledIn = (session: Pick<DevSession, 'link'>, sync: FolderSync, lost?: Link): TE.TaskEither<string, void> =>
  pipe(
    session.link('terminal', lost),
    TE.mapLeft(({ reason }) => reason),
    TE.flatMap(({ link, pod }) => async () => {
      const ended = await Promise.race([sync.settled(pod.uid)(), link.closed().then(() => undefined)])
      return ended ?? settledIn(session, sync, link)()
    }),
  )

export const startSync = (ports: SyncPorts, request: DevSyncRequest): DevSync => {
  const { clock, progress } = ports
  const { dev, say, session } = request
  const said = new Set<Folder>()
  const all = (dev.mode === 'hybrid' ? [] : dev.folders).map(
    (folder) => [folder, opened(ports, request, folder)()] as const,
  )
  const notSent =
    (folder: Folder) =>
    (reason: string): Diagnostic =>
      error('DT5055', `${dev.name}: the files of ${showEnds(folder)} are not synchronised: ${reason}`, {
        at: folder.at,
        path: folder.path,
        help: `\`devtool up ${dev.name}\` tries again`,
      })
  /** When the session is over, its end is the reason. */
  const failed =
    <A>(folder: Folder) =>
    (reason: string): TE.TaskEither<Diagnostic, A> =>
    async () => {
      const end = await Promise.race([session.ended, Promise.resolve(undefined)])
      if (end?._tag === 'RecordGone') return E.left(developmentEnded(dev.name, end.reason))
      return E.left(end?._tag === 'Interrupted' ? interrupted : notSent(folder)(reason))
    }
  const show = (sync: FolderSync): void => {
    const detail = `files: ${sync.progress()}`
    progress.tell({ _tag: 'Step', id: dev.name, title: dev.name, state: 'Running', detail, atMs: clock.now() })
  }
  let isAsking = false
  /** The developed program has started, so progress must not be written to the terminal any more. */
  let isBegun = false
  const asked = (sync: FolderSync): TE.TaskEither<Diagnostic, boolean> =>
    askDeletions(ports, dev.name, sync, () => {
      isAsking = !isBegun && request.mayAsk()
      return isAsking
    })
  const settled = ([folder, opening]: (typeof all)[number]): TE.TaskEither<Diagnostic, void> =>
    pipe(
      () => opening,
      TE.tap((sync) => async () => {
        const stopShowing = clock.every(showMs, () => (isBegun ? undefined : show(sync)))
        const ended = await settledIn(session, sync)()
        stopShowing()
        return ended
      }),
      TE.orElse(failed<FolderSync>(folder)),
      TE.tap((sync) =>
        pipe(
          asked(sync),
          TE.flatMap((isAnswered) =>
            isAnswered ? pipe(settledIn(session, sync), TE.orElse(failed<void>(folder))) : TE.right(undefined),
          ),
        ),
      ),
      TE.map((sync) => {
        if (said.has(folder)) return
        said.add(folder)
        const files = filesIn(sync)
        say(`synchronised: ${showCount(files)} ${files === 1 ? 'file' : 'files'} of ${showEnds(folder)}`)
      }),
    )
  const settledAll: TE.TaskEither<Diagnostic, void> = pipe(
    all,
    TE.traverseSeqArray(settled),
    TE.map(() => {
      isBegun = true
    }),
  )
  const stopAll = async (): Promise<void> => {
    for (const [, opening] of all) {
      const sync = await opening
      if (E.isRight(sync)) await sync.right.stop()
    }
  }
  let stopping: Promise<void> | undefined
  return {
    settled: settledAll,
    begun: async () => {
      const settling = settledAll()
      const found = await Promise.race([settling, clock.sleep(patienceMs)])
      if (found !== undefined) return found
      // The terminal is not free.
      if (isAsking) return settling
      isBegun = true
      say(`${dev.name}: files are still being sent`)
      void settling.then(E.mapLeft(({ message }) => say(message)))
      return E.right(undefined)
    },
    stop: () => (stopping ??= stopAll()),
  }
}
