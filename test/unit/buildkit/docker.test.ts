/** The way to the BuildKit of a Docker daemon, and what is said when there is none. */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { causeOf } from '../../../src/adapters/docker/connect.ts'
import { dialDocker } from '../../../src/adapters/docker/grpc.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { DockerHost } from '../../../src/domain/build/address.ts'
import { switching, usualPing, withDocker } from '../../support/build/docker-fake.ts'

const daemonAt = (host: DockerHost) => ({ clock: systemClock, host, env: {} })

const why = async (host: DockerHost, limitMs?: number): Promise<string> => {
  const dialled = await dialDocker(daemonAt(host), undefined, limitMs)()
  if (E.isLeft(dialled)) return dialled.left
  dialled.right.destroy()
  return 'dialled'
}

const received = async (socket: Duplex, length: number): Promise<string> => {
  let text = ''
  for await (const chunk of socket.iterator({ destroyOnReturn: false })) {
    text += String(chunk)
    if (text.length >= length) break
  }
  return text
}

/** Gives the server to `use` at a socket in a folder that is taken away. */
const withServer = async (server: Server, use: (host: DockerHost) => Promise<void>): Promise<void> => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-docker-'))
  const path = join(folder, 'socket')
  const sockets = new Set<Duplex>()
  server.on('connection', (socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
  })
  await new Promise<void>((resolve) => server.listen(path, resolve))
  try {
    await use({ _tag: 'Unix', path })
  } finally {
    server.close()
    for (const socket of sockets) socket.destroy()
    rmSync(folder, { recursive: true, force: true })
  }
}

test('bytes before and after the upgrade arrive in both directions', async () => {
  const upgrade = (socket: Duplex): void => {
    socket.write(`${switching}first `)
    socket.once('data', (said: Buffer) => socket.end(`second ${String(said)}`))
  }
  await withDocker({ upgrade }, async ({ asked, host, quiet }) => {
    const dialled = await dialDocker(daemonAt(host))()
    if (E.isLeft(dialled)) throw new Error(dialled.left)
    const socket = dialled.right
    assert.is(await received(socket, 6), 'first ')
    socket.write('hello')
    assert.is(await received(socket, 12), 'second hello')
    socket.destroy()
    await quiet()
    assert.equal(
      asked.map(({ headers, method, url }) => [method, url, headers.upgrade]),
      [
        ['GET', '/_ping', undefined],
        ['POST', '/grpc', 'h2c'],
      ],
    )
  })
})

const lacks: ReadonlyArray<readonly [ping: Readonly<Record<string, string>>, says: RegExp]> = [
  [{ ...usualPing, 'api-version': '1.38' }, /^it has no BuildKit: its API is 1\.38, and BuildKit came with 1\.39/],
  [{ ...usualPing, ostype: 'windows' }, /Windows containers/],
  [{ ...usualPing, 'libpod-api-version': '4.3.1' }, /Podman.*BUILDKIT_HOST/],
  [{}, /is not Docker/],
]

for (const [ping, says] of lacks) {
  test(`${JSON.stringify(ping)} has no BuildKit`, () =>
    withDocker({ ping, upgrade: (socket) => socket.end(switching) }, async ({ asked, host, quiet }) => {
      assert.match(await why(host), says)
      assert.is(asked.length, 1)
      await quiet()
    }))
}

test('an API of 1.39 and one of 2.0 have BuildKit', async () => {
  for (const version of ['1.39', '2.0']) {
    const upgrade = (socket: Duplex): void => {
      socket.write(switching)
    }
    await withDocker({ ping: { ...usualPing, 'api-version': version }, upgrade }, async ({ host }) => {
      assert.is(await why(host), 'dialled')
    })
  }
})

test('the message of a daemon that does not upgrade is quoted', () =>
  withDocker({}, async ({ host, quiet }) => {
    assert.is(await why(host), 'it does not upgrade the connection for BuildKit (404): page not found')
    await quiet()
  }))

test('an absent Docker daemon is reported', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'devtool-docker-'))
  try {
    const text = await why({ _tag: 'Unix', path: join(folder, 'socket') })
    assert.is(text, 'the Docker daemon is not running')
  } finally {
    rmSync(folder, { recursive: true })
  }
  assert.match(await why({ _tag: 'Tcp', host: '127.0.0.1', port: 1, isTls: false }), /^connection refused/)
})

test('a daemon that accepts and does not respond times out', () =>
  withServer(createServer(), async (host) => {
    assert.is(await why(host, 50), 'it does not answer within 0.05 s')
  }))

test('other servers are not mistaken for a Docker daemon', () =>
  withServer(
    createServer((socket) => {
      socket.end('SSH-2.0-OpenSSH_9.2\r\n')
    }),
    async (host) => {
      assert.is(await why(host), 'what answers at that address is not Docker')
    },
  ))

test('a daemon that requires TLS is reported', () =>
  withServer(
    createServer((socket) => {
      socket.once('data', () =>
        socket.end('HTTP/1.0 400 Bad Request\r\n\r\nClient sent an HTTP request to an HTTPS server.\n'),
      )
    }),
    async (host) => {
      assert.is(await why(host), 'it requires TLS; set DOCKER_TLS_VERIFY=1')
    },
  ))

test('a daemon that closes the connection is reported', () =>
  withServer(
    createServer((socket) => {
      socket.once('data', () => socket.destroy())
    }),
    async (host) => {
      assert.is(await why(host), 'the connection was reset')
    },
  ))

test('an interrupt ends connecting at once', async () => {
  const early = new AbortController()
  early.abort()
  await withDocker({}, async ({ asked, host }) => {
    assert.ok(E.isLeft(await dialDocker(daemonAt(host), early.signal)()))
    assert.is(asked.length, 0)
  })
  const during = new AbortController()
  const upgrade = (): void => during.abort()
  await withDocker({ upgrade }, async ({ host, quiet }) => {
    assert.ok(E.isLeft(await dialDocker(daemonAt(host), during.signal)()))
    await quiet()
  })
  const late = new AbortController()
  await withDocker({ upgrade: (socket) => socket.write(switching) }, async ({ host, quiet }) => {
    const dialled = await dialDocker(daemonAt(host), late.signal)()
    if (E.isLeft(dialled)) throw new Error(dialled.left)
    late.abort()
    assert.not(dialled.right.destroyed)
    dialled.right.destroy()
    await quiet()
  })
})

const failed = (code: string, message = ''): Error => Object.assign(new Error(message), { code })
const socket: DockerHost = { _tag: 'Unix', path: '/s' }
const causes: ReadonlyArray<readonly [cause: Error, says: RegExp]> = [
  [failed('EACCES'), /^permission denied on its socket; add yourself to the group docker/],
  [failed('EPERM'), /^permission denied on its socket/],
  [failed('ENOENT'), /is not running/],
  [new AggregateError([failed('ETIMEDOUT')]), /^the connection timed out$/],
  [failed('ENOTFOUND'), /^its name cannot be resolved$/],
  [failed('ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE', 'ssl alert number 42'), /requires a client certificate/],
  [failed('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'alert certificate required'), /requires a client certificate/],
  [failed('ERR_SSL_WRONG_VERSION_NUMBER', 'wrong version number'), /does not use TLS/],
  [failed('DEPTH_ZERO_SELF_SIGNED_CERT', 'self-signed'), /is self-signed; ca\.pem/],
  [failed('ERR_TLS_CERT_ALTNAME_INVALID', 'x'), /is for a different name/],
  [failed('HPE_INVALID_CONSTANT', 'x'), /is not Docker/],
  [new Error('something else'), /^something else$/],
]

for (const [cause, says] of causes) {
  test(`the message for ${String(Reflect.get(cause, 'code') ?? cause.name)} ${cause.message}`, () =>
    assert.match(causeOf(socket, cause), says))
}

test.run()
