/** Connections and agents through proxies of each kind, and what is said when there are none. */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer, request as requestHttp } from 'node:http'
import { createServer, request } from 'node:https'
import { createServer as createNetServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentFor } from '../../../src/adapters/http/agent.ts'
import { dial } from '../../../src/adapters/http/dial.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { closing, httpProxy, listening, type Proxy } from '../../support/http/proxy.ts'
import { socksProxy } from '../../support/http/socks.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const file = (name: string): string => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url), 'utf8')
const authority = new URL('../../support/tls/ca.pem', import.meta.url).pathname

const greeting = createNetServer((socket) => socket.end('hello'))
const closeGreeting = closing(greeting)
const greetingPort = await listening(greeting)

const connections = { made: 0 }
const secured = createServer({ key: file('server-key.pem'), cert: file('server.pem') }, (_asked, response) => {
  setTimeout(() => response.end('secret'), 5)
})
secured.on('connection', () => {
  connections.made += 1
})
const closeSecured = closing(secured)
const securedPort = await listening(secured)

const plain = createHttpServer((_asked, response) => response.end('plain'))
const closePlain = closing(plain)
const plainPort = await listening(plain)

const opened = closedAfterEach(test)
test.after(() => {
  closeGreeting()
  closeSecured()
  closePlain()
})

const kinds: Readonly<Record<string, () => Promise<Proxy>>> = {
  http: () => httpProxy(),
  'http with a password': () => httpProxy({ credentials: 'me:geheim%40' }),
  https: () => httpProxy({ isSecure: true }),
  socks5: () => socksProxy(),
  'socks5 with a password': () => socksProxy({ credentials: 'me:geheim' }),
}

const urlOf = (proxy: Proxy): URL => new URL(proxy.url.replace('geheim%40', 'geheim%2540'))
const env = { SSL_CERT_FILE: authority }

for (const [kind, start] of Object.entries(kinds)) {
  test(`${kind}: bytes pass through, and the proxy gets the name unresolved`, async () => {
    const proxy = opened(await start())
    const socket = await dial(
      { host: 'far.example', port: greetingPort },
      { proxy: urlOf(proxy), env },
      { clock: systemClock },
    )
    assert.is(await text(socket), 'hello')
    assert.equal(proxy.asked, [`far.example:${greetingPort}`])
  })

  test(`${kind}: requests of an agent share connections, up to its limit`, async () => {
    const proxy = opened(await start())
    const server = new URL(`https://builder.example.com:${securedPort}`)
    const agent = await agentFor(
      server,
      { clock: systemClock, env, proxy: urlOf(proxy) },
      {},
      { keepAlive: true, maxSockets: 2 },
    )
    connections.made = 0
    const ask = (): Promise<string> =>
      new Promise((resolve, reject) => {
        request(server, { agent }, (response) => resolve(text(response)))
          .on('error', reject)
          .end()
      })
    assert.equal(
      await Promise.all(Array.from({ length: 12 }, ask)),
      Array.from({ length: 12 }, () => 'secret'),
    )
    assert.is(connections.made, 2)
    assert.equal(new Set(proxy.asked), new Set([`builder.example.com:${securedPort}`]))
    agent.destroy()
  })
}

test('an agent for a server without TLS connects through the proxy, too', async () => {
  const proxy = opened(await socksProxy())
  const server = new URL(`http://far.example:${plainPort}`)
  const agent = await agentFor(server, { clock: systemClock, env: {}, proxy: urlOf(proxy) }, {}, {})
  const said = await new Promise((resolve, reject) => {
    requestHttp(server, { agent }, (response) => resolve(text(response)))
      .on('error', reject)
      .end()
  })
  assert.is(said, 'plain')
})

const messageOf = async (dialled: Promise<unknown>): Promise<string> => {
  try {
    await dialled
    return 'there was a connection'
  } catch (cause) {
    return cause instanceof Error ? cause.message : String(cause)
  }
}

const failures: ReadonlyArray<readonly [title: string, start: () => Promise<Proxy>, said: string]> = [
  ['that wants a password', () => httpProxy({ credentials: 'me:geheim' }), 'requires a user name and a password (407)'],
  ['that does not let through', () => httpProxy({ status: 403 }), 'refused the connection (403)'],
  ['that cannot reach the server', () => httpProxy({ status: 503 }), 'cannot reach the server (503)'],
  ['that says nothing', () => httpProxy({ behaviour: 'hangs' }), 'cannot be reached: no response within 0.2 s'],
  ['that resets', () => httpProxy({ behaviour: 'resets' }), 'cannot be reached: the connection was reset'],
  [
    'that is none',
    () => httpProxy({ behaviour: 'answers garbage' }),
    'cannot be reached: its response is not valid HTTP',
  ],
  ['of SOCKS that does not let through', () => socksProxy({ reply: 2 }), 'cannot connect: '],
  ['of SOCKS that wants a password', () => socksProxy({ credentials: 'me:geheim' }), 'cannot connect: '],
]

for (const [title, start, said] of failures) {
  test(`a proxy ${title} is named, without its credentials`, async () => {
    const proxy = opened(await start())
    const shown = proxy.url.replace('me:geheim@', '')
    const way = { proxy: new URL(shown), env: {} }
    const message = await messageOf(
      dial({ host: 'far.example', port: greetingPort }, way, { clock: systemClock, limitMs: 200 }),
    )
    assert.ok(message.startsWith(`the proxy ${shown} ${said}`), message)
  })
}

test('a rejected password of a proxy is not shown', async () => {
  for (const start of [httpProxy, socksProxy]) {
    const proxy = opened(await start({ credentials: 'me:right' }))
    const url = new URL(proxy.url.replace('right', 'geheim'))
    const message = await messageOf(
      dial({ host: 'far.example', port: greetingPort }, { proxy: url, env: {} }, { clock: systemClock }),
    )
    assert.ok(message.includes(`127.0.0.1:${proxy.port} `) && !/geheim|right/.test(message), message)
  }
})

test('the signal ends the wait for a proxy', async () => {
  const proxy = opened(await httpProxy({ behaviour: 'hangs' }))
  const stop = new AbortController()
  const way = { proxy: new URL(proxy.url), env: {} }
  const dialled = messageOf(dial({ host: 'far.example', port: 1 }, way, { clock: systemClock, signal: stop.signal }))
  stop.abort()
  assert.is(await dialled, 'interrupted')
})

test('a proxy with TLS must have a trusted certificate', async () => {
  const proxy = opened(await httpProxy({ isSecure: true }))
  const message = await messageOf(
    dial({ host: 'far.example', port: 1 }, { proxy: new URL(proxy.url), env: {} }, { clock: systemClock }),
  )
  assert.match(message, /^the proxy https:\/\/127\.0\.0\.1:\d+ cannot be reached: .*certificate/)
})

test.run()
