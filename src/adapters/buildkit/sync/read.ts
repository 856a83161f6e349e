/** Opens files of a folder safely: a file that was swapped in meanwhile is not read. */
import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { toPath } from '../../paths/name.ts'
import { isNamed, placeOf } from '../../paths/within.ts'
import { type Unsendable, unsendable } from './reason.ts'

/** `size`: when it was opened. Bytes added later do not count. */
export type OpenedFile = { readonly fd: number; readonly size: number }

const isWindows = process.platform === 'win32'

/** Pipes would block and links would lead elsewhere; Windows has no such flags. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

const fullPath = (root: string, path: string): string => `${root === '/' ? '' : root}/${path}`

/**
 * For file systems where a name has several spellings, and systems that do not report the path of a descriptor. Throws
 * errors of the file system.
 */
const isReached = (fd: number, root: string, path: string): boolean => {
  const parts = path.split('/')
  const folders = parts.slice(1).map((_, index) => `${root}/${parts.slice(0, index + 1).join('/')}`)
  if (!folders.every((folder) => lstatSync(toPath(folder)).isDirectory())) return false
  const [there, opened] = [lstatSync(toPath(`${root}/${path}`), { bigint: true }), fstatSync(fd, { bigint: true })]
  return there.ino === opened.ino && there.dev === opened.dev
}

/** Compares paths regardless of case and Unicode normalization. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/** A path may change between two checks; what the system reports about a descriptor stays true. */
const isOwn = (fd: number, root: string, path: string): boolean => {
  const place = placeOf(fd)
  const full = fullPath(root, path)
  if (place === undefined) return isReached(fd, root, path)
  return isNamed(place, full) || (folded(place) === folded(full) && isReached(fd, root, path))
}

const checked = (fd: number, root: string, path: string): E.Either<Unsendable, OpenedFile> => {
  const stats = fstatSync(fd)
  if (!stats.isFile()) return E.left(unsendable(path, 'it is no longer a regular file'))
  return isOwn(fd, root, path)
    ? E.right({ fd, size: stats.size })
    : E.left(unsendable(path, 'a folder above it became a symbolic link, or was moved'))
}

/** `root` as realpath returns it; `path` is relative. The caller closes the descriptor. */
export const openFile = (root: string, path: string): E.Either<Unsendable, OpenedFile> => {
  const full = fullPath(root, path)
  let fd: number | undefined
  try {
    if (isWindows && !lstatSync(toPath(full)).isFile())
      return E.left(unsendable(path, 'it is no longer a regular file'))
    fd = openSync(toPath(full), flags)
    const opened = checked(fd, root, path)
    if (E.isLeft(opened)) closeSync(fd)
    return opened
  } catch (cause) {
    if (fd !== undefined) closeSync(fd)
    return E.left(unsendable(path, cause))
  }
}

/**
 * How many bytes of `into` were filled: less than all only at the end of the file. Throws errors of the file system.
 */
const fillNow = (fd: number, into: Uint8Array): number => {
  let length = 0
  while (length < into.length) {
    const count = readSync(fd, into, length, into.length - length, null)
    if (count === 0) break
    length += count
  }
  return length
}

/** As fillNow, without blocking; rejects with errors of the file system. */
const fill = (fd: number, into: Uint8Array): Promise<number> =>
  new Promise((resolve, reject) => {
    const go = (length: number): void => {
      read(fd, into, length, into.length - length, null, (failure, count) => {
        if (failure !== null) reject(failure)
        else if (count === 0 || length + count === into.length) resolve(length + count)
        else go(length + count)
      })
    }
    go(0)
  })

const smallBytes = 64 * 1024
const chunkBytes = 128 * 1024

/**
 * `frame` makes room for a number of bytes. `take` receives each frame and how much of it is filled, and returns
 * whether to continue.
 */
export type Reader<F> = {
  readonly frame: (length: number) => { readonly frame: F; readonly room: Uint8Array }
  readonly take: (frame: F, length: number, room: number) => Promise<boolean> | boolean
}

/**
 * Reads an open file and closes it; small ones synchronously, which is much faster. Reads at most the size at opening;
 * all of it when the system does not report a size.
 */
export const readOpened = async <F>(
  { fd, size }: OpenedFile,
  path: string,
  reader: Reader<F>,
): Promise<Unsendable | undefined> => {
  try {
    for (let left = size === 0 ? Number.POSITIVE_INFINITY : size; left > 0; ) {
      const { frame, room } = reader.frame(Math.min(left, size === 0 ? smallBytes / 16 : chunkBytes))
      const length = size <= smallBytes ? fillNow(fd, room) : await fill(fd, room)
      if (length === 0) return undefined
      const isOn = reader.take(frame, length, room.length)
      if (!(typeof isOn === 'boolean' ? isOn : await isOn) || length < room.length) return undefined
      left -= length
    }
    return undefined
  } catch (cause) {
    return unsendable(path, cause)
  } finally {
    closeSync(fd)
  }
}
