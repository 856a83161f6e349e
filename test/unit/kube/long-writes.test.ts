/** How long the API server may take to answer a write: it may ask webhooks first, for 30 seconds and more. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { Agent, ClientRequest, createServer, type ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openTransport } from '../../../src/adapters/kube/api/transport.ts'
import { memoryClock } from '../../memory/clock.ts'
import { closing, listening } from '../../support/http/proxy.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { until } from '../../support/process/until.ts'

const opened = closedAfterEach(test)

/** Sends a request to a server that answers after `ms`. `silenceMs`: how long the connection may be silent. */
const sendTo = async (method: string, ms: number) => {
  const clock = memoryClock()
  const held: Array<ServerResponse> = []
  const server = createServer((_asked, response) => void held.push(response))
  opened({ close: closing(server) })
  const port = await listening(server)
  const grant = { headers: {}, requests: new Agent(), streams: new Agent() }
  const transport = openTransport({
    clock,
    server: new URL(`http://127.0.0.1:${port}`),
    grant: TE.right(grant),
    renew: TE.right,
    close: () => {},
  })
  let silenceMs: number | undefined
  const note = (message: unknown): void => {
    const request =
      typeof message === 'object' && message !== null && 'request' in message ? message.request : undefined
    if (request instanceof ClientRequest && 'timeout' in request) silenceMs = Number(request.timeout)
  }
  subscribe('http.client.request.start', note)
  opened({ close: () => unsubscribe('http.client.request.start', note) })
  const answer = transport.open({ method, path: '/' })()
  await until('the server has the request', () => Promise.resolve(held.length === 1))
  await clock.advance(ms)
  held[0]?.end('{}')
  return { answer: await answer, silenceMs }
}

test('a write is waited for when the server answers after 45 seconds', async () => {
  const { answer, silenceMs } = await sendTo('PATCH', 45_000)
  assert.is(E.isRight(answer) && answer.right.statusCode, 200)
  assert.is(silenceMs, 60_000)
})

test('a read may be silent for 30 seconds', async () => {
  assert.is((await sendTo('GET', 29_000)).silenceMs, 30_000)
})

test.run()
