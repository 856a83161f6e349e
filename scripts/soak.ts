/**
 * The long form of the tests of kills and faults against a control plane ($KUBECONFIG), which needs no node:
 * `tsx scripts/soak.ts [--cycles=1000] [--outages=200] [--interruptions=200] [--kills=1] [--from=1] [--lanes=6] [--real=0]`. Deploys and
 * destroys are killed after each of their writes, the server dies or hangs in the middle of deploys, commands are interrupted,
 * then every seed from `--from` on is one deploy and one destroy behind a faulty proxy. The last line is the sum of all.
 */

import { inspect } from 'node:util'
import {
  type Cycle,
  cycle,
  interrupted,
  killedDeploys,
  killedDestroys,
  type OutageResult,
  outaged,
  variedOptions,
} from '../test/support/e2e/cycles.ts'
import { openLab, type Space } from '../test/support/e2e/e2e.ts'
import { showTally } from './tally.ts'

const flag = (name: string, otherwise: number): number => {
  const given = process.argv.find((argument) => argument.startsWith(`--${name}=`))
  return given === undefined ? otherwise : Number(given.slice(name.length + 3))
}
const [cycles, from, lanes] = [flag('cycles', 1000), flag('from', 1), flag('lanes', 6)]
const [outages, interruptions, hasKills] = [flag('outages', 200), flag('interruptions', 200), flag('kills', 1) !== 0]
const say = (text: string): boolean => process.stdout.write(`${text}\n`)
/** So many outages of the process of the API server itself, one at a time: needs DEVTOOL_E2E_FAULT. */
const reals = flag('real', 0)
const reportEvery = 50

const lab = await openLab()
let [passed, failed] = [0, 0]

const attempt = async (title: string, run: () => Promise<string | undefined>): Promise<void> => {
  try {
    const found = await run()
    if (found !== undefined) say(`${title}: ${found}`)
    passed += 1
  } catch (cause) {
    failed += 1
    say(`FAILED ${title}: ${inspect(cause)}`)
  }
}

const inSpace = (name: string, run: (space: Space) => Promise<void>): Promise<void> =>
  lab.within(name, variedOptions, run)

const kills = (): Promise<unknown> =>
  Promise.all([
    inSpace('killed', (space) =>
      attempt('deploys killed after each write', async () => `${await killedDeploys(space)} writes`),
    ),
    inSpace('gone', (space) =>
      attempt('destroys killed after each write', async () => `${await killedDestroys(space)} writes`),
    ),
  ])

const done: Array<Cycle> = []
const seeds = Array.from({ length: cycles }, (_, index) => from + index).values()

/** After a failure the namespace may stay broken, so the next seed gets a new one. */
const lane = async (): Promise<void> => {
  for (const seed of seeds) {
    await inSpace(`seed-${seed}`, (space) =>
      attempt(`seed ${seed}`, async () => {
        done.push(await cycle(space, seed))
        return done.length % reportEvery === 0 ? `${done.length} cycles of ${cycles} are done` : undefined
      }),
    )
  }
}

const met: Array<OutageResult> = []
const outageSeeds = Array.from({ length: outages }, (_, index) => from + index).values()

const outageLane = async (): Promise<void> => {
  for (const seed of outageSeeds) {
    await inSpace(`outage-${seed}`, (space) =>
      attempt(`outage of seed ${seed}`, async () => {
        met.push(await outaged(space, seed))
        return met.length % reportEvery === 0 ? `${met.length} outages of ${outages} are over` : undefined
      }),
    )
  }
}

const wereCut: Array<boolean> = []
const interruptionSeeds = Array.from({ length: interruptions }, (_, index) => from + index).values()

const interruptionLane = async (): Promise<void> => {
  for (const seed of interruptionSeeds) {
    await inSpace(`interruption-${seed}`, (space) =>
      attempt(`interruption of seed ${seed}`, async () => {
        wereCut.push(await interrupted(space, seed))
        return wereCut.length % reportEvery === 0 ? `${wereCut.length} of ${interruptions}` : undefined
      }),
    )
  }
}

const summaryOfOutages = (): string => {
  const killed = met.filter(({ what }) => what === 'Killed').length
  const unharmed = met.filter(({ status }) => status === 0).length
  return `${met.length} outages (${killed} killed, ${met.length - killed} paused): ${unharmed} deploys went on, the others were completed by the next`
}

const summary = (usual: Cycle): string => {
  const mean = (of: (one: Cycle) => number): number => done.reduce((sum, one) => sum + of(one), 0) / done.length
  const once = done.filter(({ runs }) => runs === 2).length
  const most = Math.max(...done.map(({ calls }) => calls)) / usual.calls
  const calls = mean((one) => one.calls / usual.calls).toFixed(2)
  return `${done.length} cycles converged, ${once} of them without running a command again; ${calls} times the calls of a cycle without faults on average, ${most.toFixed(2)} at most`
}

if (hasKills) await kills()
await Promise.all(Array.from({ length: lanes }, outageLane))
for (let seed = from; seed < from + reals; seed += 1) {
  await inSpace(`real-${seed}`, (space) =>
    attempt(`real outage of seed ${seed}`, async () => {
      const { at, ms, status, what } = await outaged(space, seed, true)
      return `${what} at request ${at} for ${ms} ms: status ${status}`
    }),
  )
}
if (met.length > 0) say(summaryOfOutages())
await Promise.all(Array.from({ length: lanes }, interruptionLane))
if (wereCut.length > 0) {
  const ended = wereCut.filter((wasCut) => !wasCut).length
  say(`${wereCut.length} commands were sent a signal, ${ended} of them at their end: no lock was left`)
}
if (cycles > 0)
  await inSpace('usual', async (space) => {
    const usual = await cycle(space)
    await Promise.all(Array.from({ length: lanes }, lane))
    if (done.length > 0) say(summary(usual))
  })
say(showTally({ passed, failed, skipped: 0 }))
process.exitCode = failed === 0 ? 0 : 1
