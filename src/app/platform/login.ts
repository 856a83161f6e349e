/** Gives terminals their tokens: for a code from a browser, or once a user has agreed on another machine. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { isExpired, isOfNow, tokenIn } from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import type { Approval } from '../../domain/platform/login/approval.ts'
import { challengeOf } from '../../domain/platform/login/challenge.ts'
import { sealed } from '../../domain/platform/login/sealed.ts'
import { showUserCode, USER_CODE_BYTES, userCodeFrom } from '../../domain/platform/login/user-code.ts'
import { tokenSecretOf } from '../../domain/platform/names.ts'
import {
  type ApiToken,
  hashOf,
  isSameHash,
  showToken,
  TOKEN_BYTES,
  tokenFromSeed,
} from '../../domain/platform/token.ts'
import { encodeBase64 } from '../../domain/text/base64.ts'
import { activeUser } from './accounts.ts'
import { ended, findApproval, removeApproval } from './approvals.ts'
import { daysFrom, issueToken, listedToken, secrets, tooManyTokens } from './issuing.ts'
import { limiter } from './limiter.ts'
import { openAs, sealAs } from './sealing.ts'
import type { Handlers, PlatformWorld } from './world.ts'

/** How long a terminal stays logged in. */
const LOGIN_DAYS = 90
const INTERVAL_SECONDS = 5

const denied = error('DT6012', 'the login was refused in the browser', { help: 'begin the login again' })
const tooFast = error('DT6007', 'asked again too soon', { help: `ask every ${INTERVAL_SECONDS} seconds` })

/** Base64 of the random bytes of a token. */
export const newSeed = ({ random }: PlatformWorld): string => encodeBase64(random.bytes(TOKEN_BYTES))

type Issued = ReturnType<typeof issueToken> extends TE.TaskEither<Diagnostic, infer A> ? A & { user: string } : never

/**
 * The token of this login, when the answer with it was lost: whoever asks has everything that the token is derived
 * from.
 */
const issuedBefore = (world: PlatformWorld, token: ApiToken): TE.TaskEither<Diagnostic, Issued | undefined> =>
  pipe(
    world.cluster.get({ ...secrets, name: tokenSecretOf(token.id) }),
    TE.mapLeft(clusterProblem('token')),
    TE.map((secret) => {
      const record = secret === undefined ? undefined : tokenIn(secret)
      return record !== undefined && isSameHash(record.hash, hashOf(token)) && !isExpired(record, world.clock.date())
        ? { ...listedToken(record), token: showToken(token), user: record.user }
        : undefined
    }),
  )

const issue = (
  world: PlatformWorld,
  token: ApiToken,
  name: string,
  approval: Approval,
): TE.TaskEither<Diagnostic, Issued> =>
  pipe(
    activeUser(world, approval.user),
    TE.flatMap((user) => (user === undefined || !isOfNow(user, approval) ? TE.left(ended) : TE.right(user))),
    TE.flatMap(({ epoch, id }) =>
      issueToken(world, token, {
        user: id,
        name,
        scope: { _tag: 'All' },
        expires: daysFrom(world.clock.wallMs(), LOGIN_DAYS),
        isOfLogin: true,
        epoch,
      }),
    ),
    TE.map((issued) => ({ ...issued, user: approval.user })),
    TE.mapLeft((failure) => (failure.code === 'DT6006' && failure !== tooManyTokens ? ended : failure)),
  )

/**
 * `key`: identifies the decision. `undefined`: not decided yet. A terminal that repeats the request because it got no
 * answer gets the same token; once that is revoked, the decision is gone.
 */
const tokenFor = (
  world: PlatformWorld,
  token: ApiToken,
  name: string,
  key: string,
): TE.TaskEither<Diagnostic, Issued | undefined> =>
  pipe(
    findApproval(world, key),
    TE.bindTo('approval'),
    TE.bind('before', () => issuedBefore(world, token)),
    TE.flatMap(({ approval, before }): TE.TaskEither<Diagnostic, Issued | undefined> => {
      if (approval === undefined) return TE.right(before)
      if (!approval.isAllowed) return TE.left(denied)
      if (isExpired(approval, world.clock.date())) return TE.left(ended)
      return pipe(
        before === undefined ? issue(world, token, name, approval) : TE.right(before),
        // Removed before the terminal has the token, so that no second token comes from the same decision.
        TE.tap(() => removeApproval(world, approval)),
      )
    }),
  )

/** A code from a browser is already a decision. */
export const codeKeyOf = (seed: string): string => `code ${seed}`

export const loginHandlers = (world: PlatformWorld): Handlers<'exchangeCode' | 'startDevice' | 'finishDevice'> => {
  const mayAsk = limiter({ perSecond: 1 / (INTERVAL_SECONDS - 1), burst: 2 }, world.clock)
  return {
    exchangeCode: ({ actor, body: { code, redirect, verifier } }) =>
      pipe(
        TE.fromTask(openAs(world, 'code', code)),
        TE.flatMap((login) =>
          login === undefined || login.redirect !== redirect || login.challenge !== challengeOf(verifier)
            ? TE.left(ended)
            : tokenFor(world, tokenFromSeed(login.seed, verifier), login.name, codeKeyOf(login.seed)),
        ),
        TE.flatMap((issued) => (issued === undefined ? TE.left(ended) : TE.right(issued))),
        TE.tapIO(({ user }) => actor(user)),
      ),

    startDevice: ({ body: { name } }) => {
      const userCode = userCodeFrom(world.random.bytes(USER_CODE_BYTES))
      const { seconds } = sealed.device
      return pipe(
        TE.fromTask(sealAs(world, 'device', { userCode, name, seed: newSeed(world) })),
        TE.map((deviceCode) => ({
          deviceCode,
          userCode: showUserCode(userCode),
          page: `${world.settings.url}/login/device?code=${showUserCode(userCode)}`,
          interval: INTERVAL_SECONDS,
          seconds,
        })),
      )
    },

    finishDevice: ({ actor, body: { deviceCode } }) =>
      pipe(
        TE.fromTask(openAs(world, 'device', deviceCode)),
        TE.flatMap((login) => {
          if (login === undefined) return TE.left(ended)
          const token = tokenFromSeed(login.seed)
          return mayAsk(token.id) ? tokenFor(world, token, login.name, login.userCode) : TE.left(tooFast)
        }),
        TE.tapIO((issued) => (issued === undefined ? () => {} : actor(issued.user))),
        TE.map((issued) =>
          issued === undefined ? { status: 'pending' as const } : { status: 'done' as const, created: issued },
        ),
      ),
  }
}
