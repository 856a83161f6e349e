/**
 * Starts, lists and cancels runs. The objects of a run are written with the user's own permissions, so that RBAC
 * decides.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as T from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import type { ManagedNamespace } from '../../domain/platform/access.ts'
import { clusterProblem, notThere, userProblem } from '../../domain/platform/api/problem.ts'
import { accountOf } from '../../domain/platform/names.ts'
import { byRunAge, runAgeOf } from '../../domain/platform/run/age.ts'
import {
  cancellation,
  hasEnded,
  listedRunIn,
  RUN_SELECTOR,
  type RunRecord,
  runIn,
  runName,
  runsOfSelector,
} from '../../domain/platform/run/record.ts'
import { isOfFork } from '../../domain/platform/run/repository.ts'
import { DEFAULT_TIMEOUT_SECONDS, type RunRequest, randomRunId, runIdOf } from '../../domain/platform/run/request.ts'
import { runJobIn, waitOf } from '../../domain/platform/run/schedule.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { bounded } from '../concurrency/bounded.ts'
import { builderForRun } from './builder.ts'
import { beingDeleted, foreignPreview } from './refusals.ts'
import { withdrawDeletion } from './request-deletion.ts'
import { sharedVariables, writeRun } from './start-run.ts'
import { type Caller, type Handlers, MANAGER, type PlatformWorld } from './world.ts'

const options = { manager: MANAGER }

export const asUser = ({ cluster }: PlatformWorld, { user }: Caller): Cluster =>
  cluster.as({ user: accountOf(user.id) })

type NamedVariable = { readonly name: string; readonly value: string }

/** `key`: of a request that may be repeated. */
export type WantedRun = Pick<RunRequest, 'action' | 'environment' | 'repository' | 'branch' | 'file' | 'volumes'> & {
  readonly timeoutSeconds?: number | undefined
  readonly variables?: ReadonlyArray<NamedVariable> | undefined
  readonly key?: string | undefined
  /** Of the preview. */
  readonly sourceUrl?: string
}

const recordKey = (namespace: string, id: string) => ({
  resource: resources.ConfigMap,
  namespace,
  name: runName(id),
})

const readRun = (
  cluster: Cluster,
  namespace: string,
  id: string,
): TE.TaskEither<Diagnostic, { readonly run: RunRecord; readonly live: ClusterObject } | undefined> =>
  pipe(
    cluster.get(recordKey(namespace, id)),
    TE.mapLeft(userProblem(`run ${id}`)),
    TE.map((live) => {
      const run = live === undefined ? undefined : runIn(live)
      return run === undefined || live === undefined ? undefined : { run, live }
    }),
  )

export const foundRun = (
  cluster: Cluster,
  namespace: string,
  id: string,
): TE.TaskEither<Diagnostic, { readonly run: RunRecord; readonly live: ClusterObject }> =>
  pipe(
    readRun(cluster, namespace, id),
    TE.flatMap((found) => (found === undefined ? TE.left(notThere(`run ${id}`)) : TE.right(found))),
  )

/** With what it waits for, if that can be seen. */
const withWait = (cluster: Cluster, run: RunRecord): TE.TaskEither<Diagnostic, RunRecord> =>
  run.status === 'queued'
    ? pipe(
        cluster.list({ resource: resources.Job, namespace: run.namespace, labels: RUN_SELECTOR }),
        TE.match(
          () => run,
          ({ items }) => ({
            ...run,
            ...defined({
              waitsFor: waitOf(
                items.flatMap((job) => runJobIn(job) ?? []),
                run.id,
              ),
            }),
          }),
        ),
        TE.rightTask,
      )
    : TE.right(run)

/** Law: repeated requests with the same key start one run. */
export const startRun = (
  world: PlatformWorld,
  caller: Caller,
  namespace: ManagedNamespace,
  { key, sourceUrl, timeoutSeconds = DEFAULT_TIMEOUT_SECONDS, variables = [], ...wanted }: WantedRun,
): TE.TaskEither<Diagnostic, RunRecord> => {
  const refused = foreignPreview(namespace, caller)
  if (refused !== undefined) return TE.left(refused)
  if (namespace.status === 'Deleting') return TE.left(beingDeleted(namespace))
  const { name } = namespace
  const { email, id: user } = caller.user
  const id = key === undefined ? randomRunId(world.random.bytes(8)) : runIdOf(name, user, key)
  const cluster = asUser(world, caller)
  const given = new Map(variables.map((one) => [one.name, one.value]))
  const builds = wanted.action === 'deploy' ? builderForRun(world, name, user) : T.of(undefined)
  const write = (shared: ReadonlyMap<string, string>): TE.TaskEither<Diagnostic, RunRecord> =>
    pipe(
      TE.fromTask(builds),
      TE.flatMap((builder) =>
        writeRun(
          { cluster, programs: world.settings, manager: MANAGER },
          {
            ...wanted,
            isFork: isOfFork(wanted.repository, sourceUrl ?? namespace.preview?.sourceUrl),
            id,
            namespace: name,
            who: { user, email },
            now: world.clock.date(),
            nowMs: world.clock.wallMs(),
            timeoutSeconds,
            variables: { given, shared },
            ...defined({ builder }),
          },
        ),
      ),
      TE.mapLeft(userProblem(`a run in namespace ${name}`)),
    )
  const shared = pipe(sharedVariables(world.cluster, namespace.kind), TE.mapLeft(clusterProblem('variables')))
  const used = wanted.action === 'deploy' ? withdrawDeletion(world, namespace) : TE.right(namespace)
  return pipe(
    readRun(cluster, name, id),
    TE.flatMap((known) =>
      known === undefined
        ? pipe(
            used,
            TE.flatMap(() => shared),
            TE.flatMap(write),
          )
        : TE.right(known.run),
    ),
    TE.flatMap((run) => withWait(cluster, run)),
  )
}

const newestFirst = (a: ClusterObject, b: ClusterObject): number =>
  byRunAge(runAgeOf(b), runAgeOf(a)) || (a.metadata.name < b.metadata.name ? 1 : -1)

const prefix = runName('')

/** Newest first. Logs can be long, so these are only the metadata. */
export const runPlaces = (
  cluster: Cluster,
  namespace: string,
  environment?: string,
): TE.TaskEither<Diagnostic, ReadonlyArray<ClusterObject>> =>
  pipe(
    cluster.list(
      {
        resource: resources.ConfigMap,
        namespace,
        labels: environment === undefined ? RUN_SELECTOR : runsOfSelector(environment),
      },
      { isMetadataOnly: true },
    ),
    TE.mapLeft(userProblem(`runs of namespace ${namespace}`)),
    TE.map(({ items }) => items.filter(({ metadata }) => metadata.name.startsWith(prefix)).toSorted(newestFirst)),
  )

const idOfPlace = ({ metadata }: ClusterObject): string => metadata.name.slice(prefix.length)

/** Records that are gone meanwhile are left out. */
export const readRuns =
  (
    cluster: Cluster,
    namespace: string,
    places: ReadonlyArray<ClusterObject>,
  ): TE.TaskEither<Diagnostic, ReadonlyArray<RunRecord>> =>
  async () => {
    const readOne = (place: ClusterObject): TE.TaskEither<Diagnostic, RunRecord | undefined> => {
      const listed = listedRunIn(place)
      if (listed !== undefined) return TE.right(listed)
      return pipe(
        readRun(cluster, namespace, idOfPlace(place)),
        TE.map((found) => found?.run),
      )
    }
    const read = await bounded(places, (place) => readOne(place)())
    return pipe(
      TE.sequenceArray(read.map((one) => TE.fromEither(one))),
      TE.map((all) => all.flatMap((one) => one ?? [])),
    )()
  }

const PAGE_SIZE = 50

export const runHandlers = (world: PlatformWorld): Handlers<'listRuns' | 'getRun' | 'cancelRun'> => ({
  listRuns: ({ caller, params: { namespace }, query: { continue: from, limit = PAGE_SIZE, pipeline } }) => {
    const cluster = asUser(world, caller)
    return pipe(
      runPlaces(cluster, namespace, pipeline),
      TE.map((places) =>
        places.slice(
          Math.max(
            0,
            places.findIndex((place) => idOfPlace(place) === from),
          ),
        ),
      ),
      TE.flatMap((places) =>
        pipe(
          readRuns(cluster, namespace, places.slice(0, limit)),
          TE.map((runs) => ({ runs, ...defined({ next: ifDefined(places[limit], idOfPlace) }) })),
        ),
      ),
    )
  },

  getRun: ({ caller, params: { namespace, run } }) => {
    const cluster = asUser(world, caller)
    return pipe(
      foundRun(cluster, namespace, run),
      TE.flatMap((found) => withWait(cluster, found.run)),
    )
  },

  cancelRun: ({ caller, params: { namespace, run: id } }) => {
    const cluster = asUser(world, caller)
    const job = { resource: resources.Job, namespace, name: runName(id) }
    const { email, id: user } = caller.user
    return pipe(
      foundRun(cluster, namespace, id),
      TE.tap(({ run }): TE.TaskEither<Diagnostic, unknown> => {
        if (hasEnded(run)) return TE.right(undefined)
        return pipe(
          cluster.merge(recordKey(namespace, id), cancellation({ user, email }), options),
          TE.flatMap(() => cluster.remove(job, { propagation: 'Background' })),
          TE.mapLeft(userProblem(`run ${id}`)),
        )
      }),
      TE.map(({ run }) => run),
    )
  },
})
