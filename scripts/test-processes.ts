/** Runs test files in separate processes, several in parallel. One that hangs or dies fails; the others continue. */
import { type ChildProcess, spawn } from 'node:child_process'
import { partition } from 'fp-ts/lib/Array.js'
import { root } from './command.ts'
import { type CompiledTests, compileTests } from './compiled-tests.ts'
import { splitPure } from './pure-tests.ts'
import { type Ended, hasTotals, type Result, readUvu } from './tally.ts'

type Options = {
  readonly jobs: number
  /** Another copy of the tree. */
  readonly cwd?: string
  readonly env?: Readonly<Record<string, string>>
  /** After this many seconds a file is killed with everything it started. */
  readonly limitSeconds: number
  /** The time for a file to exit after its tests: a failed test may leave something open. */
  readonly lingerSeconds?: number
  /** Files that run one after the other, beside the others. */
  readonly inTurn?: (file: string) => boolean
  readonly onDone?: (run: TestRun) => void
}
export type TestRun = Result & { readonly file: string; readonly seconds: number; readonly output: string }

const preload = './scripts/properties.ts'
const batchRunner = './scripts/test-batch.ts'
const loader = ['--import', 'tsx']

/** Arguments for Node to run the first of these files with the others as its arguments. */
const argsFor = ({ pathOf }: CompiledTests, files: ReadonlyArray<string>): ReadonlyArray<string> => {
  const paths = [preload, ...files].map(pathOf)
  const isCompiled = paths.every((path) => path !== undefined)
  const [first, ...rest] = isCompiled ? paths : [preload, ...files]
  return [...(isCompiled ? [] : loader), '--import', first ?? preload, ...rest]
}

/** A test file leads a process group, so that everything it started ends with it. */
const killGroup = (child: ChildProcess): void => {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  } catch {
    child.kill('SIGKILL')
  }
}

const start = (args: ReadonlyArray<string>, { cwd = root, env }: Pick<Options, 'cwd' | 'env'>) =>
  spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  })

type Limits = Pick<Options, 'limitSeconds' | 'lingerSeconds'>
type Timed = Ended & { readonly seconds: number }

/** `isOver`: whether all tests are done, so that the process has to exit soon. */
const ended = (
  child: ReturnType<typeof start>,
  { limitSeconds, lingerSeconds = 60 }: Limits,
  isOver: (output: string) => boolean,
): Promise<Timed> =>
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
      if (limits.length === 1 && isOver(output)) limits.push(killAfter(lingerSeconds))
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
      const seconds = (performance.now() - started) / 1_000
      resolve({ output, status, signal, seconds, ...(reached === undefined ? {} : { limitSeconds: reached }) })
    })
  })

const signals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const

/** Files that share a process, at most. */
const batchSize = 12

/** Each batch has long and short files, as `files` begin with the longest. */
const batchesOf = (files: ReadonlyArray<string>): ReadonlyArray<ReadonlyArray<string>> => {
  const count = Math.ceil(files.length / batchSize)
  return Array.from({ length: count }, (_, batch) => files.filter((_file, index) => index % count === batch))
}

const endOfFile = /\n::done (\d+) (\d+)\n/

/** The result of each file of a batch that passed; none when that is not certain. */
const readBatch = (
  batch: ReadonlyArray<string>,
  { limitSeconds, output, signal, status }: Timed,
): ReadonlyArray<TestRun> => {
  if (status !== 0 || signal !== null || limitSeconds !== undefined) return []
  const parts = output.split(endOfFile)
  return parts.flatMap((text, index) => {
    const [ms, file] = [parts[index + 1], batch[Number(parts[index + 2])]]
    if (index % 3 !== 0 || ms === undefined || file === undefined) return []
    const result = readUvu({ output: text, status, signal })
    return result.tally.failed > 0 ? [] : [{ ...result, file, output: text, seconds: Number(ms) / 1_000 }]
  })
}

/** A failure in a shared process is never ignored. */
const failedTogether = (run: TestRun, { output }: Timed): TestRun => {
  const { failed, ...tally } = run.tally
  return { ...run, tally: { ...tally, failed: failed + 1 }, problem: 'failed among others, and not alone', output }
}

/**
 * Starts the files in this order, `jobs` at a time, and reports each when it is done. Files that affect nothing outside
 * share a process, since starting one takes longer than most of them. If one fails there, its batch is repeated in
 * separate processes to find the file; when all pass then, the first counts as failed.
 */
export const runTests = async (
  files: ReadonlyArray<string>,
  { inTurn = () => false, jobs, onDone, ...options }: Options,
): Promise<ReadonlyArray<TestRun>> => {
  const compiled = await compileTests(options.cwd ?? root, [preload, batchRunner, ...files])
  const running = new Set<ChildProcess>()
  // Ctrl-C in a terminal does not reach other process groups.
  const stop = (_: string, number: number): void => {
    running.forEach(killGroup)
    compiled.remove()
    process.exit(128 + number)
  }
  for (const signal of signals) process.on(signal, stop)
  const runs: Array<TestRun> = []
  const run = async (args: ReadonlyArray<string>, isOver: (output: string) => boolean): Promise<Timed> => {
    const child = start(args, options)
    running.add(child)
    const end = await ended(child, options, isOver)
    running.delete(child)
    return end
  }
  const done = (one: TestRun): void => {
    onDone?.(one)
    runs.push(one)
  }
  const alone = async (file: string): Promise<TestRun> => {
    const end = await run(argsFor(compiled, [file]), hasTotals)
    return { ...readUvu(end), file, output: end.output, seconds: end.seconds }
  }
  const runAlone = async (file: string): Promise<void> => done(await alone(file))
  const runBatch = async (batch: ReadonlyArray<string>): Promise<void> => {
    const end = await run(argsFor(compiled, [batchRunner, ...batch]), (output) => output.endsWith('\n::all done\n'))
    const passed = readBatch(batch, end)
    passed.forEach(done)
    const names = new Set(passed.map(({ file }) => file))
    const again: Array<TestRun> = []
    for (const file of batch) if (!names.has(file)) again.push(await alone(file))
    const isFound = again.some(({ tally }) => tally.failed > 0)
    again.map((one, index) => (isFound || index > 0 ? one : failedTogether(one, end))).forEach(done)
  }
  const runInTurn = async (chain: ReadonlyArray<string>): Promise<void> => {
    for (const file of chain) await runAlone(file)
  }
  const { others, pure } = splitPure(files)
  const { left: free, right: chain } = partition(inTurn)([...others])
  const waiting = [
    () => runInTurn(chain),
    ...free.map((file) => () => runAlone(file)),
    ...batchesOf(pure).map((batch) => () => (batch.length === 1 ? runAlone(batch[0] ?? '') : runBatch(batch))),
  ].values()
  const worker = async (): Promise<void> => {
    for (const job of waiting) await job()
  }
  try {
    await Promise.all(Array.from({ length: jobs }, worker))
  } finally {
    for (const signal of signals) process.off(signal, stop)
    compiled.remove()
  }
  return runs
}
