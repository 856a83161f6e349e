/**
 * Which process something belongs to, so that others can tell whether it is gone. Containers with the host name of
 * another machine, and numbers of processes that are given out again, must not be taken for the same.
 */
import { readFileSync, readlinkSync } from 'node:fs'

export type Owner = {
  readonly boot: string
  readonly pidNamespace: string
  readonly user: number
  readonly pid: number
  /** When the process started, in ticks since the boot. */
  readonly start: string
}

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/** Behind the name of the program, which may have any characters, the 22nd field of proc(5). */
const startOf = (pid: number): string | undefined =>
  attempt(
    () =>
      readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^[^]*\)\s/, '')
        .split(' ')[19],
  )

/** `undefined` where the system does not tell. */
export const thisProcess = (): Owner | undefined =>
  attempt((): Owner => {
    const { pid } = process
    const start = startOf(pid)
    if (start === undefined || process.getuid === undefined) throw new Error('there is no /proc')
    return {
      boot: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      pidNamespace: readlinkSync('/proc/self/ns/pid'),
      user: process.getuid(),
      pid,
      start,
    }
  })

/** `Unknown`: of another machine, container or user. */
export const stateOf = (owner: Owner, own: Owner): 'Alive' | 'Gone' | 'Unknown' => {
  const isComparable = owner.boot === own.boot && owner.pidNamespace === own.pidNamespace && owner.user === own.user
  if (!isComparable) return 'Unknown'
  return startOf(owner.pid) === owner.start ? 'Alive' : 'Gone'
}
