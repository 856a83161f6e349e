/** A process that is busy for a while does not report working addresses as unreachable. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { EventEmitter, once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { PassThrough } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { serveForwards } from '../../../src/agent/forwards.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { listen } from '../../support/process/ports.ts'

const opened = closedAfterEach(test)

/** The channel on which Node publishes sockets that begin to connect. */
const connecting = 'net.client.socket'
/** Longer than Node tries one address of several by default. */
const busyMs = 300

const beBusy = (): void => {
  const end = performance.now() + busyMs
  while (performance.now() < end);
}

const serving = async (answer: RequestListener): Promise<number> => {
  const server: Server = createServer(answer)
  opened({ close: () => void server.close() })
  return listen(server)
}

test('a request to a name with addresses of both families', async () => {
  const port = await serving((_, response) => void response.end('fine'))
  const url = new URL(`http://both.localhost:${port}/`)
  const onConnect = (): void => process.nextTick(beBusy)
  subscribe(connecting, onConnect)
  // From here the timers come before the connections; from a timer it would be the other way round.
  await new Promise(setImmediate)
  const answer = await httpClient({}, systemClock).ask({ method: 'GET', url }, 30_000, new AbortController().signal)()
  unsubscribe(connecting, onConnect)
  assert.is(E.isRight(answer) && Buffer.from(answer.right.body).toString(), 'fine')
})

test('a connection that is forwarded to the container itself', async () => {
  const port = await serving(() => {})
  const client = new EventEmitter()
  serveForwards(Object(client), new PassThrough())
  const ended = new PassThrough()
  const accepted = new Promise((resolve) => {
    const accept = (): PassThrough => {
      resolve('accepted')
      return Object.assign(ended, { close: () => ended.end() })
    }
    client.emit('tcpip', accept, () => resolve('refused'), { destIP: 'localhost', destPort: port })
  })
  beBusy()
  assert.is(await accepted, 'accepted')
  const closed = once(ended, 'close')
  ended.resume().end()
  await closed
})

test.run()
