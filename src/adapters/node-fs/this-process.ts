/** The port `ThisProcess`. */
import type { ThisProcess } from '../../ports/this-process.ts'
import { isRunning } from './running.ts'

export const nodeProcess: ThisProcess = {
  pid: process.pid,
  isRunning,
}
