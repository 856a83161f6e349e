/** Who has which role in a namespace. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import type { AccessGrant } from '../../domain/platform/access.ts'
import { type PlatformUser, userIn } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { isUserId, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { bindingNameOf, bindingObject } from '../../domain/platform/namespace/objects.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

type BoundUser = Pick<PlatformUser, 'id' | 'email'>

/** Binding what is bound changes nothing. */
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

const unbind = (
  { access, cluster }: PlatformWorld,
  { binding, namespace }: AccessGrant,
): TE.TaskEither<Diagnostic, void> => {
  const key = { resource: resources.RoleBinding, namespace, name: binding.name }
  return pipe(
    cluster.remove(key, { uid: binding.uid, propagation: 'Background' }),
    TE.mapLeft(clusterProblem(`role in namespace ${namespace}`)),
    TE.map(() => access.drop(binding.uid)),
  )
}

const unbindAll = (
  world: PlatformWorld,
  grants: ReadonlyArray<AccessGrant>,
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

/** Somebody has to be able to delete the namespace. */
const isLastOwner = ({ access }: PlatformWorld, namespace: string, user: string): boolean => {
  const [first, ...others] = access.members(namespace).filter(({ role }) => role === 'owner')
  return first?.user === user && others.length === 0
}

const lastOwner = (namespace: string): Diagnostic =>
  error('DT6006', `this is the last owner of namespace ${namespace}`, { help: 'make somebody else an owner first' })

export const memberHandlers = (world: PlatformWorld): Handlers<'listMembers' | 'setMember' | 'removeMember'> => {
  const { access } = world
  const grantsOf = (namespace: string, user: string): ReadonlyArray<AccessGrant> =>
    access.grants(namespace).filter((grant) => grant.user === user)
  return {
    listMembers: ({ params: { namespace } }) =>
      TE.right({ members: access.members(namespace).map(({ email, role, user }) => ({ user, email, role })) }),

    setMember: ({ body: { role }, params: { namespace, user: named } }) =>
      pipe(
        userOf(world, named),
        TE.filterOrElse(
          ({ id }) => role === 'owner' || !isLastOwner(world, namespace, id),
          () => lastOwner(namespace),
        ),
        TE.tap((user) => bindUser(world, namespace, user, role)),
        TE.tap(({ id }) =>
          unbindAll(
            world,
            grantsOf(namespace, id).filter((grant) => grant.role !== role),
          ),
        ),
        TE.map(({ email, id }) => ({ user: id, email, role })),
      ),

    // The user may have been deleted meanwhile.
    removeMember: ({ params: { namespace, user: named } }) => {
      const isNamed = ({ email, user }: AccessGrant) => user === named || email.toLowerCase() === named.toLowerCase()
      const grants = access.grants(namespace).filter(isNamed)
      const [first] = grants
      if (first === undefined) return TE.left(notThere(`member ${named} of namespace ${namespace}`))
      const users = [...new Set(grants.map(({ user }) => user))]
      if (users.length > 1) return TE.left(ambiguous(named, users))
      if (isLastOwner(world, namespace, first.user)) return TE.left(lastOwner(namespace))
      return pipe(
        unbindAll(world, grants),
        TE.map(() => ({})),
      )
    },
  }
}
