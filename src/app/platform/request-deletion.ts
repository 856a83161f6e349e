/** Requests the deletion of a namespace, which the controller carries out, and withdraws one that failed. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isStale } from '../../domain/cluster/failure.ts'
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

/**
 * `force`: without running destroy commands first. Law: repeating the request changes nothing, unless the deletion
 * failed, or with `force`.
 */
export const requestDeletion = (
  world: PlatformWorld,
  caller: Caller,
  namespace: ManagedNamespace,
  force: boolean,
  tries = TRIES,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const refused = foreignPreview(namespace, caller)
  if (refused !== undefined) return TE.left(refused)
  const { access, clock, cluster } = world
  const { email, id: user } = caller.user
  const { name, uid } = namespace
  const key = { resource: resources.Namespace, name }
  const what = `namespace ${name}`
  const deletion = { since: clock.date(), user, email, force }
  return pipe(
    cluster.get(key),
    TE.mapLeft(clusterProblem(what)),
    TE.flatMap((live) => {
      const managed = live === undefined ? undefined : managedIn(live)
      if (live === undefined || managed?.uid !== uid) return TE.left(notThere(what))
      const isUnderWay = managed.status === 'Deleting' && (!force || deletionIn(live)?.force === true)
      if (isUnderWay || live.metadata.deletionTimestamp !== undefined) return TE.right(managed)
      return pipe(
        cluster.merge(key, deletionChange(live, 'Deleting', deletion), { manager: MANAGER }),
        TE.map((changed) => {
          access.see(changed)
          return managedIn(changed) ?? managed
        }),
        TE.orElse((failure) =>
          isStale(failure) && tries > 1
            ? requestDeletion(world, caller, namespace, force, tries - 1)
            : TE.left(clusterProblem(what)(failure)),
        ),
      )
    }),
  )
}

/** Law: changes nothing unless the deletion failed. For a deploy, after which the namespace is as any other. */
export const withdrawDeletion = (
  world: PlatformWorld,
  { name, status, uid }: ManagedNamespace,
  tries = TRIES,
): TE.TaskEither<Diagnostic, void> => {
  if (status !== 'DeleteFailed') return TE.right(undefined)
  const { access, cluster } = world
  const key = { resource: resources.Namespace, name }
  const what = `namespace ${name}`
  return pipe(
    cluster.get(key),
    TE.mapLeft(clusterProblem(what)),
    TE.flatMap((live) => {
      const managed = live === undefined ? undefined : managedIn(live)
      if (live === undefined || managed?.uid !== uid) return TE.left(notThere(what))
      if (managed.status === 'Deleting') return TE.left(beingDeleted(managed))
      if (managed.status === 'Active') return TE.right(undefined)
      return pipe(
        cluster.merge(key, withdrawnDeletion(live), { manager: MANAGER }),
        TE.map((changed) => access.see(changed)),
        TE.orElse((failure) =>
          isStale(failure) && tries > 1
            ? withdrawDeletion(world, managed, tries - 1)
            : TE.left(clusterProblem(what)(failure)),
        ),
      )
    }),
  )
}
