/** The ports and state of the platform's use cases. */
import type { IO } from 'fp-ts/lib/IO.js'
import type { TaskEither } from 'fp-ts/lib/TaskEither.js'
import type { Diagnostic } from '../../domain/diagnostic/diagnostic.ts'
import type { AccessState, GrantedNamespace } from '../../domain/platform/access.ts'
import type { PlatformUser, TokenRecord } from '../../domain/platform/account.ts'
import type { AnswerOf, ApiRoute, Audience, InputOf } from '../../domain/platform/api/route.ts'
import type { routes } from '../../domain/platform/api/routes.ts'
import type { NamespaceRole } from '../../domain/platform/role.ts'
import type { PlatformSettings } from '../../domain/platform/settings.ts'
import type { Certificates, Identity } from '../../ports/certificates.ts'
import type { Clock } from '../../ports/clock.ts'
import type { Cluster } from '../../ports/cluster.ts'
import type { IdentityIssuer } from '../../ports/identity.ts'
import type { Random } from '../../ports/random.ts'
import type { Sealing } from '../../ports/sealing.ts'

/** `authority`: signs the certificates of clients of the build service. */
export type BuilderAccess = { readonly authority: Identity; readonly certificates: Certificates }

/** `cluster`: with the platform's own account, whose permissions are limited to what it needs. */
export type PlatformWorld = {
  readonly cluster: Cluster
  readonly clock: Clock
  readonly random: Random
  readonly access: AccessState
  readonly settings: PlatformSettings
  readonly sealing: Sealing
  readonly identity: IdentityIssuer
  readonly builder?: BuilderAccess | undefined
  /** A line for those who run the platform. */
  readonly note: (kind: string, text: string) => void
}

/**
 * The credentials of a request: an API token, or the session of a browser, which allows everything that its user may
 * do.
 */
type Pass =
  | { readonly _tag: 'Token'; readonly token: TokenRecord }
  | { readonly _tag: 'Session'; readonly expires: string }

/** The sender of a request. */
export type Caller = { readonly user: PlatformUser; readonly pass: Pass }

/** The results of the checks before a handler runs, by the route's audience. `actor`: records the user once known. */
type Checked<M extends Audience> = M extends 'anyone'
  ? { readonly actor: (user: string) => IO<void> }
  : M extends NamespaceRole
    ? { readonly caller: Caller; readonly granted: GrantedNamespace }
    : { readonly caller: Caller }

type RouteHandler<R extends ApiRoute> = (request: InputOf<R> & Checked<R['may']>) => TaskEither<Diagnostic, AnswerOf<R>>

type Routes = typeof routes
export type Handlers<K extends keyof Routes = keyof Routes> = { readonly [I in K]: RouteHandler<Routes[I]> }

/** The field manager of the platform. */
export const MANAGER = 'devtool-platform'
