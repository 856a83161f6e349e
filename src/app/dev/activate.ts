/** Turns a workload into a development container: everything up to its pod. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { textAt } from '../../domain/cluster/json.ts'
import type { Observed } from '../../domain/cluster/live.ts'
import { type Resource, resources } from '../../domain/cluster/resources.ts'
import { planUp, type UpPlan } from '../../domain/dev/activate.ts'
import { keyData, keyDataIn, keysIn } from '../../domain/dev/keys.ts'
import type { DevRecord, Holder } from '../../domain/dev/record.ts'
import type { Consent, UpRequest } from '../../domain/dev/request.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { DevBase, DevContainer } from '../../domain/manifest/dev-model.ts'
import { defined } from '../../domain/object/defined.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import { environmentOf, secretsOf } from './given.ts'
import { type FoundDev, findDevs } from './records.ts'
import { inRounds, type RoundsWorld } from './rounds.ts'

export type ActivatePorts = Pick<
  Ports,
  'agent' | 'clock' | 'files' | 'links' | 'machine' | 'progress' | 'prompt' | 'thisProcess'
>

type Findings = ReadonlyArray<Diagnostic>

/** `environment`: from the command line. `image`: instead of that of the section. `agentImage`: what the agent is installed from. */
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
  /** What else has to hold before anything is written, unless it is active already. */
  readonly needs: TE.TaskEither<Findings, void>
  readonly signal: AbortSignal
}

const reviews: Resource = {
  group: 'authentication.k8s.io',
  version: 'v1',
  plural: 'selfsubjectreviews',
  kind: 'SelfSubjectReview',
  isNamespaced: false,
}

/** Who the user is for the cluster; for an old one, who it is on this machine. */
export const holderOf = (
  { machine, thisProcess }: Pick<ActivatePorts, 'machine' | 'thisProcess'>,
  { cluster }: Pick<Target, 'cluster'>,
  session: string,
  signal: AbortSignal,
): TE.TaskEither<never, Holder> => {
  const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
  return pipe(
    cluster.create({ resource: reviews }, body, { manager: 'devtool', signal }),
    TE.map((review) => textAt(review, 'status', 'userInfo', 'username') ?? machine.who),
    TE.orElse(() => TE.of<never, string>(machine.who)),
    TE.map((user) => ({ user, machine: machine.host, pid: thisProcess.pid, session })),
  )
}

/** Whether the process that holds a record runs on this machine. */
export const isRunningHere = (
  { machine, thisProcess }: Pick<ActivatePorts, 'machine' | 'thisProcess'>,
  holder: Holder | undefined,
): boolean => holder?.machine === machine.host && thisProcess.isRunning(holder.pid)

/** A running container has its keys already; they are replaced together with it only. */
const keysOf = (
  { links }: Pick<ActivatePorts, 'links'>,
  { signal, target: { cluster, namespace } }: ActivateRequest,
  known: FoundDev | undefined,
): TE.TaskEither<Findings, Readonly<Record<string, string>>> => {
  const fresh: TE.TaskEither<Findings, Readonly<Record<string, string>>> = TE.fromTask(T.map(keyData)(links.newKeys))
  if (known === undefined) return fresh
  return pipe(
    cluster.get({ resource: resources.Secret, namespace, name: known.record.mirror }, signal),
    TE.mapLeft((failure): Findings => [failureDiagnostic(failure)]),
    TE.flatMap((secret) => (secret === undefined || keysIn(secret) === undefined ? fresh : TE.of(keyDataIn(secret)))),
  )
}

const unmade: Findings = [error('DT9001', 'a development container was made without its record')]

const refused = error('DT3116', 'not confirmed, so nothing was changed', { help: 'answer with yes, or use --yes' })

/** The questions that are new; all of them are answered before anything is written. */
const consent = (
  { prompt }: Pick<ActivatePorts, 'prompt'>,
  isYes: boolean,
  asks: UpPlan['asks'],
): TE.TaskEither<Findings, ReadonlySet<Consent>> =>
  pipe(
    asks,
    TE.traverseSeqArray(({ consent: what, text }) =>
      pipe(
        isYes ? TE.of(true) : prompt.confirm({ text, flag: '--yes' }),
        TE.filterOrElse(
          (isConfirmed) => isConfirmed,
          () => refused,
        ),
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
  known: FoundDev | undefined,
): TE.TaskEither<Findings, Prepared> => {
  const { agentImage, dev, environment, holder, image, shell, takesOver } = wanted
  return pipe(
    TE.Do,
    TE.apS('agentFiles', TE.mapLeft((found: Diagnostic): Findings => [found])(ports.agent.read)),
    TE.apS('keys', keysOf(ports, wanted, known)),
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

export type Activated = { readonly record: DevRecord; readonly request: UpRequest; readonly findings: Findings }

/** Until everything is written. The pod may still be starting then. */
export const activate =
  (ports: ActivatePorts) =>
  (
    wanted: ActivateRequest,
    beside?: { readonly main: string; readonly service: DevBase },
  ): TE.TaskEither<Findings, Activated> => {
    const { clock, progress } = ports
    const { isYes, signal, target } = wanted
    const world: RoundsWorld = { ports, target, signal, title: wanted.dev.name }
    const run = (request: UpRequest): TE.TaskEither<Findings, Activated> => {
      let noticed = false
      const plan = (observed: Observed): E.Either<Findings, UpPlan> => {
        const planned = planUp({ ...request, now: clock.date() }, observed)
        if (E.isRight(planned) && !noticed && planned.right.asks.length === 0) {
          noticed = true
          for (const diagnostic of planned.right.notices) progress.tell({ _tag: 'Found', diagnostic })
        }
        return planned
      }
      return pipe(
        inRounds(world, plan)(),
        TE.flatMap(({ findings, plan: { asks, record } }) =>
          asks.length === 0
            ? TE.fromEither(E.fromNullable(unmade)(record && { record, request, findings }))
            : pipe(
                consent(ports, isYes, asks),
                TE.flatMap((given) => run({ ...request, consents: new Set([...request.consents, ...given]) })),
              ),
        ),
      )
    }
    return pipe(
      findDevs(target, signal),
      TE.mapLeft((found): Findings => [found]),
      TE.map(({ devs }) => devs.find(({ record }) => record.dev === wanted.dev.name)),
      TE.tap((known) => (known === undefined && beside === undefined ? wanted.needs : TE.of(undefined))),
      TE.bindTo('known'),
      TE.bind('prepared', ({ known }) => prepare(ports, wanted, beside?.service ?? wanted.dev, known)),
      TE.flatMap(({ known, prepared }) => {
        const isRunning = isRunningHere(ports, known?.record.holder)
        const request = { ...prepared, now: clock.date(), isRunning, consents: new Set<Consent>() }
        return run({ ...request, ...beside })
      }),
    )
  }
