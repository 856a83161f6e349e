/**
 * Identifies the folder at the path of a root: another file system may be mounted there, or another folder may have the
 * name.
 */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { thisProcess } from '../process/owner.ts'
import { readOrNothing, replaceFile, syncToDisk } from './store.ts'

/** On overlayfs, folders get a new identity with the first change in them. */
const overlay = 0x794c7630

/** Throws when there is no folder. The numbers of devices change with each start of a machine. */
export const rootIdOf = (root: string): string => {
  const { birthtimeNs, ino } = fs.lstatSync(root, { bigint: true })
  return fs.statfsSync(root).type === overlay ? `${ino}` : `${ino}:${birthtimeNs}`
}

/** `release`: called when nobody changes the folder any more. */
export type ClaimedRoot = { readonly id: string; readonly release: () => Promise<void> }

/**
 * The base is invalid for another folder: files that are missing there were not deleted. It is also invalid when the
 * machine was restarted before the folder was released: after a power cut, either the files or the base may be older.
 * `boot`: identifies this start of the machine; where that is unknown, every start is the same.
 */
export const claimRoot = async (
  root: string,
  store: string,
  boot = thisProcess()?.boot ?? '',
): Promise<ClaimedRoot> => {
  const id = rootIdOf(root)
  const [file, base] = [join(store, 'root'), join(store, 'base')]
  const write = (text: string): Promise<void> => replaceFile(file, Buffer.from(text))
  const [known, claimed] = Buffer.from((await readOrNothing(file)) ?? [])
    .toString()
    .split(' ')
  if (known !== id || (claimed !== undefined && claimed !== boot)) fs.rmSync(base, { force: true })
  await write(`${id} ${boot}`)
  return {
    id,
    release: async () => {
      try {
        if (fs.existsSync(base)) await syncToDisk(base)
        await write(id)
      } catch {
        // Then it counts as not released.
      }
    },
  }
}
