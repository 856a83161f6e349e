/** The holder of a lock, as recorded in the lock file: `PID HOST RUN PLACE`. */
import { readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { isRunning } from './running.ts'

/** Process ids are reused: in a restarted container, this process may have the holder's. */
const run = process.hrtime.bigint().toString(36)

/** Containers may share a host name, but have their own process ids. Empty where the system does not provide it. */
const ownPlace = (): string => {
  try {
    return readlinkSync('/proc/self/ns/pid')
  } catch {
    return ''
  }
}

export const newToken = (): string =>
  `${process.pid} ${hostname()} ${run}-${process.hrtime.bigint().toString(36)} ${ownPlace()}`

/** `Unknown`: on another machine or in another container, or the token is incomplete. */
export const holderOf = (token: string): 'Running' | 'Gone' | 'Unknown' => {
  const [pid = '', host, its = '', place = ''] = token.split(' ')
  if (host !== hostname() || !/^[1-9][0-9]*$/.test(pid)) return 'Unknown'
  if (place !== '' && place !== ownPlace()) return 'Unknown'
  const isAlive = Number(pid) === process.pid ? its.startsWith(`${run}-`) : isRunning(Number(pid))
  return isAlive ? 'Running' : 'Gone'
}
