/** Runs the command in a process of its own. */
import { spawn } from 'node:child_process'
import { constants } from 'node:os'
import { join } from 'node:path'
import { root } from '../../../scripts/command.ts'

export type Command = readonly [program: string, ...args: ReadonlyArray<string>]

/** Needs `npm run build`. */
export const fromNpm: Command = [process.execPath, join(root, 'dist/devtool.cjs')]

export type Ended = { readonly status: number | null; readonly stdout: string; readonly stderr: string }

export type RunOptions = {
  readonly input?: string
  /** A script that starts the command as `"$0" "$@"`. */
  readonly shell?: string
  readonly interrupt?: boolean
  /** Sent `stopAfterMs` after the input is read. */
  readonly stop?: NodeJS.Signals
  readonly stopAfterMs?: number
  readonly env?: Record<string, string>
}

export const runCommand = (
  [program, ...first]: Command,
  folder: string,
  args: ReadonlyArray<string>,
  { env = {}, input, interrupt, shell, stop, stopAfterMs = 300 }: RunOptions = {},
): Promise<Ended> =>
  new Promise((resolve, reject) => {
    const all = [...first, ...args]
    const [file, list] = shell === undefined ? [program, all] : ['/bin/sh', ['-c', shell, program, ...all]]
    const child = spawn(file, list, {
      cwd: folder,
      env: { PATH: process.env['PATH'], XDG_CACHE_HOME: join(folder, 'cache'), ...env },
    })
    const [out, err]: [Array<Buffer>, Array<Buffer>] = [[], []]
    child.stdout.on('data', (chunk: Buffer) => out.push(chunk))
    child.stderr.on('data', (chunk: Buffer) => err.push(chunk))
    child.on('error', reject)
    child.on('close', (exit, signal) => {
      // What a shell makes of it.
      const status = signal === null ? exit : 128 + constants.signals[signal]
      resolve({ status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() })
    })
    // A command that does not read its standard input may be gone before it is written.
    child.stdin.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') reject(error)
    })
    // More than a pipe holds: when all of it is written, the command is reading.
    if (interrupt === true) child.stdin.write('#'.repeat(4_000_000), () => child.kill('SIGINT'))
    else child.stdin.end(input ?? '', () => stop !== undefined && setTimeout(() => child.kill(stop), stopAfterMs))
  })
