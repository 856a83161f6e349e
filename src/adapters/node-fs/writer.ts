/** The port `FileWriter` over node:fs: writes a new file in the same folder and renames it over the old one. */
import {
  closeSync,
  fchmodSync,
  fsyncSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { resolve } from 'node:path'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { error } from '../../domain/diagnostic/diagnostic.ts'
import { writeHelp } from '../../domain/text/file-errors.ts'
import type { FileWriter } from '../../ports/files.ts'
import { errorCode, reasonOf } from './files.ts'

/** A symbolic link stays: its target is replaced. */
const targetOf = (path: string): string => {
  try {
    return realpathSync(path)
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return path
    throw cause
  }
}

const replaceFile = (path: string, content: string | Uint8Array, isPrivate: boolean): void => {
  const target = targetOf(path)
  const old = statSync(target, { throwIfNoEntry: false })
  if (old !== undefined && !old.isFile()) throw new Error('it is not a regular file')
  // The file is created exclusively, so the name need not be random, and loading node:crypto would cost every command
  // some milliseconds.
  const temporary = `${target}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`
  const fd = openSync(temporary, 'wx', isPrivate ? 0o600 : 0o666)
  try {
    try {
      if (old !== undefined && !isPrivate) fchmodSync(fd, old.mode & 0o777)
      writeFileSync(fd, content)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    renameSync(temporary, target)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw cause
  }
}

export const nodeWriter = (cwd: string): FileWriter => ({
  replace: (path, content, { isPrivate } = { isPrivate: false }) =>
    TE.tryCatch(
      async () => replaceFile(resolve(cwd, path), content, isPrivate),
      (cause) =>
        error(
          'DT2006',
          `cannot write ${path}: ${cause instanceof Error && errorCode(cause) === undefined ? cause.message : reasonOf(cause)}`,
          {
            help: writeHelp(errorCode(cause), 'check that its folder exists and is writable'),
          },
        ),
    ),
})
