/**
 * Identifies the process that owns something, so that others can tell whether it is still running. Containers that
 * share a host name, and process ids that are reused, must not be mistaken for it.
 */
import { readFileSync, readlinkSync } from 'node:fs'

export type Owner = {
  readonly boot: string
  readonly pidNamespace: string
  readonly user: number
  readonly pid: number
  /** The start time of the process, in ticks since boot. */
  readonly start: string
}

const attempt = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

/**
 * The 22nd field of proc(5), counted from the end of the program name, which may contain any characters. None for a
 * zombie, a process that has ended without being waited for: in a container, nobody may ever do that.
 */
const startOf = (pid: number): string | undefined =>
  attempt(() => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^[^]*\)\s/, '')
      .split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  })

/** `undefined` when the system does not provide it. */
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

/** The owner as one line, which is stored beside what it owns. */
export const markOf = ({ boot, pid, pidNamespace, start, user }: Owner): string =>
  [boot, pidNamespace, user, pid, start].join(' ')

/** `undefined` when the text is not such a line. */
export const ownerIn = (mark: string): Owner | undefined => {
  const [boot = '', pidNamespace = '', user = '', pid = '', start = '', ...more] = mark.split(' ')
  const isWhole = /^\d+$/.test(user) && /^[1-9]\d*$/.test(pid) && /^\d+$/.test(start) && more.length === 0
  return isWhole ? { boot, pidNamespace, user: Number(user), pid: Number(pid), start } : undefined
}

const isComparable = (owner: Owner, own: Owner): boolean =>
  owner.boot === own.boot && owner.pidNamespace === own.pidNamespace

/** False when the machine was restarted since: another process may have the pid then. */
export const isRunningBeside = (owner: Owner, own: Owner): boolean =>
  isComparable(owner, own) && startOf(owner.pid) === owner.start

/** `Unknown`: a process of another machine, container or user. */
export const stateOf = (owner: Owner, own: Owner): 'Alive' | 'Gone' | 'Unknown' => {
  if (!isComparable(owner, own) || owner.user !== own.user) return 'Unknown'
  return startOf(owner.pid) === owner.start ? 'Alive' : 'Gone'
}
