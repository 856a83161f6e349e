/** Every client goes through the proxies of the environment, and says of them what is wrong in the same words. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeNetwork } from '../../../src/adapters/network/network.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import {
  clients,
  closeClients,
  connectKube,
  type Env,
  host,
  key,
  plainPort,
  securedPort,
  tlsFile,
  trusting,
} from '../../support/http/clients.ts'
import { httpProxy, type Proxy } from '../../support/http/proxy.ts'
import { socksProxy } from '../../support/http/socks.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

test.after(closeClients)

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
  const data = { 'certificate-authority-data': tlsFile('other-ca.pem').toString('base64') }
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
