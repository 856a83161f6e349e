/** Reads whole files of this machine: only regular files, with links followed and limited size. */
import { closeSync, constants, fstatSync, openSync, readSync, type Stats, statSync } from 'node:fs'

const MiB = 1024 * 1024

/** Opening must neither wait for the writer of a pipe nor take a controlling terminal; Windows has no such flags. */
export const readOnly: number = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0) | (constants.O_NOCTTY ?? 0)

/** An error like those of the file system, whose `code` is a phrase. */
export const refusal = (code: string): Error => Object.assign(new Error(code), { code })

const check = (stats: Stats, limitBytes: number): void => {
  if (stats.isDirectory()) throw refusal('it is a folder')
  if (!stats.isFile()) throw refusal('it is not a regular file')
  if (stats.size > limitBytes) throw refusal(`it is larger than ${limitBytes / MiB} MiB`)
}

/** Reads to the end. The size is unreliable: files in /proc have none, others grow. */
const readAll = (fd: number, limitBytes: number): Buffer => {
  const chunks: Array<Buffer> = []
  for (let length = 0; ; ) {
    const chunk = Buffer.allocUnsafe(64 * 1024)
    const count = readSync(fd, chunk, 0, chunk.length, null)
    if (count === 0) return Buffer.concat(chunks)
    length += count
    if (length > limitBytes) throw refusal(`it is larger than ${limitBytes / MiB} MiB`)
    chunks.push(chunk.subarray(0, count))
  }
}

/** Throws what the file system throws. */
export const readRegular = (file: string, limitBytes: number = 16 * MiB): Buffer => {
  // Opening a device can have side effects, so the path is checked first, and the open file again.
  check(statSync(file), limitBytes)
  const fd = openSync(file, readOnly)
  try {
    check(fstatSync(fd), limitBytes)
    return readAll(fd, limitBytes)
  } finally {
    closeSync(fd)
  }
}
