/**
 * Ending a process group: asked first, killed when that is not enough. A user who interrupts gets patience, since
 * programs clean up then; a program that runs out of time does not.
 */
import type { Clock } from '../../ports/clock.ts'
import { guard } from './guard.ts'

const patienceMs = { user: 10_000, program: 2_000 } as const

/** Whether there was anybody left. */
export const signalGroup = (pid: number, signal: NodeJS.Signals): boolean => {
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, signal)
  } catch {
    return false
  }
}

/** From now on until the returned function is called. What is left of the group then is killed if it was interrupted. */
export const overseeGroup = (pid: number, signal: AbortSignal, clock: Pick<Clock, 'after'>): (() => void) => {
  const release = guard(-pid)
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
