import { createServer, type Server } from 'node:http'
import { createServer as createSocket } from 'node:net'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeNetwork } from '../../src/adapters/network/network.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'

const network = nodeNetwork({}, systemClock)

const portOf = (server: Pick<Server, 'address'>): number => {
  const address = server.address()
  return typeof address === 'object' && address !== null ? address.port : 0
}

const listening = async (server: Server | ReturnType<typeof createSocket>): Promise<number> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return portOf(server)
}

const why = async (url: string, timeoutMs = 2_000): Promise<string> => {
  const answer = await network.ask(url, timeoutMs)()
  return answer._tag === 'Answered' ? `${answer.status}` : answer.because
}

test('any answer of HTTP is an answer, and redirects are not followed', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/to' ? 302 : 404, { location: 'http://127.0.0.1:1/' })
    response.end('x'.repeat(1_000_000))
  })
  const port = await listening(server)
  assert.is(await why(`http://127.0.0.1:${port}/`), '404')
  assert.is(await why(`http://127.0.0.1:${port}/to`), '302')
  server.closeAllConnections()
  server.close()
})

test('why nobody answers is told apart', async () => {
  const silent = createSocket(() => {})
  const port = await listening(silent)
  const plain = createServer((_, response) => response.end())
  const plainPort = await listening(plain)
  assert.is(await why(`http://127.0.0.1:${port}/`, 200), 'TimedOut')
  assert.is(await why('http://127.0.0.1:1/'), 'Refused')
  assert.is(await why(`https://127.0.0.1:${plainPort}/`), 'Untrusted')
  assert.is(await why('http://nobody.invalid/'), 'UnknownName')
  assert.is(await why('http://[bad/'), 'Broken')
  plain.close()
  silent.close()
  silent.unref()
})

test('a port is open or not', async () => {
  const server = createSocket((socket) => socket.end())
  const port = await listening(server)
  assert.equal(await network.reach('127.0.0.1', port, 1_000)(), { _tag: 'Open' })
  server.close()
  const closed = await network.reach('127.0.0.1', 1, 1_000)()
  assert.is(closed._tag === 'Silent' && closed.because, 'Refused')
})

test.run()
