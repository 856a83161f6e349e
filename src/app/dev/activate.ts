/** Turns a workload into a development container: everything up to its pod. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { aheadOf } from '../../domain/cluster/clock.ts'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { type JsonObject, textAt } from '../../domain/cluster/json.ts'
import { liveOf, type Observed } from '../../domain/cluster/live.ts'
import { resources, selfReviews } from '../../domain/cluster/resources.ts'
import { selfReview } from '../../domain/cluster/rights.ts'
import { planUp, type UpPlan } from '../../domain/dev/activate.ts'
import { keyData, keyDataIn, keysIn } from '../../domain/dev/keys.ts'
import type { DevRecord, Holder } from '../../domain/dev/record.ts'
import type { Consent, UpRequest } from '../../domain/dev/request.ts'
import {
  creatingRights,
  refusedTouches,
  rightsIn,
  type TouchingRights,
  touchingRights,
} from '../../domain/dev/rights.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { DevBase, DevContainer } from '../../domain/manifest/dev-model.ts'
import { defined } from '../../domain/object/defined.ts'
import { partition } from '../../domain/plan/action.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import { askYes } from '../ask-yes.ts'
import { behind } from '../concurrency/behind.ts'
import { missingRights } from '../context/rights.ts'
import type { Target } from '../context/target.ts'
import { environmentOf, secretsOf } from './given.ts'
import { inRounds, observe, type RoundsWorld } from './rounds.ts'

export type ActivatePorts = Pick<
  Ports,
  'agent' | 'clock' | 'files' | 'links' | 'machine' | 'progress' | 'prompt' | 'thisProcess'
>

type Findings = ReadonlyArray<Diagnostic>

/**
 * `environment`: from the command line. `image`: instead of the section's. `agentImage`: the image that installs the
 * agent.
 */
export type ActivateRequest = {
  readonly target: Target
  readonly dev: DevContainer
  readonly holder: Holder
  readonly environment: ReadonlyMap<string, string>
  readonly shell: ReadonlyMap<string, string>
  readonly agentImage: string
  readonly image?: string
  readonly takesOver: boolean
  readonly isYes: boolean
  /** Further requirements before anything is written, unless the development container is active already. */
  readonly needs: TE.TaskEither<Findings, void>
  /** The active development container of this name, if any. */
  readonly known: DevRecord | undefined
  /** The namespace as it was observed a moment ago. */
  readonly observed?: Observed
  readonly signal: AbortSignal
}

/**
 * `me`: the user as the cluster knows them; for clusters that cannot tell, the user of this machine. `clock`: with the
 * time of the cluster, since records are compared with those of other machines.
 */
type Asking = { readonly me: Holder; readonly clock: Clock }

export const askingAs = (
  { clock, machine, thisProcess }: Pick<ActivatePorts, 'clock' | 'machine' | 'thisProcess'>,
  { cluster }: Pick<Target, 'cluster'>,
  session: string,
  signal: AbortSignal,
): TE.TaskEither<never, Asking> =>
  pipe(
    cluster.create({ resource: selfReviews }, selfReview, { manager: 'devtool', signal }),
    TE.orElse(() => TE.of<never, JsonObject>({})),
    TE.map((review) => {
      const user = textAt(review, 'status', 'userInfo', 'username') ?? machine.who
      const mark = machine.mark === '' ? undefined : machine.mark
      const aheadMs = aheadOf(clock.wallMs(), review) ?? 0
      return {
        me: { user, machine: machine.host, pid: thisProcess.pid, session, ...defined({ mark }) },
        clock: behind(clock, () => aheadMs),
      }
    }),
  )

/**
 * Whether the process that holds a record runs on this machine. On systems without start times of processes, only the
 * pid is compared.
 */
export const isRunningHere = (
  { machine, thisProcess }: Pick<ActivatePorts, 'machine' | 'thisProcess'>,
  holder: Holder | undefined,
): boolean =>
  holder?.machine === machine.host &&
  (holder.mark === undefined ? thisProcess.isRunning(holder.pid) : machine.runs(holder.mark))

/** A running container already has its keys, which can only be replaced together with it. */
const keysOf = (
  { links }: Pick<ActivatePorts, 'links'>,
  { known, signal, target: { cluster, namespace } }: ActivateRequest,
): TE.TaskEither<Findings, Readonly<Record<string, string>>> => {
  const fresh: TE.TaskEither<Findings, Readonly<Record<string, string>>> = TE.fromTask(T.map(keyData)(links.newKeys))
  if (known === undefined) return fresh
  return pipe(
    cluster.get({ resource: resources.Secret, namespace, name: known.mirror }, signal),
    TE.mapLeft((failure): Findings => [failureDiagnostic(failure)]),
    TE.flatMap((secret) => (secret === undefined || keysIn(secret) === undefined ? fresh : TE.of(keyDataIn(secret)))),
  )
}

const unmade: Findings = [error('DT9001', 'a development container was made without its record')]

/** Asks new questions only; all are answered before anything is written. */
const consent = (
  { prompt }: Pick<ActivatePorts, 'prompt'>,
  isYes: boolean,
  asks: UpPlan['asks'],
): TE.TaskEither<Findings, ReadonlySet<Consent>> =>
  pipe(
    asks,
    TE.traverseSeqArray(({ consent: what, text }) =>
      pipe(
        isYes ? TE.of(true) : askYes(prompt, { text, flag: '--yes' }),
        TE.mapBoth(
          (found) => [found],
          () => what,
        ),
      ),
    ),
    TE.map((given) => new Set(given)),
  )

type Prepared = Omit<UpRequest, 'consents' | 'service' | 'main' | 'now' | 'isRunning'>

const prepare = (
  ports: Pick<ActivatePorts, 'agent' | 'files' | 'links'>,
  wanted: ActivateRequest,
  of: DevBase,
): TE.TaskEither<Findings, Prepared> => {
  const { agentImage, dev, environment, holder, image, shell, takesOver } = wanted
  return pipe(
    TE.Do,
    TE.apS('agentFiles', TE.mapLeft((found: Diagnostic): Findings => [found])(ports.agent.read)),
    TE.apS('keys', keysOf(ports, wanted)),
    TE.apS('variables', environmentOf(ports.files, of, environment, shell)),
    TE.apS('secrets', secretsOf(ports.files, dev)),
    TE.map(({ agentFiles, keys, secrets, variables }) => ({
      dev,
      holder,
      takesOver,
      agent: { image: agentImage, files: agentFiles, keys },
      environment: variables,
      secrets,
      ...defined({ image }),
    })),
  )
}

/** Finds DT5054. */
export const allowed = (
  target: Pick<Target, 'cluster' | 'namespace'>,
  touching: TouchingRights,
  signal: AbortSignal,
): TE.TaskEither<Findings, undefined> =>
  touching.changes.length === 0
    ? TE.of(undefined)
    : pipe(
        missingRights(target, rightsIn(touching), signal),
        TE.mapLeft((failure): Findings => [failureDiagnostic(failure)]),
        TE.map((missing) => refusedTouches(target.namespace, touching, missing)),
        TE.flatMapEither((found) => (found.length === 0 ? E.right(undefined) : E.left(found))),
      )

/** For what is planned for a development container, or a service beside it, beyond what every one needs. */
const furtherRights =
  (observed: Observed) =>
  (request: UpRequest): ReadonlyArray<TouchingRights> => {
    const planned = planUp(request, observed)
    if (E.isLeft(planned)) return []
    const { record } = planned.right
    if (record === undefined) return [creatingRights(request.dev.name)]
    const original = liveOf(observed, record.workload.kind, record.workload.name)
    return original === undefined ? [] : [touchingRights(record.touched, original, observed)]
  }

/** Checks the permissions for all changes before any is made. Finds DT5054. */
const mayTouch = (
  world: RoundsWorld,
  request: UpRequest,
  first: Observed | undefined,
): TE.TaskEither<Findings, unknown> => {
  const { signal, target } = world
  const all = [request, ...request.dev.services.map((service) => ({ ...request, service }))]
  return pipe(
    first === undefined ? TE.mapLeft((found: Diagnostic): Findings => [found])(observe(world)) : TE.of(first),
    TE.map((observed) => all.flatMap(furtherRights(observed))),
    TE.flatMap(TE.traverseSeqArray((touching) => allowed(target, touching, signal))),
  )
}

export type Activated = Pick<UpPlan, 'mounts'> & {
  readonly record: DevRecord
  readonly request: UpRequest
  readonly findings: Findings
}

/** What is being replaced; `undefined` when the container exists already and is only connected to. */
const replacing = ({ actions, record }: UpPlan): string | undefined => {
  if (record === undefined) return 'creating its workload'
  const { kind, name } = record.workload
  return partition(actions).Create.length > 0 ? `replacing ${kind}/${name}` : undefined
}

/** Resolves when everything is written. The pod may still be starting then. */
export const activate =
  (ports: ActivatePorts) =>
  (
    wanted: ActivateRequest,
    beside?: { readonly main: string; readonly service: DevBase },
  ): TE.TaskEither<Findings, Activated> => {
    const { clock, progress } = ports
    const { isYes, known, signal, target } = wanted
    const world: RoundsWorld = { ports, target, signal }
    const step = { title: wanted.dev.name, doing: replacing }
    // A namespace with a record stays awake: it has to be written, and then looked for a sleep, before anything else.
    let isAwake = known !== undefined
    const run = (request: UpRequest, first?: Observed): TE.TaskEither<Findings, Activated> => {
      let [noticed, recorded]: [boolean, Observed | undefined] = [false, undefined]
      const plan = (observed: Observed): E.Either<Findings, UpPlan> => {
        const planned = planUp({ ...request, now: clock.date() }, observed)
        if (E.isRight(planned) && !noticed && planned.right.asks.length === 0) {
          noticed = true
          for (const diagnostic of planned.right.notices) progress.tell({ _tag: 'Found', diagnostic })
        }
        const record = E.isRight(planned) ? planned.right.record : undefined
        if (E.isLeft(planned) || isAwake || record === undefined) return planned
        if (liveOf(observed, 'ConfigMap', record.mirror) === undefined) return planned
        recorded = observed
        return E.right({ ...planned.right, actions: [], waitsFor: [] })
      }
      return pipe(
        inRounds(world, step, plan, first)(),
        TE.flatMap(({ findings, plan: { asks, mounts, record } }) => {
          if (asks.length > 0) {
            return pipe(
              consent(ports, isYes, asks),
              TE.flatMap((given) => run({ ...request, consents: new Set([...request.consents, ...given]) })),
            )
          }
          if (isAwake) return TE.fromEither(E.fromNullable(unmade)(record && { record, request, findings, mounts }))
          return pipe(
            target.keptAwake?.(signal) ?? TE.of(false),
            TE.flatMap((isWoken) => {
              isAwake = true
              return run(request, isWoken ? undefined : recorded)
            }),
          )
        }),
      )
    }
    return pipe(
      known === undefined && beside === undefined ? wanted.needs : TE.of(undefined),
      TE.flatMap(() => prepare(ports, wanted, beside?.service ?? wanted.dev)),
      TE.flatMap((prepared) => {
        const isRunning = isRunningHere(ports, known?.holder)
        const request = { ...prepared, now: clock.date(), isRunning, consents: new Set<Consent>() }
        const whole = { ...request, ...beside }
        return pipe(
          known === undefined ? mayTouch(world, whole, wanted.observed) : TE.of(undefined),
          TE.flatMap(() => run(whole, wanted.observed)),
        )
      }),
    )
  }
