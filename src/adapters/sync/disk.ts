/** Entries on disk. The content of a file is hashed once, until its metadata changes. */

import { createHash, type Hash } from 'node:crypto'
import {
  type BigIntStats,
  closeSync,
  constants,
  fstatSync,
  futimesSync,
  lstatSync,
  openSync,
  readlinkSync,
  readSync,
} from 'node:fs'
import { join } from 'node:path'
import type { OpaqueEntry, SeenEntry } from '../../domain/sync/entry.ts'
import type { Clock } from '../../ports/clock.ts'

/** `isYoung`: it changed so shortly before the look that another change may leave its metadata equal. */
export type Held = { readonly signature: string; readonly entry: SeenEntry; readonly isYoung: boolean }

export type DiskClock = Pick<Clock, 'now' | 'wallMs'>

const youngMs = 2_000
const partBytes = 1024 * 1024
const mostTries = 3

export const noFollow = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0)

export const codeOf = (cause: unknown): string => (cause instanceof Error && 'code' in cause ? String(cause.code) : '')

export const reasonOf = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

const absent = new Set(['ENOENT', 'ENOTDIR'])

export const isAbsent = (cause: unknown): boolean => absent.has(codeOf(cause))

export const signatureOf = ({ ctimeNs, ino, mode, mtimeNs, size }: BigIntStats): string =>
  `${ino} ${size} ${mtimeNs} ${mode} ${ctimeNs}`

/** If this clock is behind that of the file system, every file counts as young. */
const isYoung = ({ wallMs }: DiskClock, { ctimeMs, mtimeMs }: BigIntStats): boolean =>
  wallMs() - Number(ctimeMs > mtimeMs ? ctimeMs : mtimeMs) < youngMs

/**
 * Dates the last change of a file that only this process knows a little before the tick of the clock in which it was
 * made, so that every later one has another time. False where times are whole seconds: there, a tick is too long.
 */
export const predate = (file: number): boolean => {
  const { atimeMs, mtimeNs } = fstatSync(file, { bigint: true })
  if (mtimeNs % 1_000_000_000n === 0n) return false
  futimesSync(file, Number(atimeMs) / 1000, Number(mtimeNs - 1_000n) / 1e9)
  return true
}

export const folderId = ({ birthtimeNs, dev, ino }: BigIntStats): string => `${dev}:${ino}:${birthtimeNs}`

export const isExecutable = ({ mode }: BigIntStats): boolean => (mode & 0o111n) !== 0n

const unknown = (reason: string): OpaqueEntry => ({ _tag: 'Unknown', reason })

const part = Buffer.alloc(partBytes)

/** Synchronous, so that the buffer can be shared. Returns the number of bytes read. */
const hashPart = (file: number, hash: Hash, from: number, size: number): number => {
  const read = readSync(file, part, 0, Math.min(partBytes, size - from), from)
  hash.update(part.subarray(0, read))
  return read
}

/** Yields to other work of this process. */
export const breathe = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve)
  })

/** The hash of a file that stays the same meanwhile, or grows: appended bytes come with the next look. */
const hashed = async (file: number, stat: BigIntStats): Promise<string | undefined> => {
  const hash = createHash('sha256')
  const size = Number(stat.size)
  let at = 0
  while (at < size) {
    const read = hashPart(file, hash, at, size)
    if (read === 0) return undefined
    at += read
    if (at < size) await breathe()
  }
  const after = fstatSync(file, { bigint: true })
  const isSame = signatureOf(after) === signatureOf(stat)
  return isSame || after.size > stat.size ? hash.digest('hex') : undefined
}

const fileAt = async (clock: DiskClock, path: string): Promise<Held | undefined> => {
  const file = openSync(path, noFollow)
  try {
    for (let tries = 0; tries < mostTries; tries += 1) {
      const stat = fstatSync(file, { bigint: true })
      if (!stat.isFile()) return undefined
      const hash = await hashed(file, stat)
      if (hash === undefined) continue
      const entry = { _tag: 'File', hash, size: Number(stat.size), isExecutable: isExecutable(stat) } as const
      return { signature: signatureOf(stat), entry, isYoung: isYoung(clock, stat) }
    }
    return { signature: '', entry: unknown('it changes while it is read'), isYoung: true }
  } finally {
    closeSync(file)
  }
}

const opaque = (entry: SeenEntry): Held => ({ signature: '', entry, isYoung: true })

/** `undefined`: there is no entry. `held`: the entry at the last look. */
export type ReadEntry = (path: string, held?: Held) => Promise<Held | undefined>

export const entriesIn =
  (clock: DiskClock, root: string): ReadEntry =>
  async (path, held) => {
    const full = join(root, path)
    try {
      const stat = lstatSync(full, { bigint: true })
      if (stat.isDirectory()) return opaque({ _tag: 'Folder', id: folderId(stat) })
      if (stat.isSymbolicLink()) return opaque({ _tag: 'Link', target: readlinkSync(full) })
      if (!stat.isFile()) return opaque({ _tag: 'Special', reason: 'it is a socket, a pipe or a device' })
      if (held?.isYoung === false && held.signature === signatureOf(stat)) return held
      return await fileAt(clock, full)
    } catch (cause) {
      return isAbsent(cause) ? undefined : opaque(unknown(reasonOf(cause)))
    }
  }
