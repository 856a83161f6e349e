/** Challenges of registries and the tokens they are answered with. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { endOf, readChallenges, readToken, tokenForm, tokenRequest } from '../../../src/domain/build/token.ts'

type Plain = readonly [scheme: string, parameters: Readonly<Record<string, string>>]
const read = (header: string): ReadonlyArray<Plain> =>
  readChallenges(header).map(({ parameters, scheme }) => [scheme, Object.fromEntries(parameters)])

const realm = 'https://auth.example.com/token'
const headers: Readonly<Record<string, ReadonlyArray<Plain>>> = {
  [`Bearer realm="${realm}",service="s",scope="repository:a/b:pull,push"`]: [
    ['bearer', { realm, service: 's', scope: 'repository:a/b:pull,push' }],
  ],
  [`BEARER Realm = "${realm}" , Service=s`]: [['bearer', { realm, service: 's' }]],
  'Basic realm="a \\"b\\" c"': [['basic', { realm: 'a "b" c' }]],
  'Basic realm="x", Bearer realm="y",service="z"': [
    ['basic', { realm: 'x' }],
    ['bearer', { realm: 'y', service: 'z' }],
  ],
  'Negotiate, Basic realm="x"': [
    ['negotiate', {}],
    ['basic', { realm: 'x' }],
  ],
  Basic: [['basic', {}]],
  '': [],
  '"broken': [],
}
for (const [header, challenges] of Object.entries(headers)) {
  test(`challenge ${header}`, () => assert.equal(read(header), challenges))
}

test('for a challenge without a scope, the required one is requested', () => {
  const [without] = readChallenges(`Bearer realm="${realm}"`)
  const [several] = readChallenges(`Bearer realm="${realm}",scope="a:b:c  d:e:f"`)
  const [nowhere] = readChallenges('Bearer service="s"')
  assert.ok(without !== undefined && several !== undefined && nowhere !== undefined)
  const host = 'registry.example.com'
  assert.equal(tokenRequest(host, without, 'repository:a:pull'), {
    host,
    realm,
    service: '',
    scopes: ['repository:a:pull'],
  })
  assert.equal(tokenRequest(host, several, 'x')?.scopes, ['a:b:c', 'd:e:f'])
  assert.is(tokenRequest(host, nowhere, 'x'), undefined)
})

test('all response formats of token services are read', () => {
  const request = { host: 'registry.example.com', realm, service: 's', scopes: ['a', 'b'] }
  const form = tokenForm(request, 'me', { username: '', secret: 'identity' })
  assert.equal(Object.fromEntries(form), {
    client_id: 'me',
    grant_type: 'refresh_token',
    refresh_token: 'identity',
    scope: 'a b',
    service: 's',
  })
})

const token = (json: unknown): unknown => readToken(JSON.stringify(json), Date.parse)

test('a token and its lifetime are read', () => {
  assert.equal(token({ token: 'a' }), { token: 'a', expiresInS: 60 })
  assert.equal(token({ token: 'a', access_token: 'b', expires_in: 300 }), { token: 'b', expiresInS: 300 })
  assert.equal(token({ token: 'a', expires_in: -5, issued_at: 'yesterday' }), { token: 'a', expiresInS: 60 })
  const issued = { token: 'a', expires_in: 100, issued_at: '2026-01-02T03:04:05Z' }
  assert.equal(token(issued), { token: 'a', expiresInS: 100, issuedAtMs: Date.UTC(2026, 0, 2, 3, 4, 5) })
})

test('a response without a valid token is rejected', () => {
  for (const json of [{}, { token: '' }, { token: 5 }, [], null, { token: 'a\r\nHost: b' }, { token: 'a b' }]) {
    assert.is(token(json), undefined)
  }
  assert.is(readToken('<html>', Date.parse), undefined)
})

test('a token expires after nine tenths of its lifetime', () => {
  assert.is(endOf({ token: 'a', expiresInS: 100 }, 5000), 95_000)
  assert.is(endOf({ token: 'a', expiresInS: 100, issuedAtMs: 1000 }, 5000), 91_000)
})

test.run()
