/** API tokens of a user, and the Kubernetes tokens bound to them. */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { type JsonObject, textAt } from '../../domain/cluster/json.ts'
import { type Resource, resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { defined } from '../../domain/object/defined.ts'
import { type TokenRecord, tokenIn } from '../../domain/platform/account.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import { SCOPED_NAMESPACE, tokenSecretOf, USERS_NAMESPACE } from '../../domain/platform/names.ts'
import { readScope } from '../../domain/platform/scope.ts'
import { TOKEN_BYTES, tokenFrom } from '../../domain/platform/token.ts'
import { readMoment } from '../../domain/text/moment.ts'
import { daysFrom, issueToken, listedToken, revoke, secrets, tokensOf } from './issuing.ts'
import { incomplete, revoked } from './refusals.ts'
import { scopedAccountFor } from './scoped-accounts.ts'
import { type Caller, type Handlers, MANAGER, type PlatformWorld } from './world.ts'

const USUAL_DAYS = 180
const HOUR_SECONDS = 3600
/** The shortest lifetime for which Kubernetes issues tokens. */
const SHORTEST_SECONDS = 600

/** `undefined` alike for a token that does not exist and one of another user. */
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

/** The subresource that issues tokens for an account. */
const tokenRequestOf = (account: string): Resource => ({
  ...resources.ServiceAccount,
  plural: `${resources.ServiceAccount.plural}/${account}/token`,
  kind: 'TokenRequest',
})

/** How long a token is still valid, in whole seconds. */
const secondsLeft = ({ expires }: TokenRecord, wallMs: number): number =>
  (readMoment(expires)?.seconds ?? 0) - Math.ceil(wallMs / 1000)

const noToken = error('DT6003', 'this is for API tokens, and the session of a browser is none')

const tokenOf = ({ pass }: Caller): TE.TaskEither<Diagnostic, TokenRecord> =>
  pass._tag === 'Token' ? TE.right(pass.token) : TE.left(noToken)

/** The request for a Kubernetes token that ends with the API token. */
const requestFor = (token: TokenRecord, wallMs: number): E.Either<Diagnostic, JsonObject> => {
  const expirationSeconds = Math.min(HOUR_SECONDS, secondsLeft(token, wallMs))
  if (expirationSeconds < SHORTEST_SECONDS) {
    return E.left(
      error('DT6002', `the token "${token.name}" expires within ten minutes, at ${token.expires}`, {
        help: 'log in again with `devtool context use URL`',
      }),
    )
  }
  // Both are in the same namespace; the account of a token with a scope ends with that token anyway.
  const boundObjectRef =
    token.scope._tag === 'All'
      ? { apiVersion: 'v1', kind: 'Secret', name: tokenSecretOf(token.id), uid: token.uid }
      : undefined
  return E.right({
    apiVersion: 'authentication.k8s.io/v1',
    kind: 'TokenRequest',
    spec: { expirationSeconds, ...defined({ boundObjectRef }) },
  })
}

/** Where the account of a token is. */
type Place = { readonly namespace: string; readonly account: string }

const accountFor = (world: PlatformWorld, token: TokenRecord): TE.TaskEither<Diagnostic, Place> =>
  token.scope._tag === 'All'
    ? TE.right({ namespace: USERS_NAMESPACE, account: token.user })
    : pipe(
        scopedAccountFor(world, token),
        TE.map((account) => ({ namespace: SCOPED_NAMESPACE, account })),
      )

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

    endSession: ({ caller }) =>
      pipe(
        tokenOf(caller),
        TE.flatMap((token) => revoke(world, token)),
        TE.map(() => ({})),
      ),

    createCredential: ({ caller }) =>
      pipe(
        tokenOf(caller),
        TE.bindTo('token'),
        TE.bind('body', ({ token }) => TE.fromEither(requestFor(token, clock.wallMs()))),
        TE.bind('place', ({ token }) => accountFor(world, token)),
        TE.flatMap(({ body, place: { account, namespace } }) =>
          pipe(
            cluster.create({ resource: tokenRequestOf(account), namespace }, body, { manager: MANAGER }),
            TE.mapLeft(clusterProblem(`${namespace}/${account}`)),
            // The account was deleted meanwhile.
            TE.mapLeft((failure) => (failure.code === 'DT6004' ? revoked : failure)),
          ),
        ),
        TE.flatMap((made) => {
          const [issued, expires] = [textAt(made, 'status', 'token'), textAt(made, 'status', 'expirationTimestamp')]
          return issued === undefined || expires === undefined
            ? TE.left(incomplete)
            : TE.right({ token: issued, expires })
        }),
      ),
  }
}
