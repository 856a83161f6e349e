/** The processes of this machine, including those inside builders. */
import { readdirSync, readFileSync } from 'node:fs'
import { until } from '../process/until.ts'

const commandLine = (pid: string): string => {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ')
  } catch {
    // It has ended meanwhile.
    return ''
  }
}

/** All command lines. */
export const commandLines = (): ReadonlyArray<string> =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(commandLine)
    .filter((line) => line !== '')

const isRunning = (command: string): boolean => commandLines().some((line) => line.trim() === command)

/** Waits until there is a process with exactly this command line. */
export const untilRunning = (command: string): Promise<void> => until(`${command} runs`, () => isRunning(command))

export const untilGone = (command: string): Promise<void> => until(`${command} ends`, () => !isRunning(command))
