import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { createServer as createSecureServer } from 'node:https'
import { connect, createServer as createSocket, Server, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { makeIdentity } from '../../src/adapters/kube/proxy/certificate.ts'
import { nodeNetwork } from '../../src/adapters/network/network.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import type { ConnectionTarget } from '../../src/ports/network.ts'
import { closing, listening } from '../support/http/proxy.ts'
import { closedAfterEach } from '../support/process/opened.ts'

const network = nodeNetwork({}, systemClock)

const opened = closedAfterEach(test)

const portOf = (server: Server): Promise<number> => {
  opened({ close: closing(server) })
  return listening(server)
}

const why = async (url: string, timeoutMs = 60_000): Promise<string> => {
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

test('the text at a URL is read, and only a successful response counts', async () => {
  const server = createServer((request, response) => {
    response.writeHead(request.url === '/text' ? 200 : 404).end('{"version": "1.2.3"}')
  })
  const port = await portOf(server)
  const read = (path: string) => network.read(`http://127.0.0.1:${port}${path}`, 60_000)()
  assert.equal(await read('/text'), E.right('{"version": "1.2.3"}'))
  assert.equal(await read('/other'), E.left('HTTP status 404'))
  assert.equal(await network.read('http://[bad/', 60_000)(), E.left('it is no URL'))
  assert.ok(E.isLeft(await network.read('http://127.0.0.1:1/', 60_000)()))
})

test('redirects are followed when text is read, up to five of them', async () => {
  const server = createServer(({ url = '' }, response) => {
    const left = Number(url.slice(1))
    const location = url === '/file' ? 'file:///etc/passwd' : `${left - 1}`
    if (url === '/nowhere') response.writeHead(302)
    else response.writeHead(left === 0 ? 200 : ([301, 302, 303, 307, 308][left % 5] ?? 302), { location })
    response.end(left === 0 ? 'there' : '<html>')
  })
  const port = await portOf(server)
  const read = (path: string) => network.read(`http://127.0.0.1:${port}${path}`, 60_000)()
  for (const hops of [1, 2, 3, 4, 5]) assert.equal(await read(`/${hops}`), E.right('there'), `${hops}`)
  assert.equal(await read('/6'), E.left('more than 5 redirects'))
  for (const path of ['/file', '/nowhere'])
    assert.equal(await read(path), E.left('it redirects to what is no web address'))
})

test('reasons for missing responses are distinguished', async () => {
  const silent = createSocket(() => {})
  const port = await portOf(silent)
  const plain = createServer((_, response) => response.end())
  const plainPort = await portOf(plain)
  assert.is(await why(`http://127.0.0.1:${port}/`, 200), 'TimedOut')
  assert.is(await why('http://127.0.0.1:1/'), 'Refused')
  assert.is(await why(`https://127.0.0.1:${plainPort}/`), 'Broken')
  assert.is(await why('http://nobody.invalid/'), 'UnknownName')
  assert.is(await why('http://[bad/'), 'Broken')
})

test('any certificate is accepted on request only', async () => {
  const { certificate, key } = makeIdentity(Date.now())
  const port = await portOf(
    createSecureServer({ cert: certificate, key }, (_, response) => response.writeHead(503).end()),
  )
  const url = `https://127.0.0.1:${port}/`
  assert.is(await why(url), 'Untrusted')
  const answer = await network.ask(url, 60_000, true)()
  assert.is(answer._tag === 'Answered' && answer.status, 503)
})

test('open and closed ports are distinguished', async () => {
  const server = createSocket((socket) => socket.end())
  const port = await portOf(server)
  assert.equal(await network.reach('127.0.0.1', port, 60_000)(), { _tag: 'Open' })
  const closed = await network.reach('127.0.0.1', 1, 60_000)()
  assert.is(closed._tag === 'Silent' && closed.because, 'Refused')
})

/** What leads to `server`; counts its connections. */
const leadingTo = (server: number) => {
  const made: Array<Socket> = []
  const dial: ConnectionTarget = async () => {
    const socket = connect({ port: server, host: '127.0.0.1', allowHalfOpen: true })
    made.push(socket)
    return socket
  }
  return { dial, made }
}

const never = (cause: string): void => {
  throw new Error(cause)
}

const listeningTo = async (server: number, ready: Promise<unknown> = Promise.resolve()) => {
  const { dial: dialNow, made } = leadingTo(server)
  const dial: ConnectionTarget = async (signal) => {
    await ready
    return dialNow(signal)
  }
  const listener = await network.listen(0, dial, never)()
  if (listener._tag === 'Left') throw new Error(listener.left.text)
  opened({ close: listener.right.close })
  return { made, ...listener.right }
}

test('bytes pass in both directions, also after one side has ended', async () => {
  const server = createSocket({ allowHalfOpen: true }, (socket) => {
    let got = ''
    socket.on('data', (chunk) => {
      got += chunk.toString()
    })
    socket.on('end', () => socket.end(`${got.length} bytes`))
  })
  const { port } = await listeningTo(await portOf(server))
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.end('x'.repeat(1_000_000))
  assert.is(await text(client), '1000000 bytes')
})

test('a broken connection, or one without a target, is reset', async () => {
  const server = createSocket((socket) => socket.write('x'))
  const { made, port } = await listeningTo(await portOf(server))
  const client = connect({ port, host: '127.0.0.1' })
  await once(client, 'data')
  made[0]?.destroy(new Error('lost'))
  await once(client, 'error')
  const nowhere = await network.listen(0, async () => undefined, never)()
  if (nowhere._tag === 'Left') throw new Error(nowhere.left.text)
  await once(connect({ port: nowhere.right.port, host: '127.0.0.1' }), 'error')
  await nowhere.right.close()
})

test('when the client disconnects, the other side is told', async () => {
  const server = createSocket((socket) => socket.on('error', () => {}).write('x'))
  const { made, port } = await listeningTo(await portOf(server))
  const client = connect({ port, host: '127.0.0.1' })
  await once(client, 'data')
  client.resetAndDestroy()
  const [socket] = made
  if (socket !== undefined && !socket.destroyed) await once(socket, 'close')
  assert.ok(socket?.destroyed)
})

test('a port in use is reported as taken, and can be used again once it is closed', async () => {
  const { dial } = leadingTo(1)
  const first = await network.listen(0, dial, never)()
  if (first._tag === 'Left') throw new Error(first.left.text)
  const { close, port } = first.right
  const second = await network.listen(port, dial, never)()
  assert.is(second._tag === 'Left' && second.left.because, 'Taken')
  await close()
  const third = await network.listen(port, dial, never)()
  if (third._tag === 'Left') throw new Error(third.left.text)
  await third.right.close()
})

/** Waits as for a pod, until the caller has left. */
const waitedFor = async (leave: (client: Socket) => unknown): Promise<void> => {
  const waiting: ConnectionTarget = (signal) =>
    new Promise((resolve) => {
      const end = (): void => resolve(undefined)
      signal.addEventListener('abort', end, { once: true })
      leave(client)
    })
  const listener = await network.listen(0, waiting, never)()
  if (listener._tag === 'Left') throw new Error(listener.left.text)
  opened({ close: listener.right.close })
  const client = connect({ port: listener.right.port, host: '127.0.0.1' }).on('error', () => {})
  await new Promise((resolve) => client.on('close', resolve))
}

test('a client that resets while its connection is being made is noticed', async () => {
  await waitedFor((client) => client.write('x', () => client.resetAndDestroy()))
})

test('a client that closes without sending anything while its connection is being made is noticed', async () => {
  await waitedFor((client) => client.end())
})

test('data sent while the connection is being made arrives', async () => {
  const server = createSocket({ allowHalfOpen: true }, (socket) => socket.pipe(socket))
  let begin = (): void => {}
  const ready = new Promise<void>((resolve) => {
    begin = resolve
  })
  const { port } = await listeningTo(await portOf(server), ready)
  const client = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  client.end('x'.repeat(1000), begin)
  assert.is((await text(client)).length, 1000)
})

/** Of the server that accepted a connection. */
const serverIn = (message: unknown): unknown => Object(Object(message).socket).server

test('connections that this machine cannot accept are reported, and later ones are accepted', async () => {
  const servers: Array<unknown> = []
  const note = (message: unknown): void => void servers.push(serverIn(message))
  subscribe('net.server.socket', note)
  opened({ close: () => unsubscribe('net.server.socket', note) })
  const said: Array<string> = []
  const listener = await network.listen(
    0,
    async () => undefined,
    (cause) => said.push(cause),
  )()
  if (listener._tag === 'Left') throw new Error(listener.left.text)
  opened({ close: listener.right.close })
  const call = (): Promise<unknown> => once(connect({ port: listener.right.port, host: '127.0.0.1' }), 'error')
  await call()
  const [server] = servers
  assert.instance(server, Server)
  for (const time of [1, 2]) if (server instanceof Server) server.emit('error', new Error(`accept EMFILE ${time}`))
  assert.equal(said, ['accept EMFILE 1', 'accept EMFILE 2'])
  await call()
  assert.is(servers.length, 2)
})

test.run()
