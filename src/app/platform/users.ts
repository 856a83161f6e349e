/** Users who have logged in, and the changes that administrators make to them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { ACCESS_SELECTOR, grantIn } from '../../domain/platform/access.ts'
import { changedUser, type PlatformUser, touchedUser, userIn } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { removeApprovals } from './approvals.ts'
import { newEpoch, revokeAll, tokensOf } from './issuing.ts'
import { unbindAll } from './members.ts'
import { type Caller, type Handlers, MANAGER, type PlatformWorld } from './world.ts'

export const accounts = { resource: resources.ServiceAccount, namespace: USERS_NAMESPACE }

const usersOf = ({ cluster }: PlatformWorld): TE.TaskEither<Diagnostic, ReadonlyArray<PlatformUser>> =>
  pipe(
    cluster.list({ ...accounts, labels: `${PLATFORM_LABEL}=user` }),
    TE.mapLeft(clusterProblem('users')),
    TE.map(({ items }) => items.map(userIn)),
  )

const find = ({ cluster }: PlatformWorld, id: string): TE.TaskEither<Diagnostic, ClusterObject> =>
  pipe(
    cluster.get({ ...accounts, name: id }),
    TE.mapLeft(clusterProblem(`user ${id}`)),
    TE.flatMap((found) =>
      found === undefined || labelOf(found, PLATFORM_LABEL) !== 'user'
        ? TE.left(notThere(`user ${id}`))
        : TE.right(found),
    ),
  )

/** Administrators cannot change themselves, so that one always remains. */
const isOther = ({ user }: Caller, id: string): TE.TaskEither<Diagnostic, void> =>
  user.id === id ? TE.left(error('DT6003', 'administrators do not change their own accounts')) : TE.right(undefined)

const isActiveAdmin = ({ isAdmin, isDisabled }: PlatformUser): boolean => isAdmin && !isDisabled
const notAdmin = error('DT6003', 'only administrators of the platform may do this')

/**
 * The account to change, as it was read. If several administrators revoke each other's role at the same time, one
 * remains: each first writes to their own account, so whoever wants to change that account has to read it again.
 */
const asAdministrator = (
  world: PlatformWorld,
  { user: { id } }: Caller,
  { isLess, wanted }: { readonly wanted: string; readonly isLess: boolean },
): TE.TaskEither<Diagnostic, ClusterObject> => {
  const touch = (own: ClusterObject) =>
    pipe(
      world.cluster.merge({ ...accounts, name: id }, touchedUser(own, newEpoch(world)), { manager: MANAGER }),
      TE.mapLeft(clusterProblem(`user ${id}`)),
    )
  return pipe(
    find(world, id),
    TE.filterOrElse(
      (own) => isActiveAdmin(userIn(own)),
      () => notAdmin,
    ),
    TE.bindTo('own'),
    TE.bind('target', () => find(world, wanted)),
    TE.tap(
      ({ own, target }): TE.TaskEither<Diagnostic, unknown> =>
        isLess && isActiveAdmin(userIn(target)) ? touch(own) : TE.right(undefined),
    ),
    TE.map(({ target }) => target),
  )
}

/** Sessions and tokens of an earlier epoch become invalid; tokens for Kubernetes become invalid with their Secrets. */
const revokeAccount = (
  world: PlatformWorld,
  account: ClusterObject,
  change: Partial<PlatformUser> = {},
): TE.TaskEither<Diagnostic, ClusterObject> => {
  const { name } = account.metadata
  return pipe(
    world.cluster.merge({ ...accounts, name }, changedUser(account, { ...change, epoch: newEpoch(world) }), {
      manager: MANAGER,
    }),
    TE.mapLeft(clusterProblem(`user ${name}`)),
    TE.tap(() => removeTokens(world, name)),
  )
}

const removeTokens = (world: PlatformWorld, id: string): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    tokensOf(world, id),
    TE.flatMap((all) => revokeAll(world, all)),
    TE.flatMap(() => removeApprovals(world, id)),
  )

/** Otherwise Kubernetes would give the roles to a later account of this name. */
const unbindEverywhere = (world: PlatformWorld, id: string): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    world.cluster.list({ resource: resources.RoleBinding, labels: ACCESS_SELECTOR }),
    TE.mapLeft(clusterProblem(`roles of ${id}`)),
    TE.map(({ items }) => items.flatMap((one) => grantIn(one) ?? [])),
    TE.flatMap((grants) => {
      const own = grants.filter(({ user }) => user === id)
      const alone = own.filter(
        ({ namespace, role }) =>
          role === 'owner' &&
          !grants.some((one) => one.namespace === namespace && one.role === 'owner' && one.user !== id),
      )
      return alone.length === 0
        ? unbindAll(world, own)
        : TE.left(
            error('DT6006', `the user is the only owner of ${alone.map(({ namespace }) => namespace).join(', ')}`, {
              help: 'disable the user, or let the user make somebody else an owner first',
            }),
          )
    }),
  )

export const userHandlers = (
  world: PlatformWorld,
): Handlers<'listUsers' | 'setUser' | 'deleteUser' | 'revokeUser' | 'revokeOwn'> => ({
  listUsers: () =>
    pipe(
      usersOf(world),
      TE.map((users) => ({ users: users.toSorted((a, b) => (a.email < b.email ? -1 : 1)) })),
    ),

  setUser: ({ body, caller, params: { user: id } }) => {
    const isLess = body.isAdmin === false || body.isDisabled === true
    return pipe(
      isOther(caller, id),
      TE.flatMap(() => asAdministrator(world, caller, { wanted: id, isLess })),
      TE.flatMap((account) =>
        body.isDisabled === true
          ? revokeAccount(world, account, body)
          : pipe(
              world.cluster.merge({ ...accounts, name: id }, changedUser(account, body), { manager: MANAGER }),
              TE.mapLeft(clusterProblem(`user ${id}`)),
            ),
      ),
      TE.map(userIn),
    )
  },

  revokeUser: ({ params: { user: id } }) =>
    pipe(
      find(world, id),
      TE.flatMap((account) => revokeAccount(world, account)),
      TE.map(() => ({})),
    ),

  revokeOwn: ({ caller: { user } }) =>
    pipe(
      find(world, user.id),
      TE.flatMap((account) => revokeAccount(world, account)),
      TE.map(() => ({})),
    ),

  // Disabled first, so that the user cannot recreate what is being deleted.
  deleteUser: ({ caller, params: { user: id } }) =>
    pipe(
      isOther(caller, id),
      TE.flatMap(() => asAdministrator(world, caller, { wanted: id, isLess: true })),
      TE.tap(() => unbindEverywhere(world, id)),
      TE.flatMap((account) => revokeAccount(world, account, { isDisabled: true })),
      TE.tap(() => unbindEverywhere(world, id)),
      TE.flatMap(({ metadata: { uid } }) =>
        pipe(
          world.cluster.remove({ ...accounts, name: id }, { uid, propagation: 'Background' }),
          TE.mapLeft(clusterProblem(`user ${id}`)),
        ),
      ),
      TE.map(() => ({})),
    ),
})
