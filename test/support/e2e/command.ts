/** The command in its own process, as users start it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { installed } from '../cli/installed.ts'
import { fromNpm } from '../cli/run-command.ts'

export type CommandResult = {
  /** 128 + the signal number if a signal ended it, as in a shell. */
  readonly status: number
  readonly stdout: string
  readonly stderr: string
  readonly ms: number
}
export type RunningCommand = {
  readonly child: ChildProcess
  readonly ended: Promise<CommandResult>
  /** Resolves when stdout or stderr contain this text; fails if the process ends without it. */
  readonly says: (text: string) => Promise<void>
  /** Its stdout so far. */
  readonly output: () => string
}
export type Start = {
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  /** Options of Node itself, which only the files of npm take. */
  readonly nodeArgs?: ReadonlyArray<string>
  /** The number of the user and group to run as. */
  readonly user?: number
  /** What it reads from stdin. */
  readonly input?: string
}

const signals: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 }
/** No run of a test takes this long: one that does hangs and is killed. */
const hangMs = 900_000

export const startDevtool = (
  args: ReadonlyArray<string>,
  { cwd, env, input, nodeArgs, user }: Start,
): RunningCommand => {
  const [program, ...first] = nodeArgs === undefined ? installed : [fromNpm[0], ...nodeArgs, ...fromNpm.slice(1)]
  const begin = performance.now()
  const as = user === undefined ? {} : { uid: user, gid: user }
  const options = {
    cwd,
    env: { ...env },
    ...as,
    stdio: [input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'] as const,
  }
  const child = spawn(program, [...first, ...args], { ...options, stdio: [...options.stdio] })
  child.stdin?.end(input)
  const guard = setTimeout(() => child.kill('SIGKILL'), hangMs)
  let [stdout, stderr, look]: [string, string, () => void] = ['', '', () => {}]
  child.stdout?.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    look()
  })
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
    look()
  })
  const ended = new Promise<CommandResult>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (status, signal) => {
      clearTimeout(guard)
      const code = status ?? 128 + (signals[signal ?? ''] ?? 0)
      resolve({ status: code, stdout, stderr, ms: performance.now() - begin })
      look()
    })
  })
  const says = (text: string): Promise<void> =>
    new Promise((resolve, reject) => {
      look = () => {
        if (`${stdout}${stderr}`.includes(text)) resolve()
        else if (child.exitCode !== null || child.signalCode !== null)
          reject(new Error(`it ended without saying "${text}":\n${stdout}${stderr}`))
      }
      look()
    })
  return { child, ended, says, output: () => stdout }
}

/** Its output, for the message of a failed test. */
export const shown = ({ status, stderr, stdout }: CommandResult): string => `status ${status}\n${stdout}\n${stderr}`
