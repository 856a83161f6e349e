/** A file for our eyes only: made with its mode, complete before it takes the place of the old one. */
import { closeSync, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const isLeftover = (name: string, file: string): boolean =>
  name.startsWith(`${basename(file)}.`) && name.endsWith('.tmp')

/** What a run that was killed left behind holds tokens, too. */
const removeLeftovers = (file: string): void => {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) if (isLeftover(name, file)) rmSync(join(folder, name), { force: true })
}

/** The new name survives a power cut only when the folder is written, too; Windows cannot, and need not. */
const syncFolder = (folder: string): void => {
  try {
    const fd = openSync(folder, 'r')
    try {
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
  } catch {
    return
  }
}

/** False, and nothing is changed, when `mayReplace` says so at the last moment. To be called by one process at a time. */
export const replacePrivately = (file: string, text: string, mayReplace: () => boolean): boolean => {
  removeLeftovers(file)
  const temporary = `${file}.${process.pid}-${process.hrtime.bigint().toString(36)}.tmp`
  const fd = openSync(temporary, 'wx', 0o600)
  try {
    try {
      fchmodSync(fd, 0o600)
      writeFileSync(fd, text)
      fsyncSync(fd)
    } finally {
      closeSync(fd)
    }
    if (!mayReplace()) return false
    renameSync(temporary, file)
  } finally {
    rmSync(temporary, { force: true })
  }
  syncFolder(dirname(file))
  return true
}
