/** Creates and revokes API tokens, whose number per user is limited. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isLive } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { OWNER_LABEL } from '../../domain/k8s/labels.ts'
import {
  isExpired,
  isOfNow,
  type NewToken,
  TOKEN_SELECTOR,
  type TokenRecord,
  tokenIn,
  tokenObject,
  userIn,
} from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { showScope } from '../../domain/platform/scope.ts'
import { type ApiToken, showToken } from '../../domain/platform/token.ts'
import { encodeBase64 } from '../../domain/text/base64.ts'
import { showMoment } from '../../domain/text/moment.ts'
import { incomplete } from './refusals.ts'
import { removeScoped } from './scoped-accounts.ts'
import { MANAGER, type PlatformWorld } from './world.ts'

export const secrets = { resource: resources.Secret, namespace: USERS_NAMESPACE }

const MOST_TOKENS = 50

const revokedMeanwhile = error('DT6002', 'the tokens of the user have been revoked', {
  help: 'log in again with `devtool context use URL`',
})
export const tooManyTokens = error('DT6006', `you have ${MOST_TOKENS} tokens already`, { help: 'revoke one first' })

const DAY_SECONDS = 24 * 3600
const EPOCH_BYTES = 12

export const newEpoch = ({ random }: PlatformWorld): string => encodeBase64(random.bytes(EPOCH_BYTES))

export const secondsFrom = (wallMs: number, seconds: number): string =>
  showMoment({ seconds: Math.floor(wallMs / 1000) + seconds, nanos: 0 })

export const daysFrom = (wallMs: number, days: number): string => secondsFrom(wallMs, days * DAY_SECONDS)

export const listedToken = ({ created, expires, id, name, scope }: TokenRecord) => ({
  id,
  name,
  scope: showScope(scope),
  created,
  expires,
})

/** Tokens of one user, or of all; oldest first. */
export const tokensOf = (
  { cluster }: PlatformWorld,
  user?: string,
): TE.TaskEither<Diagnostic, ReadonlyArray<TokenRecord>> => {
  const own = user === undefined ? '' : `,${OWNER_LABEL}=${user}`
  return pipe(
    cluster.list({ ...secrets, labels: `${TOKEN_SELECTOR}${own}` }),
    TE.mapLeft(clusterProblem('tokens')),
    TE.map(({ items }) =>
      items.flatMap((secret) => tokenIn(secret) ?? []).toSorted((a, b) => a.created.localeCompare(b.created)),
    ),
  )
}

/** Kubernetes tokens become invalid with the Secret that they are bound to, or with the account of the token. */
export const revoke = (world: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, void> =>
  pipe(
    world.cluster.remove({ ...secrets, name: tokenSecretOf(token.id) }, { uid: token.uid, propagation: 'Background' }),
    TE.mapLeft(clusterProblem(`token ${token.id}`)),
    TE.flatMap(() => removeScoped(world, token)),
    TE.map(() => undefined),
  )

export const revokeAll = (
  world: PlatformWorld,
  tokens: ReadonlyArray<TokenRecord>,
): TE.TaskEither<Diagnostic, ReadonlyArray<void>> => TE.sequenceSeqArray(tokens.map((token) => revoke(world, token)))

/** Deletes expired tokens; a login may also replace the oldest token of a login. */
const makeRoom = (world: PlatformWorld, { isOfLogin = false, user }: NewToken): TE.TaskEither<Diagnostic, void> =>
  pipe(
    tokensOf(world, user),
    TE.flatMap((all) => {
      const expired = all.filter((token) => isExpired(token, world.clock.date()))
      const left = all.filter((token) => !expired.includes(token))
      if (left.length < MOST_TOKENS) return revokeAll(world, expired)
      const oldest = isOfLogin ? left.find((token) => token.isOfLogin) : undefined
      return oldest === undefined ? TE.left(tooManyTokens) : revokeAll(world, [...expired, oldest])
    }),
    TE.map(() => undefined),
  )

/**
 * Why a new token must be deleted again: concurrent requests may each have found room for one more, and the user may
 * have been disabled by somebody who did not see the token yet.
 */
const refusedNow = (world: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, Diagnostic | undefined> =>
  pipe(
    world.cluster.get({ resource: resources.ServiceAccount, namespace: USERS_NAMESPACE, name: token.user }),
    TE.mapLeft(clusterProblem('account')),
    TE.bindTo('account'),
    TE.bind('all', () => tokensOf(world, token.user)),
    TE.map(({ account, all }) => {
      if (account === undefined || !isOfNow(userIn(account), token)) return revokedMeanwhile
      return all.length <= MOST_TOKENS ? undefined : tooManyTokens
    }),
  )

const kept = (world: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, TokenRecord> =>
  pipe(
    refusedNow(world, token),
    TE.flatMap((refusal) =>
      refusal === undefined
        ? TE.right(token)
        : pipe(
            revoke(world, token),
            TE.flatMap(() => TE.left(refusal)),
          ),
    ),
  )

/** `token`: the token to store. An existing id fails with DT6006. */
export const issueToken = (world: PlatformWorld, token: ApiToken, about: NewToken) =>
  pipe(
    makeRoom(world, about),
    TE.flatMap(() =>
      pipe(
        world.cluster.create(secrets, tokenObject(token, about), { manager: MANAGER }),
        TE.mapLeft(clusterProblem('token')),
      ),
    ),
    TE.flatMap((made) => {
      const record = isLive(made) ? tokenIn(made) : undefined
      return record === undefined ? TE.left(incomplete) : TE.right(record)
    }),
    TE.flatMap((record) => kept(world, record)),
    TE.map((record) => ({ ...listedToken(record), token: showToken(token) })),
  )
