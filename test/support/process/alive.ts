/** Whether a process that was killed has ended. */
import { readFileSync } from 'node:fs'

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
  for (let tries = 0; isAlive(pid) && tries < 200; tries += 1) await new Promise((resolve) => setTimeout(resolve, 10))
  return isAlive(pid)
}
