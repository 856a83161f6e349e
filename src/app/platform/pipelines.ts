/** Pipelines: environments that runs deploy and destroy, along with environments that were deployed from elsewhere. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type EnvironmentRecord, readRecord, recordName } from '../../domain/environment/record.ts'
import { RECORD_SELECTOR, RUN_OF_LABEL } from '../../domain/k8s/labels.ts'
import { defined, ifDefined } from '../../domain/object/defined.ts'
import { notThere, userProblem } from '../../domain/platform/api/problem.ts'
import type { Pipeline } from '../../domain/platform/api/run-routes.ts'
import { hasEnded, type RunRecord } from '../../domain/platform/run/record.ts'
import { repositoryHost } from '../../domain/platform/run/repository.ts'
import { runIdOf } from '../../domain/platform/run/request.ts'
import type { Cluster } from '../../ports/cluster.ts'
import { asUser, readRuns, runPlaces, startRun } from './runs.ts'
import type { Handlers, PlatformWorld } from './world.ts'

const PAGE_SIZE = 50

/** The status of an environment without a record, according to its newest run. */
const statusOf = ({ action, status }: RunRecord): string => {
  if (status === 'queued' || status === 'running') return action === 'deploy' ? 'progressing' : 'destroying'
  return 'error'
}

/** An address for git; records have `host/path`. */
const addressOf = (repository: string | undefined): string | undefined =>
  repository === undefined || repository.startsWith('/') || repository.includes(':')
    ? repository
    : `https://${repository}`

/** `undefined` for an environment that was destroyed. */
const pipelineOf = (
  name: string,
  record: EnvironmentRecord | undefined,
  run: RunRecord | undefined,
): Pipeline | undefined => {
  if (record === undefined && (run === undefined || (run.action === 'destroy' && run.status === 'succeeded'))) {
    return undefined
  }
  const { branch, commit, repository } = record?.source ?? {}
  return {
    name,
    status: record?.status ?? (run === undefined ? 'error' : statusOf(run)),
    ...defined({
      repository: run?.repository ?? addressOf(repository),
      branch: run?.branch ?? branch,
      commit: run?.commit ?? commit,
      run,
    }),
  }
}

type Found = {
  readonly records: ReadonlyMap<string, EnvironmentRecord>
  /** The newest run of each environment. */
  readonly newest: ReadonlyMap<string, ClusterObject>
}

const find = (cluster: Cluster, namespace: string): TE.TaskEither<Diagnostic, Found> =>
  pipe(
    cluster.list({ resource: resources.ConfigMap, namespace, labels: RECORD_SELECTOR }),
    TE.mapLeft(userProblem(`environments of namespace ${namespace}`)),
    TE.bindTo('listing'),
    TE.bind('places', () => runPlaces(cluster, namespace)),
    TE.map(({ listing: { items }, places }) => {
      const records = items.flatMap((item) => {
        const read = readRecord(item)
        return E.isRight(read) ? [[read.right.environment, read.right] as const] : []
      })
      const runs = places.map((place) => [labelOf(place, RUN_OF_LABEL) ?? '', place] as const)
      return { records: new Map(records), newest: new Map(runs.toReversed()) }
    }),
  )

const namesIn = ({ newest, records }: Found): ReadonlyArray<string> =>
  [...new Set([...records.keys(), ...newest.keys()])].toSorted()

const pipelinesOf = (
  cluster: Cluster,
  namespace: string,
  { newest, records }: Found,
  names: ReadonlyArray<string>,
): TE.TaskEither<Diagnostic, ReadonlyArray<Pipeline>> =>
  pipe(
    readRuns(
      cluster,
      namespace,
      names.flatMap((name) => newest.get(name) ?? []),
    ),
    TE.map((runs) => {
      const byName = new Map(runs.map((run) => [run.environment, run]))
      return names.flatMap((name) => pipelineOf(name, records.get(name), byName.get(name)) ?? [])
    }),
  )

type Known = { readonly record: EnvironmentRecord | undefined; readonly run: RunRecord | undefined }

/** The record of the environment, and its last run. */
const findOne = (cluster: Cluster, namespace: string, name: string): TE.TaskEither<Diagnostic, Known> =>
  pipe(
    cluster.get({ resource: resources.ConfigMap, namespace, name: recordName(name) }),
    TE.mapLeft(userProblem(`pipeline ${name}`)),
    TE.bindTo('live'),
    TE.bind('places', () => runPlaces(cluster, namespace, name)),
    TE.bind('runs', ({ places }) => readRuns(cluster, namespace, places.slice(0, 1))),
    TE.map(({ live, runs: [run] }) => {
      const read = live === undefined ? undefined : readRecord(live)
      return { record: read !== undefined && E.isRight(read) ? read.right : undefined, run }
    }),
  )

const existing = (cluster: Cluster, namespace: string, name: string): TE.TaskEither<Diagnostic, Pipeline> =>
  pipe(
    findOne(cluster, namespace, name),
    TE.map(({ record, run }) => pipelineOf(name, record, run)),
    TE.flatMap((found) => (found === undefined ? TE.left(notThere(`pipeline ${name}`)) : TE.right(found))),
  )

type Started = { readonly isSkipped: boolean; readonly status?: string; readonly run?: RunRecord }

/** `undefined` when nothing was deployed, and no run is about to, or one destroys it: then it does not exist. */
const skipped = (name: string, { record, run }: Known): Started | undefined => {
  const current = run === undefined || hasEnded(run) ? undefined : run
  if (current?.action === 'destroy' || (record === undefined && current === undefined)) return undefined
  return { isSkipped: true, ...defined({ run: current, status: pipelineOf(name, record, run)?.status }) }
}

type PipelineHandlers = Handlers<'listPipelines' | 'deployPipeline' | 'getPipeline' | 'destroyPipeline'>

export const pipelineHandlers = (world: PlatformWorld): PipelineHandlers => ({
  listPipelines: ({ caller, params: { namespace }, query: { continue: from = '', limit = PAGE_SIZE } }) => {
    const cluster = asUser(world, caller)
    return pipe(
      find(cluster, namespace),
      TE.flatMap((found) => {
        const names = namesIn(found).filter((name) => name >= from)
        return pipe(
          pipelinesOf(cluster, namespace, found, names.slice(0, limit)),
          TE.map((pipelines) => ({ pipelines, ...defined({ next: names[limit] }) })),
        )
      }),
    )
  },

  deployPipeline: ({ body, caller, granted, headers }) => {
    const { name, skipIfExists = false, ...wanted } = body
    const key = headers['idempotency-key']
    const start: TE.TaskEither<Diagnostic, Started> = pipe(
      startRun(world, caller, granted.namespace, {
        ...wanted,
        action: 'deploy',
        environment: name,
        key,
      }),
      TE.map((run) => ({ isSkipped: false, run })),
    )
    if (!skipIfExists) return start
    const namespace = granted.namespace.name
    const own = ifDefined(key, (known) => runIdOf(namespace, caller.user.id, known))
    return pipe(
      findOne(asUser(world, caller), namespace, name),
      TE.flatMap((known): typeof start => {
        // This request may be repeated: then the run is its own.
        const isOwn = known.run !== undefined && known.run.id === own
        const instead = isOwn ? undefined : skipped(name, known)
        return instead === undefined ? start : TE.right(instead)
      }),
    )
  },

  getPipeline: ({ caller, params: { name, namespace } }) => existing(asUser(world, caller), namespace, name),

  // An environment that no run has cloned is destroyed by its record alone.
  destroyPipeline: ({ caller, granted, headers, params: { name, namespace }, query: { timeoutSeconds, volumes } }) =>
    pipe(
      existing(asUser(world, caller), namespace, name),
      TE.flatMap(({ branch, repository, run }) =>
        startRun(world, caller, granted.namespace, {
          action: 'destroy',
          environment: name,
          volumes: volumes ?? false,
          ...defined({
            repository: repositoryHost(repository ?? '') === undefined ? undefined : repository,
            branch,
            file: run?.file,
          }),
          timeoutSeconds,
          key: headers['idempotency-key'],
        }),
      ),
      TE.map((run) => ({ run })),
    ),
})
