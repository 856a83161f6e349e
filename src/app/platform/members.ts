/** Who has which role in a namespace. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { ACCESS_SELECTOR, type AccessGrant, grantIn, isSubject, subjectsWithout } from '../../domain/platform/access.ts'
import { type PlatformUser, userIn } from '../../domain/platform/account.ts'
import { clusterProblem, notThere, userProblem } from '../../domain/platform/api/problem.ts'
import { accountOf, isUserId, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { bindingNameOf, bindingObject } from '../../domain/platform/namespace/objects.ts'
import { includesRole, type NamespaceRole } from '../../domain/platform/role.ts'
import { scopedGrantIn, scopedSelectorOf } from '../../domain/platform/scoped.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

type BoundUser = Pick<PlatformUser, 'id' | 'email'>

/** Binding a user again changes nothing. */
export const bindUser = (
  { access, cluster }: PlatformWorld,
  namespace: string,
  user: BoundUser,
  role: NamespaceRole,
): TE.TaskEither<Diagnostic, void> => {
  const key = { resource: resources.RoleBinding, namespace, name: bindingNameOf(user.id, role) }
  return pipe(
    cluster.apply(key, JSON.stringify(bindingObject(namespace, user, role)), { manager: MANAGER, force: true }),
    TE.mapLeft(clusterProblem(`role of ${user.email} in namespace ${namespace}`)),
    TE.map(({ object }) => access.see(object)),
  )
}

type Bound = Pick<AccessGrant, 'binding' | 'namespace'>

const unbind = ({ access, cluster }: PlatformWorld, { binding, namespace }: Bound): TE.TaskEither<Diagnostic, void> => {
  const key = { resource: resources.RoleBinding, namespace, name: binding.name }
  return pipe(
    cluster.remove(key, { uid: binding.uid, propagation: 'Background' }),
    TE.mapLeft(clusterProblem(`role in namespace ${namespace}`)),
    TE.map(() => access.drop(binding.uid)),
  )
}

export const unbindAll = (
  world: PlatformWorld,
  grants: ReadonlyArray<Bound>,
): TE.TaskEither<Diagnostic, ReadonlyArray<void>> => TE.sequenceSeqArray(grants.map((grant) => unbind(world, grant)))

const noUser = (named: string): Diagnostic =>
  error('DT6004', `nobody has logged in as ${named}`, { help: 'users can be added after their first login' })

const ambiguous = (named: string, users: ReadonlyArray<string>): Diagnostic =>
  error('DT6006', `several users have the address ${named}: ${users.join(', ')}`, { help: 'name one by the id' })

const userOf = ({ cluster }: PlatformWorld, named: string): TE.TaskEither<Diagnostic, PlatformUser> => {
  const resource = resources.ServiceAccount
  if (isUserId(named)) {
    return pipe(
      cluster.get({ resource, namespace: USERS_NAMESPACE, name: named }),
      TE.mapLeft(clusterProblem(named)),
      TE.flatMap((account) => (account === undefined ? TE.left(noUser(named)) : TE.right(userIn(account)))),
    )
  }
  return pipe(
    cluster.list({ resource, namespace: USERS_NAMESPACE, labels: `${PLATFORM_LABEL}=user` }),
    TE.mapLeft(clusterProblem('users')),
    TE.flatMap(({ items }) => {
      const same = items.map(userIn).filter(({ email }) => email.toLowerCase() === named.toLowerCase())
      const [first, second] = same
      if (first === undefined) return TE.left(noUser(named))
      return second === undefined
        ? TE.right(first)
        : TE.left(
            ambiguous(
              named,
              same.map(({ id }) => id),
            ),
          )
    }),
  )
}

/** A namespace needs an owner who can delete it. */
const isLastOwner = ({ access }: PlatformWorld, namespace: string, user: string): boolean => {
  const [first, ...others] = access.members(namespace).filter(({ role }) => role === 'owner')
  return first?.user === user && others.length === 0
}

/** Concurrent requests may each remove one of two owners, so the cluster is asked again afterwards: then both stay. */
const keepingOwner = (
  world: PlatformWorld,
  namespace: string,
  taken: ReadonlyArray<AccessGrant>,
): TE.TaskEither<Diagnostic, void> => {
  const owned = taken.find(({ role }) => role === 'owner')
  if (owned === undefined) return TE.right(undefined)
  return pipe(
    world.cluster.list({ resource: resources.RoleBinding, namespace, labels: ACCESS_SELECTOR }),
    TE.mapLeft(clusterProblem(`members of namespace ${namespace}`)),
    TE.flatMap(({ items }) =>
      items.some((binding) => grantIn(binding)?.role === 'owner')
        ? TE.right(undefined)
        : pipe(
            bindUser(world, namespace, { id: owned.user, email: owned.email }, 'owner'),
            TE.flatMap(() => TE.left(lastOwner(namespace))),
          ),
    ),
  )
}

const isOurs = (binding: ClusterObject): boolean =>
  ['access', 'scoped'].includes(labelOf(binding, PLATFORM_LABEL) ?? '')

/** A member who is being removed may bind themselves again, or change a binding, until the last one is gone. */
const MOST_ROUNDS = 5

/** Their own list may not have what another replica is giving a token of the user. */
const unbindTokens = (
  world: PlatformWorld,
  namespace: string,
  user: string,
  left: NamespaceRole | undefined,
): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    world.cluster.list({ resource: resources.RoleBinding, namespace, labels: scopedSelectorOf(user) }),
    TE.mapLeft(clusterProblem(`tokens in namespace ${namespace}`)),
    TE.flatMap(({ items }) => {
      const grants = items.flatMap((one) => scopedGrantIn(one) ?? [])
      return unbindAll(
        world,
        grants.filter(({ role }) => left === undefined || !includesRole(left, role)),
      )
    }),
  )

/**
 * Removes the user from RoleBindings that members created, which the platform's own roles do not include. `as`: the
 * user on whose behalf.
 */
const unbindForeign = (
  world: PlatformWorld,
  namespace: string,
  user: string,
  as: string,
  round = 1,
): TE.TaskEither<Diagnostic, void> => {
  const { cluster } = world
  const resource = resources.RoleBinding
  const problem = TE.mapLeft(clusterProblem(`role in namespace ${namespace}`))
  const without = (binding: ClusterObject): TE.TaskEither<Diagnostic, unknown> => {
    const { name, resourceVersion, uid } = binding.metadata
    const subjects = subjectsWithout(binding, user)
    const key = { resource, namespace, name }
    if (subjects.length === 0) return pipe(cluster.remove(key, { uid, propagation: 'Background' }), problem)
    // The platform itself may change only the roles that it created.
    const body = { metadata: { resourceVersion }, subjects }
    return pipe(
      cluster.as({ user: accountOf(as) }).merge(key, body, { manager: MANAGER }),
      TE.mapLeft(userProblem(`role in namespace ${namespace}`)),
    )
  }
  return pipe(
    cluster.list({ resource, namespace }),
    problem,
    TE.flatMap(({ items }) => {
      const foreign = items.filter((one) => isSubject(one, user) && !isOurs(one))
      const [first] = foreign
      if (first === undefined) return TE.right(undefined)
      if (round > MOST_ROUNDS) return TE.left(stillBound(namespace, first.metadata.name))
      return pipe(
        TE.sequenceSeqArray(foreign.map(without)),
        TE.orElse((failure) => (round === MOST_ROUNDS ? TE.left(failure) : TE.right([]))),
        TE.flatMap(() => unbindForeign(world, namespace, user, as, round + 1)),
      )
    }),
  )
}

const stillBound = (namespace: string, name: string): Diagnostic =>
  error('DT6009', `the RoleBinding ${name} in namespace ${namespace} still names the user`, {
    help: 'an owner can delete it; a finalizer may hold it',
  })

const lastOwner = (namespace: string): Diagnostic =>
  error('DT6006', `this is the last owner of namespace ${namespace}`, { help: 'make somebody else an owner first' })

export const memberHandlers = (world: PlatformWorld): Handlers<'listMembers' | 'setMember' | 'removeMember'> => {
  const { access } = world
  const grantsOf = (namespace: string, user: string): ReadonlyArray<AccessGrant> =>
    access.grants(namespace).filter((grant) => grant.user === user)
  /** `left`: the role that the users keep. */
  const takeAway = (
    namespace: string,
    grants: ReadonlyArray<AccessGrant>,
    as: string,
    left?: NamespaceRole,
  ): TE.TaskEither<Diagnostic, void> => {
    const users = [...new Set(grants.map(({ user }) => user))]
    return pipe(
      unbindAll(world, grants),
      TE.flatMap(() => keepingOwner(world, namespace, grants)),
      TE.flatMap(() => TE.sequenceSeqArray(users.map((user) => unbindTokens(world, namespace, user, left)))),
      TE.flatMap(() => TE.sequenceSeqArray(users.map((user) => unbindForeign(world, namespace, user, as)))),
      TE.map(() => undefined),
    )
  }
  return {
    listMembers: ({ params: { namespace } }) =>
      TE.right({ members: access.members(namespace).map(({ email, role, user }) => ({ user, email, role })) }),

    setMember: ({ body: { role }, caller, params: { namespace, user: named } }) =>
      pipe(
        userOf(world, named),
        TE.filterOrElse(
          ({ id }) => role === 'owner' || !isLastOwner(world, namespace, id),
          () => lastOwner(namespace),
        ),
        TE.tap((user) => bindUser(world, namespace, user, role)),
        TE.tap(({ id }): TE.TaskEither<Diagnostic, unknown> => {
          const former = grantsOf(namespace, id).filter((grant) => grant.role !== role)
          const isLess = former.some((grant) => !includesRole(role, grant.role))
          return isLess ? takeAway(namespace, former, caller.user.id, role) : unbindAll(world, former)
        }),
        TE.map(({ email, id }) => ({ user: id, email, role })),
      ),

    // The user may have been deleted meanwhile.
    removeMember: ({ caller, params: { namespace, user: named } }) => {
      const isNamed = ({ email, user }: AccessGrant) => user === named || email.toLowerCase() === named.toLowerCase()
      const grants = access.grants(namespace).filter(isNamed)
      const [first] = grants
      if (first === undefined) return TE.left(notThere(`member ${named} of namespace ${namespace}`))
      const users = [...new Set(grants.map(({ user }) => user))]
      if (users.length > 1) return TE.left(ambiguous(named, users))
      if (isLastOwner(world, namespace, first.user)) return TE.left(lastOwner(namespace))
      return pipe(
        takeAway(namespace, grants, caller.user.id),
        TE.map(() => ({})),
      )
    },
  }
}
