/** The port `PlainFolders` over node:fs. */
import {
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { join, resolve } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textOf } from '../../domain/compose/file-content.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { FolderEntry } from '../../domain/plan/file-changes.ts'
import { writeHelp } from '../../domain/text/file-errors.ts'
import type { FolderLock, PlainFolders } from '../../ports/plain-folders.ts'
import { errorCode, reasonOf } from './files.ts'
import { acquireLock, type LockClock, type LockRules } from './home-lock.ts'
import { isRunning } from './running.ts'

const limitBytes = 16 * 1024 * 1024

const noFollow = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

const isAbsent = (cause: unknown): boolean => errorCode(cause) === 'ENOENT'

const kindOf = (path: string): 'Absent' | 'File' | 'Folder' | 'Link' | 'Other' => {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 'Absent'
  if (stat.isSymbolicLink()) return 'Link'
  return stat.isFile() ? 'File' : stat.isDirectory() ? 'Folder' : 'Other'
}

const words = { Link: 'a symbolic link', Folder: 'a folder', Other: 'not a regular file' } as const

const contentOf = (path: string): FolderEntry => {
  const fd = openSync(path, noFollow)
  try {
    const stat = fstatSync(fd)
    if (!stat.isFile()) return { _tag: 'Other', what: words.Other }
    const text = stat.size > limitBytes ? undefined : textOf(readFileSync(fd))
    return text === undefined ? { _tag: 'Other', what: 'not a text of ours' } : { _tag: 'File', text }
  } finally {
    closeSync(fd)
  }
}

const entryOf = (path: string): FolderEntry => {
  const kind = kindOf(path)
  if (kind === 'Absent') return { _tag: 'Absent' }
  return kind === 'File' ? contentOf(path) : { _tag: 'Other', what: words[kind] }
}

/** Temporary files of a run that was killed. */
const sweep = (folder: string): void => {
  for (const name of readdirSync(folder)) {
    const [, pid] = /^\.devtool-(?:files\.lock\.)?([1-9][0-9]*)-[0-9a-z]+\.tmp$/.exec(name) ?? []
    if (pid !== undefined && !isRunning(Number(pid))) rmSync(join(folder, name), { force: true })
  }
}

/** Replaces any file that has the name meanwhile, and follows no link. */
const putFile = (folder: string, name: string, text: string, isPrivate: boolean): void => {
  mkdirSync(folder, { recursive: true, mode: isPrivate ? 0o700 : 0o777 })
  sweep(folder)
  const temporary = join(folder, `.devtool-${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`)
  try {
    const fd = openSync(temporary, 'wx', isPrivate ? 0o600 : 0o666)
    try {
      writeFileSync(fd, text)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, join(folder, name))
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

const removeFile = (path: string): void => {
  try {
    unlinkSync(path)
  } catch (cause) {
    if (!isAbsent(cause)) throw cause
  }
}

const notAFolder = (folder: string, what: string): Diagnostic =>
  error('DT2007', `${folder} is ${what}`, { help: 'choose another folder' })

const cannot = (what: string, cause: unknown): Diagnostic =>
  error('DT2006', `cannot ${what}: ${reasonOf(cause)}`, {
    help: writeHelp(errorCode(cause), 'check that its folder is writable'),
  })

/** Never taken from a running process: two that write would mix their files. */
const lockRules: LockRules = { staleMs: Number.POSITIVE_INFINITY, waitMs: 10_000 }

export const nodePlainFolders = (cwd: string, clock: LockClock): PlainFolders => {
  const within =
    <A>(folder: string, what: string, run: (full: string) => A): TE.TaskEither<Diagnostic, A> =>
    async () => {
      try {
        const full = resolve(cwd, folder)
        const kind = kindOf(full)
        if (kind === 'Folder' || kind === 'Absent') return E.right(run(full))
        return E.left(notAFolder(folder, kind === 'File' ? 'a file' : words[kind]))
      } catch (cause) {
        return E.left(cannot(what, cause))
      }
    }
  const made = (folder: string): TE.TaskEither<Diagnostic, string> =>
    within(folder, `make ${folder}`, (full) => {
      mkdirSync(full, { recursive: true })
      return full
    })
  const locked = (folder: string, full: string): TE.TaskEither<Diagnostic, FolderLock> =>
    pipe(
      TE.tryCatch(acquireLock(join(full, '.devtool-files.lock'), clock, lockRules), (cause) =>
        cannot(`write into ${folder}`, cause),
      ),
      TE.flatMapEither((lock) => lock),
    )
  return {
    lock: (folder) =>
      pipe(
        made(folder),
        TE.flatMap((full) => locked(folder, full)),
      ),
    look: (folder, name) => within(folder, `read ${folder}/${name}`, (full) => entryOf(join(full, name))),
    put: (folder, name, text, { isPrivate }) =>
      within(folder, `write ${folder}/${name}`, (full) => putFile(full, name, text, isPrivate)),
    remove: (folder, name) => within(folder, `remove ${folder}/${name}`, (full) => removeFile(join(full, name))),
  }
}
