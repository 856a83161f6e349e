/** The store outlives what is done to it: damage is told with its place, what nobody here knows is kept. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isObject, type Json, type JsonObject } from '../../../src/domain/cluster/json.ts'
import { isKnown, printWithCluster, readKnownClusters } from '../../../src/domain/context/known-clusters.ts'
import { contextRecord } from '../../../src/domain/context/record.ts'
import {
  printStore,
  readStore,
  type Store,
  storedContext,
  withContext,
  withCurrent,
  withoutContext,
} from '../../../src/domain/context/store.ts'
import { jsonFault } from '../../../src/domain/text/json-fault.ts'

const parse = (text: string): Json => JSON.parse(text)

const read = (text: string | undefined): Store => {
  const store = readStore('/h/config.json', text)
  if (E.isLeft(store)) throw new Error(store.left.message)
  return store.right
}

const NEWER = {
  schema: 7,
  current: 'a',
  contexts: {
    a: { kind: 'kubernetes', namespace: 'n', future: { x: [1] } },
    10: { kind: 'spaceship', token: 5 },
    b: 'a text',
  },
  policies: [{ deep: { deeper: null } }],
}

test('an absent or blank file is an empty store', () => {
  for (const text of [undefined, '', ' \n', '\ufeff']) assert.equal(read(text).contexts, [])
})

test('a newer schema is read as far as it is known, and kept', () => {
  const store = read(JSON.stringify(NEWER))
  assert.is(store.current, 'a')
  assert.equal(storedContext(store, 'a'), { name: 'a', kind: 'kubernetes', namespace: 'n' })
  assert.equal(storedContext(store, '10'), { name: '10', kind: 'kubernetes' })
  assert.is(storedContext(store, 'b'), undefined)
  const changed = parse(printStore(withCurrent(withContext(store, 'c', { domain: 'd' }), 'c')))
  assert.equal(changed, {
    ...NEWER,
    current: 'c',
    contexts: { ...NEWER.contexts, c: { kind: 'kubernetes', domain: 'd' } },
  })
})

test('a new value replaces the old one, an empty one removes it, and others are kept', () => {
  const store = withContext(read(JSON.stringify(NEWER)), 'a', { namespace: '', registry: 'r' })
  assert.equal(storedContext(store, 'a'), { name: 'a', kind: 'kubernetes', registry: 'r' })
  assert.match(printStore(store), '"future"')
})

test('a deleted context is removed with its token, and is no longer current', () => {
  const text = JSON.stringify({ current: 'https://p', contexts: { 'https://p': { token: 'secret' }, k: {} } })
  const { isFound, store } = withoutContext(read(text), 'https://p')
  assert.ok(isFound)
  assert.is(store.current, undefined)
  assert.equal(
    store.contexts.map(({ name }) => name),
    ['k'],
  )
  assert.not.match(printStore(store), 'secret')
  assert.not.ok(withoutContext(store, 'https://p').isFound)
})

for (const [text, line, col] of [
  ['{"schema": 1,\n  "contexts": {"a": {"token": "secret"},}}', 2, 41],
  ['{"schema": 1', 1, 13],
  ['{"a": 1} x', 1, 10],
  ["{'a': 1}", 1, 2],
  ['{"a": "b\n"}', 1, 7],
  ['[1,\n2', 2, 2],
] as const) {
  test(`a damaged store is reported with the place, but without its content: ${JSON.stringify(text)}`, () => {
    const store = readStore('/h/config.json', text)
    assert.ok(E.isLeft(store))
    if (E.isRight(store)) return
    assert.is(store.left.code, 'DT2105')
    assert.is(`${store.left.at?.line}:${store.left.at?.col}`, `${line}:${col}`)
    assert.not.match(JSON.stringify(store.left), 'secret')
  })
}

test('a file with other content is damaged', () => {
  for (const text of ['[]', '5', '{"contexts": []}', '{"contexts": null}']) {
    assert.ok(E.isLeft(readStore('f', text)), text)
  }
})

test('the token is never in what is shown', () => {
  const stored = { name: 'https://p', kind: 'platform', token: 'secret' } as const
  const record = contextRecord(stored, { namespace: 'n', hasToken: false })
  assert.is(record.token, '<redacted>')
  assert.not.match(JSON.stringify(record), 'secret')
})

test('known clusters are kept with all their data', () => {
  const known = readKnownClusters('f', '{"schema": 3, "clusters": {"u1": {"note": "x"}}, "more": true}')
  assert.ok(E.isRight(known))
  if (E.isLeft(known)) return
  const text = printWithCluster(known.right, 'u2', { server: 'https://s', date: '2026-01-01T00:00:00Z' })
  const again = readKnownClusters('f', text)
  assert.ok(E.isRight(again) && isKnown(again.right, 'u1') && isKnown(again.right, 'u2'))
  assert.ok(E.isRight(again) && !isKnown(again.right, 'toString'))
  assert.equal(parse(text), {
    schema: 3,
    clusters: { u1: { note: 'x' }, u2: { since: '2026-01-01T00:00:00Z', server: 'https://s' } },
    more: true,
  })
})

const json = fc.jsonValue().map((value): Json => parse(JSON.stringify(value)))
const name = fc.oneof(fc.string({ minLength: 1 }), fc.constantFrom('__proto__', '10', 'constructor'))
const objectOf = (value: fc.Arbitrary<Json>): fc.Arbitrary<JsonObject> =>
  fc.array(fc.tuple(name, value)).map((entries): JsonObject => Object.fromEntries(entries))

/** The order of members means nothing in JSON; members may be called `constructor` and `__proto__`. */
const canonical = (value: Json | undefined): string =>
  isObject(value)
    ? `{${Object.entries(value)
        .toSorted(([a], [b]) => (a < b ? -1 : 1))
        .map(([key, member]) => `${JSON.stringify(key)}:${canonical(member)}`)
        .join()}}`
    : JSON.stringify(value, (_, inner: Json) => (isObject(inner) ? canonical(inner) : inner))

test('changing one context keeps everything else in the file', () => {
  fc.assert(
    fc.property(objectOf(json), objectOf(objectOf(json)), name, (rest, contexts, changed) => {
      const root: JsonObject = { schema: 1, ...rest, contexts }
      const schema = typeof rest['schema'] === 'number' ? Math.max(1, rest['schema']) : 1
      const old = Object.hasOwn(contexts, changed) ? contexts[changed] : undefined
      const entry = { kind: 'kubernetes', ...(isObject(old) ? old : {}), namespace: 'new' }
      const after = parse(printStore(withContext(read(JSON.stringify(root)), changed, { namespace: 'new' })))
      assert.is(canonical(after), canonical({ ...root, schema, contexts: { ...contexts, [changed]: entry } }))
    }),
  )
})

test('the place of a syntax error is found in every invalid JSON text, and in no other', () => {
  const broken = fc
    .tuple(json, fc.nat(), fc.constantFrom('', ',', '}', ']', '"', ':', 'x', '1'))
    .map(([value, n, part]) => {
      const text = JSON.stringify(value)
      const cut = n % (text.length + 1)
      return text.slice(0, cut) + part + text.slice(cut + (part === '' ? 1 : 0))
    })
  fc.assert(
    fc.property(broken, (text) => {
      const isJson = E.isRight(E.tryCatch(() => parse(text), String))
      assert.is(jsonFault(text) === undefined, isJson, text)
    }),
  )
})

test.run()
