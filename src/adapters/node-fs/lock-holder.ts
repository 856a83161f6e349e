/** Who holds a lock, as the lock file says it: `PID HOST RUN PLACE`. */
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRunning } from './running.ts'

/** Process ids are reused: in a container that is run again, ours may be that of the holder. */
const run = process.hrtime.bigint().toString(36)

/** Containers may share a host name, but have process ids of their own. Empty where the system does not tell. */
const ownPlace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

export const newToken = (): string =>
  `${process.pid} ${hostname()} ${run}-${process.hrtime.bigint().toString(36)} ${ownPlace()}`

/** `Unknown`: of another machine or container, or not complete. */
export const holderOf = (token: string): 'Running' | 'Gone' | 'Unknown' => {
  const [pid = '', host, its = '', place = ''] = token.split(' ')
  if (host !== hostname() || !/^[1-9][0-9]*$/.test(pid)) return 'Unknown'
  if (place !== '' && place !== ownPlace()) return 'Unknown'
  const isAlive = Number(pid) === process.pid ? its.startsWith(`${run}-`) : isRunning(Number(pid))
  return isAlive ? 'Running' : 'Gone'
}
