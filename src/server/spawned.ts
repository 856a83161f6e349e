/** A program of a run, which can be stopped. */
import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { yieldToReader } from '../adapters/process/yield.ts'

type RunProgram = {
  /** The exit status: 128 and more for a signal, 127 when there is no such program. */
  readonly ended: Promise<number>
  /** Sends SIGTERM, and after a while SIGKILL. */
  readonly stop: () => void
}

const OUTPUT_MS = 2000
const GRACE_MS = 25_000
const SIGNALLED = 128 + 9

/** `line`: called with lines of both outputs, in the order of their arrival. */
export const spawned = (
  command: ReadonlyArray<string>,
  options: { readonly cwd: string; readonly env: NodeJS.ProcessEnv },
  line: (text: string) => void,
): RunProgram => {
  const [program = '', ...args] = command
  const child = spawn(program, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const readAll = (stream: Readable): Promise<void> =>
    new Promise((resolve) => {
      const lines = createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY })
      lines.on('line', (text) => {
        line(text)
        yieldToReader(stream)
      })
      lines.on('close', resolve)
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
    // A process that it started may hold its output open.
    await Promise.race([read, new Promise((resolve) => setTimeout(resolve, OUTPUT_MS).unref())])
    // Which would keep this program running.
    for (const stream of [child.stdout, child.stderr]) stream.destroy()
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
