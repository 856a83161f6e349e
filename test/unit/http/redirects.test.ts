/** Redirects: which are followed, and what goes with them. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpRequest, HttpResponse } from '../../../src/adapters/http/client.ts'
import { follow } from '../../../src/adapters/http/redirects.ts'

const answerOf = (location: string | undefined): HttpResponse => ({
  status: location === undefined ? 200 : 307,
  header: (name) => (name === 'location' ? location : undefined),
  body: new Uint8Array(),
})

type Site = Readonly<Record<string, string>>

/** What each of the requests was, as `url authorization`, and the last status. */
const run = async (site: Site, url: string, method: HttpRequest['method'] = 'GET') => {
  const asked: Array<string> = []
  const ask = (question: HttpRequest) => {
    asked.push(`${question.url.href} ${String(question.headers?.['Authorization'] ?? 'nobody')}`)
    return TE.right(answerOf(site[question.url.href]))
  }
  const headers = { Authorization: 'me', accept: 'a/b' }
  const answer = await follow(ask)({ method, url: new URL(url), headers }, new AbortController().signal)()
  return { asked, status: E.isRight(answer) ? answer.right.status : undefined }
}

test('a redirect from https to http is not followed', async () => {
  assert.equal(await run({ 'https://a/': 'http://a/' }, 'https://a/'), { asked: ['https://a/ me'], status: 307 })
})

test('credentials are sent only to the same scheme, host and port', async () => {
  for (const other of ['https://b/', 'https://a:8443/']) {
    const site = { 'https://a/': '/next', 'https://a/next': other }
    const { asked, status } = await run(site, 'https://a/')
    assert.equal([...asked, status], ['https://a/ me', 'https://a/next me', `${other} nobody`, 200])
  }
  const { asked } = await run({ 'http://a/': 'https://a/' }, 'http://a/')
  assert.equal(asked, ['http://a/ me', 'https://a/ nobody'])
})

test('credentials that were dropped are not sent again after a further redirect', async () => {
  const { asked } = await run({ 'https://a/': 'https://b/', 'https://b/': 'https://a/end' }, 'https://a/')
  assert.equal(asked, ['https://a/ me', 'https://b/ nobody', 'https://a/end nobody'])
})

test('writes are not redirected', async () => {
  for (const method of ['PUT', 'POST'] as const) {
    assert.equal((await run({ 'https://a/': 'https://a/b' }, 'https://a/', method)).asked, ['https://a/ me'])
  }
})

test('a redirect loop ends', async () => {
  const { asked, status } = await run({ 'https://a/': 'https://a/' }, 'https://a/')
  assert.equal([asked.length, status], [6, 307])
})

test('an invalid redirect is not followed', async () => {
  for (const location of ['https://', 'ftp://a/', 'file:///etc/passwd']) {
    assert.equal((await run({ 'https://a/': location }, 'https://a/')).status, 307)
  }
})

test.run()
