/** Permissions and owners of written files. */
import { lchownSync, lstatSync } from 'node:fs'
import { codeOf } from './disk.ts'

const usualMode = 0o666 & ~process.umask()

/** A file that root creates in another user's folder is given to that user. */
export const give = (full: string, like: string): void => {
  if (process.getuid?.() !== 0) return
  const { gid, uid } = lstatSync(like)
  if (uid !== 0) lchownSync(full, uid, gid)
}

/** A file that replaces another keeps its owner and group, as far as this process is permitted to set them. */
export const giveAs = (full: string, before: string): void => {
  const [own, { gid, uid }] = [lstatSync(full), lstatSync(before)]
  const owner = process.getuid?.() === 0 ? uid : own.uid
  if (own.gid === gid && own.uid === owner) return
  try {
    lchownSync(full, owner, gid)
  } catch (cause) {
    if (codeOf(cause) !== 'EPERM') throw cause
  }
}

export const modeOf = (full: string, isProgram: boolean): number => {
  const stat = lstatSync(full, { throwIfNoEntry: false })
  const mode = stat?.isFile() === true ? stat.mode & 0o777 : usualMode
  // Everybody who may read a program may also run it.
  return isProgram ? mode | ((mode & 0o444) >> 2) : mode & ~0o111
}
