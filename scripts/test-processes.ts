/** Runs test files in separate processes, several in parallel. One that hangs or dies fails; the others continue. */
import { type ChildProcess, spawn } from 'node:child_process'
import { root } from './command.ts'
import { hasTotals, type Result, readUvu } from './tally.ts'

type Options = {
  readonly jobs: number
  /** Another copy of the tree. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** After this many seconds a file is killed with everything it started. */
  readonly limitSeconds: number
  /** The time for a file to exit after its tests: a failed test may leave something open. */
  readonly lingerSeconds?: number
  readonly onDone?: (run: TestRun) => void
}
export type TestRun = Result & { readonly file: string; readonly seconds: number; readonly output: string }

const preload = ['--import', 'tsx', '--import', './scripts/properties.ts']

/** A test file leads a process group, so that everything it started ends with it. */
const killGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

const start = (file: string, { cwd = root, env }: Pick<Options, 'cwd' | 'env'>) =>
  spawn(process.execPath, [...preload, file], {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })

const ended = (
  file: string,
  child: ReturnType<typeof start>,
  { limitSeconds, lingerSeconds = 60 }: Pick<Options, 'limitSeconds' | 'lingerSeconds'>,
): Promise<TestRun> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    let output = ''
    let reached: number | undefined
    const killAfter = (seconds: number): NodeJS.Timeout =>
      setTimeout(() => {
        reached = seconds
        killGroup(child)
      }, seconds * 1_000)
    const limits = [killAfter(limitSeconds)]
    const streams = [child.stdout, child.stderr]
    const take = (text: string): void => {
      output += text
      if (limits.length === 1 && hasTotals(output)) limits.push(killAfter(lingerSeconds))
    }
    for (const stream of streams) stream.setEncoding('utf8').on('data', take)
    child.on('error', reject)
    child.on('exit', () => {
      limits.forEach(clearTimeout)
      killGroup(child)
      // A process outside the group may still hold the output open.
      setTimeout(() => streams.forEach((stream) => stream.destroy()), 1_000).unref()
    })
    child.on('close', (status, signal) => {
      const result = readUvu({ output, status, signal, ...(reached === undefined ? {} : { limitSeconds: reached }) })
      resolve({ ...result, file, output, seconds: (performance.now() - started) / 1_000 })
    })
  })

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** Starts the files in this order, `jobs` at a time, and reports each when it is done. */
export const runTests = async (
  files: ReadonlyArray<string>,
  { jobs, onDone, ...options }: Options,
): Promise<ReadonlyArray<TestRun>> => {
  const running = new Set<ChildProcess>()
  // Ctrl-C in a terminal does not reach other process groups.
  const stop = (_: string, number: number): void => {
    running.forEach(killGroup)
    process.exit(128 + number)
  }
  for (const signal of signals) process.on(signal, stop)
  const runs: Array<TestRun> = []
  const waiting = files.values()
  const worker = async (): Promise<void> => {
    for (const file of waiting) {
      const child = start(file, options)
      running.add(child)
      const run = await ended(file, child, options)
      running.delete(child)
      onDone?.(run)
      runs.push(run)
    }
  }
  try {
    await Promise.all(Array.from({ length: jobs }, worker))
  } finally {
    for (const signal of signals) process.off(signal, stop)
  }
  return runs
}
