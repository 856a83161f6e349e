/** What is said when there is no connection, of servers that are wrong in each way: the same for every client. */
import { readFileSync } from 'node:fs'
import { createServer as createHttpServer } from 'node:http'
import { createServer } from 'node:https'
import { createServer as createNetServer, type Server } from 'node:net'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { makeIdentity } from '../../../src/adapters/kube/proxy/certificate.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { closing, httpProxy, listening } from '../../support/http/proxy.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const pathOf = (name: string): string => new URL(`../../support/tls/${name}`, import.meta.url).pathname
const file = (name: string): Buffer => readFileSync(pathOf(name))
const key = file('server-key.pem')
const trusting = { SSL_CERT_FILE: pathOf('ca.pem') }
const own = makeIdentity(Date.now())

const secure = (cert: string | Buffer, secret: string | Buffer = key): Server =>
  createServer({ key: secret, cert }, (_asked, response) => response.end('x'.repeat(9 * 1024 * 1024)))

type Env = Readonly<Record<string, string>>
type Case = readonly [title: string, server: () => Server, url: string, env: Env, because: string, says: string]

const cases: ReadonlyArray<Case> = [
  [
    'an expired certificate',
    () => secure(file('expired.pem')),
    'https://127.0.0.1',
    trusting,
    'BadCertificate',
    'its certificate has expired',
  ],
  [
    'a self-signed certificate',
    () => secure(own.certificate, own.key),
    'https://127.0.0.1',
    {},
    'Untrusted',
    'its certificate is self-signed',
  ],
  [
    'a certificate of an authority that nobody named',
    () => secure(file('server.pem')),
    'https://127.0.0.1',
    {},
    'Untrusted',
    'its certificate is signed by an unknown authority',
  ],
  [
    'a certificate for another name',
    () => secure(file('server.pem')),
    'https://other.example.com',
    trusting,
    'BadCertificate',
    'its certificate is for a',
  ],
  [
    'a server without TLS',
    () => createHttpServer((_asked, response) => response.end()),
    'https://127.0.0.1',
    {},
    'NotTls',
    'it does not use TLS',
  ],
  [
    'something that is not HTTP',
    () => createNetServer((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n')),
    'http://127.0.0.1',
    {},
    'Broken',
    'its response is not valid HTTP',
  ],
  [
    'a server that hangs up',
    () => createNetServer((socket) => socket.once('data', () => socket.resetAndDestroy())),
    'http://127.0.0.1',
    {},
    'Broken',
    'the connection was reset',
  ],
  ['silence', () => createNetServer(() => {}), 'http://127.0.0.1', {}, 'TimedOut', 'no response within 0.3 s'],
  [
    'an answer without end',
    () => secure(file('server.pem')),
    'https://127.0.0.1',
    trusting,
    'Broken',
    'the answer is too large',
  ],
]

const { signal } = new AbortController()

for (const [title, start, url, env, because, says] of cases) {
  test(`${title}: ${says}`, async () => {
    const server = start()
    opened({ close: closing(server) })
    const port = await listening(server)
    const proxy = opened(await httpProxy())
    const timeoutMs = because === 'TimedOut' ? 300 : 20_000
    const question = { method: 'GET', url: new URL(`${url}:${port}`) } as const
    const answer = await httpClient({ HTTPS_PROXY: proxy.url, ...env }, systemClock).ask(question, timeoutMs, signal)()
    assert.ok(E.isLeft(answer))
    assert.is(answer.left.because, because)
    assert.ok(answer.left.text.startsWith(says), answer.left.text)
  })
}

for (const [url, because, says] of [
  ['http://127.0.0.1:1', 'Refused', 'connection refused'],
  ['http://nobody.invalid', 'UnknownName', 'its name cannot be resolved'],
] as const) {
  test(`${url}: ${says}`, async () => {
    const answer = await httpClient({}, systemClock).ask({ method: 'GET', url: new URL(url) }, 20_000, signal)()
    assert.ok(E.isLeft(answer) && answer.left.because === because && answer.left.text.startsWith(says))
  })
}

test.run()
