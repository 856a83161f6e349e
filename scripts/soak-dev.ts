/**
 * `up` and `down` of workloads of every kind, killed after each of their writes and at random times, on the cluster of
 * $KUBECONFIG; then first tries of `up`: `tsx scripts/soak-dev.ts [--random=200] [--tries=50] [--lanes=2] [--log=FILE]`.
 * The log has a line for each case that has passed: a run that is given the log of another one goes on where that ended.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Kill, killedDown, killedUp, manifestOf } from '../test/support/e2e/dev-kills.ts'
import { type Developed, everyKind, makeWorkload, type Place, stateOf } from '../test/support/e2e/developed.ts'
import { openLab, type Space } from '../test/support/e2e/e2e.ts'
import { drawOf } from '../test/support/e2e/fault-plan.ts'
import { connectReal } from '../test/support/e2e/real-cluster.ts'
import { showTally } from './tally.ts'

const given = (name: string): string | undefined =>
  process.argv.find((argument) => argument.startsWith(`--${name}=`))?.slice(name.length + 3)
const [random, tries, lanes] = [
  Number(given('random') ?? 200),
  Number(given('tries') ?? 50),
  Number(given('lanes') ?? 2),
]
const log = given('log') ?? join(tmpdir(), 'devtool-soak-dev.log')
const env = { DEVTOOL_AGENT_IMAGE: process.env['DEVTOOL_AGENT_IMAGE'] ?? 'node:22.23-bookworm-slim' }
/** `up` on the test cluster takes no longer. */
const longestMs = 6000

const say = (text: string): boolean => process.stdout.write(`${text}\n`)
const done = new Set(existsSync(log) ? readFileSync(log, 'utf8').split('\n') : [])
let [passed, failed] = [0, 0]

const pass = (line: string): void => {
  appendFileSync(log, `${line}\n`)
  done.add(line)
  say(line)
}

const lab = await openLab()
const cluster = await connectReal()

type Prepared = {
  readonly space: Space
  readonly place: Place
  readonly developed: Developed
  readonly before: unknown
}

const within = (developed: Developed, purpose: string, use: (prepared: Prepared) => Promise<void>): Promise<void> =>
  lab.within(`${developed.kind.toLowerCase()}-${purpose}`, { env }, async (space) => {
    const place = { cluster, namespace: space.namespace }
    space.write('devtool.yml', manifestOf(developed))
    await makeWorkload(place, developed)
    await use({ space, place, developed, before: await stateOf(place, developed) })
  })

/** After a failure its namespace is given up: the next run gets another one. */
const inTurn = async (title: string, run: () => Promise<void>): Promise<void> => {
  try {
    await run()
  } catch (cause) {
    failed += 1
    say(`FAILED ${title}: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
}

const killing = { up: killedUp, down: killedDown }

/** After each write, until the command ends before it is killed. */
const killedAfterEach = (developed: Developed, command: 'up' | 'down') => (): Promise<void> => {
  const { kind } = developed
  const lineOf = (write: number): string => `${kind} ${command} killed after write ${write}`
  const isWhole = [...done].some((line) => line.startsWith(`${kind} ${command} has `))
  if (isWhole) return Promise.resolve()
  return inTurn(`${kind} ${command}`, () =>
    within(developed, command, async (prepared) => {
      for (let write = 1; ; write += 1) {
        if (done.has(lineOf(write))) continue
        const writes = await killing[command]({ ...prepared, isOther: write % 2 === 0 }, { afterWrite: write })
        if (writes !== undefined) return pass(`${kind} ${command} has ${writes} writes`)
        passed += 1
        pass(lineOf(write))
      }
    }),
  )
}

const killedAtRandom = (developed: Developed, seeds: ReadonlyArray<number>) => (): Promise<void> => {
  const { kind } = developed
  const lineOf = (seed: number): string => `${kind} killed at random, seed ${seed}`
  const left = seeds.filter((seed) => !done.has(lineOf(seed)))
  if (left.length === 0) return Promise.resolve()
  return inTurn(`${kind} at random`, () =>
    within(developed, 'random', async (prepared) => {
      for (const seed of left) {
        const when: Kill = { afterMs: Math.round(300 + drawOf(seed, 'ms') * longestMs) }
        await killing[seed % 3 === 0 ? 'down' : 'up']({ ...prepared, isOther: drawOf(seed, 'other') < 0.5 }, when)
        passed += 1
        pass(lineOf(seed))
      }
    }),
  )
}

/** Each with a running workload, like a user's first `up`. */
const firstTries = (developed: Developed, numbers: ReadonlyArray<number>) => (): Promise<void> => {
  const lineOf = (number: number): string => `first try ${number}`
  const left = numbers.filter((number) => !done.has(lineOf(number)))
  if (left.length === 0) return Promise.resolve()
  return inTurn('first tries', () =>
    within(developed, 'tries', async ({ space }) => {
      for (const number of left) {
        const { ms, stdout } = await space.must('up', '--yes', '--command', 'echo developed')
        if (stdout !== 'developed\n') throw new Error(`try ${number}: ${stdout}`)
        say(`${(ms / 1000).toFixed(1)} s`)
        await space.must('down')
        passed += 1
        pass(lineOf(number))
      }
    }),
  )
}

const upTo = (count: number): ReadonlyArray<number> => Array.from({ length: count }, (_, index) => index + 1)
const queue = [
  ...everyKind.flatMap((one) => [killedAfterEach(one, 'up'), killedAfterEach(one, 'down')]),
  ...everyKind.map((one, index) =>
    killedAtRandom(
      one,
      upTo(random).filter((seed) => seed % everyKind.length === index),
    ),
  ),
].values()

const lane = async (): Promise<void> => {
  for (const run of queue) await run()
}

await Promise.all(Array.from({ length: lanes }, lane))
const [deployment] = everyKind
if (deployment !== undefined) await firstTries(deployment, upTo(tries))()
cluster.close()
say(showTally({ passed, failed, skipped: 0 }))
process.exitCode = failed === 0 ? 0 : 1
