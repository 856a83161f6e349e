/**
 * Paths for entries that are being prepared or held for a moment: in the root, since any other folder may be renamed
 * meanwhile; in the same folder only where a rename from the root is impossible, or would lose the group.
 */
import { accessSync, constants, lstatSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { withEnding } from '../../domain/sync/conflict-name.ts'
import { childOf, nameOf, parentOf } from '../../domain/sync/path.ts'
import { sha256 } from '../../domain/text/sha256.ts'
import { codeOf } from './disk.ts'
import { heldNameOf, unfinishedPrefix } from './names.ts'
import { putBack } from './place.ts'
import { lasting, tokenAt } from './same.ts'

const orNothing = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Identifies the machine or container whose process ids these are. */
const place = sha256(`${hostname()} ${orNothing(() => readlinkSync('/proc/self/ns/pid'))}`).slice(0, 8)

/** Distinguishes processes that had the same id. Empty where the system does not provide it. */
const startOf = (pid: number | 'self'): string => {
  const stat = orNothing(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19] ?? ''
}

const ownPrefix = `${unfinishedPrefix}${place}-${process.pid}-${startOf('self')}`
let made = 0
const inUse = new Set<string>()

/** The entry at this path is deleted, or has another path. */
export const finished = (path: string): void => void inUse.delete(nameOf(path))

/** Deletes the entry at this path, unless it has another path by now. */
export const discard = (root: string, path: string): void => {
  finished(path)
  rmSync(join(root, path), { force: true })
}

/** Undefined: this process cannot know. */
const isLiving = (name: string): boolean | undefined => {
  if (name.startsWith(`${ownPrefix}-`)) return inUse.has(name)
  const [where, digits = '', start = ''] = name.slice(unfinishedPrefix.length).split('-')
  const pid = Number(digits)
  if (where !== place || !Number.isSafeInteger(pid) || pid <= 0) return undefined
  try {
    process.kill(pid, 0)
  } catch (cause) {
    if (codeOf(cause) === 'ESRCH') return false
  }
  const now = startOf(pid)
  return start === '' || now === '' ? undefined : start === now
}

/** Prepared or held entries are modified more often than this. */
const longMs = 10 * 60 * 1000

const isLeftover = (root: string, path: string, nowMs: number): boolean =>
  !(
    isLiving(nameOf(path)) ??
    nowMs - (lstatSync(join(root, path), { throwIfNoEntry: false })?.ctimeMs ?? nowMs) < longMs
  )

const digestOf = (token: string): string => sha256(lasting(token)).slice(0, 8)

/**
 * Deletes an entry that a process which ended left under a name of devtool's. One that was held and has been written to
 * since then, or took the place of the one to be held, is given back.
 */
export const sweep = (root: string, path: string, nowMs: number): void => {
  const full = join(root, path)
  if (!isLeftover(root, path, nowMs)) return
  const held = heldNameOf(nameOf(path))
  try {
    if (held !== undefined && digestOf(tokenAt(full)) !== held.digest)
      putBack(root, path, childOf(parentOf(path), held.name), 1)
    else rmSync(full, { force: true })
  } catch {
    // A folder of the user's, or one that cannot be written: it is tried again at the next look.
  }
}

const isWritable = (path: string): boolean => {
  try {
    accessSync(path, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const setGroup = 0o2000

const newPath = (root: string, path: string, ending: string): string => {
  made += 1
  const folder = parentOf(path)
  const [top, own] = [root, join(root, folder)].map((one) => lstatSync(one, { throwIfNoEntry: false }))
  const isMovable = top?.dev === own?.dev && ((own?.mode ?? 0) & setGroup) === 0 && isWritable(root)
  const name = withEnding(`${ownPrefix}-${made}${ending}`, '')
  inUse.add(name)
  return childOf(isMovable ? '' : folder, name)
}

/** Returns a new path for an entry that will be at another one. */
export const unfinishedIn =
  (root: string) =>
  (path: string): string =>
    newPath(root, path, '')

/** Returns a new path for the entry that is at another one and has this token. */
export const heldIn =
  (root: string) =>
  (path: string, token: string): string =>
    newPath(root, path, `-${digestOf(token)}-${nameOf(path)}`)
