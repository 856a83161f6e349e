/** The account of somebody who logs in: made at the first login, and kept as the issuer and the installation have it. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { changedUser, type PlatformUser, userIn, userObject } from '../../domain/platform/account.ts'
import { type Identified, isNamedAdmin, refusedLogin } from '../../domain/platform/admission.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { userIdOf } from '../../domain/platform/names.ts'
import { incomplete } from './issuing.ts'
import { accounts, usersOf } from './users.ts'
import { MANAGER, type PlatformWorld } from './world.ts'

const disabled = error('DT6012', 'this account is disabled', { help: 'ask an administrator of the platform' })

/** An address that names an administrator stands for the first person who logs in with it. */
const isFirstAdmin = (world: PlatformWorld, id: string, who: Identified): TE.TaskEither<Diagnostic, boolean> =>
  isNamedAdmin(world.settings.admission, who)
    ? pipe(
        usersOf(world),
        TE.map((users) => {
          const same = users.filter((one) => one.email.toLowerCase() === who.email.toLowerCase() && one.id !== id)
          return !same.some(({ isAdmin }) => isAdmin)
        }),
      )
    : TE.right(false)

const create = (
  { cluster }: PlatformWorld,
  user: PlatformUser,
  who: Identified,
): TE.TaskEither<Diagnostic, PlatformUser> =>
  pipe(
    cluster.create(accounts, userObject(user, { issuer: who.issuer, subject: who.subject }), { manager: MANAGER }),
    TE.mapLeft(clusterProblem('account')),
    TE.flatMap((made) => (isLive(made) ? TE.right(userIn(made)) : TE.left(incomplete))),
  )

const update = (
  { cluster }: PlatformWorld,
  account: ClusterObject,
  wanted: PlatformUser,
): TE.TaskEither<Diagnostic, PlatformUser> => {
  const user = userIn(account)
  if (user.isDisabled) return TE.left(disabled)
  if (user.email === wanted.email && user.isAdmin === wanted.isAdmin) return TE.right(user)
  const { email, isAdmin } = wanted
  return pipe(
    cluster.merge({ ...accounts, name: user.id }, changedUser(account, { email, isAdmin }), { manager: MANAGER }),
    TE.mapLeft(clusterProblem('account')),
    TE.map(userIn),
  )
}

/** Fails with DT6012 for who may not log in. */
export const entering = (world: PlatformWorld, who: Identified): TE.TaskEither<Diagnostic, PlatformUser> => {
  const refused = refusedLogin(world.settings.admission, who)
  if (refused !== undefined) return TE.left(refused)
  const id = userIdOf(who.issuer, who.subject)
  return pipe(
    world.cluster.get({ ...accounts, name: id }),
    TE.mapLeft(clusterProblem('account')),
    TE.bindTo('account'),
    TE.bind('isNamed', () => isFirstAdmin(world, id, who)),
    TE.flatMap(({ account, isNamed }) =>
      account === undefined
        ? create(world, { id, email: who.email, isAdmin: isNamed, isDisabled: false }, who)
        : update(world, account, {
            id,
            email: who.email,
            isAdmin: isNamed || userIn(account).isAdmin,
            isDisabled: false,
          }),
    ),
  )
}

/** `undefined` for a user who may not log in any more. */
export const activeUser = (
  { cluster }: PlatformWorld,
  id: string,
): TE.TaskEither<Diagnostic, PlatformUser | undefined> =>
  pipe(
    cluster.get({ ...accounts, name: id }),
    TE.mapLeft(clusterProblem('account')),
    TE.map((account) => {
      const user = account === undefined ? undefined : userIn(account)
      return user?.isDisabled === false ? user : undefined
    }),
  )
