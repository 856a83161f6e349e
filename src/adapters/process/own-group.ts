/** A program in a process group of its own, which Ctrl-C in the terminal does not reach. Windows has no such groups. */
import type { ChildProcess, SpawnOptions } from 'node:child_process'
import { guard } from './guard.ts'
import { signalGroup } from './interrupt.ts'

export const inOwnGroup: SpawnOptions = { detached: process.platform !== 'win32', windowsHide: true }

type OwnGroup = { readonly kill: () => void; readonly release: () => void }

/**
 * `kill` ends the program with everything it started. Until it is released, the group does not outlive this process.
 */
export const ownGroup = (child: ChildProcess): OwnGroup => {
  const kill = (): void => {
    if (child.pid !== undefined) signalGroup(child.pid, 'SIGKILL')
  }
  const unguard = guard(child, 'Group')
  process.on('exit', kill)
  const release = (): void => {
    process.off('exit', kill)
    unguard()
  }
  return { kill, release }
}
