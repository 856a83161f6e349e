/** Keeps one folder synchronised between this machine and a development container, over successive links. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as T from 'fp-ts/lib/Task.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import { modeIn } from '../../domain/ignore/sync-rules.ts'
import { showMoved } from '../../domain/progress/size.ts'
import { showElapsed } from '../../domain/progress/text.ts'
import type { SyncMode } from '../../domain/sync/act.ts'
import { type CycleState, isAtRest, percentOf } from '../../domain/sync/cycle-state.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Ports } from '../../ports/ports.ts'
import type { FarFolder, SyncedFolder } from '../../ports/synced-folders.ts'
import type { OpenTree } from '../../ports/tree.ts'
import { type Filled, fill } from '../sync/fill.ts'
import { keepBase } from '../sync/keep-base.ts'
import { type Synchronisation, type SyncRequest, synchronise } from '../sync/synchronise.ts'
import type { PodLink } from './healing.ts'
import type { DevSession } from './session.ts'

export type FolderSync = {
  readonly state: () => CycleState
  /** 100 when nothing is left to be done. */
  readonly percent: () => number
  /** The progress in words. */
  readonly progress: () => string
  /** Why nothing is synchronised at the moment. */
  readonly trouble: () => string | undefined
  readonly answer: Synchronisation['answer']
  /**
   * Resolves when nothing is left to be done for this pod, as long as it is the current one. Left: why that is
   * impossible.
   */
  readonly settled: (pod: string) => TaskEither<string, void>
  readonly stop: Task<void>
}

type FolderRequest = Pick<SyncRequest, 'isReset' | 'machine' | 'say' | 'user' | 'whose'> & {
  readonly folder: SyncedFolder
  readonly remote: FarFolder
  readonly mode: SyncMode | undefined
}

/** Pauses after the agent could not open the folder, and after links were lost. */
const pauses: Backoff = { firstMs: 20, longestMs: 2000 }

/** How long to wait for acts that are being carried out before their link is closed. */
const stopMs = 2000

/** Less than 100 until everything that was sent has been compared once more. */
const percentFilled = ({ bytes, total }: Filled): number =>
  total === 0 ? 99 : Math.min(99, Math.floor((100 * bytes) / total))

/** At the speed that it has had so far. */
const showFilled = ({ bytes, total }: Filled, ms: number): string => {
  if (bytes === 0 || ms <= 0) return showMoved({ bytes, total })
  const moved = showMoved({ bytes, total, perSecond: (1000 * bytes) / ms })
  return bytes >= total ? moved : `${moved}, ${showElapsed((ms * (total - bytes)) / bytes)} left`
}

export const syncFolder = (
  { clock, syncedFolders }: Pick<Ports, 'clock' | 'syncedFolders'>,
  session: Pick<DevSession, 'link'>,
  { folder, mode, remote, ...request }: FolderRequest,
): FolderSync => {
  const over = new AbortController()
  const waiting = new Set<() => void>()
  let pod: string | undefined
  let trouble: string | undefined
  let filled: Filled | undefined
  let filledSinceMs = 0
  let open: OpenTree | undefined
  let toldOf: OpenTree | undefined
  const wake = (): void => {
    for (const look of [...waiting]) look()
  }
  const fail = (reason: string): void => {
    trouble = reason
    wake()
  }
  const engine = synchronise(clock, {
    ...request,
    here: folder.tree,
    keeper: keepBase(folder.journal),
    newId: folder.newId,
    modeOf: modeIn(mode),
    see: () => waiting.size > 0 && wake(),
    say: (notice) => {
      request.say(notice)
      if (notice._tag === 'Complete') {
        trouble = undefined
        if (open !== undefined) void tellPolled(open)
      }
      if (notice._tag === 'TreeTrouble' || notice._tag === 'StoreTrouble') fail(notice.reason)
    },
  })

  /** Once per link, after everything has been looked at. */
  const tellPolled = async (there: OpenTree): Promise<void> => {
    if (toldOf === there) return
    toldOf = there
    for (const [end, tree] of [
      ['here', folder.tree],
      ['there', there],
    ] as const) {
      const polled = await tree.polled()
      if (E.isRight(polled) && polled.right !== undefined) request.say({ _tag: 'Polled', end, ...polled.right })
    }
  }

  const linked = (tree: OpenTree): TaskEither<string, void> =>
    pipe(
      engine.link(
        tree,
        mode === 'pull'
          ? undefined
          : fill(folder.tree, tree, (now) => {
              filled = now
            }),
      ),
      T.tapIO(() => () => {
        filled = undefined
      }),
    )

  /** Until the link is lost. True when it worked. */
  const follow = async (to: PodLink, tree: OpenTree): Promise<boolean> => {
    open = tree
    let isLost = false
    const lost = new Promise<void>((resolve) => {
      tree.watch(({ _tag }) => {
        if (_tag !== 'Lost') return
        isLost = true
        resolve()
      })
    })
    filledSinceMs = clock.now()
    const begun = await linked(tree)()
    if (E.isLeft(begun)) {
      // The next link begins anew.
      if (!isLost) fail(begun.left)
    } else {
      pod = to.pod.uid
      trouble = undefined
      wake()
      await lost
      pod = undefined
    }
    tree.close()
    return E.isRight(begun)
  }

  const run = async (): Promise<void> => {
    for (let failures = 0; !over.signal.aborted; ) {
      const found = await session.link('bulk')()
      if (over.signal.aborted) return
      if (E.isLeft(found)) return fail(found.left.reason)
      const tree = await syncedFolders.reach(found.right.link, { ...remote, isEager: mode !== 'push' })()
      if (E.isLeft(tree)) {
        if (tree.left._tag === 'NoRoot') fail(tree.left.reason)
      } else if (over.signal.aborted) tree.right.close()
      else if (await follow(found.right, folder.logged(tree.right))) failures = 0
      await clock.sleep(pauseAfter(pauses, failures), over.signal)
      failures += 1
    }
  }
  // Reads the files while the container starts.
  void folder.tree.look()()
  void run()

  const percent = (): number => (filled === undefined ? percentOf(engine.state()) : percentFilled(filled))

  return {
    state: engine.state,
    percent,
    trouble: () => trouble,
    answer: engine.answer,
    progress: () =>
      `${percent()} %${filled === undefined ? '' : `, ${showFilled(filled, clock.now() - filledSinceMs)}`}`,
    settled: (wanted) => () =>
      new Promise((resolve) => {
        const look = (): void => {
          if (trouble !== undefined) resolve(E.left(trouble))
          else if (pod === wanted && isAtRest(engine.state())) resolve(E.right(undefined))
          else return void waiting.add(look)
          waiting.delete(look)
        }
        look()
      }),
    stop: async () => {
      over.abort()
      fail('`devtool up` ended')
      const stopping = engine.stop()
      const isStopped = new AbortController()
      void stopping.then(() => isStopped.abort())
      await clock.sleep(stopMs, isStopped.signal)
      open?.close()
      await stopping
      await folder.close()
    },
  }
}
