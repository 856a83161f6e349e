/**
 * Runs checks and tests: `tsx scripts/test.ts check|all|unit|release|e2e|examples|goldens|fuzz [file or folder...]`. Given
 * files and folders replace those of the suite. The last line is the total.
 */
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { partition } from 'fp-ts/lib/Array.js'
import { binPath, runNode, scriptArgs } from './command.ts'
import { hostSingle } from './release/single.ts'
import { add, none, one, readTally, showTally, type Tally } from './tally.ts'
import {
  disturbsOthers,
  e2eFolder,
  installsThePlatform,
  pickTests,
  releaseFolder,
  startsTheCommand,
} from './test-files.ts'
import { runTests, type TestRun } from './test-processes.ts'
import { keepSeconds, longestFirst } from './test-times.ts'

const [name = 'all', ...given] = process.argv.slice(2)

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Scripts that pass or fail as a whole: run in parallel, reported in order, silent when they pass. */
const hold = async (...scripts: ReadonlyArray<string>): Promise<Tally> => {
  const runs = await Promise.all(scripts.map((script) => runNode(scriptArgs(script))))
  return runs
    .map(({ output, status }, i) => {
      say(status === 0 ? `ok    ${scripts[i]}` : `FAIL  ${scripts[i]}\n\n${output.trim()}\n`)
      return one(status === 0)
    })
    .reduce(add, none)
}

const check = (): Promise<Tally> =>
  hold('typecheck', 'typecheck:web', 'lint', 'format:check', 'unused', 'structure', 'docs:check', 'proto:check')

type Suite = {
  readonly files: ReadonlyArray<string>
  readonly env?: Readonly<Record<string, string>>
  readonly limitSeconds?: number
  readonly lingerSeconds?: number
  /** More than the number of processors, since the longest files wait for most of their time. */
  readonly jobs?: number
  readonly inTurn?: (file: string) => boolean
}

const sumOf = (runs: ReadonlyArray<TestRun>): Tally => runs.map(({ tally }) => tally).reduce(add, none)

/** One line per file; the output of a failed file is shown, and its name is repeated at the end. */
const tests = async ({
  files,
  env = {},
  limitSeconds = 1200,
  lingerSeconds = 60,
  jobs = availableParallelism() + 2,
  inTurn = () => false,
}: Suite): Promise<Tally> => {
  const onDone = ({ file, output, problem, seconds, tally }: TestRun): void => {
    const [word, why] = [tally.failed === 0 ? 'ok  ' : 'FAIL', problem === undefined ? '' : `: ${problem}`]
    say(`${word}  ${file}  (${showTally(tally)}, ${seconds.toFixed(1)} s)${why}`)
    if (tally.failed > 0) say(`\n${output.trim()}\n`)
  }
  const runs = await runTests(longestFirst(files), { env, limitSeconds, lingerSeconds, jobs, inTurn, onDone })
  keepSeconds(Object.fromEntries(runs.map(({ file, seconds }) => [file, seconds])))
  const failed = runs.filter(({ tally }) => tally.failed > 0)
  if (failed.length > 0) say(`\nfailed: ${failed.map(({ file }) => file).join(', ')}`)
  return sumOf(runs)
}

/** The examples in comments of the source. */
const codeExamples = async (): Promise<Tally> => {
  say('examples')
  const { output } = await runNode([binPath('tsx'), 'scripts/doc-examples.ts'], { live: true })
  return readTally(output) ?? one(false)
}

/** The given files, or those of these folders. */
const filesOf = (...folders: ReadonlyArray<string>): ReadonlyArray<string> => pickTests(folders, given)

const unit = (): Promise<Tally> => {
  const folders = readdirSync('test').filter((folder) => folder !== e2eFolder && folder !== releaseFolder)
  return tests({ files: filesOf(...folders.map((folder) => `test/${folder}`)) })
}

/** These wait for the cluster most of their time. */
const onCluster = async (files: ReadonlyArray<string>): Promise<Tally> => {
  const built = await hold('build')
  const { left: beside, right: alone } = partition(disturbsOthers)([...files])
  // At their end they remove namespaces, and file systems of builders.
  const limits = { limitSeconds: 1800, lingerSeconds: 180 }
  const first = await tests({ files: beside, ...limits, jobs: 3, inTurn: installsThePlatform })
  return [built, first, await tests({ files: alone, ...limits, jobs: 1 })].reduce(add, none)
}

const e2e = (): Promise<Tally> => onCluster(filesOf(`test/${e2eFolder}`))

/** Everything that the documentation says to type, and the examples of the source. */
const examples = async (): Promise<Tally> => {
  const code = await codeExamples()
  const typed = filesOf(`test/${e2eFolder}`).filter((file) =>
    /\/(?:doc-[\w-]+|readme|deploy-examples)\.test\.ts$/.test(file),
  )
  const isReached = (process.env['KUBECONFIG'] ?? '') !== ''
  if (!isReached)
    say(`KUBECONFIG is not set: ${typed.length} files of tests that type commands on a cluster are left out`)
  const there = isReached ? await onCluster(typed) : await hold('build')
  const here = await tests({ files: ['test/cli/doc-commands.test.ts', 'test/cli/tutorial.test.ts'] })
  return [code, there, here].reduce(add, none)
}

const buildAndTest = async (): Promise<Tally> => {
  const built = await hold('build')
  return [built, ...(await Promise.all([unit(), codeExamples()]))].reduce(add, none)
}

/** The checks run beside the tests, so that no processor waits for the last of them. */
const all = async (): Promise<Tally> => (await Promise.all([check(), buildAndTest()])).reduce(add, none)

/** The single executable, by tests of its own and by those of the command line. */
const release = async (): Promise<Tally> => {
  const single = { DEVTOOL_SINGLE: await hostSingle() }
  const own = await tests({ files: filesOf(`test/${releaseFolder}`), jobs: 1 })
  return add(own, await tests({ files: pickTests(['test/cli'], []).filter(startsTheCommand), env: single }))
}

/** The properties with many more cases, then 60,000 inputs in supervised processes. */
const fuzz = async (): Promise<Tally> => {
  const env = { PROPERTY_RUNS: '5000', PROPERTY_SEED: 'random' }
  const properties = await tests({ files: filesOf('test/properties'), env, limitSeconds: 3_600 })
  const { output } = await runNode([binPath('tsx'), 'scripts/fuzz.ts'], { live: true })
  return add(properties, readTally(output) ?? one(false))
}

const suites: Readonly<Record<string, () => Promise<Tally>>> = {
  all,
  check,
  unit,
  e2e,
  examples,
  fuzz,
  release,
  goldens: () => tests({ files: filesOf('test/golden'), env: { UPDATE_GOLDENS: '1' } }),
}

const suite = suites[name]
if (given.length > 0 && (name === 'all' || name === 'check' || name === 'examples'))
  throw new Error(`the suite ${name} takes no files`)
if (suite === undefined) throw new Error(`no suite ${name}; there are ${Object.keys(suites).join(', ')}`)
const tally = await suite()
say(showTally(tally))
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1
