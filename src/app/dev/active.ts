/** Selects the active development containers for a command, and finds how to connect to one. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { failureDiagnostic } from '../../domain/cluster/failure.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { keysIn } from '../../domain/dev/keys.ts'
import type { DevelopedWorkload } from '../../domain/dev/listing.ts'
import { mirrorSelector } from '../../domain/dev/names.ts'
import type { DevRecord } from '../../domain/dev/record.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Target } from '../context/target.ts'
import type { ProjectOptions } from '../project/choose.ts'
import { offered } from '../project/complete.ts'
import { askName } from './ask-name.ts'
import { type FoundDev, findDevs } from './records.ts'
import type { SessionTarget } from './session.ts'

/** `name`: of a single one; without it, those of the project. */
export type ActiveRequest = {
  readonly target: Target
  readonly project: ProjectOptions
  readonly name?: string
  readonly signal: AbortSignal
}

/** `active`: the selected ones; `all`: those of the namespace, both without services; `every`: with services. */
export type ActiveDevs = {
  readonly active: ReadonlyArray<FoundDev>
  readonly all: ReadonlyArray<FoundDev>
  readonly every: ReadonlyArray<FoundDev>
  /** Of those that are meant, active or not. */
  readonly names: ReadonlyArray<string>
}

/** `every`: as in {@link ActiveDevs}. */
export type ChosenDev = { readonly found: FoundDev; readonly every: ReadonlyArray<FoundDev> }

export const workloadIn = ({ record: { dev, workload } }: FoundDev): DevelopedWorkload => ({
  dev,
  kind: workload.kind,
  name: workload.name,
})

/** The record of a service refers to its development container, which is listed instead. */
export const isMain = ({ record: { main, mirror } }: FoundDev): boolean => main === mirror

/** Includes services that no section mentions, since they can be developed, too. */
const ofProject =
  (ports: Pick<Ports, 'files'>, project: ProjectOptions): T.Task<ReadonlyArray<string>> =>
  async () => {
    const { devs, services } = await offered(ports)(project)
    return [...devs, ...services]
  }

export const activeDevs =
  (ports: Pick<Ports, 'files'>) =>
  ({ name, project, signal, target }: ActiveRequest): TE.TaskEither<Diagnostic, ActiveDevs> =>
    pipe(
      TE.Do,
      TE.apS('found', findDevs(target, signal)),
      TE.apS('names', name === undefined ? TE.fromTask(ofProject(ports, project)) : TE.of([name])),
      TE.map(({ found: { devs: every }, names }) => {
        const all = every.filter(isMain)
        return { names, every, all, active: all.filter(({ record }) => names.includes(record.dev)) }
      }),
    )

export const notActive = ({ name, target: { namespace } }: ActiveRequest, all: ReadonlyArray<FoundDev>): Diagnostic => {
  const what = name === undefined ? 'no development container of this folder is active' : `"${name}" is not active`
  const others = all.map(({ record }) => record.dev)
  const help =
    others.length === 0 ? '`devtool up` starts one' : `active are ${others.join(', ')}; \`devtool up\` starts one`
  return error('DT5053', `${what} in namespace ${namespace}`, { help })
}

/** Asks when several match. Finds DT5050 and DT5053. */
export const oneActive =
  (ports: Pick<Ports, 'files' | 'prompt'>) =>
  (request: ActiveRequest): TE.TaskEither<Diagnostic, ChosenDev> => {
    const chosen = ({ active, all }: ActiveDevs): TE.TaskEither<Diagnostic, FoundDev> => {
      const [first, ...more] = active
      if (first === undefined) return TE.left(notActive(request, all))
      if (more.length === 0) return TE.of(first)
      const names = active.map(({ record }) => record.dev)
      return pipe(
        askName(ports, names),
        TE.map((name) => active.find(({ record }) => record.dev === name) ?? first),
      )
    }
    return pipe(
      activeDevs(ports)(request),
      TE.flatMap((devs) =>
        pipe(
          chosen(devs),
          TE.map((found) => ({ found, every: devs.every })),
        ),
      ),
    )
  }

/** The address of a development container's agent, with the keys in its Secret. */
export const sessionTarget = (
  { cluster, namespace }: Target,
  { container, dev, mirror, port }: DevRecord,
  patienceMs: number,
  signal: AbortSignal,
): TE.TaskEither<Diagnostic, SessionTarget> =>
  pipe(
    cluster.get({ resource: resources.Secret, namespace, name: mirror }, signal),
    TE.mapLeft(failureDiagnostic),
    TE.flatMapEither((secret) => {
      const keys = secret === undefined ? undefined : keysIn(secret)
      const lost = error('DT5058', `the keys of ${dev}, Secret/${mirror}, are gone`, {
        help: `\`devtool up ${dev}\` makes new ones`,
      })
      return keys === undefined
        ? E.left(lost)
        : E.right({ cluster, namespace, keys, port, pods: mirrorSelector(mirror), container, patienceMs })
    }),
  )
