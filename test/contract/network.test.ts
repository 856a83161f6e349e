import { createServer } from 'node:http'
import { createServer as createSocket, type Server } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeNetwork } from '../../src/adapters/network/network.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { closing, listening } from '../support/http/proxy.ts'
import { closedAfterEach } from '../support/opened.ts'

const network = nodeNetwork({}, systemClock)

const opened = closedAfterEach(test)

const portOf = (server: Server): Promise<number> => {
  opened({ close: closing(server) })
  return listening(server)
}

const why = async (url: string, timeoutMs = 2_000): Promise<string> => {
  const answer = await network.ask(url, timeoutMs)()
  return answer._tag === 'Answered' ? `${answer.status}` : answer.because
}

test('any HTTP response counts, and redirects are not followed', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/to' ? 302 : 404, { location: 'http://127.0.0.1:1/' })
    response.end('x'.repeat(1_000_000))
  })
  const port = await portOf(server)
  assert.is(await why(`http://127.0.0.1:${port}/`), '404')
  assert.is(await why(`http://127.0.0.1:${port}/to`), '302')
})

test('reasons for missing responses are distinguished', async () => {
  const silent = createSocket(() => {})
  const port = await portOf(silent)
  const plain = createServer((_, response) => response.end())
  const plainPort = await portOf(plain)
  assert.is(await why(`http://127.0.0.1:${port}/`, 200), 'TimedOut')
  assert.is(await why('http://127.0.0.1:1/'), 'Refused')
  assert.is(await why(`https://127.0.0.1:${plainPort}/`), 'Untrusted')
  assert.is(await why('http://nobody.invalid/'), 'UnknownName')
  assert.is(await why('http://[bad/'), 'Broken')
})

test('a port is open or not', async () => {
  const server = createSocket((socket) => socket.end())
  const port = await portOf(server)
  assert.equal(await network.reach('127.0.0.1', port, 1_000)(), { _tag: 'Open' })
  const closed = await network.reach('127.0.0.1', 1, 1_000)()
  assert.is(closed._tag === 'Silent' && closed.because, 'Refused')
})

test.run()
