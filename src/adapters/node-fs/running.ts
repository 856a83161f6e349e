/** Processes of this machine. */
import { errorCode } from './files.ts'

/** A process of another user, which we may not signal, counts as well. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return errorCode(cause) !== 'ESRCH'
  }
}
