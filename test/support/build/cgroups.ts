/** Control groups that daemons of tests leave behind. */
import { readdirSync, rmdirSync } from 'node:fs'
import { join } from 'node:path'

/** What runc leaves of the steps that were killed. */
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
      // There is none, or the kernel still ends a process in it: an empty group costs nothing.
    }
  }
}
