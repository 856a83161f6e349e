/** Creates and lists namespaces, and requests their deletion. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import type { Failure } from '../../domain/cluster/failure.ts'
import { isLive } from '../../domain/cluster/live.ts'
import { apiVersionOf, type KnownKind, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import {
  type AccessState,
  type GrantedNamespace,
  MANAGED_SELECTOR,
  type ManagedKind,
  type ManagedNamespace,
  managedIn,
} from '../../domain/platform/access.ts'
import type { PlatformUser } from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { nameFault, rivalOf } from '../../domain/platform/namespace/name.ts'
import { completedObject, namespaceObject, templateOf } from '../../domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import { bindUser } from './members.ts'
import { requestDeletion } from './request-deletion.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

export const PAGE_SIZE = 50

export const asleepIn = (access: AccessState, name: string): { readonly isAsleep?: true } =>
  access.isAsleep(name) ? { isAsleep: true } : {}

const listedOf = (
  { access }: PlatformWorld,
  { created, failure, kind, name, owner, status }: ManagedNamespace,
  role: NamespaceRole,
) => ({
  name,
  kind,
  status,
  role,
  owner,
  created,
  ...asleepIn(access, name),
  ...defined({ failure }),
})

export const shown = (world: PlatformWorld, { namespace, role }: GrantedNamespace) => listedOf(world, namespace, role)

const MOST_NAMESPACES = 50

const rivals = (name: string): Diagnostic =>
  error('DT6006', `the name ${name} is too close to that of another namespace`, {
    help: 'hosts are <environment>-<namespace>.<domain>, so those of both could be the same: choose another name',
  })

const tooMany = error('DT6006', `you have ${MOST_NAMESPACES} namespaces already`, { help: 'delete one first' })

/** `isGenerated`: the name ends in a hash, so that it cannot lead to the host of another namespace. */
export type NewNamespace = { readonly name: string; readonly kind: ManagedKind; readonly isGenerated?: boolean }

/** Why the user may not have a namespace of this name beside `others`. */
const refused = (
  { isGenerated = false, name }: NewNamespace,
  owner: string,
  others: ReadonlyArray<ManagedNamespace>,
): Diagnostic | undefined => {
  const fault = nameFault(name)
  if (fault !== undefined) return error('DT6006', `the name ${name} ${fault}`)
  const names = others.map((one) => one.name)
  if (!isGenerated && rivalOf(name, names) !== undefined) return rivals(name)
  const own = others.filter((one) => one.owner === owner && one.name !== name)
  return own.length < MOST_NAMESPACES ? undefined : tooMany
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

/**
 * Deletes a namespace that could not be completed, so that its name is free; not one that another request has completed
 * meanwhile.
 */
const withdrawing =
  ({ cluster }: PlatformWorld, { name, uid }: ManagedNamespace) =>
  (failure: Diagnostic): TE.TaskEither<Diagnostic, ManagedNamespace> => {
    const key = { resource: resources.Namespace, name }
    return pipe(
      cluster.get(key),
      TE.flatMap((found): TE.TaskEither<Failure, unknown> => {
        if (found === undefined || managedIn(found)?.isIncomplete !== true) return TE.right(undefined)
        const { resourceVersion } = found.metadata
        return cluster.remove(key, { uid, resourceVersion, propagation: 'Background' })
      }),
      TE.matchE(
        () => TE.left(failure),
        () => TE.left(failure),
      ),
    )
  }

/**
 * Why a new namespace must be deleted again: watches do not know yet what concurrent requests have created. Of two
 * namespaces with clashing names, both are deleted.
 */
const refusedNow = (
  { cluster }: PlatformWorld,
  { kind, name, owner }: ManagedNamespace,
  isGenerated: boolean,
): TE.TaskEither<Diagnostic, Diagnostic | undefined> =>
  pipe(
    cluster.list({ resource: resources.Namespace, labels: MANAGED_SELECTOR }, { isMetadataOnly: true }),
    TE.mapLeft(clusterProblem('namespaces')),
    TE.map(({ items }) =>
      refused(
        { name, kind, isGenerated },
        owner,
        items.flatMap((item) => managedIn(item) ?? []),
      ),
    ),
  )

const createObjects = (
  world: PlatformWorld,
  managed: ManagedNamespace,
  owner: Pick<PlatformUser, 'id' | 'email'>,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const { name, uid } = managed
  const key = { resource: resources.Namespace, name }
  return pipe(
    applyTemplate(world, name),
    TE.flatMap(() => bindUser(world, name, owner, 'owner')),
    TE.flatMap(() =>
      pipe(
        world.cluster.merge(key, completedObject(uid), { manager: MANAGER }),
        TE.mapLeft(clusterProblem(`namespace ${name}`)),
      ),
    ),
    TE.map((completed) => {
      world.access.see(completed)
      return { ...managed, isIncomplete: false }
    }),
  )
}

/**
 * Law: completing a complete namespace changes nothing. A namespace is deleted after a refusal, but not after an
 * interruption.
 */
const complete = (
  world: PlatformWorld,
  managed: ManagedNamespace,
  owner: Pick<PlatformUser, 'id' | 'email'>,
  isGenerated = false,
): TE.TaskEither<Diagnostic, ManagedNamespace> =>
  pipe(
    refusedNow(world, managed, isGenerated),
    TE.flatMap((refusal) =>
      refusal === undefined ? createObjects(world, managed, owner) : withdrawing(world, managed)(refusal),
    ),
  )

const create = (
  world: PlatformWorld,
  { isGenerated, kind, name }: NewNamespace,
  user: PlatformUser,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const { access, cluster } = world
  return pipe(
    cluster.create({ resource: resources.Namespace }, namespaceObject(name, kind, user.id), {
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
    TE.flatMap((managed) => pipe(complete(world, managed, user, isGenerated), TE.orElse(withdrawing(world, managed)))),
  )
}

/**
 * A process that ended in the middle has left a namespace that its owner cannot see. The owner's next request completes
 * or deletes it.
 */
const completeOwn = (world: PlatformWorld, user: PlatformUser): TE.TaskEither<Diagnostic, void> => {
  const left = world.access
    .all()
    .filter(({ isIncomplete, owner, status }) => isIncomplete && owner === user.id && status === 'Active')
  return pipe(
    TE.sequenceSeqArray(
      left.map((managed) =>
        pipe(
          complete(world, managed, user),
          TE.map(() => undefined),
          // The owner learns the reason when the namespace is created again.
          TE.orElse(() => TE.right(undefined)),
        ),
      ),
    ),
    TE.map(() => undefined),
  )
}

/** Succeeds once everything in the namespace exists. */
export const newNamespace = (
  world: PlatformWorld,
  wanted: NewNamespace,
  user: PlatformUser,
): TE.TaskEither<Diagnostic, ManagedNamespace> => {
  const found = refused(wanted, user.id, world.access.all())
  if (found !== undefined) return TE.left(found)
  return pipe(
    completeOwn(world, user),
    TE.flatMap(() => create(world, wanted, user)),
  )
}

export const namespaceHandlers = (
  world: PlatformWorld,
): Handlers<'listNamespaces' | 'createNamespace' | 'getNamespace' | 'deleteNamespace'> => {
  const { access } = world
  return {
    listNamespaces: ({ caller: { user }, query: { continue: from = '', limit = PAGE_SIZE, q = '' } }) =>
      pipe(
        completeOwn(world, user),
        TE.map(() => {
          const all = access
            .of(user.id)
            .filter(({ namespace: { name } }) => name >= from && name.includes(q.toLowerCase()))
          const next = all[limit]?.namespace.name
          return { namespaces: all.slice(0, limit).map((granted) => shown(world, granted)), ...defined({ next }) }
        }),
      ),

    createNamespace: ({ body: { name }, caller: { user } }) =>
      pipe(
        newNamespace(world, { name, kind: 'namespace' }, user),
        TE.map((managed) => listedOf(world, managed, 'owner')),
      ),

    getNamespace: ({ granted }) => TE.right(shown(world, granted)),

    deleteNamespace: ({ caller, granted: { namespace, role }, query: { force = false } }) =>
      pipe(
        requestDeletion(world, caller, namespace, force),
        TE.map((managed) => listedOf(world, managed, role)),
      ),
  }
}
