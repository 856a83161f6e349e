/** API tokens of a user, and tokens for Kubernetes that end with them. */
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { textAt } from '../../domain/cluster/json.ts'
import { isLive } from '../../domain/cluster/live.ts'
import { type Resource, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { OWNER_LABEL, PLATFORM_LABEL } from '../../domain/k8s/labels.ts'
import { type TokenRecord, tokenIn, tokenObject } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { accountOf, tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { readScope, showScope } from '../../domain/platform/scope.ts'
import { showToken, TOKEN_BYTES, tokenFrom } from '../../domain/platform/token.ts'
import { showMoment } from '../../domain/text/moment.ts'
import { type Handlers, MANAGER, type PlatformWorld } from './world.ts'

const inUsers = { namespace: USERS_NAMESPACE }
const secrets = { resource: resources.Secret, ...inUsers }

const USUAL_DAYS = 180
const HOUR_SECONDS = 3600

const listedOf = ({ created, expires, id, name, scope }: TokenRecord) => ({
  id,
  name,
  scope: showScope(scope),
  created,
  expires,
})

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
const tokensOf = (user: string): Resource => ({
  ...resources.ServiceAccount,
  plural: `${resources.ServiceAccount.plural}/${user}/token`,
  kind: 'TokenRequest',
})

const incomplete = error('DT6009', 'the cluster answered without what the platform asked for')

export const tokenHandlers = (
  world: PlatformWorld,
): Handlers<'listTokens' | 'createToken' | 'deleteToken' | 'createCredential'> => {
  const { clock, cluster, random } = world
  return {
    listTokens: ({ caller: { user } }) =>
      pipe(
        cluster.list({ ...secrets, labels: `${PLATFORM_LABEL}=token,${OWNER_LABEL}=${user.id}` }),
        TE.mapLeft(clusterProblem('tokens')),
        TE.map(({ items }) => ({
          tokens: items
            .flatMap((secret) => tokenIn(secret) ?? [])
            .toSorted((a, b) => a.created.localeCompare(b.created))
            .map(listedOf),
        })),
      ),

    createToken: ({ body, caller: { user } }) => {
      const token = tokenFrom(random.bytes(TOKEN_BYTES))
      const seconds = Math.floor(clock.wallMs() / 1000) + (body.days ?? USUAL_DAYS) * 24 * HOUR_SECONDS
      const expires = showMoment({ seconds, nanos: 0 })
      const scope = readScope(body.scope ?? 'all') ?? { _tag: 'Read' }
      return pipe(
        cluster.create(secrets, tokenObject(token, { user: user.id, name: body.name, scope, expires }), {
          manager: MANAGER,
        }),
        TE.mapLeft(clusterProblem('token')),
        TE.flatMap((made) => {
          const record = isLive(made) ? tokenIn(made) : undefined
          return record === undefined ? TE.left(incomplete) : TE.right(record)
        }),
        TE.map((record) => ({ ...listedOf(record), token: showToken(token) })),
      )
    },

    deleteToken: ({ caller: { user }, params: { id } }) =>
      pipe(
        ownToken(world, user.id, id),
        TE.flatMap((token) =>
          token === undefined
            ? TE.left(notThere(`token ${id}`))
            : pipe(
                cluster.remove({ ...secrets, name: tokenSecretOf(id) }, { uid: token.uid, propagation: 'Background' }),
                TE.mapLeft(clusterProblem(`token ${id}`)),
              ),
        ),
        TE.map(() => ({})),
      ),

    // Kubernetes ends the token when the Secret is deleted that it is bound to.
    createCredential: ({ caller: { token, user } }) => {
      const body = {
        apiVersion: 'authentication.k8s.io/v1',
        kind: 'TokenRequest',
        spec: {
          expirationSeconds: HOUR_SECONDS,
          boundObjectRef: { apiVersion: 'v1', kind: 'Secret', name: tokenSecretOf(token.id), uid: token.uid },
        },
      }
      return pipe(
        cluster.create({ resource: tokensOf(user.id), ...inUsers }, body, { manager: MANAGER }),
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
