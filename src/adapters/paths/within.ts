/** Paths confined to a folder, with links followed: checked before they are opened, and again once they are open. */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import nodePath, { dirname, relative, resolve } from 'node:path'
import { readLink } from './name.ts'

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

type Rules = Pick<typeof nodePath, 'isAbsolute' | 'relative' | 'resolve' | 'sep'>

/** On Windows, the way to another drive is absolute. */
export const isBelow = (root: string, path: string, rules: Rules = nodePath): boolean => {
  const way = rules.relative(root, path)
  const isUp = way === '..' || way.startsWith(`..${rules.sep}`)
  return !isUp && !rules.isAbsolute(way) && rules.resolve(root, way) === path
}

/** A path that does not exist is judged by its folder. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    const above = dirname(path)
    if (codeOf(cause) !== 'ENOENT' || above === path) throw cause
    return resolve(realPathOf(above), relative(above, path))
  }
}

/** The real path; `undefined` when it is outside the folder. Throws errors of the file system. */
export const realPathWithin = (root: string | undefined, path: string): string | undefined => {
  const full = realPathOf(resolve(path))
  return root === undefined || isBelow(realPathOf(resolve(root)), full) ? full : undefined
}

/** On Linux, the path of an open descriptor, even if it was renamed. `undefined` on other systems. */
export const placeOf = (fd: number): string | undefined => {
  try {
    return readLink(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

/** A file that was deleted since it was opened still counts. */
export const isNamed = (place: string, full: string): boolean => place === full || place === `${full} (deleted)`

/** `full` has no links: the file under that name was not reached through one. */
const isAt = (fd: number, full: string): boolean => {
  const place = placeOf(fd)
  if (place !== undefined) return isNamed(place, full)
  const [there, opened] = [lstatSync(full, { bigint: true }), fstatSync(fd, { bigint: true })]
  return realpathSync.native(full) === full && there.ino === opened.ino && there.dev === opened.dev
}

/**
 * Opens a file. `undefined` when the path leads out of the folder, or did so meanwhile. Without a `root` any file is
 * opened. Throws errors of the file system.
 */
export const openWithin = (root: string | undefined, path: string, flags: number): number | undefined => {
  if (root === undefined) return openSync(path, flags)
  const full = realPathWithin(root, path)
  if (full === undefined) return undefined
  const fd = openSync(full, flags | (constants.O_NOFOLLOW ?? 0))
  try {
    if (isAt(fd, full)) return fd
  } catch (cause) {
    closeSync(fd)
    throw cause
  }
  closeSync(fd)
  return undefined
}
