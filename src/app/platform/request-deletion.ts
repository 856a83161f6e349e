/** Requests the deletion of a namespace, which the controller carries out, and withdraws one that failed. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStale } from '../../domain/cluster/failure.ts'
import type { JsonObject } from '../../domain/cluster/json.ts'
import type { ClusterObject } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import { type ManagedNamespace, managedIn } from '../../domain/platform/access.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { deletionIn } from '../../domain/platform/deletion-record.ts'
import { deletionChange, withdrawnDeletion } from '../../domain/platform/namespace/deletion.ts'
import { beingDeleted, foreignPreview } from './refusals.ts'
import { type Caller, MANAGER, type PlatformWorld } from './world.ts'

/** Others may change the Namespace at the same time. */
const TRIES = 4

/** Decides again when somebody else has changed the namespace meanwhile; `undefined`: nothing is to be changed. */
const changed = (
  world: PlatformWorld,
  namespace: ManagedNamespace,
  decide: (live: ClusterObject, managed: ManagedNamespace) => E.Either<Diagnostic, JsonObject | undefined>,
  tries = TRIES,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const { access, cluster } = world
  const { name, uid } = namespace
  const key = { resource: resources.Namespace, name }
  const what = `namespace ${name}`
  return pipe(
    cluster.get(key),
    TE.mapLeft(clusterProblem(what)),
    TE.flatMap((live) => {
      const managed = live === undefined ? undefined : managedIn(live)
      if (live === undefined || managed?.uid !== uid) return TE.left(notThere(what))
      return pipe(
        TE.fromEither(decide(live, managed)),
        TE.flatMap((change) => {
          if (change === undefined) return TE.right(managed)
          return pipe(
            cluster.merge(key, change, { manager: MANAGER }),
            TE.map((after) => {
              access.see(after)
              return managedIn(after) ?? managed
            }),
            TE.orElse((failure) =>
              isStale(failure) && tries > 1
                ? changed(world, namespace, decide, tries - 1)
                : TE.left(clusterProblem(what)(failure)),
            ),
          )
        }),
      )
    }),
  )
}

/**
 * `force`: without running destroy commands first. Law: repeating the request changes nothing, unless the deletion
 * failed, or with `force`.
 */
export const requestDeletion = (
  world: PlatformWorld,
  caller: Caller,
  namespace: ManagedNamespace,
  force: boolean,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const refused = foreignPreview(namespace, caller)
  if (refused !== undefined) return TE.left(refused)
  const { email, id: user } = caller.user
  const deletion = { since: world.clock.date(), user, email, force }
  return changed(world, namespace, (live, managed) => {
    const isUnderWay = managed.status === 'Deleting' && (!force || deletionIn(live)?.force === true)
    return E.right(
      isUnderWay || live.metadata.deletionTimestamp !== undefined
        ? undefined
        : deletionChange(live, 'Deleting', deletion),
    )
  })
}

/** Law: changes nothing unless the deletion failed. For a deploy, after which the namespace is as any other. */
export const withdrawDeletion = (
  world: PlatformWorld,
  namespace: ManagedNamespace,
): TE.TaskEither<Diagnostic, ManagedNamespace> =>
  namespace.status === 'DeleteFailed'
    ? changed(world, namespace, (live, managed) => {
        if (managed.status === 'Deleting') return E.left(beingDeleted(managed))
        return E.right(managed.status === 'Active' ? undefined : withdrawnDeletion(live))
      })
    : TE.right(namespace)
