/** The pages and their files over HTTP, and the login that they begin. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { routes } from '../../../src/domain/platform/api/routes.ts'
import { pageAt, pathOf, type WebPageId, webPages } from '../../../src/domain/platform/web-pages.ts'
import { addressOf, called } from '../../../src/web/api/routes.ts'
import { testBrowser } from '../../support/platform/browser.ts'
import { testPlatform } from '../../support/platform/world.ts'

test('every page is the same document, with a strict content security policy, and is fetched again only after a change', async () => {
  const { send } = testPlatform()
  for (const pattern of Object.values(webPages)) {
    const answer = await send('GET', pattern.replace('{namespace}', 'shop'))
    assert.is(answer.status, 200, pattern)
    assert.is(
      answer.headers.get('content-security-policy'),
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'",
    )
    assert.is(answer.headers.get('cache-control'), 'no-cache')
    assert.is(answer.headers.get('x-content-type-options'), 'nosniff')
    const tag = answer.headers.get('etag') ?? ''
    const again = await send('GET', pattern.replace('{namespace}', 'shop'), { headers: { 'if-none-match': tag } })
    assert.equal([again.status, await again.text()], [304, ''])
  }
})

test('files are cached for ever, compressed if the client accepts it, and no others are served', async () => {
  const { send } = testPlatform()
  const file = await send('GET', '/assets/app-1.js')
  assert.equal(
    [file.status, file.headers.get('cache-control'), file.headers.get('content-type'), await file.text()],
    [200, 'public, max-age=31536000, immutable', 'text/javascript; charset=utf-8', 'run()'],
  )
  const zipped = await send('GET', '/assets/app-1.js', { headers: { 'accept-encoding': 'br, gzip' } })
  assert.is(zipped.headers.get('content-encoding'), 'gzip')
  assert.equal([...new Uint8Array(await zipped.arrayBuffer())].slice(0, 2), [0x1f, 0x8b])
  for (const path of ['/assets/app-2.js', '/assets/', '/assets/..%2fapi.cjs', '/assets/__proto__']) {
    assert.is((await send('GET', path)).status, 404, path)
  }
})

test('an unknown URL gives browsers a page, and programs a problem document', async () => {
  const { send } = testPlatform()
  const page = await send('GET', '/nowhere', { headers: { accept: 'text/html,*/*' } })
  assert.equal([page.status, page.headers.get('content-type')], [404, 'text/html; charset=utf-8'])
  const problem = await send('GET', '/nowhere')
  assert.equal([problem.status, problem.headers.get('content-type')], [404, 'application/problem+json'])
  assert.is((await send('GET', '/api/v1/nowhere', { headers: { accept: 'application/json' } })).status, 404)
})

test('responses of the API are not cached by browsers', async () => {
  const { send } = testPlatform()
  assert.is((await send('GET', '/api/v1/meta')).headers.get('cache-control'), 'no-store')
})

const loginTo = async (next: string): Promise<string> => {
  const browser = testBrowser(testPlatform().send)
  const { location } = await browser.open(`/login?${new URLSearchParams({ next }).toString()}`)
  const state = new URL(location).searchParams.get('state') ?? ''
  const who = { subject: 'ann', email: 'ann@example.com' }
  return (await browser.open(`/oidc/callback?${new URLSearchParams({ state, ...who }).toString()}`)).location
}

test('a login returns to the page that asked for it, and nowhere else', async () => {
  assert.is(await loginTo('/namespaces/shop?q=a%20b'), '/namespaces/shop?q=a%20b')
  for (const next of [
    '//evil.example.com',
    '/\\evil.example.com',
    'https://evil.example.com',
    '/a b',
    '/\t/evil',
    '',
  ]) {
    assert.is(await loginTo(next), '/', next)
  }
})

test('URLs of pages are read as they are written', () => {
  for (const page of Object.keys(webPages)) {
    if (!isPage(page)) continue
    const names = [...webPages[page].matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name)
    const params = Object.fromEntries(names.map((name) => [name, 'a/b c']))
    assert.equal(pageAt(pathOf(page, params)), { page, params })
  }
  for (const path of ['/namespace', '/namespaces/%zz', '/namespaces/a/b', '/Settings', '/constructor'])
    assert.is(pageAt(path), undefined)
  assert.equal(pageAt('/namespaces/'), { page: 'namespaces', params: {} })
  assert.equal(pageAt('/admin'), { page: 'users', params: {} })
})

const isPage = (text: string): text is WebPageId => Object.hasOwn(webPages, text)

test('the pages call only existing routes', () => {
  const known = new Map(Object.entries(routes).map(([id, { method, path }]) => [id, `${method} ${path}`]))
  for (const [id, line] of Object.entries(called)) assert.is(line, known.get(id))
})

test('the parts of a URL are encoded, and an empty search is left out', () => {
  assert.equal(addressOf('getNamespace', { namespace: '../x' }), ['GET', '/api/v1/namespaces/..%2Fx'])
  assert.equal(addressOf('listNamespaces', {}, { q: '', limit: 5 }), ['GET', '/api/v1/namespaces?limit=5'])
})

test.run()
