/**
 * Facts about this machine. Those that only some commands need are looked up on demand: loading node:crypto alone takes
 * longer than most of them run.
 */
import { hostname, networkInterfaces, userInfo } from 'node:os'
import type { Machine } from '../../ports/machine.ts'
import { isRunningBeside, markOf, ownerIn, stateOf, thisProcess } from '../process/owner.ts'

/** A user without a passwd entry, as in many containers, goes by its number. */
const userName = (): string => {
  try {
    return userInfo().username
  } catch {
    return String(process.getuid?.() ?? 'unknown')
  }
}

/** In a run of the platform the environment says for whom it is. */
export const systemMachine = (env: NodeJS.ProcessEnv = {}): Machine => {
  let holder: string | undefined
  const who = (): string => env['DEVTOOL_WHO'] ?? `${userName()}@${hostname()}`
  return {
    get host() {
      return hostname()
    },
    get who() {
      return who()
    },
    get holder() {
      holder ??= `${who()} (process ${process.pid}, ${globalThis.crypto.randomUUID().slice(0, 8)})`
      return holder
    },
    get mark() {
      const own = thisProcess()
      return own === undefined ? '' : markOf(own)
    },
    hasEnded: (mark) => {
      const [own, owner] = [thisProcess(), ownerIn(mark)]
      return own !== undefined && owner !== undefined && stateOf(owner, own) === 'Gone'
    },
    runs: (mark) => {
      const [own, owner] = [thisProcess(), ownerIn(mark)]
      return own !== undefined && owner !== undefined && isRunningBeside(owner, own)
    },
    addresses: () => JSON.stringify(networkInterfaces()),
    sha256: async () => {
      const { createHash } = await import('node:crypto')
      return (text) => createHash('sha256').update(text).digest('hex')
    },
  }
}
