/** Stops everything that runs in a namespace, and starts it again as it was. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Observed } from '../../domain/cluster/live.ts'
import { showLive } from '../../domain/dev/workload.ts'
import { type Diagnostic, warning } from '../../domain/diagnostic/diagnostic.ts'
import type { SleepChange, WakeChange } from '../../domain/sleep/listing.ts'
import type { SleepRecord } from '../../domain/sleep/record.ts'
import { foreignIn, planSleep, runningIn, type SleepPlan } from '../../domain/sleep/sleep.ts'
import { planWake } from '../../domain/sleep/wake.ts'
import { listed } from '../../domain/text/listed.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import type { Target } from '../context/target.ts'
import { inRounds, observe, type RoundsWorld } from '../dev/rounds.ts'
import { answerAll, asFindings, type Result } from '../result.ts'
import { nobodyDeploys, type SleepWorld, underSleepLock } from './lock.ts'

type Findings = ReadonlyArray<Diagnostic>

const workloadsOf = ({ touched }: SleepRecord): ReadonlyArray<string> => [
  ...new Set(
    touched
      .filter(({ resource }) => resource.kind !== 'ScaledObject')
      .map(({ name, resource }) => `${resource.kind}/${name}`),
  ),
]

type Stopped = { readonly record: SleepRecord; readonly findings: Findings }

/**
 * Finds DT5060, DT5061 and DT5063. `who`: for the record. `isWanted`: whether to stop what runs now; `undefined` when it
 * is not.
 */
export const stopWorkloads = (
  sleeping: SleepWorld,
  who: string,
  isWanted: (observed: Observed) => boolean = () => true,
): TE.TaskEither<Findings, Stopped | undefined> =>
  underSleepLock(sleeping, (world) => {
    const { clock } = world.ports
    const step = { title: world.target.namespace, doing: (): string => 'stopping its workloads' }
    const plan = (observed: Observed) => planSleep(observed, { now: clock.date(), who })
    const stop = (first: Observed): TE.TaskEither<Findings, Stopped | undefined> =>
      pipe(
        inRounds<SleepPlan>(world, step, plan, first)(),
        TE.map(({ findings, plan: { record } }) => ({ record, findings })),
        // Somebody develops in it since: nothing stays stopped.
        TE.orElse((found) =>
          found.some(({ code }) => code === 'DT5061')
            ? pipe(
                started(world, who),
                TE.flatMap(() => TE.left(found)),
              )
            : TE.left(found),
        ),
      )
    return pipe(
      nobodyDeploys(world),
      TE.flatMap(() => asFindings(observe(world))),
      TE.flatMap((observed) => (isWanted(observed) ? stop(observed) : TE.of(undefined))),
    )
  })

/** How long to wait, in total, for workloads that others depend on. */
const ORDER_MS = 120_000

const doneAlready = { actions: [], waitsFor: [], held: [] } as const

/** `record`: that of the sleep; `undefined` when it did not sleep. */
type Started = { readonly record: SleepRecord | undefined; readonly findings: Findings }

const started = (world: RoundsWorld, who: string): TE.TaskEither<Findings, Started> => {
  const { clock } = world.ports
  const untilMs = clock.now() + ORDER_MS
  const step = {
    title: world.target.namespace,
    doing: (): string => 'starting its workloads',
    waiting: (names: string): string => `waiting for what ${names} depends on`,
  }
  let [slept, unordered]: [SleepRecord | undefined, ReadonlyArray<string>] = [undefined, []]
  const plan = (observed: Observed) => {
    const isOrdered = clock.now() < untilMs
    return pipe(
      planWake(observed, { now: clock.date(), who, isOrdered }),
      E.map((planned) => {
        slept = planned?.record ?? slept
        if (isOrdered) unordered = planned?.held ?? []
        return planned ?? doneAlready
      }),
    )
  }
  return pipe(
    inRounds(world, step, plan)(),
    TE.map(({ findings }) => ({
      record: slept,
      findings: [
        ...findings,
        ...(unordered.length === 0 ? [] : [warning('DT5062', `what ${listed(unordered)} depends on is not ready yet`)]),
      ],
    })),
  )
}

/** Finds DT5060. */
export const startWorkloads = (world: SleepWorld, who: string): TE.TaskEither<Findings, Started> =>
  underSleepLock(world, (locked) => started(locked, who))

type SleepPorts = Pick<Ports, 'clock' | 'machine' | 'progress' | 'prompt'>
type SleepRequest = { readonly target: Target; readonly isYes: boolean; readonly signal: AbortSignal }

/** What devtool has not deployed may be somebody else's. */
const confirmed = (
  { prompt }: SleepPorts,
  { isYes, target: { namespace } }: SleepRequest,
  observed: Observed,
): TE.TaskEither<Findings, Observed> => {
  const foreign = foreignIn(runningIn(observed)).map(showLive)
  if (foreign.length === 0 || isYes) return TE.of(observed)
  const text = `devtool did not deploy ${listed(foreign)} in ${namespace}. Stop what runs there?`
  return pipe(
    askYes(prompt, { text, flag: '--yes' }),
    TE.bimap(
      (found) => [found],
      () => observed,
    ),
  )
}

export const sleepNamespace =
  (ports: SleepPorts) =>
  (request: SleepRequest): Promise<Result<SleepChange>> => {
    const { signal, target } = request
    const world: SleepWorld = { ports, target, signal }
    return answerAll(
      pipe(
        asFindings(observe(world)),
        TE.flatMap((observed) => confirmed(ports, request, observed)),
        TE.flatMap(() => stopWorkloads(world, ports.machine.who)),
        TE.map((stopped) => ({
          findings: stopped?.findings ?? [],
          value: { namespace: target.namespace, workloads: stopped === undefined ? [] : workloadsOf(stopped.record) },
        })),
      ),
    )
  }

export const wakeNamespace =
  (ports: SleepPorts) =>
  ({ signal, target }: Omit<SleepRequest, 'isYes'>): Promise<Result<WakeChange>> =>
    answerAll(
      pipe(
        startWorkloads({ ports, target, signal }, ports.machine.who),
        TE.map(({ findings, record }) => ({
          findings,
          value: {
            namespace: target.namespace,
            wasAsleep: record !== undefined,
            workloads: record === undefined ? [] : workloadsOf(record),
          },
        })),
      ),
    )
