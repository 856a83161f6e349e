/** The client of registries against one that goes wrong in every way. */

import { once } from 'node:events'
import { createServer } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { httpRegistry } from '../../../src/adapters/registry/client.ts'
import { systemClock as clock } from '../../../src/adapters/system/clock.ts'
import type { Diagnostic } from '../../../src/domain/diagnostic/diagnostic.ts'
import type { RegistryCredential } from '../../../src/ports/credentials.ts'
import type { Registry } from '../../../src/ports/registry.ts'
import {
  account,
  type FakeFault,
  givenToken,
  identityToken,
  manifestType,
  type RegistryFake,
  type Request,
  registryFake,
  secrets,
  sha256,
} from '../../support/registry/fake.ts'

const manifest = '{"schemaVersion":2}'
const { signal } = new AbortController()
const login: RegistryCredential = { username: account.username, secret: account.password }

type Scene = { readonly fake: RegistryFake; readonly registry: Registry; readonly name: string }
type Options = NonNullable<Parameters<typeof registryFake>[0]> & {
  readonly credential?: RegistryCredential | undefined
}

const client = httpClient({}, clock)

const registryOf = (credential?: RegistryCredential, timeoutMs = 60_000): Registry =>
  httpRegistry({ clock, client, credentials: { of: async () => credential }, pauseMs: 1, timeoutMs })

/** What happens to a question is what is tested; that nothing secret is told is tested with all of them. */
const scene = (title: string, { credential, ...given }: Options, body: (world: Scene) => Promise<unknown>): void => {
  test(title, async () => {
    const fake = await registryFake(given)
    fake.manifests.set('app:1', manifest)
    try {
      const told = JSON.stringify(await body({ fake, registry: registryOf(credential), name: `${fake.host}/app` }))
      for (const secret of [...secrets, givenToken, identityToken]) assert.not.match(told ?? '', secret)
    } finally {
      await fake.end()
    }
  })
}

const failure = (result: E.Either<Diagnostic, unknown>): Diagnostic => {
  if (E.isRight(result)) throw new Error(`it should not give ${String(result.right)}`)
  return result.left
}

const only = (when: (request: Request) => boolean, reply: FakeFault): ((request: Request) => FakeFault) => {
  return (request) => (when(request) ? reply : undefined)
}
const ofRegistry = ({ path }: Request): boolean => path.startsWith('/v2/')
const ofTokens = ({ path }: Request): boolean => path.startsWith('/token')

scene('one question without credentials where none are wanted', {}, async ({ fake, name, registry }) => {
  const found = await registry.digestOf(`${name}:1`, signal)()
  assert.equal(found, E.right(sha256(manifest)))
  assert.equal(fake.asked(), ['HEAD /v2/app/manifests/1'])
  assert.match(fake.requests[0]?.headers.accept ?? '', manifestType)
  assert.is(fake.requests[0]?.headers.authorization, undefined)
  return found
})

scene('Basic is kept once it was accepted', { guard: 'basic', credential: login }, async ({ fake, name, registry }) => {
  for (const tag of ['1', '2', '3']) await registry.digestOf(`${name}:${tag}`, signal)()
  assert.equal(
    fake.requests.map(({ headers, path }) => `${path} ${headers.authorization === undefined ? 'nobody' : 'somebody'}`),
    [
      '/v2/app/manifests/1 nobody',
      '/v2/app/manifests/1 somebody',
      '/v2/app/manifests/2 somebody',
      '/v2/app/manifests/3 somebody',
    ],
  )
})

scene('a password goes to the token service as a form, once', { guard: 'bearer', credential: login }, async (world) => {
  const { fake, name, registry } = world
  for (const tag of ['1', '2']) await registry.digestOf(`${name}:${tag}`, signal)()
  const asked = fake.requests.filter(ofTokens)
  assert.equal(
    asked.map(({ method, path }) => `${method} ${path}`),
    ['POST /token'],
  )
  const form = Object.fromEntries(new URLSearchParams(asked[0]?.body ?? ''))
  const { password, username } = account
  const { client_id: clientId, ...rest } = form
  assert.is(clientId, 'devtool')
  const wanted = { grant_type: 'password', service: 'a test', scope: 'repository:app:pull' }
  assert.equal(rest, { ...wanted, username, password })
  assert.is(fake.requests.filter(ofRegistry).at(-1)?.headers.authorization, `Bearer ${givenToken}`)
})

const identity: RegistryCredential = { username: '', secret: identityToken }
scene('an identity token is exchanged', { guard: 'bearer', credential: identity }, async ({ fake, name, registry }) => {
  assert.equal(await registry.digestOf(`${name}:1`, signal)(), E.right(sha256(manifest)))
  const form = new URLSearchParams(fake.requests.find(ofTokens)?.body ?? '')
  assert.equal([form.get('grant_type'), form.get('refresh_token')], ['refresh_token', identityToken])
})

for (const status of [401, 404, 405]) {
  const trouble = only((request) => ofTokens(request) && request.method === 'POST', { status })
  scene(
    `a token service that answers ${status} to the form is asked by Basic`,
    { guard: 'bearer', credential: login, trouble },
    async ({ fake, name, registry }) => {
      assert.equal(await registry.digestOf(`${name}:1`, signal)(), E.right(sha256(manifest)))
      const asked = fake.requests.filter(ofTokens).map(({ method, path }) => `${method} ${path}`)
      assert.equal(asked, ['POST /token', 'GET /token?service=a+test&scope=repository%3Aapp%3Apull'])
    },
  )
}

scene('nobody gets a token, too', { guard: 'bearer' }, async ({ fake, name, registry }) => {
  assert.equal(await registry.digestOf(`${name}:1`, signal)(), E.right(sha256(manifest)))
  assert.is(fake.requests.find(ofTokens)?.headers.authorization, undefined)
})

const static_: RegistryCredential = { username: '', secret: '', registryToken: givenToken }
scene('a token of the configuration is not exchanged', { guard: 'bearer', credential: static_ }, async (world) => {
  assert.equal(await world.registry.digestOf(`${world.name}:1`, signal)(), E.right(sha256(manifest)))
  assert.equal(world.fake.requests.filter(ofTokens), [])
})

scene(
  'a tag is set with a token for writing',
  { guard: 'bearer', credential: login },
  async ({ fake, name, registry }) => {
    assert.equal(await registry.tag(`${name}:1`, `${name}:2`, signal)(), E.right(undefined))
    assert.is(fake.manifests.get('app:2'), manifest)
    const put = fake.requests.findLast(({ method }) => method === 'PUT')
    assert.is(put?.headers['content-type'], manifestType)
    const scopes = fake.requests.filter(ofTokens).map(({ body }) => new URLSearchParams(body).get('scope'))
    assert.equal(scopes, ['repository:app:pull', 'repository:app:pull,push'])
  },
)

const wrong: RegistryCredential = { username: account.username, secret: 'Wr0ng-Secret' }
for (const guard of ['basic', 'bearer'] as const) {
  scene(
    `${guard}: a wrong password is denied and not told`,
    { guard, credential: wrong },
    async ({ name, registry }) => {
      const found = failure(await registry.digestOf(`${name}:1`, signal)())
      assert.is(found.code, 'DT4012')
      assert.match(found.help ?? '', 'docker login')
      assert.not.match(JSON.stringify(found), 'Wr0ng')
      return found
    },
  )
}

const forbidden = { status: 403, body: `{"errors":[{"message":"${account.password}"}]}` }
scene('403 is denied', { guard: 'basic', credential: login, trouble: only(ofRegistry, forbidden) }, async (world) => {
  const found = failure(await world.registry.tag(`${world.name}:1`, `${world.name}:2`, signal)())
  assert.is(found.code, 'DT4012')
  assert.is(world.fake.requests.length, 1)
  return found
})

scene(
  'no words of the registry are repeated',
  { trouble: only(ofRegistry, { ...forbidden, status: 418 }) },
  async (world) => {
    const found = failure(await world.registry.digestOf(`${world.name}:1`, signal)())
    assert.equal([found.code, found.message.includes('status 418')], ['DT4013', true])
    return found
  },
)

for (const trouble of ['silent', 'cut'] as const) {
  scene(`${trouble}: given up after two tries`, { trouble: only(ofRegistry, trouble) }, async ({ fake, name }) => {
    const found = failure(await registryOf(undefined, 500).tag(`${name}:1`, `${name}:2`, signal)())
    assert.is(found.code, 'DT4013')
    assert.is(fake.requests.length, 2)
    return found
  })
}

test('temporary errors are retried', async () => {
  let left = 1
  const fake = await registryFake({ trouble: () => (left-- > 0 ? { status: 503 } : undefined) })
  fake.manifests.set('app:1', manifest)
  assert.equal(await registryOf().digestOf(`${fake.host}/app:1`, signal)(), E.right(sha256(manifest)))
  await fake.end()
})

const forgetful = only(({ method }) => method === 'HEAD', {
  status: 200,
  headers: { 'docker-content-digest': 'sha256:x' },
})
scene('a digest that is none is computed', { trouble: forgetful }, async ({ fake, name, registry }) => {
  assert.equal(await registry.digestOf(`${name}:1`, signal)(), E.right(sha256(manifest)))
  assert.equal(fake.asked(), ['HEAD /v2/app/manifests/1', 'GET /v2/app/manifests/1'])
})

scene(
  'a registry without HEAD',
  { trouble: only(({ method }) => method === 'HEAD', { status: 405 }) },
  async (world) => {
    assert.equal(await world.registry.digestOf(`${world.name}:1`, signal)(), E.right(sha256(manifest)))
  },
)

const page = '<html>Please log in</html>'
const portals: Readonly<Record<string, FakeFault>> = {
  'a page': { status: 200, headers: { 'content-type': 'text/html' }, body: page },
  'a page with its digest': {
    status: 200,
    headers: { 'content-type': 'text/html; charset=utf-8', 'docker-content-digest': sha256(page) },
    body: page,
  },
  'a page said to be a manifest': { status: 200, headers: { 'content-type': manifestType }, body: page },
  'other JSON': { status: 200, headers: { 'content-type': manifestType }, body: '{"schemaVersion":1}' },
  'no type at all': { status: 200, body: manifest },
}
for (const [title, reply] of Object.entries(portals)) {
  scene(`${title} is no image`, { trouble: only(ofRegistry, reply) }, async ({ fake, name, registry }) => {
    const found = failure(await registry.digestOf(`${name}:1`, signal)())
    assert.is(found.code, 'DT4013')
    assert.is(failure(await registry.tag(`${name}:1`, `${name}:2`, signal)()).code, 'DT4013')
    assert.not(fake.asked().some((one) => one.startsWith('PUT')))
    return found
  })
}

const typed = JSON.stringify({ schemaVersion: 2, mediaType: manifestType })
scene(
  'a manifest may tell its type itself',
  { trouble: only(({ method }) => method !== 'PUT', { status: 200, body: typed }) },
  async ({ name, registry }) => {
    assert.equal(await registry.digestOf(`${name}:1`, signal)(), E.right(sha256(typed)))
  },
)

const lying = only(({ method }) => method === 'GET', {
  status: 200,
  headers: { 'content-type': manifestType, 'docker-content-digest': sha256('other') },
  body: manifest,
})
scene('what is not what it is said to be is not tagged', { trouble: lying }, async ({ fake, name, registry }) => {
  const found = failure(await registry.tag(`${name}:1`, `${name}:2`, signal)())
  assert.equal([found.code, fake.manifests.has('app:2')], ['DT4013', false])
})

test('credentials do not follow a redirect to another host', async () => {
  const other = await registryFake()
  other.manifests.set('app:1', manifest)
  const location = `http://${other.host}/v2/app/manifests/1`
  const isKnown = ({ headers }: Request): boolean => headers.authorization !== undefined
  const fake = await registryFake({ guard: 'basic', trouble: only(isKnown, { status: 307, headers: { location } }) })
  const found = await registryOf(login).digestOf(`${fake.host}/app:1`, signal)()
  assert.equal(found, E.right(sha256(manifest)))
  assert.equal(
    other.requests.map(({ headers }) => headers.authorization),
    [undefined],
  )
  await Promise.all([fake.end(), other.end()])
})

scene(
  'an endless redirect ends',
  { trouble: only(ofRegistry, { status: 302, headers: { location: '/v2/x' } }) },
  async (world) => {
    assert.is(failure(await world.registry.digestOf(`${world.name}:1`, signal)()).code, 'DT4013')
  },
)

/** An address of this machine that is not known to be one. */
const elsewhere = ({ host }: RegistryFake): string => host.replace('127.0.0.1', '0.0.0.0')

scene('elsewhere no TLS is needed where nothing is secret', {}, async ({ fake, registry }) => {
  assert.equal(await registry.digestOf(`${elsewhere(fake)}/app:1`, signal)(), E.right(sha256(manifest)))
})

scene(
  'elsewhere no password is sent without TLS',
  { guard: 'basic', credential: login },
  async ({ fake, registry }) => {
    const found = failure(await registry.digestOf(`${elsewhere(fake)}/app:1`, signal)())
    assert.is(found.code, 'DT4013')
    assert.match(found.help ?? '', 'without TLS')
    assert.equal(fake.requests, [])
    return found
  },
)

test('a password is not sent to a token service without TLS', async () => {
  const service = await registryFake()
  const challenge = `Bearer realm="http://${elsewhere(service)}/token",service="s"`
  const fake = await registryFake({ trouble: () => ({ status: 401, headers: { 'www-authenticate': challenge } }) })
  assert.is(failure(await registryOf(login).digestOf(`${fake.host}/app:1`, signal)()).code, 'DT4013')
  assert.equal(service.requests, [])
  await Promise.all([fake.end(), service.end()])
})

test('an unreachable registry is reported', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  server.close()
  await once(server, 'close')
  const found = failure(await registryOf().digestOf(`127.0.0.1:${port}/app:1`, signal)())
  assert.equal([found.code, found.message.includes('refused')], ['DT4013', true])
})

test('an interruption ends a request at once', async () => {
  const stopped = new AbortController()
  const fake = await registryFake({
    trouble: () => {
      stopped.abort()
      return 'silent'
    },
  })
  const registry = httpRegistry({ clock, client, credentials: { of: async () => undefined } })
  assert.is(failure(await registry.digestOf(`${fake.host}/app:1`, stopped.signal)()).code, 'DT4016')
  assert.is(failure(await registry.digestOf(`${fake.host}/app:1`, stopped.signal)()).code, 'DT4016')
  assert.is(fake.requests.length, 1)
  await fake.end()
})

test.run()
