/** A program of a run, which ends at the latest when it is told to. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'

type RunProgram = {
  /** 128 and more for a signal, 127 when there is no such program. */
  readonly ended: Promise<number>
  /** Asks it to end, and after a while makes it. */
  readonly stop: () => void
}

const GRACE_MS = 25_000
const SIGNALLED = 128 + 9

/** `line`: of either output, in the order in which they come. */
export const spawned = (
  command: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  line: (text: string) => void,
): RunProgram => {
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const readAll = (stream: Readable): Promise<void> =>
    new Promise((resolve) => {
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', line).on('close', resolve)
    })
  const read = Promise.all([readAll(child.stdout), readAll(child.stderr)])
  const exited = new Promise<number>((resolve) => {
    child.once('error', (cause) => {
      line(String(cause))
      resolve(127)
    })
    child.once('exit', (code) => resolve(code ?? SIGNALLED))
  })
  let timer: NodeJS.Timeout | undefined
  const ended = exited.then(async (status) => {
    clearTimeout(timer)
    // What it started may hold its output open.
    await Promise.race([read, new Promise((resolve) => setTimeout(resolve, 2000).unref())])
    return status
  })
  return {
    ended,
    stop: () => {
      child.kill('SIGTERM')
      timer ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS)
    },
  }
}
