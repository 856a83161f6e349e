/** The port `Tree` over a folder on disk. */
import { createHash } from 'node:crypto'
import * as fs from 'node:fs'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { fromJson } from '../../domain/object/codecs.ts'
import type { ActOutcome, SyncAct } from '../../domain/sync/act.ts'
import type { TreeFile, TreeLook } from '../../domain/sync/entry.ts'
import { TreeMarker } from '../../domain/sync/folder.ts'
import type { OpenTree, TreeEvent, TreeFailure } from '../../ports/tree.ts'
import { breathe, type DiskClock, entriesIn, noFollow } from './disk.ts'
import { filling } from './fill.ts'
import type { Keep } from './kept.ts'
import { type IsIgnored, looksAt } from './look.ts'
import { isPath, markerOf } from './names.ts'
import { outcomeOf, readWordsOf, writeWordsOf } from './refusal.ts'
import { rootIdOf } from './root.ts'
import { readAhead } from './source.ts'
import { discard, unfinishedIn } from './unfinished.ts'
import { type Dirty, type WatchClock, watchFolders } from './watch.ts'
import { writing } from './write.ts'

/**
 * `keep`: keeps copies, on the developer's machine. `rootId`: nothing is done when another folder has taken its place.
 * `file`: the only file that is synchronised.
 */
export type DiskTreeSettings = {
  readonly clock: DiskClock & WatchClock
  readonly root: string
  readonly rootId?: string
  readonly file?: string | undefined
  readonly isIgnored: IsIgnored
  readonly keep?: Keep | undefined
}

/** `keeping`: the same tree, for acts before which copies are made in another place. */
export type DiskTree = OpenTree & { readonly keeping: (keep: Keep) => OpenTree }

/** File systems that other machines write to, whose changes are not reported here. */
const remoteKinds: Readonly<Record<number, string>> = {
  0x6969: 'NFS',
  0xff534d42: 'CIFS',
  0xfe534d42: 'SMB',
  0x01021997: '9p',
  0x65735546: 'FUSE',
}

const remoteKind = (root: string): string | undefined => {
  try {
    return remoteKinds[fs.statfsSync(root).type]
  } catch {
    return undefined
  }
}

/** While acts wait, looks take at most a tenth of the time. */
const restFactor = 9

const partBytes = 256 * 1024

async function* contentOf(root: string, path: string, { hash, size }: TreeFile): AsyncGenerator<Uint8Array, void> {
  if (!isPath(path)) throw new Error(`${path} is no path`)
  const file = fs.openSync(join(root, path), noFollow)
  try {
    const read = createHash('sha256')
    for (let at = 0; at < size; ) {
      const part = Buffer.allocUnsafe(Math.min(partBytes, size - at))
      const length = fs.readSync(file, part, 0, part.length, at)
      if (length === 0) break
      at += length
      read.update(part.subarray(0, length))
      yield part.subarray(0, length)
    }
    if (read.digest('hex') !== hash) throw new Error(`${path} has changed`)
  } finally {
    fs.closeSync(file)
  }
}

const mostMarker = 4096

const readMarker = (path: string): TreeMarker | undefined => {
  try {
    const file = fs.openSync(path, noFollow)
    try {
      return fs.fstatSync(file).size > mostMarker ? undefined : fromJson(TreeMarker, fs.readFileSync(file, 'utf8'))
    } finally {
      fs.closeSync(file)
    }
  } catch {
    return undefined
  }
}

const writeMarker = (root: string, name: string, marker: TreeMarker): void => {
  const unfinished = unfinishedIn(root)(name)
  try {
    fs.writeFileSync(join(root, unfinished), JSON.stringify(marker), { flag: 'wx' })
    fs.renameSync(join(root, unfinished), join(root, name))
  } finally {
    discard(root, unfinished)
  }
}

const triedWith =
  (wordsOf: (cause: unknown) => string) =>
  <A>(run: () => A | Promise<A>): TE.TaskEither<TreeFailure, A> =>
    TE.tryCatch(
      async () => run(),
      (cause): TreeFailure => ({ _tag: 'NoRoot', reason: wordsOf(cause) }),
    )

const toRead = triedWith(readWordsOf)
const toWrite = triedWith(writeWordsOf)

export const diskTree = ({ clock, file: only, isIgnored, keep: usual, root, rootId }: DiskTreeSettings): DiskTree => {
  const markerName = markerOf(only)
  const tellers = new Set<(event: TreeEvent) => void>()
  const tell = (event: TreeEvent): void => {
    for (const one of tellers) one(event)
  }
  let last: Promise<unknown> = Promise.resolve()
  /**
   * Looks and acts run sequentially. `rest` runs before the next one, so that a look has reached its caller by then.
   */
  const alone = <A>(run: () => Promise<A>, rest = (): Promise<void> => Promise.resolve()): Promise<A> => {
    const next = last.then(run, run)
    last = next.then(rest, rest)
    return next
  }
  const soiled = new Set<string>()
  let waitingActs = 0
  let restUntilMs = 0
  const lookAgain = async (): Promise<void> => {
    // Without this pause, a few acts in a large folder would each cost a look at all of it.
    if (soiled.size === 0 || (waitingActs > 0 && clock.now() < restUntilMs)) return
    const folders = [...soiled]
    soiled.clear()
    const startMs = clock.now()
    const found = await toRead(() => looks.look(folders))()
    restUntilMs = clock.now() + restFactor * (clock.now() - startMs)
    tell(
      E.match(
        (): TreeEvent => ({ _tag: 'Overflow' }),
        (look: TreeLook): TreeEvent => ({ _tag: 'Looked', look }),
      )(found),
    )
  }
  const soil = (dirty: Dirty): void => {
    if (tellers.size === 0) return
    if (dirty === 'All') return tell({ _tag: 'Overflow' })
    for (const folder of dirty) soiled.add(folder)
    void alone(lookAgain)
  }
  const checkRoot = (): void => {
    if (rootId !== undefined && rootIdOf(root) !== rootId) throw new Error(`another folder is at ${root}`)
  }
  const read = entriesIn(clock, root)
  const watches = watchFolders(clock, root, remoteKind(root), soil)
  const looks = looksAt({ clock, root, checkRoot, read, isIgnored, see: watches.see, forget: watches.forget })
  const writer = writing({ clock, root, read, isIgnored, memory: looks })
  const carryOut = async (
    act: SyncAct,
    content: AsyncIterable<Uint8Array>,
    keep: Keep | undefined,
  ): Promise<ActOutcome> => {
    try {
      checkRoot()
      const outcome = await writer.write(act, content, keep)
      // The folder may have been replaced meanwhile.
      checkRoot()
      return outcome
    } catch (cause) {
      return outcomeOf(cause)
    }
  }
  const fillWith = filling({ root, isIgnored, memory: looks })
  const contents = readAhead()
  const actWith =
    (keep: Keep | undefined): OpenTree['act'] =>
    (act, content) =>
    () => {
      const take = contents.queue(content, act._tag === 'Write' ? act.file.size : 0)
      waitingActs += 1
      const done = alone(() => carryOut(act, take(), keep))
      void done.then(() => {
        waitingActs -= 1
        return alone(lookAgain)
      })
      return done
    }
  let coming: Promise<TreeLook> | undefined
  /** One that has not begun serves everybody who asks for one. */
  const lookAtAll = (): Promise<TreeLook> => {
    coming ??= alone(() => {
      coming = undefined
      return looks.look()
    }, breathe)
    return coming
  }
  const tree: OpenTree = {
    look: (folders) => toRead(() => (folders === undefined ? lookAtAll() : alone(() => looks.look(folders), breathe))),
    act: actWith(usual),
    read: (path, file) => contentOf(root, path, file),
    watch: (onEvent) => {
      tellers.add(onEvent)
      return () => void tellers.delete(onEvent)
    },
    makeAll: (acts, bytes) => toWrite(() => alone(async () => fillWith(acts, bytes))),
    polled: async () => E.right(watches.polled()),
    outcomes: () => TE.right(undefined),
    marker: async () => E.right(readMarker(join(root, markerName))),
    mark: (marker) => toWrite(() => writeMarker(root, markerName, marker)),
    close: () => {
      watches.close()
      writer.close()
    },
  }
  return { ...tree, keeping: (keep) => ({ ...tree, act: actWith(keep) }) }
}
