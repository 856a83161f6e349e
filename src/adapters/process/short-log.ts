/** Keeps the log of a background process from filling the disk. */
import { fstatSync, ftruncateSync, readSync, writeSync } from 'node:fs'
import type { Clock } from '../../ports/clock.ts'

type LogLimit = { readonly mostBytes: number; readonly keptBytes: number }

const usual: LogLimit = { mostBytes: 16 * 1024 * 1024, keptBytes: 1024 * 1024 }
const lookMs = 5000

const LEFT_OUT = '... earlier output was left out ...\n'

/** Once the file, which is open for reading and appending, is too long, keeps only its last lines. */
export const shortenLog = (file: number, { keptBytes, mostBytes }: LogLimit): void => {
  const { size } = fstatSync(file)
  if (size <= mostBytes) return
  const kept = Buffer.alloc(keptBytes)
  const read = readSync(file, kept, 0, keptBytes, size - keptBytes)
  const last = kept.subarray(0, read)
  ftruncateSync(file, 0)
  writeSync(file, Buffer.concat([Buffer.from(LEFT_OUT), last.subarray(last.indexOf('\n') + 1)]))
}

/** As long as this process runs. */
export const keepLogShort = (clock: Pick<Clock, 'every'>, file: number): void => {
  const look = (): void => {
    try {
      shortenLog(file, usual)
    } catch {
      // A log that cannot be shortened now is tried again later.
    }
  }
  clock.every(lookMs, look)
}
