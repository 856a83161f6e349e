/** Whether a process that was killed has ended. */
import { readdirSync, readFileSync } from 'node:fs'

export const isAlive = (pid: number): boolean => {
  try {
    // A zombie has ended.
    return !/^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  } catch {
    return false
  }
}

/** A signal takes a moment: false as soon as the process has ended. */
export const staysAlive = async (pid: number): Promise<boolean> => {
  for (let tries = 0; isAlive(pid) && tries < 3000; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  return isAlive(pid)
}

const isOfGroup = (pid: string, group: number): boolean => {
  try {
    // The name of a program may hold spaces and brackets; state, parent and group follow it.
    return readFileSync(`/proc/${pid}/stat`, 'utf8').replace(/^.*\)/s, '').split(' ')[3] === String(group)
  } catch {
    return false
  }
}

/** Kills a process group, and resolves when none of its processes can change a file any more. */
export const killGroup = async (group: number): Promise<void> => {
  const pids = readdirSync('/proc').filter((pid) => isOfGroup(pid, group))
  process.kill(-group, 'SIGKILL')
  await Promise.all(pids.map(Number).map(staysAlive))
}
