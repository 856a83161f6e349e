/** Terminals get their tokens: with the code that a browser brought, or once a user has agreed elsewhere. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { isExpired } from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { type Approval, approvalIn, approvalNameOf, approvalObject } from '../../domain/platform/login/approval.ts'
import { challengeOf } from '../../domain/platform/login/challenge.ts'
import { sealed } from '../../domain/platform/login/sealed.ts'
import { showUserCode, USER_CODE_BYTES, userCodeFrom } from '../../domain/platform/login/user-code.ts'
import { type ApiToken, TOKEN_BYTES, TOKEN_ID_BYTES, tokenFrom } from '../../domain/platform/token.ts'
import { decodeBase64, encodeBase64 } from '../../domain/text/base64.ts'
import { showMoment } from '../../domain/text/moment.ts'
import { activeUser } from './accounts.ts'
import { daysFrom, issueToken, secrets, tooManyTokens } from './issuing.ts'
import { limiter } from './limiter.ts'
import { openAs, sealAs } from './sealing.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

/** How long a terminal stays logged in. */
const LOGIN_DAYS = 90
const INTERVAL_SECONDS = 5

const help = 'begin the login again'
const ended = error('DT6012', 'the code is wrong, has ended, or was used before', { help })
const denied = error('DT6012', 'the login was refused in the browser', { help })
const tooFast = error('DT6007', 'asked again too soon', { help: `ask every ${INTERVAL_SECONDS} seconds` })

/** Base64 of what the id of a token is made of. */
export const newTokenId = ({ random }: PlatformWorld): string => encodeBase64(random.bytes(TOKEN_ID_BYTES))

const tokenWithId = ({ random }: PlatformWorld, id: string): ApiToken => {
  const secret = random.bytes(TOKEN_BYTES - TOKEN_ID_BYTES)
  return tokenFrom(Uint8Array.from([...(decodeBase64(id) ?? []), ...secret]))
}

/** A second token from the same code would have the same id, which the cluster refuses. */
const issue = (
  world: PlatformWorld,
  { id, name, user }: { readonly id: string; readonly name: string; readonly user: string },
) =>
  pipe(
    activeUser(world, user),
    TE.flatMap((found) => (found === undefined ? TE.left(ended) : TE.right(found))),
    TE.flatMap((found) =>
      issueToken(world, tokenWithId(world, id), {
        user: found.id,
        name,
        scope: { _tag: 'All' },
        expires: daysFrom(world.clock.wallMs(), LOGIN_DAYS),
        isOfLogin: true,
      }),
    ),
    TE.mapLeft((failure) => (failure.code === 'DT6006' && failure !== tooManyTokens ? ended : failure)),
  )

const approvalOf = ({ cluster }: PlatformWorld, userCode: string): TE.TaskEither<Diagnostic, Approval | undefined> =>
  pipe(
    cluster.get({ ...secrets, name: approvalNameOf(userCode) }),
    TE.mapLeft(clusterProblem('login')),
    TE.map((secret) => (secret === undefined ? undefined : approvalIn(secret))),
  )

const removeApproval = (
  { cluster }: PlatformWorld,
  { name, uid }: Pick<Approval, 'name' | 'uid'>,
): TE.TaskEither<Diagnostic, unknown> =>
  pipe(cluster.remove({ ...secrets, name }, { uid, propagation: 'Background' }), TE.mapLeft(clusterProblem('login')))

/** Decisions that no terminal has asked for in time. `user`: of one user only. */
export const sweepApprovals = (world: PlatformWorld, user?: string): TE.TaskEither<Diagnostic, number> => {
  const own = user === undefined ? '' : `,${OWNER_LABEL}=${user}`
  return pipe(
    world.cluster.list({ ...secrets, labels: `${PLATFORM_LABEL}=login${own}` }),
    TE.mapLeft(clusterProblem('logins')),
    TE.flatMap(({ items }) => {
      const all = items.map(approvalIn)
      const over = all.filter((one) => isExpired(one, world.clock.date()))
      return pipe(
        TE.sequenceSeqArray(over.map((one) => removeApproval(world, one))),
        TE.map(() => all.length - over.length),
      )
    }),
  )
}

const MOST_APPROVALS = 10

/** Keeps what a user has decided until the terminal asks. A code can be decided once. */
export const decide = (
  world: PlatformWorld,
  userCode: string,
  { isAllowed, user }: Pick<Approval, 'user' | 'isAllowed'>,
): TE.TaskEither<Diagnostic, unknown> => {
  const seconds = Math.floor(world.clock.wallMs() / 1000) + sealed.device.seconds
  const expires = showMoment({ seconds, nanos: 0 })
  return pipe(
    sweepApprovals(world, user),
    TE.flatMap((left) =>
      left < MOST_APPROVALS
        ? TE.right(undefined)
        : TE.left(error('DT6007', 'too many logins at the same time', { help: 'try again in ten minutes' })),
    ),
    TE.flatMap(() =>
      pipe(
        world.cluster.create(secrets, approvalObject(userCode, { user, isAllowed, expires }), { manager: MANAGER }),
        TE.mapLeft(clusterProblem('login')),
      ),
    ),
    TE.mapLeft((failure) => (failure.code === 'DT6006' ? ended : failure)),
  )
}

export const loginHandlers = (world: PlatformWorld): Handlers<'exchangeCode' | 'startDevice' | 'finishDevice'> => {
  const mayAsk = limiter({ perSecond: 1 / (INTERVAL_SECONDS - 1), burst: 2 }, world.clock)
  return {
    exchangeCode: ({ body: { code, redirect, verifier } }) =>
      pipe(
        TE.fromTask(openAs(world, 'code', code)),
        TE.flatMap((login) =>
          login === undefined || login.redirect !== redirect || login.challenge !== challengeOf(verifier)
            ? TE.left(ended)
            : issue(world, login),
        ),
      ),

    startDevice: ({ body: { name } }) => {
      const userCode = userCodeFrom(world.random.bytes(USER_CODE_BYTES))
      const { seconds } = sealed.device
      return pipe(
        TE.fromTask(sealAs(world, 'device', { userCode, name, id: newTokenId(world) })),
        TE.map((deviceCode) => ({
          deviceCode,
          userCode: showUserCode(userCode),
          page: `${world.settings.url}/login/device?code=${showUserCode(userCode)}`,
          interval: INTERVAL_SECONDS,
          seconds,
        })),
      )
    },

    finishDevice: ({ body: { deviceCode } }) =>
      pipe(
        TE.fromTask(openAs(world, 'device', deviceCode)),
        TE.flatMap((login) => {
          if (login === undefined) return TE.left(ended)
          if (!mayAsk(login.id)) return TE.left(tooFast)
          return pipe(
            approvalOf(world, login.userCode),
            TE.flatMap((approval): TE.TaskEither<Diagnostic, { status: 'pending' | 'done' }> => {
              if (approval === undefined) return TE.right({ status: 'pending' })
              if (!approval.isAllowed) return TE.left(denied)
              return pipe(
                issue(world, { ...login, user: approval.user }),
                TE.tap(() => removeApproval(world, approval)),
                TE.map((created) => ({ status: 'done' as const, created })),
              )
            }),
          )
        }),
      ),
  }
}
