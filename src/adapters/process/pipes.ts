/** A child process whose output comes through pipes. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import type { Clock } from '../../ports/clock.ts'
import type { Child, Exit, Start } from './child.ts'
import { onceQuiet } from './quiet.ts'
import { yieldToReader } from './yield.ts'

/** How long to wait for more output when a background process still holds the pipes open. */
const quietMs = 200

export const exitOf = (code: number | null, signal: NodeJS.Signals | null): Exit => ({
  code: code ?? 0,
  signal: signal === null ? 0 : constants.signals[signal],
})

/** Rejects when it cannot be started. `isVerbatim`: the arguments are already quoted for Windows. */
export const startPiped = (
  { args, env, file, folder, onOutput }: Start,
  isVerbatim: boolean,
  clock: Pick<Clock, 'after'>,
): Promise<Child> =>
  new Promise((resolve, reject) => {
    const child = spawn(file, [...args], {
      cwd: folder,
      env: Object.fromEntries(env),
      stdio: ['ignore', 'pipe', 'pipe'],
      // A process group of its own, so that it can be ended with everything it started.
      detached: process.platform !== 'win32',
      windowsHide: true,
      windowsVerbatimArguments: isVerbatim,
    })
    const ended = new Promise<Exit>((end) => {
      child.once('exit', (code, signal) => {
        const finish = (): void => {
          if (child.stdout.isPaused() || child.stderr.isPaused()) return quiet.wait()
          quiet.stop()
          child.stdout.destroy()
          child.stderr.destroy()
          end(exitOf(code, signal))
        }
        const quiet = onceQuiet(clock, quietMs, finish)
        quiet.wait()
        for (const stream of [child.stdout, child.stderr]) stream.on('data', quiet.wait)
        child.once('close', finish)
      })
    })
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8')
      stream.on('data', (text: string) => {
        onOutput(text)
        yieldToReader(stream)
      })
    }
    child.once('error', reject)
    child.once('spawn', () => resolve({ pid: child.pid ?? 0, ended, resize: () => {} }))
  })
