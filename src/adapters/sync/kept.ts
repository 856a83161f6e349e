/**
 * Copies of files of this machine before they are overwritten or deleted. Each is below a folder named by the time
 * (milliseconds since 1970), at its former path, so that it can be found without any index.
 */
import * as fs from 'node:fs'
import { dirname, join } from 'node:path'
import type { KeptCopy } from '../../domain/sync/kept.ts'
import { codeOf } from './disk.ts'

type KeptLimits = { readonly days: number; readonly bytes: number }

const keptLimits: KeptLimits = { days: 7, bytes: 1024 ** 3 }

const dayMs = 24 * 60 * 60 * 1000

/** The time, and a number when the same path is kept again at that time. */
const nameOf = (atMs: number, again: number): string => `${Math.floor(atMs)}${again === 0 ? '' : `-${again}`}`

const timeOf = (name: string): number | undefined => {
  const [, atMs] = /^([0-9]{13})(?:-[0-9]+)?$/.exec(name) ?? []
  return atMs === undefined ? undefined : Number(atMs)
}

/** None when the folder does not exist. */
export const namesIn = (folder: string): ReadonlyArray<string> => {
  try {
    return fs.readdirSync(folder)
  } catch {
    return []
  }
}

/** Other hard links to the file in the tree may change it, so it is copied. */
const copy = (from: string, to: string): void => {
  const stat = fs.lstatSync(from)
  if (stat.isSymbolicLink()) return fs.symlinkSync(fs.readlinkSync(from), to)
  if (stat.nlink === 1) {
    try {
      return fs.linkSync(from, to)
    } catch (cause) {
      if (codeOf(cause) === 'EEXIST') throw cause
    }
  }
  fs.copyFileSync(from, to, fs.constants.COPYFILE_EXCL)
}

const walk = (folder: string, path: string, see: (path: string, size: number) => void): void => {
  for (const name of namesIn(join(folder, path))) {
    const below = path === '' ? name : `${path}/${name}`
    const stat = fs.lstatSync(join(folder, below), { throwIfNoEntry: false })
    if (stat?.isDirectory() === true) walk(folder, below, see)
    else if (stat !== undefined) see(below, stat.size)
  }
}

/** Oldest first. */
export const listKept = (folder: string): ReadonlyArray<KeptCopy> => {
  const copies: Array<KeptCopy> = []
  for (const name of namesIn(folder).toSorted()) {
    const atMs = timeOf(name)
    if (atMs === undefined) continue
    walk(join(folder, name), '', (path, size) => copies.push({ name: `${name}/${path}`, path, atMs, size }))
  }
  return copies
}

/** Deletes empty folders below. Another process may do the same, or keep a file in one of them. */
const prune = (folder: string): void => {
  for (const name of namesIn(folder)) {
    const path = join(folder, name)
    if (fs.lstatSync(path, { throwIfNoEntry: false })?.isDirectory() !== true) continue
    prune(path)
    try {
      fs.rmdirSync(path)
    } catch {
      // The folder is not empty, or does not exist any more.
    }
  }
}

/**
 * Deletes copies that are too old, and, beginning with the newest, those that exceed the space: one huge file does not
 * displace all others.
 */
export const tidyKept = (folder: string, nowMs: number, { bytes, days } = keptLimits): void => {
  let room = bytes
  for (const { atMs, name, size } of listKept(folder).toReversed()) {
    const isTooMuch = size > room
    if (!isTooMuch) room -= size
    if (isTooMuch || nowMs - atMs > days * dayMs) fs.rmSync(join(folder, name), { force: true })
  }
  prune(folder)
}

export type Keep = (path: string, from: string) => string

/** Copies the file and returns the copy's path. Throws when that is impossible: then nothing may be overwritten. */
export const keeping =
  (folder: string, now: () => number): Keep =>
  (path, from) => {
    const atMs = now()
    for (let again = 0; ; again += 1) {
      const to = join(folder, nameOf(atMs, again), path)
      try {
        fs.mkdirSync(dirname(to), { recursive: true, mode: 0o700 })
        copy(from, to)
        return to
      } catch (cause) {
        // The same path within this second, or a folder where a file was kept.
        if (again > 10_000 || !['EEXIST', 'ENOTDIR'].includes(codeOf(cause))) throw cause
      }
    }
  }
