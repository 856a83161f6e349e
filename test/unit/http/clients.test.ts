/** Every client goes through the proxies of the environment, and says of them what is wrong in the same words. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer as createHttpServer, type RequestListener } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dialTcp } from '../../../src/adapters/buildkit/rpc/dial.ts'
import { dialDocker } from '../../../src/adapters/docker/grpc.ts'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { accessOf } from '../../../src/adapters/kube/access.ts'
import { type ApiTransport, openTransport } from '../../../src/adapters/kube/api/transport.ts'
import { nodeNetwork } from '../../../src/adapters/network/network.ts'
import { httpRegistry } from '../../../src/adapters/registry/client.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryHome } from '../../memory/home.ts'
import { switching, usualPing } from '../../support/build/docker-fake.ts'
import { realClusters } from '../../support/e2e/real-cluster.ts'
import { closing, httpProxy, join as joinStreams, listening, type Proxy } from '../../support/http/proxy.ts'
import { socksProxy } from '../../support/http/socks.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { manifestType, sha256 } from '../../support/registry/fake.ts'

const opened = closedAfterEach(test)

type Env = Readonly<Record<string, string>>

const folder = mkdtempSync(join(tmpdir(), 'devtool-clients-'))
const pathOf = (name: string): string => new URL(`../../support/tls/${name}`, import.meta.url).pathname
const file = (name: string): Buffer => readFileSync(pathOf(name))
/** The name that the certificate of these tests is for; only proxies know where it is. */
const host = 'builder.example.com'
const trusting: Env = { SSL_CERT_FILE: pathOf('ca.pem') }
const manifest = '{"schemaVersion":2}'

const api: RequestListener = ({ url = '' }, response) => {
  const object = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', uid: 'u', resourceVersion: '1' } }
  if (url.includes('watch=true')) response.write(`${JSON.stringify({ type: 'ADDED', object })}\n`)
  else response.end(JSON.stringify(object))
}

/** A registry with its token service, the API server, a page, and the Docker daemon, by the path. */
const everything: RequestListener = (asked, response) => {
  const { headers, url = '' } = asked
  if (url.startsWith('/api/')) return api(asked, response)
  if (url === '/_ping') return void response.writeHead(200, usualPing).end('OK')
  if (url.startsWith('/token')) return void response.end('{"token":"given"}')
  if (!url.startsWith('/v2/')) return void response.end('page')
  if (headers.authorization === 'Bearer given') {
    return void response
      .writeHead(200, { 'content-type': manifestType, 'docker-content-digest': sha256(manifest) })
      .end()
  }
  const realm = `https://${host}:${securedPort}/token`
  response.writeHead(401, { 'www-authenticate': `Bearer realm="${realm}",service="s"` }).end()
}

const secured = createServer({ key: file('server-key.pem'), cert: file('server.pem') }, everything)
const plain = createHttpServer(everything)
for (const server of [secured, plain]) {
  server.on('upgrade', (_asked, socket) => {
    socket.write(switching)
    joinStreams(socket, socket)
  })
}
const greeting = createNetServer((socket) => socket.end('hello'))
const [closeSecured, closePlain, closeGreeting] = [closing(secured), closing(plain), closing(greeting)]
const [securedPort, plainPort, greetingPort] = [
  await listening(secured),
  await listening(plain),
  await listening(greeting),
]

test.after(() => {
  closeSecured()
  closePlain()
  closeGreeting()
  rmSync(folder, { recursive: true })
})

const key = { resource: resources.ConfigMap, namespace: 'n', name: 'a' }
const { signal } = new AbortController()
const server = `https://${host}:${securedPort}`

const connectKube = async (env: Env, cluster: object = {}): Promise<Cluster> => {
  const config = join(folder, 'config')
  const one = {
    clusters: [{ name: 'a', cluster: { server, ...cluster } }],
    users: [{ name: 'a', user: { token: 't' } }],
    contexts: [{ name: 'a', context: { cluster: 'a', user: 'a' } }],
  }
  writeFileSync(config, JSON.stringify(one))
  const connected = await realClusters(env).connect({ file: config, context: 'a' })()
  if (E.isLeft(connected)) throw new Error(connected.left.message)
  return connected.right
}

const upstreamOf = (env: Env): ApiTransport =>
  openTransport(
    accessOf(
      {
        server: new URL(server),
        cluster: { server },
        user: {},
        file: 'config',
        env,
        isTerminal: false,
        say: () => {},
        store: memoryHome(),
      },
      systemClock,
    ),
  )

/** What each client was told: a word when all is well, else the cause. */
const clients: Readonly<Record<string, (env: Env) => Promise<string>>> = {
  'the API server': async (env) => {
    const cluster = await connectKube(env)
    const got = await cluster.get(key)()
    cluster.close()
    if (E.isRight(got)) return 'fine'
    return got.left._tag === 'Unreachable' ? got.left.cause : got.left._tag
  },
  'a watch of the API server': async (env) => {
    const cluster = await connectKube(env)
    const selection = { resource: resources.ConfigMap, namespace: 'n', version: '1' }
    for await (const event of cluster.watch(selection, signal)) {
      cluster.close()
      if (event._tag === 'Seen') return 'fine'
      if (event._tag === 'Failed' && event.failure._tag === 'Unreachable') return event.failure.cause
    }
    return 'nothing'
  },
  'an upgrade of the API server': async (env) => {
    const upstream = upstreamOf(env)
    const headers = { connection: 'Upgrade', upgrade: 'h2c' }
    const upgraded = await upstream.upgrade({ method: 'GET', path: '/x', headers, signal, isStream: true })()
    if (E.isLeft(upgraded)) return upgraded.left.cause
    if (upgraded.right._tag === 'Answered') return 'answered'
    const { socket } = upgraded.right
    socket.write('echo')
    const [echoed]: ReadonlyArray<unknown> = await new Promise((resolve) => {
      socket.once('data', (bytes: Buffer) => resolve([bytes.toString()]))
    })
    socket.destroy()
    upstream.close()
    return echoed === 'echo' ? 'fine' : String(echoed)
  },
  'a registry and its tokens': async (env) => {
    const credentials = { of: async () => undefined }
    const registry = httpRegistry({
      clock: systemClock,
      client: httpClient(env, systemClock),
      credentials,
      pauseMs: 1,
      timeoutMs: 5000,
    })
    const found = await registry.digestOf(`${host}:${securedPort}/app:1`, signal)()
    return E.isRight(found) ? (found.right === sha256(manifest) ? 'fine' : String(found.right)) : found.left.message
  },
  'Docker with TLS': async (env) => {
    const dialled = await dialDocker(
      { clock: systemClock, host: { _tag: 'Tcp', host, port: securedPort, isTls: true }, env },
      signal,
      5000,
    )()
    if (E.isLeft(dialled)) return dialled.left
    dialled.right.destroy()
    return 'fine'
  },
  'Docker without TLS': async (env) => {
    const dialled = await dialDocker(
      { clock: systemClock, host: { _tag: 'Tcp', host, port: plainPort, isTls: false }, env },
      signal,
      5000,
    )()
    if (E.isLeft(dialled)) return dialled.left
    dialled.right.destroy()
    return 'fine'
  },
  BuildKit: async (env) => {
    const dialled = await dialTcp(systemClock, { host, port: greetingPort }, env)()
    if (E.isLeft(dialled)) return dialled.left
    return (await text(dialled.right)) === 'hello' ? 'fine' : 'something else'
  },
  'an endpoint with TLS': async (env) => {
    const answer = await nodeNetwork(env, systemClock).ask(`${server}/page`, 5000)()
    return answer._tag === 'Silent' ? answer.text : answer.status === 200 ? 'fine' : String(answer.status)
  },
  'an endpoint without TLS': async (env) => {
    const answer = await nodeNetwork(env, systemClock).ask(`http://${host}:${plainPort}/page`, 5000)()
    return answer._tag === 'Silent' ? answer.text : answer.status === 200 ? 'fine' : String(answer.status)
  },
  'an endpoint that is a port': async (env) => {
    const reached = await nodeNetwork(env, systemClock).reach(host, greetingPort, 5000)()
    return reached._tag === 'Open' ? 'fine' : reached.text
  },
}

const everywhere = (url: string): Env => ({ HTTP_PROXY: url, HTTPS_PROXY: url, ...trusting })

const ways: Readonly<Record<string, readonly [start: () => Promise<Proxy>, env: (url: string) => Env]>> = {
  'a proxy': [() => httpProxy(), everywhere],
  'a proxy with a password': [() => httpProxy({ credentials: 'me:geheim' }), everywhere],
  'a proxy with TLS': [() => httpProxy({ isSecure: true }), everywhere],
  'a SOCKS 5 proxy with a password': [
    () => socksProxy({ credentials: 'me:geheim' }),
    (url) => ({ ALL_PROXY: url, ...trusting }),
  ],
}

for (const [name, reach] of Object.entries(clients)) {
  for (const [way, [start, env]] of Object.entries(ways)) {
    test(`${name} is reached through ${way}`, async () => {
      const proxy = opened(await start())
      assert.is(await reach(env(proxy.url)), 'fine')
      assert.ok(proxy.asked.length > 0 && proxy.asked.every((asked) => asked.includes(host)))
    })
  }

  test(`${name}: a proxy that requires a password is reported`, async () => {
    const proxy = opened(await httpProxy({ credentials: 'me:geheim' }))
    const url = proxy.url.replace('me:geheim', 'me:wrong')
    const said = await reach(everywhere(url))
    assert.match(said, `the proxy http://127.0.0.1:${proxy.port} did not accept the user name and password (407)`)
    assert.not.match(said, /geheim|wrong/)
  })

  test(`${name}: a proxy that resets connections is reported`, async () => {
    const proxy = opened(await httpProxy({ behaviour: 'resets' }))
    const said = await reach(everywhere(proxy.url))
    // What is handed over to a proxy as it is cannot tell who hung up.
    const expected = name === 'an endpoint without TLS' ? '' : `the proxy ${proxy.url} cannot be reached: `
    assert.match(said, `${expected}the connection was reset`)
  })

  test(`${name}: a variable with an invalid proxy is reported`, async () => {
    const said = await reach({ HTTP_PROXY: 'http://me:geheim@', HTTPS_PROXY: 'http://me:geheim@', ...trusting }).catch(
      (cause: unknown) => String(cause),
    )
    assert.match(said, /HTTPS?_PROXY is not a valid proxy URL/)
    assert.not.match(said, 'geheim')
  })
}

test('a request refused by a proxy is not retried', async () => {
  const proxy = opened(await httpProxy({ status: 403 }))
  await clients['the API server']?.(everywhere(proxy.url))
  assert.is(proxy.asked.length, 1)
})

test('the proxy-url of a kubeconfig takes precedence over the environment, and applies to localhost, too', async () => {
  for (const start of [() => httpProxy(), () => socksProxy({ credentials: 'me:geheim' })]) {
    const proxy = opened(await start())
    const local = `https://localhost:${securedPort}`
    const cluster = await connectKube(
      { HTTPS_PROXY: 'http://127.0.0.1:1', ...trusting },
      { server: local, 'proxy-url': proxy.url },
    )
    assert.ok(E.isRight(await cluster.get(key)()))
    assert.equal(proxy.asked, [`localhost:${securedPort}`])
    cluster.close()
  }
})

test('the certificate of a proxy is checked against the name of the proxy', async () => {
  const proxy = opened(await httpProxy({ isSecure: true }))
  const ask = async (url: string, proxyUrl: string): Promise<string> => {
    const answer = await nodeNetwork({ HTTP_PROXY: proxyUrl, ...trusting }, systemClock).ask(url, 5000)()
    return answer._tag === 'Silent' ? answer.because : String(answer.status)
  }
  // The certificate is for 127.0.0.1, localhost and the host of these tests.
  assert.is(await ask(`http://elsewhere.example:${plainPort}/page`, `https://localhost:${proxy.port}`), '200')
  assert.is(await ask(`http://elsewhere.example:${plainPort}/page`, proxy.url), '200')
  const other = opened(await httpProxy({ isSecure: true, address: '127.0.0.2' }))
  assert.is(await ask(`http://${host}:${plainPort}/page`, other.url), 'Untrusted')
  assert.equal(other.asked, [])
})

test('the authority of a kubeconfig is the only one that is trusted', async () => {
  const proxy = opened(await httpProxy())
  const data = { 'certificate-authority-data': file('other-ca.pem').toString('base64') }
  const cluster = await connectKube(everywhere(proxy.url), data)
  const got = await cluster.get(key)()
  assert.ok(E.isLeft(got) && got.left._tag === 'Unreachable' && got.left.cause.includes('unknown authority'))
  cluster.close()
})

test('hosts in NO_PROXY are reached directly', async () => {
  const answer = await nodeNetwork({ HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: '.invalid' }, systemClock).ask(
    'http://nobody.invalid',
    5000,
  )()
  assert.is(answer._tag === 'Silent' && answer.because, 'UnknownName')
})

test.run()
