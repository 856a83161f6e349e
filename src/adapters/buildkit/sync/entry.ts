/** A folder entry in the form that BuildKit needs. */
import { type BigIntStats, lstatSync } from 'node:fs'
import { readLink, toPath } from '../../paths/name.ts'

/** Socket: BuildKit treats it as an empty file. Other: a pipe or device. */
type Kind = 'File' | 'Folder' | 'Link' | 'Socket' | 'Other'

/**
 * `mode`: Go's FileMode. `mtimeNs` since 1970. `link`: the target of a symbolic link, or the first path of a file with
 * several names. Owners are left out: a builder does not know the users of this machine. `ctimeNs`, `inode` and
 * `device` are used on this machine only.
 */
export type FileEntry = {
  readonly path: string
  readonly kind: Kind
  readonly mode: number
  readonly size: number
  readonly mtimeNs: bigint
  readonly link: string
  readonly major: number
  readonly minor: number
  readonly ctimeNs: bigint
  readonly inode: bigint
  readonly device: bigint
}

const isWindows = process.platform === 'win32'

const kinds: ReadonlyMap<number, readonly [kind: Kind, bits: number]> = new Map([
  [0o100000, ['File', 0]],
  [0o040000, ['Folder', 2 ** 31]],
  [0o120000, ['Link', 2 ** 27]],
  [0o140000, ['Socket', 0]],
  [0o010000, ['Other', 2 ** 25]],
  [0o020000, ['Other', 2 ** 26 + 2 ** 21]],
  [0o060000, ['Other', 2 ** 26]],
])

/** Windows has no permission bits: everything is executable, and only the owner can write. */
const permissionsOf = (mode: number): number =>
  isWindows
    ? 0o755
    : (mode & 0o777) +
      ((mode & 0o4000) === 0 ? 0 : 2 ** 23) +
      ((mode & 0o2000) === 0 ? 0 : 2 ** 22) +
      ((mode & 0o1000) === 0 ? 0 : 2 ** 20)

const targetOf = (at: string): string => (isWindows ? readLink(at).replaceAll('\\', '/') : readLink(at))

/** The first path of each file that has several. */
export type FirstPaths = Map<string, string>

const firstPath = (seen: FirstPaths, { nlink, dev, ino }: BigIntStats, path: string): string => {
  if (nlink < 2n || isWindows) return ''
  const key = `${dev}:${ino}`
  const first = seen.get(key)
  if (first === undefined) seen.set(key, path)
  return first ?? ''
}

const deviceOf = (stats: BigIntStats): readonly [major: number, minor: number] => {
  if (!stats.isCharacterDevice() && !stats.isBlockDevice()) return [0, 0]
  const device = Number(stats.rdev)
  return [(device >>> 8) & 0xfff, (device & 0xff) | ((device >>> 12) & 0xfff00)]
}

/** `undefined` when it no longer exists. Throws other errors of the file system. */
export const entryAt = (at: string, path: string, seen: FirstPaths): FileEntry | undefined => {
  const stats = lstatSync(toPath(at), { bigint: true, throwIfNoEntry: false })
  if (stats === undefined) return undefined
  const mode = Number(stats.mode)
  const [kind, bits] = kinds.get(mode & 0o170000) ?? ['Other', 2 ** 19]
  const link = kind === 'Link' ? targetOf(at) : kind === 'Folder' ? '' : firstPath(seen, stats, path)
  const [major, minor] = deviceOf(stats)
  return {
    path,
    kind,
    mode: permissionsOf(mode) + bits,
    size: kind === 'Folder' ? 0 : Number(stats.size),
    mtimeNs: stats.mtimeNs,
    link,
    major,
    minor,
    ctimeNs: stats.ctimeNs,
    inode: stats.ino,
    device: stats.dev,
  }
}
