/** Where `version --check` lets itself be redirected to, and for how long. */
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { HttpClient } from '../../../src/adapters/http/client.ts'
import { readText } from '../../../src/adapters/network/read.ts'

/** Each address leads to the next one, the last has the text; every request takes a second. */
const world = (...addresses: ReadonlyArray<string>) => {
  const asked: Array<readonly [string, number]> = []
  const clock = { now: () => asked.length * 1_000 }
  const ask: HttpClient['ask'] = ({ url }, timeoutMs) => {
    asked.push([url.href, timeoutMs])
    const location = addresses[asked.length]
    const body = new TextEncoder().encode('text')
    return TE.right({ status: location === undefined ? 200 : 302, header: () => location, body })
  }
  return { asked, read: readText({ ask }, clock) }
}

test('redirects from http to https, and to relative URLs, are followed', async () => {
  const { asked, read } = world('http://r.test/a/latest.json', 'https://cdn.test/b/c', 'd')
  assert.equal(await read('http://r.test/a/latest.json', 10_000)(), E.right('text'))
  assert.equal(
    asked.map(([address]) => address),
    ['http://r.test/a/latest.json', 'https://cdn.test/b/c', 'https://cdn.test/b/d'],
  )
})

test('a redirect from https to http is refused', async () => {
  const { asked, read } = world('https://r.test/', 'http://cdn.test/')
  assert.equal(await read('https://r.test/', 10_000)(), E.left('it redirects from https to http, to cdn.test'))
  assert.is(asked.length, 1)
})

test('all redirects together share one timeout', async () => {
  const { asked, read } = world('https://r.test/', '/1', '/2')
  await read('https://r.test/', 2_500)()
  assert.equal(
    asked.map(([, left]) => left),
    [2_500, 1_500, 500],
  )
})

test.run()
