/** Requests of pages: with the session of a browser, and never those that other pages send. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Json, textAt } from '../../../src/domain/cluster/json.ts'
import { routes } from '../../../src/domain/platform/api/routes.ts'
import { emailOf, idOf, type Person, settings, testPlatform, tokenOf } from '../../support/platform/world.ts'

type Headers = Readonly<Record<string, string>>

const until = '2026-11-21T18:00:00Z'

const platform = async (person: Person) => {
  const world = testPlatform()
  const sealed = await world.sealing.seal('session', { user: idOf(person), until, epoch: '' }, 3600)()
  const cookie = { cookie: `__Host-devtool-session=${sealed}` }
  const own: Headers = { ...cookie, 'x-devtool': '1', origin: settings.url }
  return { ...world, cookie, own }
}

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

test('requests of a page are answered as its user until the session ends', async () => {
  const { own, pass, send } = await platform('owner')
  const me = await json(await send('GET', '/api/v1/me', { headers: own }))
  assert.equal([textAt(me, 'email'), textAt(me, 'scope'), textAt(me, 'expires')], [emailOf('owner'), 'all', until])
  assert.is((await send('POST', '/api/v1/namespaces', { headers: own, body: { name: 'blog' } })).status, 201)
  pass(3_600_001)
  const late = await send('GET', '/api/v1/me', { headers: own })
  assert.equal([late.status, textAt(await json(late), 'code')], [401, 'DT6002'])
})

test('a page of another origin changes nothing, whatever it sends', async () => {
  const { cluster, cookie, send } = await platform('owner')
  const foreign: ReadonlyArray<Headers> = [
    // A form, or an image: browsers send the cookie, but pages cannot set the header.
    { ...cookie },
    { ...cookie, origin: settings.url },
    { ...cookie, origin: 'https://evil.example.com' },
    { ...cookie, 'x-devtool': '1' },
    { ...cookie, 'x-devtool': '1', origin: 'https://evil.example.com' },
    { ...cookie, 'x-devtool': '1', origin: 'null' },
    { ...cookie, 'x-devtool': '1', origin: `${settings.url}.evil.example.com` },
    { ...cookie, 'x-devtool': 'yes', origin: settings.url },
  ]
  for (const headers of foreign) {
    for (const [method, path, body] of [
      ['POST', '/api/v1/namespaces', { name: 'blog' }],
      ['PUT', '/api/v1/namespaces/shop/variables/COLOR', { value: 'green' }],
      ['DELETE', '/api/v1/namespaces/shop', undefined],
      ['POST', '/api/v1/tokens', { name: 'x' }],
    ] as const) {
      const answer = await send(method, path, { headers, ...(body && { body }) })
      assert.is(answer.status, headers['x-devtool'] === '1' ? 403 : 401, `${method} ${JSON.stringify(headers)}`)
    }
  }
  assert.equal(cluster.asked(), [])
})

test('no CORS headers allow other origins to read responses', async () => {
  const { cookie, own, send } = await platform('owner')
  assert.is((await send('GET', '/api/v1/me', { headers: cookie })).status, 401)
  const asked = await send('OPTIONS', '/api/v1/me', {
    headers: { origin: 'https://evil.example.com', 'access-control-request-headers': 'x-devtool' },
  })
  const read = await send('GET', '/api/v1/me', { headers: own })
  for (const { headers } of [asked, read]) {
    assert.equal(
      [...headers.keys()].filter((name) => name.startsWith('access-control-')),
      [],
    )
  }
})

test('a token takes precedence over a session', async () => {
  const { cookie, own, send } = await platform('owner')
  const headers = { ...cookie, authorization: `Bearer ${tokenOf('viewer')}` }
  assert.is(textAt(await json(await send('GET', '/api/v1/me', { headers })), 'email'), emailOf('viewer'))
  const wrong = { ...own, authorization: 'Bearer dvt_x' }
  assert.is((await send('GET', '/api/v1/me', { headers: wrong })).status, 401)
})

test('a session gets no tokens for Kubernetes, and a disabled user has none', async () => {
  const { own, send } = await platform('owner')
  assert.is((await send('POST', '/api/v1/kubernetes/token', { headers: own })).status, 403)
  assert.is((await send('DELETE', '/api/v1/session', { headers: own })).status, 403)
  const gone = await platform('disabled')
  assert.is((await gone.send('GET', '/api/v1/me', { headers: gone.own })).status, 401)
})

test('data sealed for another purpose is not a session', async () => {
  const { own, sealing, send } = await platform('owner')
  const pending = await sealing.seal('pending', { user: idOf('owner'), until, epoch: '' }, 3600)()
  const former = await sealing.seal('session', { user: idOf('owner'), until, epoch: 'former' }, 3600)()
  for (const text of [pending, former, '', 'x', 'e30=']) {
    const headers = { ...own, cookie: `__Host-devtool-session=${text}` }
    assert.is((await send('GET', '/api/v1/me', { headers })).status, 401, text)
  }
})

/** What a person's session may do is what their token of the scope `all` may. */
const reads = Object.values(routes).filter(({ method }) => method === 'GET')

for (const person of ['owner', 'viewer', 'stranger', 'admin'] as const) {
  test(`a session of ${person} reads what their token reads`, async () => {
    const { own, send } = await platform(person)
    for (const route of reads) {
      const path = route.path.replace('{namespace}', 'shop').replace(/\{\w+\}/, 'x')
      const [session, token] = [await send('GET', path, { headers: own }), await send('GET', path, { as: person })]
      assert.is(session.status, token.status, path)
    }
  })
}

test.run()
