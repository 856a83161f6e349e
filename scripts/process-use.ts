/** What a running process uses, according to the /proc of Linux; throws without one. */
import { readFileSync } from 'node:fs'

/** Of its own program and of the system for it. */
export const processorMs = (pid: number | undefined): number => {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11)
  return 10 * (Number(user) + Number(system))
}

export const residentMb = (pid: number | undefined): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
