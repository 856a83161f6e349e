/** Connections to where builders listen, and what is said when there is none. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createSecureServer } from 'node:http2'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectRpc } from '../../../src/adapters/buildkit/rpc/connect.ts'
import { dialTcp, dialUnix, type Tls } from '../../../src/adapters/buildkit/rpc/dial.ts'
import { readTls } from '../../../src/adapters/buildkit/rpc/tls.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { answerWith, frame, openBuilder, openTcp } from '../../support/build/grpc-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const keepalive = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
const certificates = join(import.meta.dirname, '../../support/tls')
const pem = (name: string): Promise<Buffer> => readFile(join(certificates, `${name}.pem`))
const textOf = <A>(result: E.Either<string, A>): string => (E.isLeft(result) ? result.left : 'connected')

const inFolder = async (
  files: Readonly<Record<string, string>>,
  use: (folder: string) => Promise<void>,
): Promise<void> => {
  const folder = await mkdtemp(join(tmpdir(), 'devtool-rpc-'))
  for (const [name, source] of Object.entries(files))
    await writeFile(join(folder, name), source.endsWith('.pem') ? await readFile(join(certificates, source)) : source)
  await use(folder)
  await rm(folder, { recursive: true })
}

const portOf = async (server: Server): Promise<number> => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const address: AddressInfo | string | null = server.address()
  return address !== null && typeof address === 'object' ? address.port : 0
}

/** A builder with TLS; `isMutual` wants a certificate of its own authority. */
const withTls = async (certificate: string, isMutual: boolean, use: (port: number) => Promise<void>): Promise<void> => {
  const server = createSecureServer({
    cert: await pem(certificate),
    key: await pem('server-key'),
    ca: await pem('ca'),
    requestCert: isMutual,
    rejectUnauthorized: isMutual,
  })
  server.on('stream', (stream) => answerWith(stream, [frame(Buffer.from('here'))], { 'grpc-status': '0' }))
  server.on('sessionError', () => {})
  const port = await portOf(server)
  await use(port)
  await new Promise<void>((resolve) => {
    server.close(() => resolve())
  })
}

/** What a call says over it, or why there was none. */
const ask = async (host: string, port: number, tls?: Tls): Promise<string> => {
  const { signal } = new AbortController()
  const rpc = await connectRpc(dialTcp(systemClock, { host, port }, {}, tls), {
    clock: systemClock,
    keepalive,
    authority: host,
    signal,
  })()
  if (E.isLeft(rpc)) return rpc.left._tag === 'Broken' ? rpc.left.cause : rpc.left._tag
  const answer = await rpc.right.unary('/a/B', new Uint8Array())()
  rpc.right.close()
  await rpc.right.closed
  return E.isRight(answer) ? Buffer.from(answer.right).toString() : answer.left._tag
}

test('a closed port, a missing socket and a regular file are reported', async () => {
  const server = createServer()
  const port = await portOf(server)
  await new Promise((resolve) => {
    server.close(resolve)
  })
  assert.is(textOf(await dialTcp(systemClock, { host: '127.0.0.1', port }, {})()), 'connection refused')
  assert.is(
    textOf(await dialTcp(systemClock, { host: '127.0.0.1', port }, {}, { ca: await pem('ca') })()),
    'connection refused',
  )
  await inFolder({ 'no-socket': '' }, async (folder) => {
    assert.is(textOf(await dialUnix(systemClock, join(folder, 'missing.sock'))()), 'there is no such socket')
    assert.match(textOf(await dialUnix(systemClock, join(folder, 'no-socket'))()), /refused|not a socket/)
  })
})

test('a port out of range is a failure, not an exception', async () => {
  assert.match(textOf(await dialTcp(systemClock, { host: '127.0.0.1', port: 70_000 }, {})()), /port/i)
})

test('a Unix socket carries calls', async () => {
  const builder = opened(
    await openBuilder((stream) => answerWith(stream, [frame(Buffer.from('unix'))], { 'grpc-status': '0' })),
  )
  await inFolder({}, async (folder) => {
    const path = join(folder, 'builder.sock')
    const relay = createServer((socket) => {
      void builder.dial().then((back) => (E.isRight(back) ? socket.pipe(back.right).pipe(socket) : socket.destroy()))
    })
    await new Promise<void>((resolve) => {
      relay.listen(path, resolve)
    })
    const { signal } = new AbortController()
    const rpc = await connectRpc(dialUnix(systemClock, path), {
      clock: systemClock,
      keepalive,
      authority: 'localhost',
      signal,
    })()
    assert.ok(E.isRight(rpc) && E.isRight(await rpc.right.unary('/a/B', new Uint8Array())()))
    if (E.isRight(rpc)) rpc.right.close()
    await new Promise((resolve) => {
      relay.close(resolve)
    })
  })
})

test('TLS trusts the given authority, for the expected name', async () => {
  const ca = await pem('ca')
  await withTls('server', false, async (port) => {
    assert.is(await ask('127.0.0.1', port, { ca }), 'here')
    assert.is(await ask('localhost', port, { ca }), 'here')
    assert.is(await ask('127.0.0.1', port, { ca, serverName: 'builder.example.com' }), 'here')
    assert.match(await ask('127.0.0.1', port, { ca, serverName: 'other.example.com' }), /for a different name/)
    assert.match(await ask('127.0.0.1', port, { ca: await pem('other-ca') }), /unknown authority/)
    assert.match(await ask('127.0.0.1', port), /may only accept TLS/)
  })
  await withTls('expired', false, async (port) => {
    assert.match(await ask('127.0.0.1', port, { ca }), /certificate has expired/)
  })
})

test('a missing client certificate for mutual TLS is reported', async () => {
  const ca = await pem('ca')
  await withTls('server', true, async (port) => {
    assert.is(await ask('127.0.0.1', port, { ca, cert: await pem('client'), key: await pem('client-key') }), 'here')
    assert.match(await ask('127.0.0.1', port, { ca }), /requires? a client certificate/)
  })
})

test('TLS to a builder without TLS is reported', async () => {
  const ca = await pem('ca')
  const builder = opened(await openBuilder(() => {}))
  assert.match(await ask('127.0.0.1', builder.port, { ca }), /not use TLS/)
  const closing = opened(await openTcp((socket) => socket.once('data', () => socket.destroy())))
  assert.match(await ask('127.0.0.1', closing.port, { ca }), /not use TLS/)
})

test('a folder has an authority, and optionally a certificate with its key', async () => {
  await inFolder({ 'ca.pem': 'ca.pem' }, async (folder) => {
    assert.equal(await readTls(folder), E.right({ ca: await pem('ca') }))
  })
  const expected = E.right({ ca: await pem('ca'), cert: await pem('client'), key: await pem('client-key') })
  for (const [authority, certificate, key] of [
    ['ca.pem', 'cert.pem', 'key.pem'],
    ['ca.crt', 'tls.crt', 'tls.key'],
  ] as const) {
    const files = { [authority]: 'ca.pem', [certificate]: 'client.pem', [key]: 'client-key.pem' }
    await inFolder(files, async (folder) => assert.equal(await readTls(folder), expected))
  }
})

test('problems in a folder of certificates are reported with the file name', async () => {
  const ca = { 'ca.pem': 'ca.pem' }
  for (const [files, expected] of [
    [{}, /contains neither ca\.pem nor ca\.crt/],
    [{ 'ca.pem': 'nonsense' }, /ca\.pem: is not a certificate in PEM/],
    [{ ...ca, 'cert.pem': 'client.pem' }, /key\.pem: is missing/],
    [{ ...ca, 'tls.key': 'client-key.pem' }, /tls\.crt: is missing/],
    [{ ...ca, 'cert.pem': 'client-key.pem', 'key.pem': 'client-key.pem' }, /cert\.pem: is not a certificate/],
    [{ ...ca, 'cert.pem': 'client.pem', 'key.pem': 'client.pem' }, /key\.pem: is not a private key/],
    [{ ...ca, 'cert.pem': 'client.pem', 'key.pem': 'server-key.pem' }, /key\.pem: is not the key of .*cert\.pem/],
  ] as const) {
    await inFolder(files, async (folder) => assert.match(textOf(await readTls(folder)), expected))
  }
})

test.run()
