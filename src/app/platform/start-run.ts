/** Writes the objects of a run, with the permissions of the given cluster connection. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Failure, isConflict } from '../../domain/cluster/failure.ts'
import type { JsonObject } from '../../domain/cluster/json.ts'
import { isLive } from '../../domain/cluster/live.ts'
import { apiVersionOf, resources } from '../../domain/cluster/resources.ts'
import type { ManagedKind } from '../../domain/platform/access.ts'
import { SYSTEM_NAMESPACE } from '../../domain/platform/names.ts'
import { type RunRecord, recordObject, runName } from '../../domain/platform/run/record.ts'
import { queuedRun, type RunPrograms, type RunRequest, runJob, runSecret } from '../../domain/platform/run/request.ts'
import { VARIABLES_SECRET, variablesFor, variablesIn } from '../../domain/platform/variables.ts'
import type { Cluster } from '../../ports/cluster.ts'

/** The platform's variables for all namespaces, with their values at the start of the run. */
export const sharedVariables = (
  cluster: Pick<Cluster, 'get'>,
  kind: ManagedKind,
): TE.TaskEither<Failure, ReadonlyMap<string, string>> =>
  pipe(
    cluster.get({ resource: resources.Secret, namespace: SYSTEM_NAMESPACE, name: VARIABLES_SECRET }),
    TE.map((secret) => variablesFor(kind, variablesIn(secret), variablesIn(undefined))),
    TE.map((all) => new Map(all.map(({ name, value }) => [name, value]))),
  )

/** `manager`: the field manager. */
type Writer = { readonly cluster: Cluster; readonly programs: RunPrograms; readonly manager: string }

const unlessTaken = (created: TE.TaskEither<Failure, unknown>): TE.TaskEither<Failure, unknown> =>
  TE.orElse((failure: Failure) => (isConflict(failure) ? TE.right<Failure, unknown>(undefined) : TE.left(failure)))(
    created,
  )

/** The Job, even if an earlier request for the same run has created it. */
const createJob = ({ cluster, manager, programs }: Writer, request: RunRequest): TE.TaskEither<Failure, string> => {
  const { id, namespace } = request
  const resource = resources.Job
  const uidOf = (made: object | undefined): string => {
    const live = { apiVersion: apiVersionOf(resource), kind: 'Job', ...made }
    return isLive(live) ? live.metadata.uid : ''
  }
  return pipe(
    cluster.create({ resource, namespace }, runJob(programs, request), { manager }),
    TE.map(uidOf),
    TE.orElse((failure) =>
      isConflict(failure)
        ? pipe(cluster.get({ resource, namespace, name: runName(id) }), TE.map(uidOf))
        : TE.left(failure),
    ),
  )
}

/** The record comes last: the run exists from then on. */
export const writeRun = (writer: Writer, request: RunRequest): TE.TaskEither<Failure, RunRecord> => {
  const { cluster, manager } = writer
  const { namespace } = request
  const run = queuedRun(request)
  const create = (kind: 'Secret' | 'ConfigMap', object: JsonObject): TE.TaskEither<Failure, unknown> =>
    unlessTaken(cluster.create({ resource: resources[kind], namespace }, object, { manager }))
  return pipe(
    createJob(writer, request),
    TE.flatMap((uid) => {
      const secret = runSecret(request, { uid })
      return secret === undefined ? TE.right(undefined) : create('Secret', secret)
    }),
    TE.flatMap(() => create('ConfigMap', recordObject(run, request.nowMs))),
    TE.map(() => run),
  )
}
