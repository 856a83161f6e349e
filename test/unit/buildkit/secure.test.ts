import { readFileSync } from 'node:fs'
import { TLSSocket } from 'node:tls'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { securePipe } from '../../../src/adapters/buildkit/secure.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { memoryClock } from '../../memory/clock.ts'
import { pipePair } from '../../support/build/grpc-fake.ts'

const tls = { ca: '' }

test('a TLS handshake without response times out and destroys the pipe', async () => {
  const [near] = pipePair()
  const clock = memoryClock()
  const secured = securePipe(near, tls, clock)()
  await clock.advance(10_000)
  assert.equal(await secured, E.left('no TLS handshake within 10 s'))
  assert.ok(near.destroyed)
})

test('a pipe that ends during the TLS handshake is reported with a possible reason', async () => {
  const [near, far] = pipePair()
  far.on('data', () => far.destroy())
  const secured = await securePipe(near, tls, systemClock)()
  assert.match(E.isLeft(secured) ? secured.left : '', /it may not use TLS$/)
})

test('a response that is not TLS is reported as such', async () => {
  const [near, far] = pipePair()
  far.once('data', () => far.write('HTTP/1.1 400 Bad Request\r\n\r\n'))
  const secured = await securePipe(near, tls, systemClock)()
  assert.is(E.isLeft(secured) ? secured.left : '', 'it does not use TLS')
  assert.ok(near.destroyed)
})

const pem = (name: string): string => readFileSync(new URL(`../../support/tls/${name}`, import.meta.url), 'utf8')

test('a builder is accepted only under the name in its certificate', async () => {
  const secured = (serverName: string) => {
    const [near, far] = pipePair()
    const server = new TLSSocket(far, {
      isServer: true,
      key: pem('server-key.pem'),
      cert: pem('server.pem'),
      ALPNProtocols: ['h2'],
    })
    server.on('error', () => {})
    return securePipe(near, { ca: pem('ca.pem'), serverName }, systemClock)
  }
  const believed = await secured('localhost')()
  assert.ok(E.isRight(believed), JSON.stringify(believed))
  believed.right.destroy()
  assert.ok(E.isLeft(await secured('somebody.else.example')()))
})

test.run()
