/** Files of a folder, opened so that nothing that came in their place meanwhile is read. */
import { closeSync, constants, fstatSync, lstatSync, openSync, read, readSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import { toPath } from '../../paths/name.ts'
import { isNamed, placeOf } from '../../paths/within.ts'
import { type Unsendable, unsendable } from './reason.ts'

/** `size`: when it was opened. What is added later does not count. */
export type OpenedFile = { readonly fd: number; readonly size: number }

const isWindows = process.platform === 'win32'

/** Pipes would block, links would lead elsewhere; Windows has no such flags. */
const flags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

const fullPath = (root: string, path: string): string => `${root === '/' ? '' : root}/${path}`

/** For file systems where one name has several spellings, and systems that say no place. Throws what the file system throws. */
const isReached = (fd: number, root: string, path: string): boolean => {
  const parts = path.split('/')
  const folders = parts.slice(1).map((_, index) => `${root}/${parts.slice(0, index + 1).join('/')}`)
  if (!folders.every((folder) => lstatSync(toPath(folder)).isDirectory())) return false
  const [there, opened] = [lstatSync(toPath(`${root}/${path}`), { bigint: true }), fstatSync(fd, { bigint: true })]
  return there.ino === opened.ino && there.dev === opened.dev
}

/** Where case and composition make no difference. */
const folded = (path: string): string => path.normalize('NFC').toLowerCase()

/** Between two looks a path may come to lead elsewhere; what the system says of a descriptor stays true. */
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

/** `root` as realpath gives it; `path` is relative. Whoever gets the descriptor closes it. */
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

/** How much of `into` was filled: less only at the end of the file. Throws what the file system throws. */
const fillNow = (fd: number, into: Uint8Array): number => {
  let length = 0
  while (length < into.length) {
    const count = readSync(fd, into, length, into.length - length, null)
    if (count === 0) break
    length += count
  }
  return length
}

/** As fillNow, without blocking; rejects with what the file system says. */
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

/** `frame` makes room for so many bytes. `take` gets each frame with how much of its room is filled, and says whether to go on. */
export type Reader<F> = {
  readonly frame: (length: number) => { readonly frame: F; readonly room: Uint8Array }
  readonly take: (frame: F, length: number, room: number) => Promise<boolean> | boolean
}

/**
 * Reads a file that is open, and closes it: small ones at once, as that is faster by far. At most what was there when it
 * was opened; of files whose size the system does not tell, all.
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
