/**
 * The port `Home` over node:fs. Folders are created with mode 0700 and files with 0600, whatever the umask; a file is
 * replaced as a whole, by one process at a time.
 */

import { chmodSync, lstatSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { writeHelp } from '../../domain/text/file-errors.ts'
import type { Home } from '../../ports/home.ts'
import { readRegular } from '../paths/regular.ts'
import { errorCode, reasonOf } from './files.ts'
import { acquireLock, type HeldLock, type LockClock, type LockRules, lockRules } from './home-lock.ts'
import { replacePrivately } from './home-write.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** `isOwn`: the folder is only ours, so we may set its mode; a folder named by DEVTOOL_HOME may be anything. */
type Root = { readonly path: string; readonly isOwn: boolean }

const rootOf = (env: Environment): Root | undefined => {
  const named = env['DEVTOOL_HOME'] ?? ''
  if (named !== '') return { path: resolve(named), isOwn: false }
  const home = (env['HOME'] || env['USERPROFILE']) ?? ''
  return home === '' ? undefined : { path: join(resolve(home), '.devtool'), isOwn: true }
}

const HELP = 'set DEVTOOL_HOME to a writable folder'

const unusable = (message: string, help = HELP): Diagnostic => error('DT2104', message, { help })

const noHome = unusable('neither HOME nor DEVTOOL_HOME is set, so there is no folder for settings')

const failed =
  (what: string) =>
  (cause: unknown): Diagnostic =>
    unusable(`cannot ${what}: ${reasonOf(cause)}`, writeHelp(errorCode(cause), HELP))

const attempt = <A>(what: string, run: () => A): E.Either<Diagnostic, A> => E.tryCatch(run, failed(what))

/** A symbolic link could lead tokens elsewhere, or other people's data here. */
const refuseLinks = (paths: ReadonlyArray<string>): E.Either<Diagnostic, undefined> => {
  for (const path of paths) {
    const stat = attempt(`look at ${path}`, () => lstatSync(path, { throwIfNoEntry: false }))
    if (E.isLeft(stat)) return stat
    if (stat.right?.isSymbolicLink() === true)
      return E.left(unusable(`${path} is a symbolic link, which is not followed`))
  }
  return E.right(undefined)
}

/** The folders from the root to the file. */
const foldersOf = ({ path: root }: Root, path: string): ReadonlyArray<string> => {
  const folder = dirname(path)
  const steps = folder === '.' ? [] : folder.split('/')
  return [root, ...steps.map((_, index) => join(root, ...steps.slice(0, index + 1)))]
}

const OTHERS = 0o077

const exists = (path: string): boolean => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/**
 * One level at a time: `recursive` never returns where nothing can be created (/proc). `mkdir` obeys the umask, `chmod`
 * does not.
 */
const makeFolder = (path: string): void => {
  try {
    mkdirSync(path, { mode: 0o700 })
    chmodSync(path, 0o700)
  } catch (cause) {
    if (errorCode(cause) !== 'EEXIST') throw cause
  }
}

const above = (path: string): ReadonlyArray<string> =>
  exists(path) || dirname(path) === path ? [] : [...above(dirname(path)), path]

const makeFolders = (root: Root, path: string): void => {
  for (const folder of above(root.path)) makeFolder(folder)
  for (const [index, folder] of foldersOf(root, path).entries()) {
    makeFolder(folder)
    const isOurs = index > 0 || root.isOwn
    if (isOurs && (lstatSync(folder).mode & OTHERS) !== 0) chmodSync(folder, 0o700)
  }
}

const readText = (file: string): string | undefined => {
  try {
    return readRegular(file).toString()
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT' || errorCode(cause) === 'ENOTDIR') return undefined
    throw cause
  }
}

type Locking = { readonly clock: LockClock; readonly rules: LockRules }

type Change = (text: string | undefined) => E.Either<Diagnostic, string>

/** The path of the file, unless a link leads elsewhere. */
const fileIn = (root: Root, path: string): E.Either<Diagnostic, string> => {
  const file = join(root.path, path)
  return pipe(
    refuseLinks([...foldersOf(root, path), file]),
    E.map(() => file),
  )
}

/** The path of a file whose folders are there, and only ours. */
export const privatePath = (env: Environment, path: string): E.Either<Diagnostic, string> => {
  const root = rootOf(env)
  if (root === undefined) return E.left(noHome)
  return pipe(
    fileIn(root, path),
    E.tap((file) => attempt(`make ${dirname(file)}`, () => makeFolders(root, path))),
  )
}

/** False when the lock was taken over before the change was written. Releases the lock. */
const changeLocked = ({ isMine, release }: HeldLock, file: string, change: Change): E.Either<Diagnostic, boolean> => {
  try {
    return pipe(
      attempt(`read ${file}`, () => readText(file)),
      E.bindTo('old'),
      E.bind('changed', ({ old }) => change(old)),
      E.flatMap(({ changed, old }) =>
        changed === old ? E.right(true) : attempt(`write ${file}`, () => replacePrivately(file, changed, isMine)),
      ),
    )
  } finally {
    release()
  }
}

const lockFor = (file: string, { clock, rules }: Locking): TE.TaskEither<Diagnostic, HeldLock> => {
  const acquire = acquireLock(`${file}.lock`, clock, rules)
  return () => acquire().catch((cause: unknown) => E.left(failed(`write ${file}`)(cause)))
}

/** A process that was paused for so long that it lost the lock starts again. */
const changeFile = (file: string, change: Change, locking: Locking): TE.TaskEither<Diagnostic, undefined> =>
  pipe(
    lockFor(file, locking),
    TE.flatMapEither((lock) => changeLocked(lock, file, change)),
    TE.flatMap((isDone) => (isDone ? TE.right(undefined) : changeFile(file, change, locking))),
  )

const changing = (root: Root, path: string, change: Change, locking: Locking): TE.TaskEither<Diagnostic, undefined> =>
  pipe(
    TE.fromIOEither(() => fileIn(root, path)),
    TE.tap((file) => TE.fromEither(attempt(`make ${dirname(file)}`, () => makeFolders(root, path)))),
    TE.flatMap((file) => changeFile(file, change, locking)),
  )

const reading = (root: Root, path: string): TE.TaskEither<Diagnostic, string | undefined> =>
  TE.fromIOEither(() => {
    const file = join(root.path, path)
    return attempt(`read ${file}`, () => readText(file))
  })

const listing = (root: Root, path: string): ReadonlyArray<string> => {
  try {
    return readdirSync(join(root.path, path)).toSorted()
  } catch {
    return []
  }
}

/**
 * `$DEVTOOL_HOME`, else `$HOME/.devtool`. Without either nothing is stored, and nothing can be changed (DT2104,
 * DT2106).
 */
export const nodeHome = (env: Environment, clock: LockClock, rules: LockRules = lockRules): Home => {
  const root = rootOf(env)
  return {
    where: (path) => join(root?.path ?? '~/.devtool', path),
    list: (path) => () => Promise.resolve(root === undefined ? [] : listing(root, path)),
    read: (path) => (root === undefined ? TE.right(undefined) : reading(root, path)),
    change: (path, change) => (root === undefined ? TE.left(noHome) : changing(root, path, change, { clock, rules })),
  }
}
