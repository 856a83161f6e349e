/**
 * The account of a person who logs in: created at the first login, and updated according to the issuer and the
 * installation.
 */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type ClusterObject, isLive } from '../../domain/cluster/live.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { changedUser, type PlatformUser, userIn, userObject } from '../../domain/platform/account.ts'
import { type Identified, isNamedAdmin, refusedLogin } from '../../domain/platform/admission.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { userIdOf } from '../../domain/platform/names.ts'
import { type AdminPin, grantedPin, pinIn, pinNameOf, pinObject } from '../../domain/platform/pin.ts'
import { newEpoch, secrets } from './issuing.ts'
import { incomplete } from './refusals.ts'
import { accounts } from './users.ts'
import { MANAGER, type PlatformWorld } from './world.ts'

const disabled = error('DT6012', 'this account is disabled', { help: 'ask an administrator of the platform' })

const readPin = ({ cluster }: PlatformWorld, email: string): TE.TaskEither<Diagnostic, AdminPin | undefined> =>
  pipe(
    cluster.get({ ...secrets, name: pinNameOf(email) }),
    TE.mapLeft(clusterProblem('administrator')),
    TE.map((secret) => (secret === undefined ? undefined : pinIn(secret))),
  )

/** Concurrent logins may each try to be the first: the cluster accepts one of them. */
const createPin = (world: PlatformWorld, user: string, who: Identified): TE.TaskEither<Diagnostic, AdminPin> =>
  pipe(
    world.cluster.create(secrets, pinObject(who.email, { ...who, user }), { manager: MANAGER }),
    TE.mapLeft(clusterProblem('administrator')),
    TE.map((): AdminPin => ({ user, isGranted: false })),
    TE.orElse((failure) =>
      pipe(
        failure.code === 'DT6006' ? readPin(world, who.email) : TE.left(failure),
        TE.flatMap((pin) => (pin === undefined ? TE.left(failure) : TE.right(pin))),
      ),
    ),
  )

/** `undefined` for an address that is not an administrator's. */
const pinOf = (world: PlatformWorld, user: string, who: Identified): TE.TaskEither<Diagnostic, AdminPin | undefined> =>
  isNamedAdmin(world.settings.admission, who)
    ? pipe(
        readPin(world, who.email),
        TE.flatMap((pin) => (pin === undefined ? createPin(world, user, who) : TE.right(pin))),
      )
    : TE.right(undefined)

const noteGranted = ({ cluster }: PlatformWorld, { email }: Identified): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    cluster.merge({ ...secrets, name: pinNameOf(email) }, grantedPin(), { manager: MANAGER }),
    TE.mapLeft(clusterProblem('administrator')),
  )

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
  wanted: Pick<PlatformUser, 'email' | 'isAdmin'>,
): TE.TaskEither<Diagnostic, PlatformUser> => {
  const user = userIn(account)
  if (user.isDisabled) return TE.left(disabled)
  if (user.email === wanted.email && user.isAdmin === wanted.isAdmin) return TE.right(user)
  return pipe(
    cluster.merge({ ...accounts, name: user.id }, changedUser(account, wanted), { manager: MANAGER }),
    TE.mapLeft(clusterProblem('account')),
    TE.map(userIn),
  )
}

const enter = (
  world: PlatformWorld,
  id: string,
  who: Identified,
  isMadeAdmin: boolean,
): TE.TaskEither<Diagnostic, PlatformUser> =>
  pipe(
    world.cluster.get({ ...accounts, name: id }),
    TE.mapLeft(clusterProblem('account')),
    TE.flatMap((account) =>
      account === undefined
        ? create(world, { id, email: who.email, isAdmin: isMadeAdmin, isDisabled: false, epoch: newEpoch(world) }, who)
        : update(world, account, { email: who.email, isAdmin: isMadeAdmin || userIn(account).isAdmin }),
    ),
    TE.tap(() => (isMadeAdmin ? noteGranted(world, who) : TE.right(undefined))),
  )

/** Fails with DT6012 for a person who may not log in. */
export const entering = (world: PlatformWorld, who: Identified): TE.TaskEither<Diagnostic, PlatformUser> => {
  const { admission } = world.settings
  const refused = refusedLogin(admission, who)
  if (refused !== undefined) return TE.left(refused)
  const id = userIdOf(who.issuer, who.subject)
  return pipe(
    pinOf(world, id, who),
    TE.flatMap((pin) => {
      const isOther = pin !== undefined && pin.user !== id
      const unnamed = isOther ? refusedLogin({ ...admission, admins: [] }, who) : undefined
      return unnamed === undefined ? enter(world, id, who, pin?.user === id && !pin.isGranted) : TE.left(unnamed)
    }),
  )
}

/** `undefined` for a user who may no longer log in. */
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
