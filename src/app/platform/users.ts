/** Who has logged in, and what administrators change of it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ClusterObject, labelOf } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { ACCESS_SELECTOR, grantIn } from '../../domain/platform/access.ts'
import { changedUser, type PlatformUser, userIn } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { revokeAll, tokensOf } from './issuing.ts'
import { unbindAll } from './members.ts'
import { type Caller, type Handlers, MANAGER, type PlatformWorld } from './world.ts'

export const accounts = { resource: resources.ServiceAccount, namespace: USERS_NAMESPACE }

export const usersOf = ({ cluster }: PlatformWorld): TE.TaskEither<Diagnostic, ReadonlyArray<PlatformUser>> =>
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

/** So that an administrator is always left. */
const isOther = ({ user }: Caller, id: string): TE.TaskEither<Diagnostic, void> =>
  user.id === id ? TE.left(error('DT6003', 'administrators do not change their own accounts')) : TE.right(undefined)

const revokeTokens = (world: PlatformWorld, id: string): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    tokensOf(world, id),
    TE.flatMap((all) => revokeAll(world, all)),
  )

/** Kubernetes would give the roles to another account of this name. */
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

export const userHandlers = (world: PlatformWorld): Handlers<'listUsers' | 'setUser' | 'deleteUser'> => ({
  listUsers: () =>
    pipe(
      usersOf(world),
      TE.map((users) => ({ users: users.toSorted((a, b) => (a.email < b.email ? -1 : 1)) })),
    ),

  setUser: ({ body, caller, params: { user: id } }) =>
    pipe(
      isOther(caller, id),
      TE.flatMap(() => find(world, id)),
      TE.flatMap((found) =>
        pipe(
          world.cluster.merge({ ...accounts, name: id }, changedUser(found, body), { manager: MANAGER }),
          TE.mapLeft(clusterProblem(`user ${id}`)),
        ),
      ),
      TE.map(userIn),
      TE.tap((user) => (user.isDisabled ? revokeTokens(world, id) : TE.right(undefined))),
    ),

  deleteUser: ({ caller, params: { user: id } }) =>
    pipe(
      isOther(caller, id),
      TE.flatMap(() => find(world, id)),
      TE.tap(() => unbindEverywhere(world, id)),
      TE.tap(() => revokeTokens(world, id)),
      TE.flatMap(({ metadata: { uid } }) =>
        pipe(
          world.cluster.remove({ ...accounts, name: id }, { uid, propagation: 'Background' }),
          TE.mapLeft(clusterProblem(`user ${id}`)),
        ),
      ),
      TE.map(() => ({})),
    ),
})
