/**
 * A lock for the milliseconds that a change takes: a file created exclusively. A lock whose holder is dead is taken
 * over at once; one that did not change for long while being watched is taken over as well, whatever the clocks say.
 */

import { closeSync, fchmodSync, openSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type Backoff, pauseAfter } from '../../domain/time/backoff.ts'
import type { Clock } from '../../ports/clock.ts'
import { readRegular } from '../paths/regular.ts'
import { errorCode } from './files.ts'
import { isRunning } from './running.ts'

/**
 * `staleMs`: how long a lock is watched before it is taken from a holder that may be alive. `waitMs`: how long to wait
 * for the lock.
 */
export type LockRules = { readonly staleMs: number; readonly waitMs: number }

export const lockRules: LockRules = { staleMs: 10_000, waitMs: 30_000 }

export type LockClock = Pick<Clock, 'now' | 'sleep' | 'wallMs'>

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

/** `PID HOST RUN`. */
const newToken = (): string => `${process.pid} ${hostname()} ${process.hrtime.bigint().toString(36)}`

/** Process ids are meaningful only on their own machine. */
const isDead = (token: string): boolean => {
  const [pid = '', host] = token.split(' ')
  return host === hostname() && /^[1-9][0-9]*$/.test(pid) && !isRunning(Number(pid))
}

const secondsOld = (file: string, clock: LockClock): number => {
  const stat = statSync(file, { throwIfNoEntry: false })
  return stat === undefined ? 0 : (clock.wallMs() - stat.mtimeMs) / 1000
}

/**
 * Removes the lock if it is still the same one. In between, another process could do the same and create its own lock,
 * so removal itself is locked; a process that dies in these two steps is ignored after a minute.
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
    let seen: { readonly token: string | undefined; readonly sinceMs: number } = { token: undefined, sinceMs: beganMs }
    for (let round = 0; ; round += 1) {
      if (wasMade(file, token)) break
      const other = textOf(file)
      const nowMs = clock.now()
      if (other !== seen.token) seen = { token: other, sinceMs: nowMs }
      const isStale = other !== undefined && (isDead(other) || nowMs - seen.sinceMs > staleMs)
      if (nowMs - beganMs > waitMs) return E.left(inUse(file, other))
      if (isStale) takeOver(file, other, clock)
      // A random pause: processes that begin together would collide again and again.
      else await clock.sleep(1 + Math.random() * pauseAfter(backoff, round))
    }
    const isMine = (): boolean => textOf(file) === token
    return E.right({
      isMine,
      release: () => {
        if (isMine()) rmSync(file, { force: true })
      },
    })
  }
