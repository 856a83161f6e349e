/** Reads a secret from a file or a pipe; a pipe may be endless or have no writer. */
import { close, fstat, read } from 'node:fs'
import { promisify } from 'node:util'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Clock } from '../../ports/clock.ts'
import { type PipeFault, readPipe } from '../paths/pipe.ts'
import { readOnly } from '../paths/regular.ts'
import { openWithin } from '../paths/within.ts'
import { outside } from './sync/reason.ts'

/** The limit of BuildKit: 500 KiB. */
export const limitBytes = 500 * 1024

export const tooLarge = 'it is larger than 500 KiB'

/** `quietMs`: how long to wait for more bytes. */
export type ReadLimits = { readonly clock: Clock; readonly quietMs: number; readonly signal: AbortSignal }

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOENT', 'there is no such file'],
  ['ENOTDIR', 'there is no such file'],
  ['EACCES', 'permission denied'],
  ['EPERM', 'permission denied'],
  ['EISDIR', 'it is a folder'],
])

const codeOf = (cause: unknown): string =>
  typeof cause === 'object' && cause !== null && 'code' in cause ? String(cause.code) : 'unknown error'

const causeOf = (cause: unknown): string => {
  const code = codeOf(cause)
  return reasons.get(code) ?? code
}

const pipeCause =
  ({ quietMs }: ReadLimits) =>
  (fault: PipeFault): string => {
    if (fault._tag === 'Quiet') return quiet(quietMs)
    return fault._tag === 'TooLarge' ? tooLarge : causeOf(fault.cause)
  }

const quiet = (quietMs: number): string => `nothing was read from it within ${quietMs / 1000} s`

/** How many bytes were read; `undefined` when there are none yet. */
const readSome = async (fd: number, into: Buffer): Promise<number | undefined> => {
  try {
    return (await promisify(read)(fd, into, 0, into.length, null)).bytesRead
  } catch (cause) {
    if (codeOf(cause) === 'EAGAIN') return undefined
    throw cause
  }
}

const betweenMs = 50

/** Never reads more than the limit, however the file grows. A terminal may have nothing to read for a while. */
const readPlain =
  (fd: number, { clock, quietMs, signal }: ReadLimits): TE.TaskEither<string, Uint8Array> =>
  async () => {
    const bytes = Buffer.alloc(limitBytes + 1)
    let length = 0
    let since = clock.now()
    while (length < bytes.length) {
      const count = await readSome(fd, bytes.subarray(length))
      if (count === 0) return E.right(bytes.subarray(0, length))
      if (count === undefined) {
        if (clock.now() - since >= quietMs) return E.left(quiet(quietMs))
        await clock.sleep(betweenMs, signal)
        if (signal.aborted) return E.left('interrupted')
        continue
      }
      length += count
      since = clock.now()
    }
    return E.left(tooLarge)
  }

/** `root`: files outside this folder are not read. Left: the reason why it cannot be read. Blocks no thread. */
export const readSecretFile =
  (file: string, root: string | undefined, waiting: ReadLimits): TE.TaskEither<string, Uint8Array> =>
  async () => {
    let fd: number | undefined
    try {
      fd = openWithin(root, file, readOnly)
      if (fd === undefined) return E.left(outside)
      const stats = await promisify(fstat)(fd)
      if (stats.isDirectory()) return E.left('it is a folder')
      if (!stats.isFIFO()) return await readPlain(fd, waiting)()
      const pipe = fd
      fd = undefined
      return await TE.mapLeft(pipeCause(waiting))(readPipe(pipe, { ...waiting, limitBytes }))()
    } catch (cause) {
      return E.left(causeOf(cause))
    } finally {
      if (fd !== undefined) await promisify(close)(fd)
    }
  }
