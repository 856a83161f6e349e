/** Archives with equal bytes for equal files: sorted, without owners, and with the date of the release. */
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { zipSync } from 'fflate'

const filesBelow = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .toSorted()

/** Node's own gzip compresses about 3 % worse. */
const tar = (path: string, folder: string, seconds: number): void => {
  const owner = ['--owner=0', '--group=0', '--numeric-owner', '--mode=u+rwX,go+rX,go-w']
  const order = ['--format=ustar', '--sort=name', `--mtime=@${seconds}`, '--use-compress-program=gzip -n -9']
  execFileSync('tar', ['--create', '--file', path, ...order, ...owner, '--directory', folder, '.'])
}

const zip = (folder: string, seconds: number): Uint8Array => {
  const files = filesBelow(folder).map((name) => [name, new Uint8Array(readFileSync(join(folder, name)))] as const)
  // The format has no time zones, and no years before 1980.
  const local = new Date(Math.max(seconds, 315_619_200) * 1000)
  const mtime = new Date(local.getTime() + local.getTimezoneOffset() * 60_000)
  return zipSync(Object.fromEntries(files), { level: 9, mtime })
}

export const megabytes = (size: number): string => (size / 1e6).toFixed(1)

/** What is promised of a download, in bytes. */
const largest = 45_000_000

/** The size of the archive. Throws for one that is larger than a download may be. */
export const writeArchive = (path: string, folder: string, seconds: number, limit = largest): number => {
  if (path.endsWith('.zip')) writeFileSync(path, zip(folder, seconds))
  else tar(path, folder, seconds)
  const { size } = statSync(path)
  if (size > limit) throw new Error(`${basename(path)} has ${megabytes(size)} MB, and may have ${megabytes(limit)}`)
  return size
}
