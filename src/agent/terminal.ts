/** Programs with a terminal. */
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'
import { type NativePty, startWithPty } from '../adapters/process/pty.ts'
import type { Size } from '../adapters/ssh/framed.ts'
import { systemClock } from '../adapters/system/clock.ts'
import { signalGroup } from './pipes.ts'
import type { ProgramRequest, Running } from './running.ts'

const signalName = (number: number): string =>
  Object.entries(constants.signals)
    .find(([, value]) => value === number)?.[0]
    .slice(3) ?? String(number)

export const runWithTerminal = (
  native: NativePty,
  { argv, environment, folder }: ProgramRequest,
  size: Size,
): Running => {
  const request = { argv, folder, environment: new Map(Object.entries(environment)) }
  const { exit, hasEnded, input, output, pid, resize } = startWithPty({ native, clock: systemClock }, request, size)
  const stderr = new PassThrough()
  stderr.end()
  return {
    stdin: input,
    stdout: output,
    stderr,
    resize,
    signal: (name) => {
      if (!hasEnded()) signalGroup(pid, name)
    },
    exit: exit.then(({ code, signal }) => (signal === 0 ? { code } : { signal: signalName(signal) })),
  }
}
