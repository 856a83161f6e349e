/**
 * Finds the program that listens on a port of this machine: on Linux, among the processes that this user may inspect.
 */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'

const orNothing = <A>(read: () => A): A | undefined => {
  try {
    return read()
  } catch {
    return undefined
  }
}

const listening = '0A'

/** Lines of /proc/net/tcp: number, local address, remote address, state, and the inode in the tenth place. */
const inodesOn = (port: number): ReadonlySet<string> => {
  const hex = port.toString(16).toUpperCase().padStart(4, '0')
  const lines = ['/proc/net/tcp', '/proc/net/tcp6'].flatMap(
    (path) => orNothing(() => readFileSync(path, 'utf8'))?.split('\n') ?? [],
  )
  return new Set(
    lines.flatMap((line) => {
      const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/)
      return state === listening && local.endsWith(`:${hex}`) && inode !== undefined ? [`socket:[${inode}]`] : []
    }),
  )
}

export const portOwner = ({ code }: NodeJS.ErrnoException, port: number): string | undefined => {
  if (code !== 'EADDRINUSE') return undefined
  const inodes = inodesOn(port)
  const pid = (orNothing(() => readdirSync('/proc')) ?? [])
    .filter((name) => /^\d+$/.test(name))
    .find((name) =>
      orNothing(() => readdirSync(`/proc/${name}/fd`))?.some((fd) =>
        inodes.has(orNothing(() => readlinkSync(`/proc/${name}/fd/${fd}`)) ?? ''),
      ),
    )
  if (pid === undefined) return undefined
  const name = orNothing(() => readFileSync(`/proc/${pid}/comm`, 'utf8'))?.trim() ?? 'a process'
  return `${name} (process ${pid})`
}
