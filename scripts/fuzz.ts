/**
 * `tsx scripts/fuzz.ts [SEED] [COUNT]`: COUNT inputs (6,000) of each kind: projects damaged, generated and in any layout,
 * trees of files, and other files that are read; each within 2 s and the process within 512 MB. The inputs are tried in
 * child processes that a watchdog ends, so that a hang is found too. Of each kind, some are interrupted at a random moment,
 * which must end the child by that signal. An input that fails is kept in a file that is named; the seed is printed and
 * gives the same inputs again.
 */
import { fork } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { availableParallelism, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inputs, type Kind, kinds, limits, tryOne } from '../test/support/arbitrary/fuzz.ts'
import { random } from '../test/support/arbitrary/random.ts'
import { processorMs } from './process-use.ts'

type Batch = { readonly kind: Kind; readonly seed: number; readonly from: number; readonly to: number }
type Report =
  | { readonly _tag: 'Trying'; readonly index: number }
  | { readonly _tag: 'Failed'; readonly index: number; readonly problems: ReadonlyArray<string> }
  | { readonly _tag: 'Done'; readonly rss: number }

/** How long a child may compute without a message: ten times the limit for one input, since generating them takes time too. */
const silenceMs = 10 * limits.ms
/** How long it may do nothing: on a busy machine it may take long to get a turn. */
const idleMs = 600_000
const batchSize = 1_000

/** The processor time of a process, or the time of the clock where the system has no `/proc`. */
const computedMs = (pid: number | undefined): number => {
  try {
    return processorMs(pid)
  } catch {
    return performance.now()
  }
}

const self = fileURLToPath(import.meta.url)

const work = ({ kind, seed, from, to }: Batch): void => {
  const say = (report: Report): void => void process.send?.(report)
  for (const [index, files] of inputs(kind, seed, from, to)) {
    say({ _tag: 'Trying', index })
    const problems = tryOne(kind, files)
    if (problems.length > 0) say({ _tag: 'Failed', index, problems })
  }
  say({ _tag: 'Done', rss: process.resourceUsage().maxRSS * 1024 })
}

type Problem = { readonly kind: Kind; readonly index: number; readonly text: string }
type Outcome = { readonly problems: ReadonlyArray<Problem>; readonly rss: number }

/** Runs one batch in a child. When a child hangs or dies the input is reported, and the rest goes to another child. */
const runBatch = (batch: Batch): Promise<Outcome> =>
  new Promise((resolve) => {
    const problems: Array<Problem> = []
    let [index, rss, isDone] = [batch.from, 0, false]
    const child = fork(self, ['--child', JSON.stringify(batch)], { execArgv: ['--import', 'tsx'] })
    let [silent, computed] = [0, computedMs(child.pid)]
    const watchdog = setInterval(() => {
      // Counted in seconds of this process, so that a pause of both is not taken for a hang.
      silent += 1_000
      if (silent > idleMs || computedMs(child.pid) - computed > silenceMs) child.kill('SIGKILL')
    }, 1_000)
    child.on('message', (report: Report) => {
      silent = 0
      computed = computedMs(child.pid)
      if (report._tag === 'Trying') index = report.index
      else if (report._tag === 'Failed')
        problems.push({ kind: batch.kind, index: report.index, text: report.problems.join('; ') })
      else [rss, isDone] = [report.rss, true]
    })
    child.on('exit', (status, signal) => {
      clearInterval(watchdog)
      if (isDone) return resolve({ problems, rss })
      const text = signal === 'SIGKILL' ? `no result for ${silent / 1_000} s` : `the process died: ${signal ?? status}`
      const lost: Problem = { kind: batch.kind, index, text }
      if (index + 1 >= batch.to) return resolve({ problems: [...problems, lost], rss })
      void runBatch({ ...batch, from: index + 1 }).then((rest) =>
        resolve({ problems: [...problems, lost, ...rest.problems], rss: Math.max(rss, rest.rss) }),
      )
    })
  })

/** How often each kind is interrupted, and how long a child may then take on a busy machine. */
const interruptions = { each: 3, ms: 10_000 }

/** Milliseconds from SIGINT, at a random moment of the first inputs, until the child has ended; `undefined` when it has not. */
const interrupted = (batch: Batch, afterMs: number): Promise<number | undefined> =>
  new Promise((resolve) => {
    const child = fork(self, ['--child', JSON.stringify(batch)], { execArgv: ['--import', 'tsx'] })
    let sent = Number.NaN
    let killer: NodeJS.Timeout | undefined
    child.once('message', () =>
      setTimeout(() => {
        sent = performance.now()
        child.kill('SIGINT')
        killer = setTimeout(() => child.kill('SIGKILL'), interruptions.ms)
      }, afterMs),
    )
    child.on('exit', (_, signal) => {
      clearTimeout(killer)
      resolve(signal === 'SIGINT' ? performance.now() - sent : undefined)
    })
  })

/** The number of children that did not end; says how long the others took. */
const interruptSome = async (seed: number): Promise<number> => {
  const rng = random(seed)
  const took: Array<number | undefined> = []
  for (const kind of kinds) {
    for (let i = 0; i < interruptions.each; i += 1) {
      const from = rng.below(1_000) * batchSize
      took.push(await interrupted({ kind, seed, from, to: from + 1_000 * batchSize }, rng.below(500)))
    }
  }
  const times = took.flatMap((ms) => ms ?? []).toSorted((a, b) => a - b)
  const [middle = Number.NaN, last = Number.NaN] = [times[times.length >> 1], times.at(-1)]
  process.stdout.write(
    `fuzz: ${times.length} of ${took.length} were interrupted, within ${middle.toFixed(0)} ms (p50) and ${last.toFixed(0)} ms (max)\n`,
  )
  return took.length - times.length
}

/** The files of an input, joined into one, each preceded by its name. */
const keep = (folder: string, seed: number, { kind, index, text }: Problem): string => {
  const path = join(folder, `${kind}-${index}.txt`)
  const shown = [...inputs(kind, seed, index, index + 1)].flatMap(([, files]) =>
    Object.entries(files).map(
      ([name, content]) =>
        `=== ${name}\n${typeof content === 'string' ? content : Buffer.from(content).toString('latin1')}`,
    ),
  )
  writeFileSync(path, [`seed ${seed}, ${kind} ${index}: ${text}`, ...shown].join('\n'))
  return path
}

const main = async (seed: number, count: number): Promise<number> => {
  process.stdout.write(`fuzz: seed ${seed}, ${count} inputs of each kind\n`)
  const batches = kinds.flatMap((kind) =>
    Array.from(
      { length: Math.ceil(count / batchSize) },
      (_, i): Batch => ({ kind, seed, from: i * batchSize, to: Math.min(count, (i + 1) * batchSize) }),
    ),
  )
  const outcomes: Array<Outcome> = []
  const rest = batches.values()
  const worker = async (): Promise<void> => {
    for (const batch of rest) outcomes.push(await runBatch(batch))
  }
  await Promise.all(Array.from({ length: Math.min(4, availableParallelism()) }, worker))
  const problems = outcomes.flatMap((outcome) => outcome.problems)
  const rss = Math.max(...outcomes.map((outcome) => outcome.rss))
  const isLean = rss <= limits.bytes
  if (problems.length > 0) {
    const folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
    for (const problem of problems.slice(0, 20)) {
      const [line = ''] = problem.text.split('\n')
      process.stdout.write(`FAIL  ${problem.kind} ${problem.index}: ${line}\n      ${keep(folder, seed, problem)}\n`)
    }
  }
  const failed = problems.length + (isLean ? 0 : 1) + (await interruptSome(seed))
  process.stdout.write(`fuzz: at most ${Math.round(rss / 1024 / 1024)} MB${isLean ? '' : ', which is too much'}\n`)
  process.stdout.write(`${kinds.length * count - problems.length} passed, ${failed} failed\n`)
  return failed === 0 ? 0 : 1
}

const [first, second] = process.argv.slice(2)
if (first === '--child') work(JSON.parse(second ?? ''))
else process.exitCode = await main(Number(first ?? Date.now() % 2 ** 31), Number(second ?? 6_000))
