/** Paths that must lie in a folder, links followed: judged before they are opened, and again by what was opened. */
import { closeSync, constants, fstatSync, lstatSync, openSync, realpathSync } from 'node:fs'
import { dirname, relative, resolve, sep } from 'node:path'
import { readLink } from './name.ts'

const codeOf = (cause: unknown): unknown =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? cause.code : undefined

const isBelow = (root: string, path: string): boolean => {
  const way = relative(root, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(root, way) === path
}

/** What does not exist lies where its folder does. */
const realPathOf = (path: string): string => {
  try {
    return realpathSync.native(path)
  } catch (cause) {
    const above = dirname(path)
    if (codeOf(cause) !== 'ENOENT' || above === path) throw cause
    return resolve(realPathOf(above), relative(above, path))
  }
}

/** Where a path leads; `undefined`: out of the folder. Throws what the file system throws. */
export const realPathWithin = (root: string | undefined, path: string): string | undefined => {
  const full = realPathOf(resolve(path))
  return root === undefined || isBelow(realPathOf(resolve(root)), full) ? full : undefined
}

/** Linux says where a descriptor leads, whatever became of the path. `undefined`: the system does not say. */
export const placeOf = (fd: number): string | undefined => {
  try {
    return readLink(`/proc/self/fd/${fd}`)
  } catch {
    return undefined
  }
}

/** A file that was removed since it was opened is still the one. */
export const isNamed = (place: string, full: string): boolean => place === full || place === `${full} (deleted)`

/** `full` has no links: what was opened under that name was not reached through one. */
const isAt = (fd: number, full: string): boolean => {
  const place = placeOf(fd)
  if (place !== undefined) return isNamed(place, full)
  const [there, opened] = [lstatSync(full, { bigint: true }), fstatSync(fd, { bigint: true })]
  return realpathSync.native(full) === full && there.ino === opened.ino && there.dev === opened.dev
}

/**
 * A descriptor. `undefined`: the path leads out of the folder, or was led out of it meanwhile. Without a `root` anything is
 * opened. Throws what the file system throws.
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
