/** Makes API tokens, of which each user has a limited number, and takes them away. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { isLive } from '../../domain/cluster/live.ts'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { isExpired, type NewToken, type TokenRecord, tokenIn, tokenObject } from '../../domain/platform/account.ts'
import { clusterProblem } from '../../domain/platform/api/problem.ts'
import { tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { showScope } from '../../domain/platform/scope.ts'
import { type ApiToken, showToken } from '../../domain/platform/token.ts'
import { showMoment } from '../../domain/text/moment.ts'
import { MANAGER, type PlatformWorld } from './world.ts'

export const secrets = { resource: resources.Secret, namespace: USERS_NAMESPACE }

const MOST_TOKENS = 50

export const incomplete = error('DT6009', 'the cluster answered without what the platform asked for')
export const tooManyTokens = error('DT6006', `you have ${MOST_TOKENS} tokens already`, { help: 'revoke one first' })

const DAY_SECONDS = 24 * 3600

export const daysFrom = (wallMs: number, days: number): string =>
  showMoment({ seconds: Math.floor(wallMs / 1000) + days * DAY_SECONDS, nanos: 0 })

export const listedToken = ({ created, expires, id, name, scope }: TokenRecord) => ({
  id,
  name,
  scope: showScope(scope),
  created,
  expires,
})

/** Of one user, or of all; the oldest first. */
export const tokensOf = (
  { cluster }: PlatformWorld,
  user?: string,
): TE.TaskEither<Diagnostic, ReadonlyArray<TokenRecord>> => {
  const own = user === undefined ? '' : `,${OWNER_LABEL}=${user}`
  return pipe(
    cluster.list({ ...secrets, labels: `${PLATFORM_LABEL}=token${own}` }),
    TE.mapLeft(clusterProblem('tokens')),
    TE.map(({ items }) =>
      items.flatMap((secret) => tokenIn(secret) ?? []).toSorted((a, b) => a.created.localeCompare(b.created)),
    ),
  )
}

/** Kubernetes tokens that are bound to the Secret end with it. */
export const revoke = (
  { cluster }: PlatformWorld,
  { id, uid }: Pick<TokenRecord, 'id' | 'uid'>,
): TE.TaskEither<Diagnostic, void> =>
  pipe(
    cluster.remove({ ...secrets, name: tokenSecretOf(id) }, { uid, propagation: 'Background' }),
    TE.mapLeft(clusterProblem(`token ${id}`)),
    TE.map(() => undefined),
  )

export const revokeAll = (
  world: PlatformWorld,
  tokens: ReadonlyArray<TokenRecord>,
): TE.TaskEither<Diagnostic, ReadonlyArray<void>> => TE.sequenceSeqArray(tokens.map((token) => revoke(world, token)))

/** Expired tokens are deleted; a login may also replace the oldest one of a login. */
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

/** Requests at the same time may each have found room for one more. */
const kept = (world: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, TokenRecord> =>
  pipe(
    tokensOf(world, token.user),
    TE.flatMap((all) =>
      all.length <= MOST_TOKENS
        ? TE.right(token)
        : pipe(
            revoke(world, token),
            TE.flatMap(() => TE.left(tooManyTokens)),
          ),
    ),
  )

/** `token`: what it is made of. An id that exists fails with DT6006. */
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
