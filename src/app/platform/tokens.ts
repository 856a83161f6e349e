/** API tokens of a user, and tokens for Kubernetes that end with them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textAt } from '../../domain/cluster/json.ts'
import { type Resource, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { type TokenRecord, tokenIn } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { accountOf, tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { readScope } from '../../domain/platform/scope.ts'
import { TOKEN_BYTES, tokenFrom } from '../../domain/platform/token.ts'
import { readMoment } from '../../domain/text/moment.ts'
import { daysFrom, incomplete, issueToken, listedToken, revoke, secrets, tokensOf } from './issuing.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

const USUAL_DAYS = 180
const HOUR_SECONDS = 3600
/** Kubernetes issues no tokens that end sooner. */
const SHORTEST_SECONDS = 600

/** `undefined` alike for a token that is not there and one of somebody else. */
const ownToken = (
  { cluster }: PlatformWorld,
  user: string,
  id: string,
): TE.TaskEither<Diagnostic, TokenRecord | undefined> =>
  pipe(
    cluster.get({ ...secrets, name: tokenSecretOf(id) }),
    TE.mapLeft(clusterProblem(`token ${id}`)),
    TE.map((secret) => {
      const token = secret === undefined ? undefined : tokenIn(secret)
      return token?.user === user ? token : undefined
    }),
  )

/** The subresource by which an account gets tokens. */
const tokenRequestOf = (user: string): Resource => ({
  ...resources.ServiceAccount,
  plural: `${resources.ServiceAccount.plural}/${user}/token`,
  kind: 'TokenRequest',
})

/** How long a token is still valid, in whole seconds. */
const secondsLeft = ({ expires }: TokenRecord, wallMs: number): number =>
  (readMoment(expires)?.seconds ?? 0) - Math.ceil(wallMs / 1000)

export const tokenHandlers = (
  world: PlatformWorld,
): Handlers<'listTokens' | 'createToken' | 'deleteToken' | 'endSession' | 'createCredential'> => {
  const { clock, cluster, random } = world
  return {
    listTokens: ({ caller: { user } }) =>
      pipe(
        tokensOf(world, user.id),
        TE.map((all) => ({ tokens: all.map(listedToken) })),
      ),

    createToken: ({ body, caller: { user } }) =>
      issueToken(world, tokenFrom(random.bytes(TOKEN_BYTES)), {
        user: user.id,
        name: body.name,
        scope: readScope(body.scope ?? 'all') ?? { _tag: 'Read' },
        expires: daysFrom(clock.wallMs(), body.days ?? USUAL_DAYS),
        epoch: user.epoch,
      }),

    deleteToken: ({ caller: { user }, params: { id } }) =>
      pipe(
        ownToken(world, user.id, id),
        TE.flatMap((token) => (token === undefined ? TE.left(notThere(`token ${id}`)) : revoke(world, token))),
        TE.map(() => ({})),
      ),

    endSession: ({ caller: { token } }) =>
      pipe(
        revoke(world, token),
        TE.map(() => ({})),
      ),

    // Kubernetes ends the token when the Secret is deleted that it is bound to.
    createCredential: ({ caller: { token, user } }) => {
      const seconds = Math.min(HOUR_SECONDS, secondsLeft(token, clock.wallMs()))
      if (seconds < SHORTEST_SECONDS) {
        return TE.left(
          error('DT6002', `the token "${token.name}" expires within ten minutes, at ${token.expires}`, {
            help: 'log in again with `devtool context use URL`',
          }),
        )
      }
      const body = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          expirationSeconds: seconds,
          boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: tokenSecretOf(token.id), uid: token.uid },
        },
      }
      return pipe(
        cluster.create({ resource: tokenRequestOf(user.id), namespace: USERS_NAMESPACE }, body, { manager: MANAGER }),
        TE.mapLeft(clusterProblem(accountOf(user.id))),
        TE.flatMap((made) => {
          const [issued, expires] = [textAt(made, 'status', 'token'), textAt(made, 'status', 'expirationTimestamp')]
          return issued === undefined || expires === undefined
            ? TE.left(incomplete)
            : TE.right({ token: issued, expires })
        }),
      )
    },
  }
}
