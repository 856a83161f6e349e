/**
 * A lock while files are changed: a file with the token of its holder. The lock of a dead holder is taken over at once;
 * that of an unknown holder when it has not been touched for a minute, whatever the clocks say.
 */

import { closeSync, fchmodSync, linkSync, openSync, rmSync, statSync, writeFileSync, writeSync } from 'node:fs'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import { readRegular } from '../paths/regular.ts'
import { errorCode } from './files.ts'
import { holderOf, newToken } from './lock-holder.ts'

/**
 * `staleMs`: how long a lock is watched before it is taken from a holder that is alive. `waitMs`: how long to wait for
 * the lock.
 */
export type LockRules = { readonly staleMs: number; readonly waitMs: number }

export const lockRules: LockRules = { staleMs: 10_000, waitMs: 30_000 }

export type LockClock = Pick<Clock, 'now' | 'sleep' | 'wallMs' | 'every'>

export type HeldLock = { readonly isMine: () => boolean; readonly release: () => void }

const textOf = (file: string): string | undefined => {
  try {
    return readRegular(file).toString()
  } catch (cause) {
    if (errorCode(cause) === 'ENOENT') return undefined
    throw cause
  }
}

const wasMade = (file: string, text: string): boolean => {
  try {
    const fd = openSync(file, 'wx', 0o600)
    try {
      fchmodSync(fd, 0o600)
      writeFileSync(fd, text)
    } finally {
      closeSync(fd)
    }
    return true
  } catch (cause) {
    if (errorCode(cause) === 'EEXIST') return false
    throw cause
  }
}

const mtimeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.mtimeMs

/**
 * Links a complete file, so that nobody sees the lock without its token; some file systems have no links. `ageMs`: how
 * long the lock of another was not touched, by the clock of the file system.
 */
const tryLock = (file: string, token: string): { readonly isMade: boolean; readonly ageMs: number } => {
  const temporary = `${file}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`
  try {
    wasMade(temporary, token)
    const nowMs = mtimeOf(temporary) ?? 0
    const ageMs = nowMs - (mtimeOf(file) ?? nowMs)
    try {
      linkSync(temporary, file)
      return { isMade: true, ageMs }
    } catch (cause) {
      // The holder deletes temporary files of others.
      const isRefused = ['EEXIST', 'ENOENT'].includes(errorCode(cause) ?? '')
      return { isMade: !isRefused && wasMade(file, token), ageMs }
    }
  } finally {
    rmSync(temporary, { force: true })
  }
}

const touchMs = 10_000

/** How long a lock may remain untouched. A missing token may still be written. */
const patienceMs = (token: string): number => {
  if (token === '') return 1_000
  return { Running: Number.POSITIVE_INFINITY, Gone: -1, Unknown: 6 * touchMs }[holderOf(token)]
}

const secondsOld = (file: string, clock: LockClock): number => {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? 0 : (clock.wallMs() - stat.mtimeMs) / 1000
}

/**
 * Deletes the lock if it is still the same one. In between, another process could do the same and create its own lock,
 * so deleting is itself locked; a process that dies in these two steps is ignored after a minute.
 */
export const takeOver = (file: string, token: string, clock: LockClock): void => {
  const guard = `${file}.takeover`
  if (!wasMade(guard, '')) {
    if (secondsOld(guard, clock) > 60) rmSync(guard, { force: true })
    return
  }
  try {
    if (textOf(file) === token) rmSync(file, { force: true })
  } finally {
    rmSync(guard, { force: true })
  }
}

/** Writes to the file that was opened: a lock of another with the same path stays as it is. */
const keepTouching = (file: string, token: string, clock: LockClock): (() => void) => {
  const fd = openSync(file, 'r+')
  const end = clock.every(touchMs, () => {
    try {
      writeSync(fd, token, 0)
    } catch {
      // On a full disk the lock only looks older than it is.
    }
  })
  return () => {
    end()
    closeSync(fd)
  }
}

const inUse = (file: string, token: string | undefined): Diagnostic =>
  error(
    'DT2106',
    `another devtool process is using ${file}${token === undefined || token === '' ? '' : ` (process ${token.split(' ')[0]})`}`,
    {
      help: 'try again; if no other devtool is running, remove that file',
    },
  )

const backoff: Backoff = { firstMs: 5, longestMs: 100 }

/** Fails with DT2106. Throws errors of the file system. */
export const acquireLock =
  (file: string, clock: LockClock, { staleMs, waitMs }: LockRules): TE.TaskEither<Diagnostic, HeldLock> =>
  async () => {
    const token = newToken()
    const beganMs = clock.now()
    let seen = { what: '', sinceMs: beganMs }
    for (let round = 0; ; round += 1) {
      const { ageMs, isMade } = tryLock(file, token)
      if (isMade) break
      const other = textOf(file)
      const nowMs = clock.now()
      const what = `${other} ${mtimeOf(file)}`
      if (what !== seen.what) seen = { what, sinceMs: nowMs }
      const watchedMs = nowMs - seen.sinceMs
      const isStale = other !== undefined && (watchedMs > staleMs || Math.max(watchedMs, ageMs) > patienceMs(other))
      if (nowMs - beganMs > waitMs) return E.left(inUse(file, other))
      if (isStale) takeOver(file, other, clock)
      // A random pause: processes that begin together would collide again and again.
      else await clock.sleep(1 + Math.random() * pauseAfter(backoff, round))
    }
    const isMine = (): boolean => textOf(file) === token
    const stop = keepTouching(file, token, clock)
    return E.right({
      isMine,
      release: () => {
        stop()
        if (isMine()) rmSync(file, { force: true })
      },
    })
  }
