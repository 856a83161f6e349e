/** The routes of the API over HTTP: takes requests apart and writes the answers. Their meaning is decided elsewhere. */
import * as E from 'fp-ts/lib/Either.js'
import type { Task } from 'fp-ts/lib/Task.js'
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { type Diagnostic, error } from '../../domain/diagnostic/diagnostic.ts'
import { grouped } from '../../domain/object/grouped.ts'
import type { EventStream } from '../../domain/platform/api/events.ts'
import { causeOf, notThere, Problem, problemOf } from '../../domain/platform/api/problem.ts'
import type { ApiRoute } from '../../domain/platform/api/route.ts'
import { type RouteId, routes } from '../../domain/platform/api/routes.ts'
import { addressing } from './address.ts'
import { addPages, type PageWorld, sessionOf } from './pages.ts'
import { type Call, type Known, nobody, type RequestState } from './request-state.ts'
import type { Streams } from './streams.ts'
import { addWeb, type WebWorld, webNotFound } from './web.ts'

/** The input of a request handler, unchecked. */
type ApiCall = {
  readonly route: RouteId
  readonly params: unknown
  readonly query: unknown
  readonly headers: unknown
  readonly body: unknown
  readonly authorization: string | undefined
  /** The session of a page of the platform. */
  readonly session: string | undefined
  readonly clientVersion: string | undefined
  readonly address: string
}

type HttpContent =
  | { readonly status: number; readonly body: object }
  | { readonly status: number; readonly events: EventStream }

/** `user`: who sent it, once that is known. */
type HttpAnswer = {
  readonly user: string | undefined
  readonly answer: E.Either<Diagnostic, HttpContent>
}

/** A request that has been answered. */
export type ServedRequest = Known & {
  readonly id: string
  readonly address: string
  readonly method: string
  readonly status: number
  readonly code: string | undefined
  readonly ms: number
}

export type ApiWorld = PageWorld &
  WebWorld & {
    readonly answer: (request: ApiCall) => Task<HttpAnswer>
    /** The networks whose `x-forwarded-for` is trusted. */
    readonly proxies: ReadonlyArray<string>
    readonly streams: Streams
    readonly now: () => number
    readonly newId: () => string
    readonly served: (served: ServedRequest) => void
  }

const BODY_BYTES = 64 * 1024

const refuse = (call: Call, finding: Diagnostic): Response => {
  const problem = problemOf(finding)
  call.set('code', problem.code)
  const headers = {
    'content-type': 'application/problem+json',
    ...(problem.status === 429 || problem.status === 503 ? { 'retry-after': '1' } : {}),
    ...(problem.status === 401 ? { 'www-authenticate': 'Bearer' } : {}),
  }
  return new Response(JSON.stringify(Problem.encode(problem)), { status: problem.status, headers })
}

const tooLarge = error('DT6005', `the body is larger than ${BODY_BYTES / 1024} KiB`)
const noJson = error('DT6005', 'the body must be JSON, and the content type application/json')
const noMethod = (call: Call): Diagnostic => error('DT6010', `${call.req.path} has no method ${call.req.method}`)
const defect = (id: string): Diagnostic =>
  error('DT9001', 'the platform failed to answer', { help: `an administrator finds the request ${id} in its log` })

type Body = { readonly value: unknown }

/** An empty body counts as an empty object; `undefined` when it is not JSON. */
const bodyOf = async ({ req }: Call): Promise<Body | undefined> => {
  const text = await req.text()
  if (text === '') return { value: {} }
  if (!/^application\/json\s*(?:;|$)/i.test(req.header('content-type') ?? '')) return undefined
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

const foreign = error('DT6003', 'the request was sent by a page of somebody else')

/** Tells the framework not to send this response. */
const sentElsewhere = (): Response => new Response(null, { headers: { 'x-hono-already-sent': 'true' } })

const contentOf = ({ streams }: ApiWorld, call: Call, content: HttpContent): Response => {
  const { status } = content
  if (!('events' in content)) {
    return status === 204 ? new Response(undefined, { status }) : Response.json(content.body, { status })
  }
  const refused = streams.send(call.env.outgoing, { ...usualHeaders, 'x-request-id': call.get('id') }, content.events)
  return refused === undefined ? sentElsewhere() : refuse(call, refused)
}

const answerCall =
  (world: ApiWorld, route: RouteId) =>
  async (call: Call): Promise<Response> => {
    const { req } = call
    const target = req.param()
    call.set('known', { ...nobody, route, target })
    const authorization = req.header('authorization')
    const session = authorization === undefined ? sessionOf(world.url, call) : undefined
    if (session !== undefined && req.method !== 'GET' && req.header('origin') !== world.url)
      return refuse(call, foreign)
    const body = await bodyOf(call)
    if (body === undefined) return refuse(call, noJson)
    const answered = await world.answer({
      route,
      params: target,
      query: req.query(),
      headers: req.header(),
      body: body.value,
      authorization,
      session,
      clientVersion: req.header('devtool-version'),
      address: call.get('address'),
    })()
    call.set('known', { route, target, user: answered.user })
    return E.match(
      (failure: Diagnostic) => {
        const cause = causeOf(failure)
        if (cause !== undefined) world.failed(call.get('id'), cause)
        return refuse(call, failure)
      },
      (content: HttpContent) => contentOf(world, call, content),
    )(answered.answer)
  }

/** Unless an answer sets others. */
const usualHeaders = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }

/** `/api/v1/tokens/{id}` in the syntax of the router. */
const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1')

export const apiApp = (world: ApiWorld): Hono<RequestState> => {
  const app = new Hono<RequestState>()
  const addressOf = addressing(world.proxies)
  app.use(async (call, next) => {
    const [id, begin] = [world.newId(), world.now()]
    call.set('id', id)
    call.set('address', addressOf(call.env.address ?? '', call.req.header('x-forwarded-for')))
    call.set('known', nobody)
    await next()
    call.header('x-request-id', id)
    for (const [name, value] of Object.entries(usualHeaders)) {
      if (!call.res.headers.has(name)) call.header(name, value)
    }
    const { method } = call.req
    const ms = Math.round(world.now() - begin)
    const address = call.get('address')
    const { status } = call.res
    world.served({ id, address, method, ...call.get('known'), status, code: call.get('code'), ms })
  })
  app.use(bodyLimit({ maxSize: BODY_BYTES, onError: (call: Call) => refuse(call, tooLarge) }))
  const all: ReadonlyArray<readonly [string, ApiRoute]> = Object.entries(routes)
  for (const [id, { method, path }] of all) {
    if (isRoute(id)) app.on(method, routerPath(path), answerCall(world, id))
  }
  addPages(app, world)
  addWeb(app, world)
  const methods = grouped(all, ([, { path }]) => routerPath(path))
  for (const [path, same] of methods) {
    const allow = same.map(([, { method }]) => method).join(', ')
    app.all(path, (call) => {
      const refused = refuse(call, noMethod(call))
      refused.headers.set('allow', allow)
      return refused
    })
  }
  app.notFound((call) => webNotFound(world, call) ?? refuse(call, notThere(`path ${call.req.path}`)))
  app.onError((cause, call) => {
    world.failed(call.get('id'), cause)
    return refuse(call, defect(call.get('id')))
  })
  return app
}

const isRoute = (id: string): id is RouteId => Object.hasOwn(routes, id)
