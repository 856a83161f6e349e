/** Programs with pipes. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { PassThrough } from 'node:stream'
import type { ProgramExit } from '../adapters/ssh/channel.ts'
import type { ProgramRequest, Running } from './running.ts'

const isSignal = (name: string): name is NodeJS.Signals => Object.hasOwn(constants.signals, name)

export const signalGroup = (pid: number, name: string): void => {
  const signal = `SIG${name}`
  try {
    if (isSignal(signal)) process.kill(-pid, signal)
  } catch {
    // No process of the group is left.
  }
}

/** The exit status of shells for a command that does not exist, or that may not be run. */
const statusOfError = ({ code }: NodeJS.ErrnoException): number => (code === 'EACCES' ? 126 : 127)

const wordsOfError = ({ code, message }: NodeJS.ErrnoException): string => {
  if (code === 'ENOENT') return 'not found'
  return code === 'EACCES' ? 'permission denied' : message
}

export const runWithPipes = ({ argv, environment, folder }: ProgramRequest): Running => {
  const [name = '', ...args] = argv
  const child = spawn(name, args, { cwd: folder, env: { ...environment }, detached: true, stdio: 'pipe' })
  // The stderr of a program that did not start is already closed.
  const stderr = child.pid === undefined ? new PassThrough() : child.stderr
  const exit = new Promise<ProgramExit>((resolve) => {
    child.once('error', (failure) => {
      stderr.once('end', () => resolve({ code: statusOfError(failure) }))
      if (stderr instanceof PassThrough) stderr.end(`devtool: ${name}: ${wordsOfError(failure)}\n`)
    })
    child.once('close', (code, signal) => {
      if (child.pid !== undefined) resolve(signal === null ? { code: code ?? 0 } : { signal: signal.slice(3) })
    })
  })
  // A program need not read its input.
  child.stdin.on('error', () => {})
  return {
    stdin: child.stdin,
    stdout: child.stdout,
    stderr,
    resize: () => {},
    signal: (signal) => {
      if (child.pid !== undefined) signalGroup(child.pid, signal)
    },
    exit,
  }
}
