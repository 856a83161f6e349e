/** The port `BuildContexts` over local folders, with the walk that is also used for sending them. */
import { createHash } from 'node:crypto'
import { fstatSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { ignorePatterns } from '../../domain/ignore/ignore.ts'
import type { Patterns } from '../../domain/ignore/patterns.ts'
import { visible } from '../../domain/text/visible.ts'
import type { BuildContexts, ContextChoice, Weight } from '../../ports/build-contexts.ts'
import type { Clock } from '../../ports/clock.ts'
import { bytesOfName, isRaw } from '../paths/name.ts'
import { type ContextIndex, type IndexPorts, openIndex } from './context-index.ts'
import type { FileEntry } from './sync/entry.ts'
import { openFile, readOpened } from './sync/read.ts'
import type { Unsendable } from './sync/reason.ts'
import { compiled, rootOf } from './sync/tree.ts'
import { giveWay, type Turn, takeTurns } from './sync/turns.ts'
import { type Walk, walkFolder } from './sync/walk.ts'
import { openScale } from './sync/weight.ts'

type Root = { readonly path: string; readonly ignore: string; readonly walk: Walk }

const unreadable = (folder: string, { path, cause }: Unsendable): Diagnostic =>
  error('DT4010', path === '.' ? `${visible(folder)}: ${cause}` : `${path} in ${visible(folder)}: ${cause}`)

const interrupted = (): Diagnostic => error('DT4016', 'the build was interrupted')

const excludedBy = (folder: string, ignore: ContextChoice['ignore']): E.Either<Diagnostic, Patterns> =>
  pipe(
    compiled(ignorePatterns(ignore)),
    E.mapLeft((why) => unreadable(`${folder}/.dockerignore`, why)),
  )

const rootIn = ({ folder, ignore, root }: ContextChoice): E.Either<Diagnostic, Root> =>
  pipe(
    rootOf(folder, root),
    E.mapLeft(({ cause, isOutside = false }) =>
      error(isOutside ? 'DT1008' : 'DT4032', `build context ${visible(folder)}: ${cause}`),
    ),
    E.bindTo('path'),
    E.bind('exclude', () => excludedBy(folder, ignore)),
    E.map(({ exclude, path }) => ({ path, ignore, walk: walkFolder(path, { exclude }) })),
  )

/** Visits all entries. `see` may return a reason to stop. */
const throughAll = async (
  walk: Walk,
  turn: Turn,
  signal: AbortSignal,
  see: (entry: FileEntry) => Promise<Unsendable | undefined> | undefined,
): Promise<Unsendable | 'Aborted' | undefined> => {
  for (let step = walk.next(); ; step = walk.next()) {
    if (signal.aborted) return 'Aborted'
    if (step.done === true) return step.value
    const seen = step.value === undefined ? undefined : see(step.value)
    const why = seen === undefined ? undefined : await seen
    if (why !== undefined) return why
    const pause = turn()
    if (pause !== undefined) await pause
  }
}

type Digest = E.Either<Unsendable, Buffer>

/** Checks that the opened file is the one the walk saw, unchanged since. */
const isSame = (fd: number, { ctimeNs, device, inode, mtimeNs, size }: FileEntry): boolean => {
  const stats = fstatSync(fd, { bigint: true })
  return (
    stats.ino === inode &&
    stats.dev === device &&
    stats.mtimeNs === mtimeNs &&
    stats.ctimeNs === ctimeNs &&
    stats.size === BigInt(size)
  )
}

/** The digest of a file's content. */
const digestOf = async (root: string, entry: FileEntry, index: ContextIndex, signal: AbortSignal): Promise<Digest> => {
  const { path } = entry
  const opened = openFile(root, path)
  if (E.isLeft(opened)) return opened
  const isKept = isSame(opened.right.fd, entry)
  const hash = createHash('sha256')
  let buffer = Buffer.alloc(0)
  const why = await readOpened(opened.right, path, {
    frame: (length) => {
      if (buffer.length < length) buffer = Buffer.allocUnsafeSlow(length)
      const room = buffer.subarray(0, length)
      return { frame: room, room }
    },
    take: (room, length) => {
      hash.update(room.subarray(0, length))
      return !signal.aborted
    },
  })
  if (why !== undefined) return E.left(why)
  const digest = hash.digest()
  if (isKept && !signal.aborted) index.keep(entry, digest)
  return E.right(digest)
}

/** Modes of symbolic links differ between systems and have no meaning. */
const headOf = ({ path, kind, mode, link, major, minor }: FileEntry): string | Buffer => {
  const head = [
    kind,
    kind === 'Link' ? link : kind === 'Other' ? `${major}:${minor}` : '',
    kind === 'Link' ? 0 : mode,
    path,
    '',
  ].join('\0')
  return isRaw(head) ? bytesOfName(head) : head
}

type Waiting = { readonly head: string | Buffer; readonly digest: Promise<Digest> | Digest | undefined }

type Work<A> = (root: Root, signal: AbortSignal) => TE.TaskEither<Unsendable | 'Aborted', A>

/** `home` keeps digests for the next run. */
type ContextPorts = IndexPorts & { readonly clock: Clock }

/** How many files are read ahead. */
const ahead = 8

const hashOf =
  (ports: ContextPorts): Work<string> =>
  ({ ignore, path, walk }, signal) =>
  async () => {
    const index = await openIndex(ports, { root: path, ignore })
    const hash = createHash('sha256')
    const waiting: Array<Waiting> = []
    const takeFirst = async (): Promise<Unsendable | undefined> => {
      const first = waiting.shift()
      if (first === undefined) return undefined
      hash.update(first.head)
      const digest = await first.digest
      if (digest === undefined) return undefined
      if (E.isLeft(digest)) return digest.left
      hash.update(digest.right)
      return undefined
    }
    const stopped = await throughAll(walk, takeTurns(ports.clock), signal, (entry) => {
      const known = entry.kind === 'File' ? index.digestOf(entry) : undefined
      if (waiting.length === 0 && (known !== undefined || entry.kind !== 'File')) {
        hash.update(headOf(entry))
        if (known !== undefined) hash.update(known)
        return undefined
      }
      const read = (): Promise<Digest> => digestOf(path, entry, index, signal)
      const digest = entry.kind !== 'File' ? undefined : known === undefined ? read() : E.right(known)
      waiting.push({ head: headOf(entry), digest })
      return waiting.length < ahead ? undefined : takeFirst()
    })
    let why = stopped
    while (waiting.length > 0) {
      const found = await takeFirst()
      why ??= found
    }
    if (why !== undefined) return E.left(why)
    if (signal.aborted) return E.left('Aborted')
    await index.save()
    return E.right(hash.digest('hex'))
  }

/** The bytes that would be sent: a file with several names is sent once. */
const weightOf =
  (clock: Clock): Work<Weight> =>
  ({ walk }, signal) =>
  async () => {
    const scale = openScale()
    const stopped = await throughAll(walk, giveWay(clock), signal, ({ kind, path, size, link }) => {
      if (kind === 'File') scale.file(path, link === '' ? size : 0)
      return undefined
    })
    return stopped === undefined ? E.right(scale.weight()) : E.left(stopped)
  }

const over =
  <A>(work: Work<A>) =>
  (choice: ContextChoice, signal: AbortSignal): TE.TaskEither<Diagnostic, A> => {
    const explain = (why: Unsendable | 'Aborted'): Diagnostic =>
      why === 'Aborted' ? interrupted() : unreadable(choice.folder, why)
    return pipe(
      TE.fromIOEither(() => rootIn(choice)),
      TE.flatMap((root) => TE.mapLeft(explain)(work(root, signal))),
    )
  }

export const buildContexts = (ports: ContextPorts): BuildContexts => ({
  hash: over(hashOf(ports)),
  weigh: over(weightOf(ports.clock)),
})
