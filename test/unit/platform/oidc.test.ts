/** The login against a real issuer: discovery, PKCE, state, nonce and signatures are those of oidc-provider. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { oidcIdentity } from '../../../src/adapters/login/issuer.ts'
import { jweSealing } from '../../../src/adapters/login/sealing.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { type Json, textAt } from '../../../src/domain/cluster/json.ts'
import { challengeOf } from '../../../src/domain/platform/login/challenge.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { startApi, untilReady } from '../../support/platform/api.ts'
import { type TestIssuer, testIssuer } from '../../support/platform/issuer.ts'
import { logInAs, webBrowser } from '../../support/platform/web.ts'
import { objects, settings } from '../../support/platform/world.ts'
import { freePort } from '../../support/process/ports.ts'

type World = { readonly url: string; readonly issuer: TestIssuer; readonly lines: ReadonlyArray<string> }

/** `groups`: the only ones who may log in. */
const serving = async (
  use: (world: World) => Promise<void>,
  method?: string,
  secret?: string,
  groups: ReadonlyArray<string> = [],
): Promise<void> => {
  const asksGroups = groups.length > 0
  const admission = asksGroups ? { admins: [], domains: [], groups } : settings.admission
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const redirect = `${url}/oidc/callback`
  const issuer = await testIssuer(redirect, method)
  const lines: Array<string> = []
  try {
    const api = await startApi({
      cluster: memoryCluster({ objects: objects() }),
      settings: { ...settings, url, admission },
      sealing: jweSealing('key', systemClock),
      identity: (failed) =>
        oidcIdentity(
          { ...issuer, isInsecure: true, asksGroups, redirect, clientSecret: secret ?? issuer.clientSecret },
          failed,
        ),
      ports: { users: port, cluster: 0 },
      write: (line) => void lines.push(line),
    })
    try {
      await untilReady(api)
      await use({ url, issuer, lines })
    } finally {
      await api.stop(0)
    }
  } finally {
    issuer.close()
  }
}

const terminal = 'http://127.0.0.1:9/callback'
const verifier = 'v'.repeat(43)
const asked = { name: 'laptop', challenge: challengeOf(verifier), state: 's'.repeat(20), redirect: terminal }
const authorize = (url: string): string => `${url}/login/authorize?${new URLSearchParams(asked).toString()}`

const loggedIn = async ({ url }: World): Promise<string> => {
  const browser = webBrowser()
  const page = await logInAs(browser, authorize(url), 'ann')
  assert.is(page.status, 200, page.text)
  assert.match(page.text, 'ann@example.com')
  const form = { ...asked, decision: 'allow' }
  const back = await browser.submit(`${url}/login/authorize`, form, terminal)
  const code = new URL(back.url).searchParams.get('code')
  const answer = await fetch(`${url}/api/v1/login/code`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ code, verifier, redirect: terminal }),
  })
  const made: Json = JSON.parse(await answer.text())
  assert.is(answer.status, 201, JSON.stringify(made))
  return textAt(made, 'token') ?? ''
}

for (const method of ['client_secret_basic', 'client_secret_post']) {
  test(`a user logs in at an issuer that supports ${method}`, () =>
    serving(async (world) => {
      const token = await loggedIn(world)
      const headers = { authorization: `Bearer ${token}` }
      const me: Json = JSON.parse(await (await fetch(`${world.url}/api/v1/me`, { headers })).text())
      assert.is(textAt(me, 'email'), 'ann@example.com')
      assert.not.match(world.lines.join('\n'), token)
    }, method))
}

test('a user without a verified email address may not log in', () =>
  serving(async ({ url }) => {
    const page = await logInAs(webBrowser(), authorize(url), 'unverified')
    assert.is(page.status, 403)
    assert.match(page.text, 'has not verified the address')
  }))

test('a code that the issuer gave to another browser is refused', () =>
  serving(async ({ issuer, url }) => {
    const [victim, thief] = [webBrowser(), webBrowser()]
    const sent = await victim.open(authorize(url), issuer.issuer)
    assert.match(sent.url, 'code_challenge_method=S256')
    await thief.open(authorize(url), issuer.issuer)
    const page = await logInAs(thief, sent.url, 'ann')
    assert.is(page.status, 403)
    assert.match(page.text, 'DT6012')
  }))

test('the issuer is asked for groups when they decide who may log in', async () => {
  await serving(async (world) => assert.match(await loggedIn(world), /^dvt_/), undefined, undefined, ['staff'])
  await serving(
    async ({ lines, url }) => {
      assert.is((await logInAs(webBrowser(), authorize(url), 'ann')).status, 403)
      // The log tells who was refused, and from where.
      const refused = lines.map((line) => JSON.parse(line)).find(({ status }) => status === 403)
      assert.equal([refused.route, refused.address], ['callback', '127.0.0.1'])
      assert.match(refused.user, /^u-[0-9a-f]{32}$/)
    },
    undefined,
    undefined,
    ['guests'],
  )
})

test('a wrong client secret is an error of the platform, with the reason only in the log', () =>
  serving(
    async ({ lines, url }) => {
      const page = await logInAs(webBrowser(), authorize(url), 'ann')
      assert.is(page.status, 503)
      assert.not.match(page.text, 'invalid_client')
      assert.ok(lines.some((line) => line.includes('"kind":"issuer"')))
    },
    undefined,
    'wrong',
  ))

test('an issuer that is down is asked again at the next login', async () => {
  await serving(async ({ issuer, url }) => {
    issuer.close()
    assert.is((await webBrowser().open(authorize(url))).status, 503)
  })
})

test('sealed data opens only with the same key, for the same purpose, and until it expires', async () => {
  let now = 1_000_000
  const clock = { wallMs: () => now }
  const [own, other] = [jweSealing('key', clock), jweSealing('another', clock)]
  const text = await own.seal('code', { user: 'u' }, 60)()
  assert.equal(await own.open('code', text)(), { user: 'u' })
  assert.is(await own.open('session', text)(), undefined)
  assert.is(await other.open('code', text)(), undefined)
  assert.is(await own.open('code', `${text.slice(0, -2)}AA`)(), undefined)
  assert.is(await own.open('code', 'eyJhbGciOiJub25lIn0.e30.')(), undefined)
  now += 60_000
  assert.is(await own.open('code', text)(), undefined)
})

test.run()
