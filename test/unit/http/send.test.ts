/** Requests whose body is a stream. */
import { createServer } from 'node:http'
import { Readable } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { agentFor } from '../../../src/adapters/http/agent.ts'
import { send } from '../../../src/adapters/http/send.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { closing, listening } from '../../support/http/proxy.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const endless = (): Readable => new Readable({ read: () => {} })

const put = async (port: number, body: Readable, host = '127.0.0.1') => {
  const server = new URL(`http://${host}:${port}`)
  const agent = await agentFor(server, { clock: systemClock, env: {}, proxy: undefined }, {}, {})
  return send({ clock: systemClock, server, agent, method: 'PUT', path: '/', headers: {}, body })()
}

const isClosed = (body: Readable): Promise<boolean> =>
  new Promise((resolve) => {
    if (body.destroyed) resolve(true)
    else body.once('close', () => resolve(true))
  })

test('a name below localhost is this machine, whatever the resolver says', async () => {
  const server = createServer((_asked, response) => response.writeHead(204).end())
  opened({ close: closing(server) })
  const answer = await put(await listening(server), Readable.from(['']), 'web-shop.localhost')
  if (E.isLeft(answer)) throw new Error(answer.left.text)
  assert.is(answer.right.response.statusCode, 204)
})

test('a body is closed when the connection fails', async () => {
  const body = endless()
  assert.ok(E.isLeft(await put(1, body)))
  assert.ok(await isClosed(body))
})

test('a body is closed when the server answers without reading all of it', async () => {
  const server = createServer((_asked, response) => response.writeHead(413, { connection: 'close' }).end())
  opened({ close: closing(server) })
  const body = endless()
  body.push('some of it')
  const answer = await put(await listening(server), body)
  if (E.isLeft(answer)) throw new Error(answer.left.text)
  assert.is(answer.right.response.statusCode, 413)
  answer.right.response.resume()
  assert.ok(await isClosed(body))
})

test('a request fails when its body does', async () => {
  const server = createServer((asked) => asked.resume())
  opened({ close: closing(server) })
  const body = endless()
  setImmediate(() => body.destroy(new Error('the disk is gone')))
  const answer = await put(await listening(server), body)
  assert.match(E.isLeft(answer) ? answer.left.text : '', 'the disk is gone')
})

test.run()
