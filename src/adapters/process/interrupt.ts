/**
 * Ends a process group: interrupted first, killed if it does not exit. After Ctrl-C it gets more time, since programs
 * clean up then; after a timeout it gets little.
 */
import type { Clock } from '../../ports/clock.ts'
import { guard } from './guard.ts'

const patienceMs = { user: 10_000, program: 2_000 } as const

/** Whether any process was left. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    return false
  }
}

/** Active until the returned function is called. Processes left in the group are killed then if it was interrupted. */
export const overseeGroup = (pid: number, signal: AbortSignal, clock: Pick<Clock, 'after'>): (() => void) => {
  const release = guard({ pid }, 'Group')
  let spare: (() => void) | undefined
  const kill = (): void => void signalGroup(pid, 'SIGKILL')
  const onAbort = (): void => {
    signalGroup(pid, 'SIGINT')
    spare = clock.after(signal.reason === 'SIGINT' ? patienceMs.user : patienceMs.program, kill)
  }
  if (signal.aborted) onAbort()
  else signal.addEventListener('abort', onAbort, { once: true })
  process.on('exit', kill)
  return () => {
    release()
    spare?.()
    signal.removeEventListener('abort', onAbort)
    process.off('exit', kill)
    if (spare !== undefined) kill()
  }
}
