/** The machine this runs on. */
import { randomUUID } from 'node:crypto'
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
  const who = `${userName()}@${hostname()}`
  return { who, holder: `${who} (process ${process.pid}, ${randomUUID().slice(0, 8)})` }
}
