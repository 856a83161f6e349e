/** The client of a platform over real connections: its certificate, its answers, and the browser that comes back. */
import { readFileSync } from 'node:fs'
import { createServer } from 'node:https'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { httpPlatforms } from '../../../src/adapters/platform/platforms.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { encodeBase64Text } from '../../../src/domain/text/base64.ts'
import type { PlatformLogin } from '../../../src/ports/platforms.ts'
import { testPlatform, tokenOf } from '../../support/platform/world.ts'

const pem = (name: string): string => readFileSync(join(import.meta.dirname, '../../support/tls', name), 'utf8')
const signal = new AbortController().signal

/** Behind TLS. `first`: statuses that something in front of it answers before. */
const served = async (first: ReadonlyArray<number> = []) => {
  const { send } = testPlatform()
  const left = [...first]
  const seen: Array<string> = []
  const server = createServer({ key: pem('server-key.pem'), cert: pem('server.pem') }, (request, response) => {
    const chunks: Array<Buffer> = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    const reply = async (): Promise<void> => {
      const { headers, method = '', url = '' } = request
      seen.push(`${method} ${url}`)
      const status = left.shift()
      if (status !== undefined) return void response.writeHead(status).end('<html>')
      const text = Buffer.concat(chunks).toString()
      const given = { authorization: headers.authorization ?? '', 'content-type': headers['content-type'] ?? '' }
      const answer = await send(method, url, { headers: given, ...(text === '' ? {} : { body: text }) })
      response.writeHead(answer.status).end(await answer.text())
    }
    request.on('end', () => void reply())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const client = httpClient({}, systemClock)
  const platforms = httpPlatforms({
    client,
    clock: systemClock,
    env: { BROWSER: 'false' },
    version: '9.9.9',
    pauseMs: 1,
  })
  const close = (): void => {
    server.closeAllConnections()
    server.close()
  }
  return { url: `https://localhost:${port}`, platforms, seen, close }
}

const codeIn = (answer: E.Either<{ readonly code: string }, unknown>): string =>
  E.isLeft(answer) ? answer.left.code : ''

test('only the confirmed certificate is trusted, which is the one that the server presents', async () => {
  const { close, platforms, url } = await served()
  const unknown: PlatformLogin = { url }
  assert.is(codeIn(await platforms.send(unknown, 'meta', {}, signal)()), 'DT2111')
  const shown = await platforms.certificate(url, signal)()
  if (E.isLeft(shown)) throw new Error(shown.left.message)
  assert.match(shown.right.fingerprint, /^[0-9A-F:]{95}$/)
  const meta = await platforms.send({ url, authority: shown.right.authority }, 'meta', {}, signal)()
  assert.equal(E.map(({ domain }: { readonly domain: string }) => domain)(meta), E.right('example.com'))
  assert.is(codeIn(await platforms.send({ url, authority: pem('other-ca.pem') }, 'meta', {}, signal)()), 'DT2111')
  close()
})

test('responses are read, problems keep their codes, and a server that is not a platform is reported', async () => {
  const { close, platforms, url } = await served()
  const login = { url, authority: pem('ca.pem'), token: tokenOf('member') }
  const listed = await platforms.send(login, 'listNamespaces', { query: { limit: 10 } }, signal)()
  assert.ok(E.isRight(listed) && listed.right.namespaces.some(({ name }) => name === 'shop'))
  const input = { params: { namespace: 'shop', name: 'TAG' }, body: { value: 'a/b c' } }
  assert.ok(E.isRight(await platforms.send(login, 'setVariable', input, signal)()))
  const owned = { params: { namespace: 'shop' } }
  assert.is(codeIn(await platforms.send(login, 'deleteNamespace', owned, signal)()), 'DT6003')
  assert.is(codeIn(await platforms.send({ ...login, token: 'dvt_x' }, 'me', {}, signal)()), 'DT6002')
  close()
  assert.is(codeIn(await platforms.send(login, 'me', {}, signal)()), 'DT2110')
})

test('a read-only request is repeated while a proxy reports the platform as unavailable; others are not', async () => {
  const { close, platforms, seen, url } = await served([502, 503, 502])
  const login = { url, authority: pem('ca.pem'), token: tokenOf('owner') }
  assert.ok(E.isRight(await platforms.send(login, 'me', {}, signal)()))
  assert.is(seen.length, 4)
  const away = await served([502, 502])
  const other = { ...login, url: away.url }
  assert.is(codeIn(await away.platforms.send(other, 'createNamespace', { body: { name: 'x-y' } }, signal)()), 'DT2110')
  assert.is(away.seen.length, 1)
  close()
  away.close()
})

test('the redirect of the browser is received, and other requests are ignored', async () => {
  const { close, platforms } = await served()
  assert.is(await platforms.browse('https://p.test')(), false)
  const listening = await platforms.listen('s')()
  if (E.isLeft(listening)) throw new Error(listening.left.message)
  const { answered, close: end, redirect } = listening.right
  assert.match(redirect, /^http:\/\/127\.0\.0\.1:\d+\/callback$/)
  const answer = answered(signal)()
  assert.is((await fetch(new URL('/favicon.ico', redirect))).status, 404)
  // A target that is no URL.
  assert.is((await fetch(redirect.replace('/callback', '//'))).status, 404)
  // Neither a program that guesses, nor a page by another name of this machine, ends the login.
  assert.is((await fetch(`${redirect}?code=evil&state=t`)).status, 404)
  assert.is((await fetch(`${redirect}?error=access_denied`)).status, 404)
  assert.is((await fetch(`${redirect}?code=evil&state=s`, { method: 'POST' })).status, 404)
  assert.is((await fetch(`${redirect.replace('127.0.0.1', 'localhost')}?code=evil&state=s`)).status, 404)
  assert.is((await fetch(`${redirect}?code=c&state=s`)).status, 200)
  assert.equal(
    [...((await answer) ?? [])],
    [
      ['code', 'c'],
      ['state', 's'],
    ],
  )
  await end()
  close()
})

test('a request for the token of a login is repeated, since the platform may have created it', async () => {
  const { close, platforms, seen, url } = await served([502, 502])
  const body = { code: encodeBase64Text('{}'), verifier: 'v'.repeat(43), redirect: 'http://127.0.0.1:1/callback' }
  const login = { url, authority: pem('ca.pem') }
  assert.is(codeIn(await platforms.send(login, 'exchangeCode', { body }, signal)()), 'DT6012')
  assert.is(seen.length, 3)
  close()
})

test('nothing is sent by plain HTTP, except to this machine', async () => {
  const { close, platforms, seen } = await served()
  const refused = await platforms.send({ url: 'http://p.test', token: 'dvt_x' }, 'me', {}, signal)()
  assert.is(codeIn(refused), 'DT2001')
  assert.equal(seen, [])
  close()
})

test.run()
