/** Which folder is at the path of a root: another file system may be mounted there, or another folder have its name. */
import * as fs from 'node:fs'
import { join } from 'node:path'
import { thisProcess } from '../process/owner.ts'
import { readOrNothing, replaceFile, syncToDisk } from './store.ts'

/** Its folders seem to be made anew with the first change in them. */
const overlay = 0x794c7630

/** Throws when there is none. Devices have other numbers after each start of a machine. */
export const rootIdOf = (root: string): string => {
  const { birthtimeNs, ino } = fs.lstatSync(root, { bigint: true })
  return fs.statfsSync(root).type === overlay ? `${ino}` : `${ino}:${birthtimeNs}`
}

/** `release`: nobody changes anything in it any more. */
export type ClaimedRoot = { readonly id: string; readonly release: () => Promise<void> }

/**
 * What was agreed on counts for nothing with another folder: what this one does not have was not deleted. Neither does it
 * when the machine was started anew before the folder was released: of files and of what is known about them, a power cut
 * may have kept either one only. `boot`: of this start of the machine; where it is not known, every start is the same.
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
        // So it counts as not released.
      }
    },
  }
}
