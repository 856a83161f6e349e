/** Identifies the sender of a request. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import {
  isExpired,
  isOfNow,
  type PlatformUser,
  type TokenRecord,
  tokenIn,
  userIn,
} from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { type ApiToken, hashOf, isSameHash, readToken } from '../../domain/platform/token.ts'
import { activeUser } from './accounts.ts'
import { revoked } from './refusals.ts'
import { openAs } from './sealing.ts'
import type { Caller, PlatformWorld } from './world.ts'

const help = 'log in again with `devtool context use URL`'

const notLoggedIn = error('DT6001', 'the request has no token', { help: 'send it as `Authorization: Bearer TOKEN`' })
const mistyped = error('DT6002', 'this is no token of the platform: tokens begin with dvt_', { help })

const usersNamespace = { namespace: USERS_NAMESPACE }

const tokenOf = ({ clock, cluster }: PlatformWorld, given: ApiToken): TE.TaskEither<Diagnostic, TokenRecord> =>
  pipe(
    cluster.get({ resource: resources.Secret, ...usersNamespace, name: tokenSecretOf(given.id) }),
    TE.mapLeft(clusterProblem('token')),
    TE.flatMap((secret) => {
      const token = secret === undefined ? undefined : tokenIn(secret)
      if (token === undefined || !isSameHash(token.hash, hashOf(given))) return TE.left(revoked)
      return isExpired(token, clock.date())
        ? TE.left(error('DT6002', `the token "${token.name}" has expired at ${token.expires}`, { help }))
        : TE.right(token)
    }),
  )

const userOf = ({ cluster }: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, PlatformUser> =>
  pipe(
    cluster.get({ resource: resources.ServiceAccount, ...usersNamespace, name: token.user }),
    TE.mapLeft(clusterProblem('user')),
    TE.map((account) => (account === undefined ? undefined : userIn(account))),
    TE.flatMap((found) => (found === undefined || !isOfNow(found, token) ? TE.left(revoked) : TE.right(found))),
  )

const ended = error('DT6002', 'the session of this browser has ended', { help: 'log in again' })

const callerOfSession = (world: PlatformWorld, text: string): TE.TaskEither<Diagnostic, Caller> =>
  pipe(
    TE.fromTask(openAs(world, 'session', text)),
    TE.flatMap((session) =>
      pipe(
        session === undefined ? TE.right(undefined) : activeUser(world, session.user),
        TE.flatMap(
          (user): TE.TaskEither<Diagnostic, Caller> =>
            session === undefined || user === undefined || !isOfNow(user, session)
              ? TE.left(ended)
              : TE.right({ user, pass: { _tag: 'Session', expires: session.until } }),
        ),
      ),
    ),
  )

/** `session`: that of a page of the platform, which is used when there is no token. */
export type ShownBy = { readonly authorization: string | undefined; readonly session?: string | undefined }

/** Fails with DT6001, DT6002 and DT6009. */
export const findCaller =
  (world: PlatformWorld) =>
  ({ authorization, session }: ShownBy): TE.TaskEither<Diagnostic, Caller> => {
    if (authorization === undefined)
      return session === undefined ? TE.left(notLoggedIn) : callerOfSession(world, session)
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(authorization) ?? []
    const given = readToken(text)
    if (given === undefined) return TE.left(mistyped)
    return pipe(
      tokenOf(world, given),
      TE.flatMap((token) =>
        pipe(
          userOf(world, token),
          TE.map((user): Caller => ({ user, pass: { _tag: 'Token', token } })),
        ),
      ),
    )
  }
