/** The machine this runs on. What only some commands ask for is found out when they do: node:crypto alone takes longer to load than most of them run. */
import { hostname, userInfo } from 'node:os'
import type { Machine } from '../../ports/machine.ts'

/** A user without an entry in the password file, as in many containers, is known by its number. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

export const systemMachine = (): Machine => {
  let holder: string | undefined
  const who = (): string => `${userName()}@${hostname()}`
  return {
    get who() {
      return who()
    },
    get holder() {
      holder ??= `${who()} (process ${process.pid}, ${globalThis.crypto.randomUUID().slice(0, 8)})`
      return holder
    },
  }
}
