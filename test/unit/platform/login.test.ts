import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, type Json, objectAt, textAt } from '../../../src/domain/cluster/json.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { challengeOf } from '../../../src/domain/platform/login/challenge.ts'
import { wordOf } from '../../../src/domain/platform/login/word.ts'
import { userIdOf } from '../../../src/domain/platform/names.ts'
import { testBrowser } from '../../support/platform/browser.ts'
import { idOf, makeAdmin, settings, type TestPlatform, testPlatform } from '../../support/platform/world.ts'

const ann = { subject: 'ann', email: 'ann@example.com' }
const redirect = 'http://127.0.0.1:4711/callback'
const verifier = 'v'.repeat(43)
const challenge = challengeOf(verifier)
const asked = { name: `ann's "laptop" <b>`, challenge, state: 's'.repeat(20), redirect }
const authorize = `/login/authorize?${new URLSearchParams(asked).toString()}`

const json = async (answer: Response): Promise<Json> => JSON.parse(await answer.text())

/** The browser has logged in, and agrees. */
const codeFor = async (send: TestPlatform['send'], who: Readonly<Record<string, string>> = ann): Promise<string> => {
  const browser = testBrowser(send)
  const page = await browser.enter(authorize, who)
  const back = await browser.submit('/login/authorize', { ...page.fields, decision: 'allow' })
  return new URL(back.location).searchParams.get('code') ?? ''
}

const exchange = (send: TestPlatform['send'], code: string, more: object = {}): Promise<Response> =>
  send('POST', '/api/v1/login/code', { body: { code, verifier, redirect, ...more } })

test('a terminal on the same machine gets a token of the user who confirmed in the browser', async () => {
  const { send, served } = testPlatform()
  const browser = testBrowser(send)
  const page = await browser.enter(authorize, ann)
  assert.is(page.status, 200)
  assert.ok(page.text.includes(wordOf(challenge)))
  assert.ok(page.text.includes('ann@example.com'))
  assert.ok(page.text.includes('ann&#39;s &quot;laptop&quot; &lt;b&gt;'))
  const back = await browser.submit('/login/authorize', { ...page.fields, decision: 'allow' })
  const { origin, pathname, searchParams } = new URL(back.location)
  assert.is(origin + pathname, redirect)
  assert.is(searchParams.get('state'), asked.state)
  const made = await json(await exchange(send, searchParams.get('code') ?? ''))
  // The log tells who has logged in.
  assert.equal([served.at(-1)?.route, served.at(-1)?.user], ['exchangeCode', userIdOf(settings.identity.issuer, 'ann')])
  assert.is(textAt(made, 'name'), asked.name)
  const headers = { authorization: `Bearer ${textAt(made, 'token')}` }
  const me = await json(await send('GET', '/api/v1/me', { headers }))
  assert.is(textAt(me, 'email'), 'ann@example.com')
  assert.is(at(me, 'isAdmin'), false)
  assert.is(textAt(me, 'expires'), '2027-02-19T10:00:00Z')
  assert.is((await send('DELETE', '/api/v1/session', { headers })).status, 204)
  assert.is((await send('GET', '/api/v1/me', { headers })).status, 401)
})

test('a code gives one token, within a minute, and only to the client that began the login', async () => {
  const { pass, send } = testPlatform()
  const wrong = await codeFor(send)
  assert.is((await exchange(send, wrong, { verifier: 'w'.repeat(43) })).status, 403)
  assert.is((await exchange(send, wrong, { redirect: 'http://127.0.0.1:4712/callback' })).status, 403)
  const [first, again] = [await exchange(send, wrong), await exchange(send, wrong)]
  const token = textAt(await json(first), 'token')
  assert.ok(token)
  // A terminal that got no answer asks again.
  assert.is(textAt(await json(again), 'token'), token)
  const headers = { authorization: `Bearer ${token}` }
  assert.is((await send('DELETE', '/api/v1/session', { headers })).status, 204)
  assert.is((await exchange(send, wrong)).status, 403)
  const late = await codeFor(send)
  pass(61_000)
  assert.is((await exchange(send, late)).status, 403)
})

test('cancelling redirects to the terminal without a code', async () => {
  const browser = testBrowser(testPlatform().send)
  const page = await browser.enter(authorize, ann)
  const { location } = await browser.submit('/login/authorize', { ...page.fields, decision: 'deny' })
  assert.is(location, `${redirect}?error=access_denied&state=${asked.state}`)
})

test('a code is only redirected to this machine', async () => {
  const { send } = testPlatform()
  const addresses = [
    'https://evil.example.com/callback',
    'http://127.0.0.1:80@evil.example.com/callback',
    'http://localhost:1/callback',
    'http://127.0.0.1:99999/callback',
  ]
  for (const address of addresses) {
    const query = new URLSearchParams({ ...asked, redirect: address }).toString()
    assert.is((await send('GET', `/login/authorize?${query}`)).status, 400, address)
  }
})

test('a form of another origin, or without a session, has no effect', async () => {
  const { send } = testPlatform()
  const browser = testBrowser(send)
  const page = await browser.enter(authorize, ann)
  const form = { ...page.fields, decision: 'allow' }
  for (const origin of ['https://evil.example.com', 'null']) {
    const answer = await browser.submit('/login/authorize', form, { origin })
    assert.equal([answer.status, answer.location], [403, ''], origin)
  }
  const stranger = await testBrowser(send).submit('/login/authorize', form)
  assert.equal([stranger.status, stranger.location], [403, ''])
})

test('login pages run no scripts, cannot be framed, and redirect to this machine only; cookies are limited to the host', async () => {
  const { send } = testPlatform()
  const first = await send('GET', authorize)
  assert.match(
    first.headers.get('set-cookie') ?? '',
    /^__Host-devtool-pending=[^;]+; Path=\/; HttpOnly; SameSite=Lax; Secure$/,
  )
  const { headers } = await testBrowser(send).enter(authorize, ann)
  const policy = headers.get('content-security-policy') ?? ''
  assert.match(policy, /^default-src 'none'; style-src 'sha256-[^']+'; form-action 'self' http:\/\/127\.0\.0\.1:4711;/)
  assert.match(policy, "frame-ancestors 'none'")
})

test('the response of the issuer is accepted only in the browser that began the login', async () => {
  const { send } = testPlatform()
  const query = new URLSearchParams({ state: 'x', ...ann }).toString()
  assert.is((await testBrowser(send).open(`/oidc/callback?${query}`)).status, 403)
  const browser = testBrowser(send)
  await browser.open(authorize)
  assert.is((await browser.open(`/oidc/callback?${query}`)).status, 403)
})

const entered = async (send: TestPlatform['send'], who: Readonly<Record<string, string>>): Promise<number> =>
  (await testBrowser(send).enter('/login/device', who)).status

test('who may log in: a domain, a group, or an administrator, with a verified address', async () => {
  const { send } = testPlatform()
  assert.is(await entered(send, ann), 200)
  assert.is(await entered(send, { ...ann, verified: 'false' }), 403)
  assert.is(await entered(send, { subject: 'eve', email: 'eve@evil.example' }), 403)
  assert.is(await entered(send, { subject: 'eve', email: 'eve@evil.example@example.com.evil.example' }), 403)
  assert.is(await entered(send, { subject: 'guest', email: 'guest@elsewhere.example', group: 'guests' }), 200)
  assert.is(await entered(send, { subject: 'none', email: '' }), 403)
  // Has an account, which an administrator has disabled.
  assert.is(await entered(send, { subject: 'disabled', email: 'disabled@example.com' }), 403)
})

test('the first user with the address of an administrator becomes one, and can be demoted', async () => {
  const platform = testPlatform()
  const { cluster, send } = platform
  cluster.take('ServiceAccount', idOf('admin'), 'devtool-users')
  const roleOf = async (subject: string) => {
    await entered(send, { subject, email: 'admin@example.com' })
    const name = userIdOf(settings.identity.issuer, subject)
    const found = await cluster.get({ resource: resources.ServiceAccount, namespace: 'devtool-users', name })()
    return found._tag === 'Right' ? textAt(found.right, 'metadata', 'annotations', 'dev.devtool/role') : undefined
  }
  assert.is(await roleOf('first'), 'admin')
  assert.is(await roleOf('second'), 'developer')
  assert.is(await roleOf('first'), 'admin')
  makeAdmin(platform, 'owner')
  const first = userIdOf(settings.identity.issuer, 'first')
  assert.is((await send('PUT', `/api/v1/users/${first}`, { as: 'owner', body: { isAdmin: false } })).status, 200)
  assert.is(await roleOf('first'), 'developer')
  assert.is(await roleOf('second'), 'developer')
  // Also when the account of the first one is gone.
  assert.is((await send('DELETE', `/api/v1/users/${first}`, { as: 'owner' })).status, 204)
  assert.is(await roleOf('second'), 'developer')
  assert.is(await roleOf('first'), 'developer')
})

test('a session ends with the account, and after eight hours', async () => {
  const { pass, send } = testPlatform()
  const browser = testBrowser(send)
  assert.is((await browser.enter('/login/device', ann)).status, 200)
  const id = userIdOf(settings.identity.issuer, 'ann')
  await send('PUT', `/api/v1/users/${id}`, { as: 'admin', body: { isDisabled: true } })
  assert.is((await browser.open('/login/device')).status, 303)
  await send('PUT', `/api/v1/users/${id}`, { as: 'admin', body: { isDisabled: false } })
  // It does not come back with the account.
  assert.is((await browser.open('/login/device')).status, 303)
  assert.is((await browser.enter('/login/device', ann)).status, 200)
  pass(8 * 3_600_000)
  assert.is((await browser.open('/login/device')).status, 303)
})

test('the address of an administrator lets in only the first user with it', async () => {
  const email = 'root@elsewhere.example'
  const { send } = testPlatform({ admins: [email] })
  assert.is(await entered(send, { subject: 'first', email }), 200)
  assert.is(await entered(send, { subject: 'second', email }), 403)
  assert.is(await entered(send, { subject: 'first', email }), 200)
})

test('if a login fails after the address was assigned, the next login makes the administrator', async () => {
  const email = 'root@elsewhere.example'
  const what = 'serviceaccounts'
  const failures = [{ verb: 'create', what, status: 503, message: 'later', times: 1 }]
  const { send } = testPlatform({ admins: [email], failures })
  assert.is(await entered(send, { subject: 'first', email }), 503)
  assert.is(await entered(send, { subject: 'second', email }), 403)
  assert.is(await entered(send, { subject: 'first', email }), 200)
  const users = JSON.parse(await (await send('GET', '/api/v1/users', { as: 'admin' })).text()).users
  assert.equal(
    users.filter((one: { email: string }) => one.email === email).map((one: { isAdmin: boolean }) => one.isAdmin),
    [true],
  )
})

test('a session ends by logging out', async () => {
  const browser = testBrowser(testPlatform().send)
  await browser.enter('/login/device', ann)
  await browser.submit('/login/logout', {})
  assert.is((await browser.open('/login/device')).status, 303)
})

const started = async (send: TestPlatform['send']) => {
  const made = await json(await send('POST', '/api/v1/login/device', { body: { name: 'server' } }))
  const [deviceCode, userCode] = [textAt(made, 'deviceCode') ?? '', textAt(made, 'userCode') ?? '']
  const ask = () => send('POST', '/api/v1/login/device/token', { body: { deviceCode } })
  return { userCode, ask, made }
}

test('a terminal on another machine gets a token once its code is confirmed', async () => {
  const { pass, send } = testPlatform()
  const { ask, made, userCode } = await started(send)
  assert.is(textAt(made, 'page'), `https://devtool.example.com/login/device?code=${userCode}`)
  assert.equal(await json(await ask()), { status: 'pending' })
  pass(5000)
  const browser = testBrowser(send)
  const page = await browser.enter(`/login/device?code=${userCode}`, ann)
  assert.ok(page.text.includes(userCode))
  assert.is((await browser.submit('/login/device', { ...page.fields, decision: 'allow' })).status, 200)
  const done = await json(await ask())
  assert.is(textAt(done, 'status'), 'done')
  const headers = { authorization: `Bearer ${textAt(objectAt(done, 'created'), 'token')}` }
  assert.is(textAt(await json(await send('GET', '/api/v1/me', { headers })), 'email'), 'ann@example.com')
  pass(10_000)
  assert.equal(await json(await ask()), done)
  assert.is((await send('DELETE', '/api/v1/session', { headers })).status, 204)
  pass(10_000)
  assert.equal(await json(await ask()), { status: 'pending' })
})

test('a login whose token was created survives a failure of the platform afterwards', async () => {
  const { cluster, pass, send } = testPlatform()
  const code = await codeFor(send)
  const labels = 'dev.devtool/platform=login'
  const found = await cluster.list({ resource: resources.Secret, namespace: 'devtool-users', labels })()
  const [{ metadata } = { metadata: { name: '' } }] = found._tag === 'Right' ? found.right.items : []
  cluster.fail({ verb: 'delete', what: `Secret/${metadata.name}`, status: 503, message: 'later', times: 2 })
  assert.is((await exchange(send, code)).status, 503)
  assert.is((await exchange(send, code)).status, 503)
  const made = await json(await exchange(send, code))
  const headers = { authorization: `Bearer ${textAt(made, 'token')}` }
  assert.is((await send('GET', '/api/v1/me', { headers })).status, 200)
  pass(1000)
  const { tokens } = JSON.parse(await (await send('GET', '/api/v1/tokens', { headers })).text())
  assert.is(tokens.length, 1)
})

test('a code that was refused, mistyped, or tried too often gives no token', async () => {
  const { pass, send } = testPlatform()
  const { ask, userCode } = await started(send)
  const browser = testBrowser(send)
  const typo = userCode.replace(/.$/, (letter) => (letter === 'B' ? 'C' : 'B'))
  assert.match((await browser.enter(`/login/device?code=${typo}`, ann)).text, /There is no code/)
  await browser.submit('/login/device', { code: userCode, decision: 'deny' })
  assert.is((await ask()).status, 403)
  const second = await browser.submit('/login/device', { code: userCode, decision: 'allow' })
  assert.is(second.status, 403)
  assert.is((await ask()).status, 403)
  const fast = await ask()
  assert.equal([fast.status, fast.headers.get('retry-after')], [429, '1'])
  pass(601_000)
  assert.is((await ask()).status, 403)
})

test.run()
