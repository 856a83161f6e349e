/** What the use cases of the platform work with. */
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { AccessState, GrantedNamespace } from '../../domain/platform/access.ts'
import type { PlatformUser, TokenRecord } from '../../domain/platform/account.ts'
import type { AnswerOf, ApiRoute, Audience, InputOf } from '../../domain/platform/api/route.ts'
import type { routes } from '../../domain/platform/api/routes.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import type { PlatformSettings } from '../../domain/platform/settings.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { IdentityIssuer } from '../../ports/identity.ts'
import type { Random } from '../../ports/random.ts'
import type { Sealing } from '../../ports/sealing.ts'

/** `cluster`: as the platform's own account, which may do no more than the platform needs. */
export type PlatformWorld = {
  readonly cluster: Cluster
  readonly clock: Pick<Clock, 'date' | 'now' | 'sleep' | 'every' | 'wallMs'>
  readonly random: Random
  readonly access: AccessState
  readonly settings: PlatformSettings
  readonly sealing: Sealing
  readonly identity: IdentityIssuer
}

/** What shows who sends a request: an API token, or the session of a browser, which allows all that its user may do. */
type Pass =
  | { readonly _tag: 'Token'; readonly token: TokenRecord }
  | { readonly _tag: 'Session'; readonly expires: string }

/** Who sends a request. */
export type Caller = { readonly user: PlatformUser; readonly pass: Pass }

/** What has been checked before a handler runs, by who may call the route. */
type Checked<M extends Audience> = M extends 'anyone'
  ? object
  : M extends NamespaceRole
    ? { readonly caller: Caller; readonly granted: GrantedNamespace }
    : { readonly caller: Caller }

type RouteHandler<R extends ApiRoute> = (request: InputOf<R> & Checked<R['may']>) => TaskEither<Diagnostic, AnswerOf<R>>

type Routes = typeof routes
export type Handlers<K extends keyof Routes = keyof Routes> = { readonly [I in K]: RouteHandler<Routes[I]> }

/** The field manager of what the platform writes. */
export const MANAGER = 'devtool-platform'
