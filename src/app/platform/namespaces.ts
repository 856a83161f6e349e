/** Creates, lists and deletes namespaces. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isLive } from '../../domain/cluster/live.ts'
import { apiVersionOf, type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { type GrantedNamespace, type ManagedNamespace, managedIn } from '../../domain/platform/access.ts'
import type { PlatformUser } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { nameFault, rivalOf } from '../../domain/platform/namespace/name.ts'
import { namespaceObject, templateOf } from '../../domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import { bindUser } from './members.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

const PAGE_SIZE = 50

const listedOf = ({ created, kind, name, owner, status }: ManagedNamespace, role: NamespaceRole) => ({
  name,
  kind,
  status,
  role,
  owner,
  created,
})

const shown = ({ namespace, role }: GrantedNamespace) => listedOf(namespace, role)

const refusedName = ({ access }: PlatformWorld, name: string, owner: string): Diagnostic | undefined => {
  const fault = nameFault(name)
  if (fault !== undefined) return error('DT6006', `the name ${name} ${fault}`)
  const rival = rivalOf({ name, owner }, access.all())
  return rival === undefined
    ? undefined
    : error('DT6006', `the name ${name} is too close to a namespace of somebody else`, {
        help: 'hosts are <environment>-<namespace>.<domain>, so theirs and yours could be the same: choose another name',
      })
}

const applyTemplate = ({ cluster }: PlatformWorld, namespace: string): TE.TaskEither<Diagnostic, void> => {
  const applied = templateOf(namespace).map(
    ({ kind, name, object }: { kind: KnownKind; name: string; object: object }) =>
      pipe(
        cluster.apply({ resource: resources[kind], namespace, name }, JSON.stringify(object), { manager: MANAGER }),
        TE.mapLeft(clusterProblem(`${kind} of namespace ${namespace}`)),
      ),
  )
  return pipe(
    TE.sequenceSeqArray(applied),
    TE.map(() => undefined),
  )
}

/** A namespace that could not be completed is taken away again, so that its name is free. */
const withdrawing =
  ({ cluster }: PlatformWorld, { name, uid }: ManagedNamespace) =>
  (failure: Diagnostic): TE.TaskEither<Diagnostic, void> =>
    pipe(
      cluster.remove({ resource: resources.Namespace, name }, { uid, propagation: 'Background' }),
      TE.matchE(
        () => TE.left(failure),
        () => TE.left(failure),
      ),
    )

const create = (
  world: PlatformWorld,
  name: string,
  user: PlatformUser,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const { access, cluster } = world
  return pipe(
    cluster.create({ resource: resources.Namespace }, namespaceObject(name, 'namespace', user.id), {
      manager: MANAGER,
    }),
    TE.mapLeft(clusterProblem(`namespace ${name}`)),
    TE.flatMap((made) => {
      const live = { ...made, apiVersion: apiVersionOf(resources.Namespace), kind: 'Namespace' }
      const managed = isLive(live) ? managedIn(live) : undefined
      if (!isLive(live) || managed === undefined) return TE.left(error('DT6009', 'the cluster made another namespace'))
      access.see(live)
      return TE.right(managed)
    }),
    TE.tap((managed) =>
      pipe(
        applyTemplate(world, name),
        TE.flatMap(() => bindUser(world, name, user, 'owner')),
        TE.orElse(withdrawing(world, managed)),
      ),
    ),
  )
}

export const namespaceHandlers = (
  world: PlatformWorld,
): Handlers<'listNamespaces' | 'createNamespace' | 'getNamespace' | 'deleteNamespace'> => {
  const { access, cluster } = world
  return {
    listNamespaces: ({ caller: { user }, query: { continue: from = '', limit = PAGE_SIZE, q = '' } }) => {
      const all = access.of(user.id).filter(({ namespace: { name } }) => name >= from && name.includes(q))
      const next = all[limit]?.namespace.name
      return TE.right({ namespaces: all.slice(0, limit).map(shown), ...defined({ next }) })
    },

    createNamespace: ({ body: { name }, caller: { user } }) => {
      const refused = refusedName(world, name, user.id)
      if (refused !== undefined) return TE.left(refused)
      return pipe(
        create(world, name, user),
        TE.map((managed) => listedOf(managed, 'owner')),
      )
    },

    getNamespace: ({ granted }) => TE.right(shown(granted)),

    deleteNamespace: ({ granted: { namespace, role } }) =>
      pipe(
        cluster.remove(
          { resource: resources.Namespace, name: namespace.name },
          { uid: namespace.uid, propagation: 'Background' },
        ),
        TE.mapLeft(clusterProblem(`namespace ${namespace.name}`)),
        TE.filterOrElse(
          (removal) => removal === 'Going' || namespace.status === 'Active',
          () => notThere(`namespace ${namespace.name}`),
        ),
        TE.map(() => listedOf({ ...namespace, status: 'Deleting' }, role)),
      ),
  }
}
