/** Logins at a platform, and where their tokens go. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { as, at, browserOf, CONFIG, stored, URL_OF_IT } from '../support/platform/story.ts'
import { testPlatform, tokenOf } from '../support/platform/world.ts'

test('a login goes through the browser, and logout revokes its token', async () => {
  const platform = testPlatform()
  const pages: Array<string> = []
  const returns = async (page: URL) => {
    const { answer, text } = await browserOf(platform)(page)
    pages.push(text)
    return answer
  }
  const { home, run, said } = at({
    platform,
    returns,
    isAttended: true,
    answers: { '`devtool namespace use NAME`': 'create one', '`devtool namespace create NAME`': 'ann' },
  })
  const { status, stderr } = await run('login', URL_OF_IT)
  assert.is(stderr, `using ${URL_OF_IT}: namespace ann at ${URL_OF_IT}\n`)
  assert.is(status, 0)
  const [, word = '?'] = /"(.*)"/.exec(said[0] ?? '') ?? []
  assert.ok(pages[0]?.includes(word))
  const { token } = stored(home)
  assert.match(token, /^dvt_/)
  assert.match((await run('logout')).stderr, `logged out of ${URL_OF_IT}`)
  assert.is(stored(home).token, undefined)
  const headers = { authorization: `Bearer ${token}` }
  assert.is((await platform.send('GET', '/api/v1/me', { headers })).status, 401)
  assert.is((await run('list')).status, 4)
})

test('a login that is refused, or whose response comes from elsewhere, stores nothing', async () => {
  const platform = testPlatform()
  const refused = at({
    platform,
    isAttended: true,
    returns: async (page) => (await browserOf(platform, 'deny')(page)).answer,
  })
  const { status, stderr } = await refused.run('login', URL_OF_IT)
  assert.is(status, 4)
  assert.match(stderr, 'it was refused')
  const foreign = at({
    isAttended: true,
    returns: async () =>
      new Map([
        ['code', 'x'],
        ['state', 'other'],
      ]),
  })
  assert.match((await foreign.run('login', URL_OF_IT)).stderr, 'another login')
  assert.is(refused.home.size + foreign.home.size, 0)
})

test('a new login revokes the token of the one before, and so does deleting the context', async () => {
  const platform = testPlatform()
  const returns = async (page: URL) => (await browserOf(platform)(page)).answer
  const answers = { '`devtool namespace use NAME`': 'create one', '`devtool namespace create NAME`': 'ann' }
  const { home, run } = at({ platform, returns, isAttended: true, answers })
  const isValid = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    return (await platform.send('GET', '/api/v1/me', { headers })).status === 200
  }
  await run('login', URL_OF_IT)
  const first = stored(home).token
  assert.is((await run('login', URL_OF_IT)).status, 0)
  const second = stored(home).token
  assert.equal([await isValid(first), await isValid(second)], [false, true])
  assert.is((await run('context', 'delete', URL_OF_IT)).status, 0)
  assert.not(await isValid(second))
  // One that was given may be in use elsewhere.
  await run('context', 'use', URL_OF_IT, '--token', tokenOf('owner'))
  await run('login', URL_OF_IT)
  await run('context', 'use', URL_OF_IT, '--token', tokenOf('owner'))
  await run('context', 'delete', URL_OF_IT)
  assert.ok(await isValid(tokenOf('owner')))
})

test('a login is kept if the namespace after it cannot be created, and a name is checked before it is sent', async () => {
  const platform = testPlatform()
  const returns = async (page: URL) => (await browserOf(platform)(page)).answer
  const story = (name: string) => ({
    platform,
    returns,
    isAttended: true,
    answers: { '`devtool namespace use NAME`': 'create one', '`devtool namespace create NAME`': name },
  })
  const wrong = at(story('My Shop'))
  const { status, stderr } = await wrong.run('login', URL_OF_IT)
  assert.is(status, 2)
  assert.match(stderr, 'the name "My Shop" must be lower-case letters, digits and dashes')
  assert.match(stderr, `you are logged in to ${URL_OF_IT}`)
  assert.match(stored(wrong.home).token, /^dvt_/)
  const taken = at(story('my-shop'))
  assert.match((await taken.run('login', URL_OF_IT)).stderr, 'too close to that of another namespace')
  assert.match(stored(taken.home).token, /^dvt_/)
  const direct = await as('member').run('namespace', 'create', 'Kube')
  assert.is(direct.status, 2)
  assert.not.match(direct.stderr, 'body')
})

test('DEVTOOL_TOKEN is sent only to the platform of DEVTOOL_CONTEXT or of the command line', async () => {
  const token = { DEVTOOL_TOKEN: tokenOf('owner') }
  const home = new Map([
    [CONFIG, JSON.stringify({ current: URL_OF_IT, contexts: { [URL_OF_IT]: { kind: 'platform' } } })],
  ])
  const list = (env: Readonly<Record<string, string>>, ...more: ReadonlyArray<string>) =>
    at({ home: new Map(home), env }).run('namespace', 'list', ...more)
  assert.is((await list({ ...token, DEVTOOL_CONTEXT: 'https://P.test/' })).status, 0)
  assert.is((await list(token, '--context', URL_OF_IT)).status, 0)
  const other = { ...token, DEVTOOL_CONTEXT: 'https://other.test' }
  for (const refused of [
    await list(token),
    await list(other, '--context', URL_OF_IT),
    await at({ env: other }).run('context', 'use', URL_OF_IT),
    await at({ env: token, home: new Map(home) }).run('login'),
  ]) {
    assert.is(refused.status, 4, refused.stderr)
    assert.match(refused.stderr, 'DT6001')
  }
})

test('a build sends DEVTOOL_TOKEN to no other server either', async () => {
  const home = [
    [CONFIG, JSON.stringify({ current: URL_OF_IT, contexts: { [URL_OF_IT]: { kind: 'platform' } } })],
  ] as const
  const isAsked = async (env: Readonly<Record<string, string>>, ...more: ReadonlyArray<string>) => {
    const platform = testPlatform({ builder: 'ready' })
    const variables = { DEVTOOL_TOKEN: tokenOf('owner'), DEVTOOL_NAMESPACE: 'shop', ...env }
    const { run } = at({ platform, home: new Map(home), env: variables, files: { Dockerfile: 'FROM scratch' } })
    await run('build', '-f', 'Dockerfile', '--tag', 'r.test/page:1', ...more)
    return platform.served.length > 0
  }
  const other = { DEVTOOL_CONTEXT: 'https://other.test' }
  assert.equal(
    [
      await isAsked({ DEVTOOL_CONTEXT: URL_OF_IT }),
      await isAsked({}, '--context', URL_OF_IT),
      await isAsked({}),
      await isAsked(other, '--context', URL_OF_IT),
    ],
    [true, true, false, false],
  )
})

test('a platform without HTTPS is refused, except on this machine', async () => {
  for (const url of ['http://p.test', 'HTTP://127.0.0.1.evil.test', 'http://localhost@evil.test']) {
    const { home, run } = at()
    const used = await run('context', 'use', url, '--token', tokenOf('owner'))
    assert.is(used.status, 2, used.stderr)
    assert.is(home.size, 0)
    assert.is((await at({ env: { DEVTOOL_CONTEXT: url, DEVTOOL_TOKEN: tokenOf('owner') } }).run('list')).status, 2)
  }
  const local = await at().run('context', 'use', 'http://127.0.0.1:8080', '--token', tokenOf('owner'))
  assert.match(local.stderr, 'DT2110')
})

test('a certificate of an unknown authority needs confirmation once, and is stored', async () => {
  const token = tokenOf('owner')
  const unattended = at({ isTrusted: false })
  const refused = await unattended.run('context', 'use', URL_OF_IT, '--token', token)
  assert.is(refused.status, 8)
  assert.match(refused.stderr, 'DT2111')
  assert.is(unattended.home.size, 0)
  const { home, run } = at({ isTrusted: false, answers: { SSL_CERT_FILE: 'yes' } })
  assert.is((await run('context', 'use', URL_OF_IT, '--token', token)).status, 0)
  assert.is(stored(home).authority, 'PEM of the platform')
  assert.is((await run('list')).status, 0)
})

test.run()
