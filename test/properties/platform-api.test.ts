/** Whatever is sent, the API answers as its OpenAPI document says, and never with a defect. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { at, isObject, type Json, type JsonObject } from '../../src/domain/cluster/json.ts'
import { openApi } from '../../src/domain/platform/api/openapi.ts'
import { Problem } from '../../src/domain/platform/api/problem.ts'
import type { ApiRoute } from '../../src/domain/platform/api/route.ts'
import { type RouteId, routes } from '../../src/domain/platform/api/routes.ts'
import { runs } from '../support/arbitrary/runs.ts'
import { emailOf, idOf, persons, testPlatform, tokenIdOf } from '../support/platform/world.ts'

const api = openApi('0.0.0')
const all = Object.keys(routes).filter((id): id is RouteId => Object.hasOwn(routes, id))

const documented = ({ method, path }: ApiRoute): ReadonlySet<string> => {
  const responses = at(api, 'paths', path, method.toLowerCase(), 'responses')
  return new Set(isObject(responses) ? Object.keys(responses) : [])
}

/** What exists, what is valid but does not, and anything. */
const word = fc.oneof(
  fc.constantFrom('shop', 'foreign', 'blog', 'my-shop', 'kube-system', 'COLOR', 'TAG', 'all', 'read', 'namespace:shop'),
  fc.constantFrom(
    'owner',
    'member',
    'viewer',
    idOf('member'),
    emailOf('viewer'),
    tokenIdOf('owner'),
    '50',
    '0',
    'true',
  ),
  fc.string({ unit: 'grapheme', maxLength: 40 }),
  fc.string({ unit: 'binary', maxLength: 40 }),
)

const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: word },
  fc.boolean(),
  fc.integer(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constant(null),
  fc.array(word, { maxLength: 3 }),
)

const rowsOf = (codec: ApiRoute['body']): ReadonlyArray<string> => [
  ...Object.keys(codec.required),
  ...Object.keys(codec.optional),
]

const record = (names: ReadonlyArray<string>): fc.Arbitrary<JsonObject> =>
  fc.record(Object.fromEntries([...names, 'other'].map((name) => [name, value])), { requiredKeys: [] })

const body = (route: ApiRoute): fc.Arbitrary<string | undefined> =>
  fc.oneof(
    { weight: 6, arbitrary: record(rowsOf(route.body)).map((content) => JSON.stringify(content)) },
    { weight: 1, arbitrary: value.map((content) => JSON.stringify(content)) },
    { weight: 1, arbitrary: fc.constantFrom(undefined, '', '{', 'null', '"'.repeat(70_000)) },
  )

const sending = (id: RouteId) => {
  const route: ApiRoute = routes[id]
  return fc.record({
    id: fc.constant(id),
    as: fc.option(fc.constantFrom(...persons), { nil: undefined }),
    params: fc.array(word, { minLength: 3, maxLength: 3 }),
    query: record(rowsOf(route.query)),
    body: route.method === 'GET' ? fc.constant(undefined) : body(route),
    headers: fc.constantFrom<Record<string, string>>(
      {},
      {},
      { 'content-type': 'text/plain' },
      { 'devtool-version': '0.0.0' },
      { 'devtool-version': 'x'.repeat(2000) },
      { 'x-forwarded-for': 'unknown, "[::1]:9"' },
    ),
  })
}

const pathFor = (path: string, params: ReadonlyArray<string>, query: JsonObject): string => {
  let next = 0
  const filled = path.replaceAll(/\{\w+\}/g, () => encodeURIComponent(params[(next += 1) - 1] || 'x'))
  const search = new URLSearchParams(
    Object.entries(query).map(([name, one]): [string, string] => [
      name,
      typeof one === 'string' ? one : JSON.stringify(one),
    ]),
  )
  return `${filled}?${search.toString()}`
}

test('every response has a documented status and form, and none is 5xx', () =>
  fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...all).chain(sending),
      async ({ as, body: content, headers, id, params, query }) => {
        const route: ApiRoute = routes[id]
        const { failures, send } = testPlatform()
        const answer = await send(route.method, pathFor(route.path, params, query), {
          headers,
          ...(as === undefined ? {} : { as }),
          ...(content === undefined ? {} : { body: content }),
        })
        const text = await answer.text()
        assert.ok(documented(route).has(String(answer.status)), `${id}: undocumented ${answer.status} ${text}`)
        assert.ok(answer.status < 500, `${id}: ${answer.status} ${text}`)
        assert.equal(failures, [])
        if (answer.status === 204) return
        const codec = answer.status < 300 ? route.answer : Problem
        assert.is(codec.decode(JSON.parse(text))._tag, 'Right', `${id}: ${text}`)
      },
    ),
    runs(300),
  ))

test.run()
