/** What each variable for proxies and authorities does to every client. The name of their servers leads to this machine. */
import dns from 'node:dns'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { binPath, runNode } from '../../../scripts/command.ts'
import { clients, closeClients, type Env, host, tlsPath, trusting } from '../../support/http/clients.ts'
import { resolveHere } from '../../support/http/names.ts'
import { httpProxy } from '../../support/http/proxy.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)
const restore = resolveHere(dns, host)

test.after(() => {
  restore()
  closeClients()
})

/** The others connect by HTTPS, or to ports whose clients use HTTPS_PROXY. */
const overHttp: ReadonlySet<string> = new Set(['Docker without TLS', 'an endpoint without TLS'])
const overTls = Object.entries(clients).filter(
  ([name]) => !overHttp.has(name) && name !== 'BuildKit' && name !== 'an endpoint that is a port',
)

for (const [name, reach] of Object.entries(clients)) {
  const [own, other] = overHttp.has(name) ? ['HTTP_PROXY', 'HTTPS_PROXY'] : ['HTTPS_PROXY', 'HTTP_PROXY']
  for (const variable of [own, own.toLowerCase(), 'ALL_PROXY', 'all_proxy']) {
    test(`${name} uses the proxy in ${variable}, with its password`, async () => {
      const proxy = opened(await httpProxy({ credentials: 'me:geheim' }))
      assert.is(await reach({ ...trusting, [variable]: proxy.url }), 'fine')
      assert.ok(proxy.asked.length > 0 && proxy.asked.every((asked) => asked.includes(host)))
    })
  }
  for (const more of [{ NO_PROXY: host }, { no_proxy: 'other.test,.example.com' }, {}]) {
    const env = { ...more, [Object.keys(more).length === 0 ? other : own]: '' }
    test(`${name} uses no proxy with ${Object.keys(env).toReversed().join(' and ')}`, async () => {
      const proxy = opened(await httpProxy())
      const named = Object.fromEntries(
        Object.entries(env).map(([key, value]) => [key, value === '' ? proxy.url : value]),
      )
      assert.is(await reach({ ...trusting, ...named }), 'fine')
      assert.equal(proxy.asked, [])
    })
  }
}

const folder = mkdtempSync(join(tmpdir(), 'devtool-authorities-'))
copyFileSync(tlsPath('ca.pem'), join(folder, 'ca.pem'))
test.after(() => rmSync(folder, { recursive: true }))

const [authority, another] = [tlsPath('ca.pem'), tlsPath('other-ca.pem')]
const trust: Readonly<Record<string, readonly [env: Env, isTrusted: boolean]>> = {
  SSL_CERT_FILE: [{ SSL_CERT_FILE: authority }, true],
  SSL_CERT_DIR: [{ SSL_CERT_DIR: `/absent:${folder}` }, true],
  'SSL_CERT_FILE with another authority': [{ SSL_CERT_FILE: another }, false],
  'NODE_EXTRA_CA_CERTS beside another authority in SSL_CERT_FILE': [
    { SSL_CERT_FILE: another, NODE_EXTRA_CA_CERTS: authority },
    true,
  ],
  'no variable': [{}, false],
}

for (const [name, reach] of overTls) {
  for (const [title, [env, isTrusted]] of Object.entries(trust)) {
    test(`${name} ${isTrusted ? 'trusts' : 'does not trust'} its server with ${title}`, async () => {
      const said = await reach(env)
      if (isTrusted) assert.is(said, 'fine')
      else assert.match(said, /certificate/)
    })
  }
}

test('with NODE_EXTRA_CA_CERTS alone, which Node reads at its start, every client trusts its server', async () => {
  const env = { NODE_EXTRA_CA_CERTS: authority, SSL_CERT_FILE: '', SSL_CERT_DIR: '' }
  const ran = await runNode([binPath('tsx'), 'test/support/http/reach-program.ts'], { env })
  assert.equal(ran, {
    status: 0,
    output: Object.keys(clients)
      .map((name) => `${name}: fine\n`)
      .join(''),
  })
})

test.run()
