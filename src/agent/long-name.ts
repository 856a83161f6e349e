/** Lines as of `ls -l`, which clients of SFTP show as they are. */
import type { Attributes } from 'ssh2'

const kinds: ReadonlyMap<number, string> = new Map([
  [0o010000, 'p'],
  [0o020000, 'c'],
  [0o040000, 'd'],
  [0o060000, 'b'],
  [0o120000, 'l'],
  [0o140000, 's'],
])

/** `special`: whether set-user-ID, set-group-ID or the sticky bit is set, which `letter` stands for. */
const triple = (bits: number, special: boolean, letter: string): string => {
  const last = (bits & 1) !== 0 ? (special ? letter : 'x') : special ? letter.toUpperCase() : '-'
  return `${(bits & 4) !== 0 ? 'r' : '-'}${(bits & 2) !== 0 ? 'w' : '-'}${last}`
}

const showMode = (mode: number): string =>
  [
    kinds.get(mode & 0o170000) ?? '-',
    triple(mode >> 6, (mode & 0o4000) !== 0, 's'),
    triple(mode >> 3, (mode & 0o2000) !== 0, 's'),
    triple(mode, (mode & 0o1000) !== 0, 't'),
  ].join('')

const halfYearMs = 183 * 24 * 3600 * 1000

/** `Nov 29 06:11`, or `Nov 29  2025` when that is long ago. */
const showTime = (ms: number, nowMs: number): string => {
  const date = new Date(ms)
  const [, month, day, year] = date.toDateString().split(' ')
  const isRecent = Math.abs(nowMs - ms) < halfYearMs
  return `${month} ${day} ${isRecent ? date.toTimeString().slice(0, 5) : ` ${year}`}`
}

export const longName = (name: string, { gid, mode, mtime, size, uid }: Attributes, nowMs: number): string => {
  const columns = [showMode(mode), '  1', String(uid).padEnd(8), String(gid).padEnd(8), String(size).padStart(8)]
  return [...columns, showTime(mtime * 1000, nowMs), name].join(' ')
}
