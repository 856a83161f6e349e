/**
 * Answers requests: identifies the caller, checks permission, then the input, then runs the handler. The order is the
 * same for every route, so that nothing is revealed to callers without permission.
 */
import * as E from 'fp-ts/lib/Either.js'
import { pipe } from 'fp-ts/lib/function.js'
import type { IO } from 'fp-ts/lib/IO.js'
import type { Task } from 'fp-ts/lib/Task.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { resources } from '../../domain/cluster/resources.ts'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import type { GrantedNamespace } from '../../domain/platform/access.ts'
import type { TokenRecord } from '../../domain/platform/account.ts'
import { type EventStream, isEvents } from '../../domain/platform/api/events.ts'
import { checkInput, type RawInput } from '../../domain/platform/api/input.ts'
import { clusterProblem, notThere } from '../../domain/platform/api/problem.ts'
import type { ApiRoute } from '../../domain/platform/api/route.ts'
import { type RouteId, routes } from '../../domain/platform/api/routes.ts'
import { isTooOld, OLDEST_CLIENT } from '../../domain/platform/client-version.ts'
import type { Rate } from '../../domain/platform/rate.ts'
import { includesRole } from '../../domain/platform/role.ts'
import { allows, showScope } from '../../domain/platform/scope.ts'
import { clientNetwork } from '../../domain/text/ip.ts'
import { findCaller, type ShownBy } from './caller.ts'
import { handlersOf } from './handlers.ts'
import { limiter } from './limiter.ts'
import { whileAllowed } from './streaming.ts'
import type { Caller, PlatformWorld } from './world.ts'

/** `address`: of the client. `clientVersion`: the version of devtool that sends it. */
export type PlatformRequest = RawInput &
  ShownBy & {
    readonly route: RouteId
    readonly clientVersion: string | undefined
    readonly address: string
  }

type PlatformContent =
  | { readonly status: number; readonly body: object }
  | { readonly status: number; readonly events: EventStream }

/** `user`: who sent it, known even when the request was refused. */
export type PlatformAnswer = {
  readonly user: string | undefined
  readonly answer: E.Either<Diagnostic, PlatformContent>
}

const contentOf = ({ answer, status }: ApiRoute, given: object): PlatformContent =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the handler of such a route answers a stream
  isEvents(answer) ? { status, events: given as EventStream } : { status, body: answer.encode(given) }

const outOfScope = (token: TokenRecord): Diagnostic =>
  error('DT6003', `the scope ${showScope(token.scope)} of the token "${token.name}" does not allow this`, {
    help: 'use a token with the scope "all"',
  })

type Permission = { readonly granted?: GrantedNamespace }

/** `namespace`: the one in the path. */
const permission = (
  { access }: PlatformWorld,
  { may, method }: ApiRoute,
  caller: Caller,
  namespace: string | undefined,
): E.Either<Diagnostic, Permission> => {
  const { pass, user } = caller
  if (may === 'anyone' || may === 'holder') return E.right({})
  const token = pass._tag === 'Token' ? pass.token : undefined
  if (token !== undefined && !allows(token.scope, { isRead: method === 'GET', namespace }))
    return E.left(outOfScope(token))
  if (may === 'user') return E.right({})
  if (may === 'admin') {
    return user.isAdmin ? E.right({}) : E.left(error('DT6003', 'only administrators of the platform may do this'))
  }
  const granted = namespace === undefined ? undefined : access.find(user.id, namespace)
  if (granted === undefined) return E.left(notThere(`namespace ${namespace}`))
  return includesRole(granted.role, may)
    ? E.right({ granted })
    : E.left(error('DT6003', `this needs the role ${may} in namespace ${namespace}, and yours is ${granted.role}`))
}

/**
 * The known grants may be out of date, which is good enough for reading. Before a change the RoleBinding is read again:
 * since it is deleted along with its namespace, it cannot be that of an earlier namespace of the same name.
 */
const confirmed = (
  { access, cluster }: PlatformWorld,
  { method }: ApiRoute,
  { granted }: Permission,
): TE.TaskEither<Diagnostic, void> => {
  if (granted === undefined || method === 'GET') return TE.of(undefined)
  const { binding, namespace } = granted
  const what = `namespace ${namespace.name}`
  return pipe(
    cluster.get({ resource: resources.RoleBinding, namespace: namespace.name, name: binding.name }),
    TE.mapLeft(clusterProblem(what)),
    TE.flatMap((found) => {
      if (found?.metadata.uid === binding.uid) return TE.right(undefined)
      access.drop(binding.uid)
      return TE.left(notThere(what))
    }),
  )
}

/** A handler, without the types of its own route. */
type AnyHandler = (request: object) => TE.TaskEither<Diagnostic, object>

const namespaceIn = (params: unknown): string | undefined =>
  typeof params === 'object' && params !== null && 'namespace' in params && typeof params.namespace === 'string'
    ? params.namespace
    : undefined

/** Many users may share the address of a proxy. */
const [userRate, addressRate]: readonly [Rate, Rate] = [
  { perSecond: 20, burst: 60 },
  { perSecond: 200, burst: 600 },
]
const tooMany = error('DT6007', 'too many requests', { help: 'try again after a second' })

const tooOld = (version: string): Diagnostic =>
  error('DT6008', `this platform works with devtool ${OLDEST_CLIENT} and later, not with ${version}`, {
    help: 'update devtool',
  })

export const answering = (world: PlatformWorld) => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each gets what its route has checked
  const handlers = handlersOf(world) as unknown as Readonly<Record<RouteId, AnyHandler>>
  const identify = findCaller(world)
  const [isFromUser, isFromAddress] = [limiter(userRate, world.clock), limiter(addressRate, world.clock)]

  const handle = (
    id: RouteId,
    raw: RawInput,
    caller: Caller | undefined,
    actor: (user: string) => IO<void> = () => () => {},
  ): TE.TaskEither<Diagnostic, PlatformContent> => {
    const route: ApiRoute = routes[id]
    const allowed =
      caller === undefined
        ? E.right<Diagnostic, Permission>({})
        : permission(world, route, caller, namespaceIn(raw.params))
    return pipe(
      allowed,
      E.bindTo('permitted'),
      E.bind('input', () => checkInput(route, raw)),
      TE.fromEither,
      TE.tap(({ permitted }) => confirmed(world, route, permitted)),
      TE.flatMap(({ input, permitted }) =>
        handlers[id]({ ...input, ...permitted, ...(caller === undefined ? { actor } : { caller }) }),
      ),
      TE.map((given) => contentOf(route, given)),
    )
  }

  const admitted = ({ address, clientVersion = '' }: PlatformRequest): E.Either<Diagnostic, void> => {
    if (!isFromAddress(clientNetwork(address))) return E.left(tooMany)
    return isTooOld(clientVersion) ? E.left(tooOld(clientVersion)) : E.right(undefined)
  }

  /** A failed check is not a refusal. */
  const isStillAllowed = ({ authorization, params, route, session }: PlatformRequest): Task<boolean> =>
    pipe(
      identify({ authorization, session }),
      TE.match(
        ({ code }) => code === 'DT6009',
        (caller) => E.isRight(permission(world, routes[route], caller, namespaceIn(params))),
      ),
    )

  const guarded = (request: PlatformRequest, content: PlatformContent): PlatformContent =>
    'events' in content
      ? { ...content, events: whileAllowed(world.clock, isStillAllowed(request), content.events) }
      : content

  return (request: PlatformRequest): Task<PlatformAnswer> => {
    const { authorization, route, session, ...raw } = request
    const anonymous = (answer: PlatformAnswer['answer']): PlatformAnswer => ({ user: undefined, answer })
    const byAnyone = async (): Promise<PlatformAnswer> => {
      let user: string | undefined
      const answer = await handle(route, raw, undefined, (id) => () => void (user = id))()
      return { user, answer }
    }
    const known = async (caller: Caller): Promise<PlatformAnswer> => {
      const answer = isFromUser(caller.user.id) ? await handle(route, raw, caller)() : E.left(tooMany)
      return { user: caller.user.id, answer: E.map((content: PlatformContent) => guarded(request, content))(answer) }
    }
    const identified = pipe(
      identify({ authorization, session }),
      TE.matchE(
        (failure) => async () => anonymous(E.left(failure)),
        (caller) => () => known(caller),
      ),
    )
    return pipe(
      TE.fromEither(admitted(request)),
      TE.matchE(
        (failure) => async () => anonymous(E.left(failure)),
        () => (routes[route].may === 'anyone' ? byAnyone : identified),
      ),
    )
  }
}
