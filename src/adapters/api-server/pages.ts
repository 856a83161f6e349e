/** The pages of a login over HTTP: cookies, forms, and restrictions for the browser. */
import type { Task } from 'fp-ts/lib/Task.js'
import type { Hono } from 'hono'
import { getCookie } from 'hono/cookie'
import { messagePage, securityPolicy } from '../../domain/platform/login/page.ts'
import {
  type PageAnswer,
  type PageId,
  type PageRequest,
  pageCookies,
  pages,
} from '../../domain/platform/login/page-routes.ts'
import { type Call, nobody, type RequestState } from './request-state.ts'

/** `url`: where users reach the platform. */
export type PageWorld = {
  readonly page: (request: PageRequest) => Task<PageAnswer>
  readonly url: string
  /** A bug, or the cluster's message, for the log. `id`: that of the request. */
  readonly failed: (id: string, cause: unknown) => void
}
type CookieName = (typeof pageCookies)[number]

/** The session of a page of the platform: neither pages of others nor forms can send this header. */
export const sessionOf = (url: string, call: Call): string | undefined =>
  call.req.header('x-devtool') === '1' ? getCookie(call, cookieNameOf(url, 'session')) : undefined

/** A cookie with this prefix belongs to exactly this host, and is sent over HTTPS only. */
const cookieNameOf = (url: string, name: CookieName): string =>
  `${url.startsWith('https:') ? '__Host-' : ''}devtool-${name}`

const cookieOf = (url: string, name: CookieName, value: string): string => {
  const secure = url.startsWith('https:') ? '; Secure' : ''
  const end = value === '' ? '; Max-Age=0' : ''
  return `${cookieNameOf(url, name)}=${value}; Path=/; HttpOnly; SameSite=Lax${secure}${end}`
}

const headersOf = (url: string, answer: PageAnswer): Headers => {
  const headers = new Headers({
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': securityPolicy(answer.target),
    // Without a referrer, browsers send no origin with forms.
    'referrer-policy': 'same-origin',
  })
  if (answer.location !== undefined) headers.set('location', answer.location)
  for (const name of pageCookies) {
    const value = answer[name]
    if (value !== undefined) headers.append('set-cookie', cookieOf(url, name, value))
  }
  return headers
}

const foreign: PageAnswer = {
  status: 403,
  html: messagePage('This did not work', 'The form was sent by a page of somebody else.'),
}

const requestOf = async (world: PageWorld, page: PageId, call: Call): Promise<PageRequest> => {
  const { req } = call
  const { pathname, search } = new URL(req.url)
  const isForm = req.method === 'POST'
  return {
    page,
    path: pathname + search,
    fields: isForm ? Object.fromEntries(new URLSearchParams(await req.text())) : req.query(),
    address: call.get('address'),
    session: getCookie(call, cookieNameOf(world.url, 'session')),
    pending: getCookie(call, cookieNameOf(world.url, 'pending')),
  }
}

const answerPage =
  (world: PageWorld, page: PageId) =>
  async (call: Call): Promise<Response> => {
    const isForeign = call.req.method === 'POST' && call.req.header('origin') !== world.url
    const answer = isForeign ? foreign : await world.page(await requestOf(world, page, call))()
    call.set('known', { ...nobody, route: page, user: answer.user })
    call.set('code', answer.code)
    if (answer.cause !== undefined) world.failed(call.get('id'), answer.cause)
    return new Response(answer.html, { status: answer.status, headers: headersOf(world.url, answer) })
  }

const isPage = (id: string): id is PageId => Object.hasOwn(pages, id)

export const addPages = (app: Hono<RequestState>, world: PageWorld): void => {
  for (const [id, { method, path }] of Object.entries(pages)) {
    if (isPage(id)) app.on(method, path, answerPage(world, id))
  }
}
