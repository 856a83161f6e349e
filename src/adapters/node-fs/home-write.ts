/** Writes private files: created with their mode, and complete before they replace the old one. */
import { closeSync, fchmodSync, fsyncSync, openSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'

const isLeftover = (name: string, file: string): boolean =>
  name.startsWith(`${basename(file)}.`) && name.endsWith('.tmp')

/** Temporary files of a killed run contain tokens, too, so they are removed. */
const removeLeftovers = (file: string): void => {
  const folder = dirname(file)
  for (const name of readdirSync(folder)) if (isLeftover(name, file)) rmSync(join(folder, name), { force: true })
}

/** The rename survives a power cut only when the folder is synced, too; Windows cannot do it, and does not need it. */
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

/**
 * False, with nothing changed, when `mayReplace` returns false at the last moment. To be called by one process at a
 * time.
 */
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
