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
  let [isAsked, presses] = [false, 0]
  let spare = (): void => {}
  const kill = (): void => void signalGroup(pid, 'SIGKILL')
  const ask = (ms: number): void => {
    if (!isAsked) signalGroup(pid, 'SIGINT')
    isAsked = true
    spare()
    spare = clock.after(ms, kill)
  }
  const onAbort = (): void => {
    if (presses === 0) ask(patienceMs.program)
  }
  const onPress = (): void => {
    presses += 1
    if (presses === 1) ask(patienceMs.user)
    else kill()
  }
  if (signal.aborted) onAbort()
  signal.addEventListener('abort', onAbort)
  process.on('SIGINT', onPress)
  process.on('exit', kill)
  return () => {
    release()
    spare()
    signal.removeEventListener('abort', onAbort)
    process.off('SIGINT', onPress)
    process.off('exit', kill)
    if (isAsked) kill()
  }
}
