/** The pages of the platform over HTTP: one document for all addresses, and immutable files. */
import type { Hono } from 'hono'
import { pageAt } from '../../domain/platform/web-pages.ts'
import { type Call, nobody, type RequestState } from './request-state.ts'
import type { WebFile, WebFiles } from './web-files.ts'

export type WebWorld = { readonly web: WebFiles }

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
].join('; ')

const sent = (call: Call, { body, tag, type, zipped }: WebFile, status: number, more: Record<string, string>) => {
  const isZipped = /\bgzip\b/.test(call.req.header('accept-encoding') ?? '')
  const headers = {
    'content-type': type,
    vary: 'accept-encoding',
    etag: tag,
    ...more,
    ...(isZipped ? { 'content-encoding': 'gzip' } : {}),
  }
  return call.req.header('if-none-match') === tag && status === 200
    ? new Response(undefined, { status: 304, headers: { etag: tag, ...more } })
    : new Response(isZipped ? zipped : body, { status, headers })
}

const shell = ({ web }: WebWorld, call: Call, status: number): Response => {
  call.set('known', { ...nobody, route: 'page' })
  return sent(call, web.page, status, {
    'cache-control': 'no-cache',
    'content-security-policy': policy,
    'cross-origin-opener-policy': 'same-origin',
    // Without a referrer, browsers send no origin with forms.
    'referrer-policy': 'same-origin',
  })
}

/** For unknown addresses: the page itself reports them. */
export const webNotFound = (world: WebWorld, call: Call): Response | undefined =>
  call.req.method === 'GET' && /\btext\/html\b/.test(call.req.header('accept') ?? '')
    ? shell(world, call, 404)
    : undefined

export const addWeb = (app: Hono<RequestState>, world: WebWorld): void => {
  app.get('/assets/:name', async (call, next) => {
    const file = world.web.assets.get(call.req.param('name'))
    if (file === undefined) return next()
    call.set('known', { ...nobody, route: 'asset' })
    return sent(call, file, 200, { 'cache-control': 'public, max-age=31536000, immutable' })
  })
  app.get('*', async (call, next) => (pageAt(call.req.path) === undefined ? next() : shell(world, call, 200)))
}
