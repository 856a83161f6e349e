/** This process, and others of this machine. */
export type ThisProcess = {
  readonly pid: number
  /** Whether a process with this id is running, for any user. */
  readonly isRunning: (pid: number) => boolean
}
