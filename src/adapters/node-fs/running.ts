/** Processes of this machine. */
import { errorCode } from './files.ts'

/** One of another user counts, which may not be signalled. */
export const isRunning = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch (cause) {
    return errorCode(cause) !== 'ESRCH'
  }
}
