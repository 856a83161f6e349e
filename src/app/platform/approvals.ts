/** Users' decisions about logins, kept until the terminals ask: each decision yields one token. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { isExpired, type PlatformUser } from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { type Approval, approvalIn, approvalNameOf, approvalObject } from '../../domain/platform/login/approval.ts'
import { secondsFrom, secrets } from './issuing.ts'
import { MANAGER, type PlatformWorld } from './world.ts'

export const ended = error('DT6012', 'the code is wrong, has ended, or was used before', {
  help: 'begin the login again',
})

const MOST_APPROVALS = 10
const tooMany = error('DT6007', 'too many logins at the same time', { help: 'try again in ten minutes' })

export const findApproval = (
  { cluster }: PlatformWorld,
  key: string,
): TE.TaskEither<Diagnostic, Approval | undefined> =>
  pipe(
    cluster.get({ ...secrets, name: approvalNameOf(key) }),
    TE.mapLeft(clusterProblem('login')),
    TE.map((secret) => (secret === undefined ? undefined : approvalIn(secret))),
  )

export const removeApproval = (
  { cluster }: PlatformWorld,
  { name, uid }: Pick<Approval, 'name' | 'uid'>,
): TE.TaskEither<Diagnostic, unknown> =>
  pipe(cluster.remove({ ...secrets, name }, { uid, propagation: 'Background' }), TE.mapLeft(clusterProblem('login')))

const approvalsOf = ({ cluster }: PlatformWorld, user?: string): TE.TaskEither<Diagnostic, ReadonlyArray<Approval>> => {
  const own = user === undefined ? '' : `,${OWNER_LABEL}=${user}`
  return pipe(
    cluster.list({ ...secrets, labels: `${PLATFORM_LABEL}=login${own}` }),
    TE.mapLeft(clusterProblem('logins')),
    TE.map(({ items }) => items.map(approvalIn)),
  )
}

const removeAll = (world: PlatformWorld, all: ReadonlyArray<Approval>): TE.TaskEither<Diagnostic, unknown> =>
  TE.sequenceSeqArray(all.map((one) => removeApproval(world, one)))

/** Removes all decisions of a user, whose tokens are being revoked. */
export const removeApprovals = (world: PlatformWorld, user: string): TE.TaskEither<Diagnostic, unknown> =>
  pipe(
    approvalsOf(world, user),
    TE.flatMap((all) => removeAll(world, all)),
  )

/** Removes decisions that no terminal has asked for in time. `user`: only those of one user. */
export const sweepApprovals = (world: PlatformWorld, user?: string): TE.TaskEither<Diagnostic, number> =>
  pipe(
    approvalsOf(world, user),
    TE.flatMap((all) => {
      const over = all.filter((one) => isExpired(one, world.clock.date()))
      return pipe(
        removeAll(world, over),
        TE.map(() => all.length - over.length),
      )
    }),
  )

type Decision = { readonly isAllowed: boolean; readonly seconds: number }

/** `key`: that of the login, which can be decided once. */
export const decide = (
  world: PlatformWorld,
  key: string,
  { epoch, id: user }: PlatformUser,
  { isAllowed, seconds }: Decision,
): TE.TaskEither<Diagnostic, unknown> => {
  const expires = secondsFrom(world.clock.wallMs(), seconds)
  return pipe(
    sweepApprovals(world, user),
    TE.filterOrElse(
      (left) => left < MOST_APPROVALS,
      () => tooMany,
    ),
    TE.flatMap(() =>
      pipe(
        world.cluster.create(secrets, approvalObject(key, { user, epoch, isAllowed, expires }), { manager: MANAGER }),
        TE.mapLeft(clusterProblem('login')),
      ),
    ),
    TE.mapLeft((failure) => (failure.code === 'DT6006' ? ended : failure)),
  )
}
