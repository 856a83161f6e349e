/** Runs checks and tests: `tsx scripts/test.ts check|all|unit|e2e|goldens|fuzz`. The last line is the sum of all. */
import { binPath, runNode, scriptArgs } from './command.ts'
import { add, none, one, readTally, readUvu, showTally, type Tally } from './tally.ts'
import { e2eFolder, testPattern } from './test-files.ts'

const say = (line: string): boolean => process.stdout.write(`${line}\n`)

/** Scripts that either hold or do not; side by side, reported in order, silent when they hold. */
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
  hold('typecheck', 'lint', 'format:check', 'unused', 'structure', 'docs:check', 'proto:check')

type UvuRun = {
  readonly folder: string
  readonly ignore?: string
  readonly env?: Readonly<Record<string, string>>
  readonly timeoutMs?: number
}

const uvu = async ({ folder, ignore, env = {}, timeoutMs = 900_000 }: UvuRun): Promise<Tally> => {
  say(`\n${folder}`)
  const preload = ['--import', 'tsx', '--import', './scripts/properties.ts']
  const ignored = ignore === undefined ? [] : ['--ignore', ignore]
  const args = [...preload, binPath('uvu'), folder, testPattern.source, '--no-color', ...ignored]
  const { output, status } = await runNode(args, { env, timeoutMs, live: true })
  return readUvu(output, status)
}

const examples = async (): Promise<Tally> => {
  say('examples')
  const { output } = await runNode(scriptArgs('examples'), { live: true })
  return readTally(output) ?? one(false)
}

const unit = (): Promise<Tally> => uvu({ folder: 'test', ignore: `^${e2eFolder}$` })

const all = async (): Promise<Tally> => {
  const checked = await check()
  const built = await hold('build')
  const tested = await unit()
  return [checked, built, tested, await examples()].reduce(add, none)
}

/** The properties on many more cases, then 40,000 inputs in processes that are watched. */
const fuzz = async (): Promise<Tally> => {
  const env = { PROPERTY_RUNS: '5000', PROPERTY_SEED: 'random' }
  const properties = await uvu({ folder: 'test/properties', env, timeoutMs: 3_600_000 })
  const { output } = await runNode([binPath('tsx'), 'scripts/fuzz.ts'], { live: true })
  return add(properties, readTally(output) ?? one(false))
}

const suites: Readonly<Record<string, () => Promise<Tally>>> = {
  all,
  check,
  unit,
  e2e: async () => add(await hold('build'), await uvu({ folder: `test/${e2eFolder}`, timeoutMs: 3_600_000 })),
  fuzz,
  goldens: () => uvu({ folder: 'test/golden', env: { UPDATE_GOLDENS: '1' } }),
}

const [name = 'all'] = process.argv.slice(2)
const suite = suites[name]
if (suite === undefined) throw new Error(`no suite ${name}; there are ${Object.keys(suites).join(', ')}`)
const tally = await suite()
say(showTally(tally))
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1
