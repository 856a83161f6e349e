/** This process among those of the machine. */
export type ThisProcess = {
  readonly pid: number
  /** Whether the machine has such a process, of whichever user. */
  readonly isRunning: (pid: number) => boolean
}
