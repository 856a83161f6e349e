/** What passes through the proxy, who may use it, and what is left of it. */
import { existsSync, statSync } from 'node:fs'
import { IncomingMessage } from 'node:http'
import { request as requestHttps } from 'node:https'
import { connect, Socket } from 'node:net'
import { dirname } from 'node:path'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { requestHeaders } from '../../../src/adapters/kube/proxy/headers.ts'
import { startProxy } from '../../../src/adapters/kube/proxy/proxy.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { fakeApi } from '../../support/kube/api-fake.ts'
import { configOf, json, map, maps, withProxy } from '../../support/kube/proxied.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { until } from '../../support/process/until.ts'

const opened = closedAfterEach(test)

test("the token of the proxy is required, and replaced by the user's credentials", () =>
  withProxy(async ({ api, ask }) => {
    for (const token of ['', 'wrong', 'of-the-user']) {
      const { body, status } = await ask('/version', { token })
      assert.is(status, 401)
      assert.is(JSON.parse(body).reason, 'Unauthorized')
    }
    assert.is(api.asked.length, 0)
    const groups = ['dev', 'ops, with a comma']
    await ask(`${maps}/a`, { headers: { 'impersonate-group': groups, 'proxy-authorization': 'x', te: 'trailers' } })
    const [asked] = api.asked
    assert.equal(asked?.headers['authorization'], ['Bearer of-the-user'])
    assert.equal(asked?.headers['impersonate-group'], groups)
    assert.is(asked?.headers['proxy-authorization'], undefined)
    assert.is(asked?.headers['te'], undefined)
  }))

test('an Expect header is answered by the proxy and not passed on', () =>
  withProxy(async ({ api, ask }) => {
    const body = JSON.stringify(map('a'))
    await ask(maps, { method: 'POST', body, headers: { expect: '100-continue', 'content-type': 'application/json' } })
    assert.equal(
      api.asked.map(({ headers }) => headers['expect']),
      [undefined],
    )
  }))

test('the token of the proxy is not passed on', () => {
  const request = new IncomingMessage(new Socket())
  request.headersDistinct = { authorization: ['Bearer of-the-proxy'], accept: ['application/json'] }
  assert.equal(requestHeaders(request), { accept: ['application/json'] })
})

test('the proxy listens on the loopback address only', () =>
  withProxy(async ({ proxy }) => {
    const { server } = configOf(proxy.kubeconfig)
    const isReached = await new Promise((resolve) => {
      const socket = connect(Number(server.port), '127.0.0.2')
      socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
      socket.once('connect', () => socket.destroy())
    })
    assert.is(isReached, false)
  }))

test('a request for anything but a path of the API server is refused', () =>
  withProxy(async ({ api, ask }) => {
    assert.is((await ask('http://elsewhere.example/api')).status, 400)
    assert.is(api.asked.length, 0)
  }))

test('a watch is streamed event by event, and ends with its client', async () => {
  let closed: () => void = () => {}
  const isClosed = new Promise<void>((resolve) => {
    closed = resolve
  })
  await withProxy(
    async ({ open }) => {
      const response = await open(`${maps}?watch=true`)
      const [first] = await new Promise<ReadonlyArray<string>>((resolve) => {
        response.setEncoding('utf8').once('data', (chunk: string) => resolve([chunk]))
      })
      assert.is(first, 'event\n')
      response.destroy()
      await isClosed
    },
    ({ path }, response) => {
      if (!path.includes('watch')) return false
      response.writeHead(200).flushHeaders()
      setTimeout(() => response.write('event\n'), 100)
      response.on('close', closed)
      return true
    },
  )
})

test('a truncated response is truncated for the client', () =>
  withProxy(
    async ({ open }) => {
      const response = await open(maps)
      const how = await text(response).then(
        () => 'ended',
        () => 'broken',
      )
      assert.is(how, 'broken')
    },
    (_asked, response) => {
      response.writeHead(200, { 'content-length': 100 }).write('some')
      setTimeout(() => response.destroy(), 50)
      return true
    },
  ))

test('an upgraded connection passes bytes in both directions, and refusals are reported', () =>
  withProxy(async ({ api, upgrade }) => {
    api.server.on('upgrade', (request: IncomingMessage, socket: Duplex) => {
      if (request.url?.includes('refused') === true) {
        socket.end('HTTP/1.1 403 Forbidden\r\ncontent-length: 6\r\n\r\nnot so')
        return
      }
      socket.write(
        `HTTP/1.1 101 Switching Protocols\r\nconnection: Upgrade\r\nupgrade: ${request.headers.upgrade}\r\n\r\nhello `,
      )
      socket.pipe(socket)
    })
    const { socket, status } = await upgrade('/api/v1/namespaces/demo/pods/a/exec', 'SPDY/3.1')
    assert.is(status, 101)
    socket?.write('world')
    let heard = ''
    for await (const chunk of socket ?? []) {
      heard += String(chunk)
      if (heard.endsWith('world')) break
    }
    assert.is(heard.replace('hello ', ''), 'world')
    const refused = await upgrade('/api/v1/namespaces/demo/pods/refused/exec', 'websocket')
    assert.equal([refused.status, refused.body], [403, 'not so'])
  }))

test('an unreachable server is reported as a Status', () =>
  withProxy(async ({ api, ask }) => {
    await api.close()
    const large = { method: 'POST', headers: json, body: 'x'.repeat(40_000_000) }
    for (const how of [{}, { method: 'POST', headers: json, body: map('a') }, large]) {
      const { body, status } = await ask(maps, how)
      assert.is(status, 502)
      assert.match(JSON.parse(body).message, /cannot be reached: connection refused/)
    }
  }))

test('the kubeconfig has the name of the context, but no credentials of the user, is private, and is removed with the proxy', async () => {
  const api = opened(await fakeApi())
  const proxy = await startProxy(api.upstream, { context: 'kind', namespace: 'demo', environment: 'shop' }, systemClock)
  const { config } = configOf(proxy.kubeconfig)
  assert.is(config.contexts[0].context.namespace, 'demo')
  assert.equal([config.contexts[0].name, config['current-context']], ['kind', 'kind'])
  assert.not.match(JSON.stringify(config), /of-the-user/)
  assert.is(statSync(proxy.kubeconfig).mode & 0o777, 0o600)
  assert.is(statSync(dirname(proxy.kubeconfig)).mode & 0o777, 0o700)
  await proxy.close()
  assert.not(existsSync(dirname(proxy.kubeconfig)))
})

test('a creation in progress when the proxy closes is recorded', async () => {
  let isAsked = false
  const api = opened(
    await fakeApi(({ method }, response) => {
      if (method !== 'POST') return false
      isAsked = true
      setTimeout(() => response.writeHead(201, json).end(map('slow', { uid: 'u' })), 300)
      return true
    }),
  )
  const proxy = await startProxy(api.upstream, { context: 'kind', namespace: 'demo', environment: 'shop' }, systemClock)
  const { ca, server, token } = configOf(proxy.kubeconfig)
  const headers = { ...json, authorization: `Bearer ${token}` }
  const request = requestHttps({
    host: server.hostname,
    port: server.port,
    ca,
    path: maps,
    method: 'POST',
    headers,
    agent: false,
  })
  request.on('error', () => {})
  request.end(map('slow'))
  await until('the API server is asked', () => isAsked)
  request.destroy()
  await proxy.close()
  assert.equal(
    proxy.created().map(({ name }) => name),
    ['slow'],
  )
})

test.run()
