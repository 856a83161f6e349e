/** Removes control groups that test daemons leave behind. */
import { readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

/** Left by runc for killed steps. */
export const removeGroups = (group: string): void => {
  const remove = (folder: string): void => {
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) remove(join(folder, entry.name))
    }
    rmdirSync(folder)
  }
  for (const name of ['', ...readdirSync('/sys/fs/cgroup')]) {
    try {
      remove(join('/sys/fs/cgroup', name, group))
    } catch {
      // Missing, or a process in it is still ending. An empty group does no harm.
    }
  }
}
