/** Connections to pods that share a link: what each of them gets, and what becomes of the others when one is stuck or ends. */
import { once } from 'node:events'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { WebSocket } from 'ws'
import type { Clock } from '../../../src/ports/clock.ts'
import { done, failed } from '../../contract/cluster-world.ts'
import { read, within } from '../../contract/pods-world.ts'
import { memoryClock } from '../../memory/clock.ts'
import { podsServer } from '../../support/kube/pods-server.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { settled } from '../../support/process/settled.ts'

const opened = closedAfterEach(test)

const pod = { namespace: 'n', name: 'p' }
const never = new AbortController().signal
const fewLinks = 4

const [synStream, reset] = [1, 3]
const echo = 7000
const chatty = 7001
const refusing = 7002

type Link = { readonly socket: WebSocket; readonly streams: Map<number, number>; readonly resets: Array<number> }

const data = (id: number, bytes: Uint8Array): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(id, 0)
  head.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([head, bytes])
}

const end = (id: number): Buffer => {
  const frame = data(id, Buffer.alloc(0))
  frame.writeUInt8(1, 4)
  return frame
}

const reply = (id: number): Buffer => {
  const frame = Buffer.from([0x80, 3, 0, 2, 0, 0, 0, 4, 0, 0, 0, 0])
  frame.writeUInt32BE(id, 8)
  return frame
}

const portIn = (headers: Buffer): number => Number(/port\0\0\0\x04(\d+)/.exec(headers.toString('latin1'))?.[1])

/** Of port-forwards over SPDY: echoes, sends much, or refuses, by the port of a stream. `silentLink` accepts no stream. */
const tunnelServer = async ({ clock, silentLink }: { readonly clock?: Clock; readonly silentLink?: number } = {}) => {
  const links: Array<Link> = []
  const speak = (socket: WebSocket): void => {
    const link: Link = { socket, streams: new Map(), resets: [] }
    links.push(link)
    const open = (id: number, port: number): void => {
      link.streams.set(id, port)
      if (links.indexOf(link) !== silentLink) socket.send(reply(id))
      const part = Buffer.alloc(32 * 1024)
      if (port === chatty) for (let count = 0; count < 400; count += 1) socket.send(data(id, part))
      if (port === refusing)
        for (const piece of ['connection ', 'refused\n']) socket.send(data(id - 2, Buffer.from(piece)))
      if (port === refusing) socket.send(end(id - 2))
    }
    socket.on('message', (message: Buffer) => {
      const id = message.readUInt32BE(message.readUInt8(0) < 0x80 ? 0 : 8)
      const kind = message.readUInt8(0) < 0x80 ? undefined : message.readUInt16BE(2)
      const isData = id % 4 === 3
      if (kind === synStream && isData) open(id, portIn(message))
      else if (kind === reset) link.resets.push(id)
      else if (kind === undefined && link.streams.get(id) === echo) socket.send(data(id, message.subarray(8)))
    })
  }
  const { pods } = opened(await podsServer('SPDY/3.1+portforward.k8s.io', speak, clock))
  const dial = (port = echo, signal = never) => within('connection', done(pods.dial(pod, port, signal)))
  const dialAll = (count: number) => Promise.all(Array.from({ length: count }, () => dial()))
  const liveLinks = (): number => links.filter(({ socket }) => socket.readyState === socket.OPEN).length
  return { pods, dial, dialAll, links, liveLinks }
}

const isAlive = async ({ bytes }: Awaited<ReturnType<Awaited<ReturnType<typeof tunnelServer>>['dial']>>) => {
  bytes.write('are you there?')
  const echoed = await within('echo', read(bytes.iterator({ destroyOnReturn: false }), 14))
  return echoed.toString() === 'are you there?'
}

test('the first few connections have a link each, and further ones share them', async () => {
  const { dialAll, links } = await tunnelServer()
  const first = await dialAll(fewLinks)
  assert.is(links.length, fewLinks)
  const others = await dialAll(100)
  assert.is(links.length, fewLinks)
  const texts = [...first, ...others].map(async ({ bytes }, index) => {
    const text = `this is connection ${index}`
    bytes.write(text)
    assert.is((await read(bytes, text.length)).toString(), text)
  })
  await Promise.all(texts)
  assert.equal(
    links.map(({ streams }) => streams.size),
    [26, 26, 26, 26],
  )
})

test('a link has a bounded number of streams', async () => {
  const { dialAll, links } = await tunnelServer()
  const all = await dialAll(400)
  assert.equal(
    await Promise.all(all.map(isAlive)),
    all.map(() => true),
  )
  assert.is(links.length, 7)
  assert.ok(links.every(({ streams }) => streams.size <= 64))
})

test('closing a connection resets its stream, and others of the link continue', async () => {
  const { dialAll, links, liveLinks } = await tunnelServer()
  const all = await dialAll(2 * fewLinks)
  const [one] = all
  one?.bytes.destroy()
  assert.is(await one?.closed, undefined)
  const rest = all.slice(1)
  assert.equal(
    await Promise.all(rest.map(isAlive)),
    rest.map(() => true),
  )
  assert.equal(
    links.flatMap(({ resets }) => resets),
    [3],
  )
  for (const { bytes } of rest) bytes.destroy()
  assert.is(await settled(liveLinks), 0)
})

test('a link blocked by a slow reader gets no new connections, and loses nothing', async () => {
  const { dial, dialAll, links } = await tunnelServer()
  await dialAll(fewLinks)
  const slow = await dial(chatty)
  slow.bytes.read(0)
  await settled(() => slow.bytes.readableLength)
  const before = slow.bytes.readableLength
  assert.ok(before < 1024 * 1024, `${before} bytes are held`)
  const others = await dialAll(30)
  assert.equal(
    await Promise.all(others.map(isAlive)),
    others.map(() => true),
  )
  assert.is(links.length, fewLinks)
  assert.is(links.find(({ streams }) => [...streams.values()].includes(chatty))?.streams.size, 2)
  const all = 400 * 32 * 1024
  assert.is((await within('all', read(slow.bytes, all))).length, all)
})

test('a reader that closes early no longer blocks the others of its link', async () => {
  const { dial, dialAll, links } = await tunnelServer()
  const first = await dialAll(fewLinks)
  const slow = await dial(chatty)
  slow.bytes.read(0)
  await settled(() => slow.bytes.readableLength)
  slow.bytes.destroy()
  assert.equal(
    await Promise.all(first.map(isAlive)),
    first.map(() => true),
  )
  assert.is(links.length, fewLinks)
})

test('a link that breaks fails its own connections, and the next one gets a new link', async () => {
  const { dial, dialAll, links } = await tunnelServer()
  const all = await dialAll(2 * fewLinks)
  links[0]?.socket.terminate()
  const ended = all.filter((_, index) => index % fewLinks === 0)
  for (const { closed } of ended) assert.is((await closed)?._tag, 'Unreachable')
  const rest = all.filter((_, index) => index % fewLinks !== 0)
  assert.equal(
    await Promise.all(rest.map(isAlive)),
    rest.map(() => true),
  )
  assert.ok(await isAlive(await dial()))
  assert.is(links.length, fewLinks + 1)
})

test('after a refusal the next connection uses another link', async () => {
  const { dial, dialAll, links } = await tunnelServer()
  const others = await dialAll(fewLinks)
  const { bytes, closed } = await dial(refusing)
  const failure = await closed
  assert.is(failure?._tag === 'Refused' ? failure.message : '', 'connection refused')
  assert.ok(bytes.destroyed)
  const all = [...others, ...(await dialAll(3))]
  assert.equal(
    await Promise.all(all.map(isAlive)),
    all.map(() => true),
  )
  assert.equal(
    links.map(({ streams }) => streams.size),
    [2, 2, 2, 2],
  )
})

test('a link that does not accept a stream in time gets no more streams', async () => {
  const clock = memoryClock()
  const { dialAll, links } = await tunnelServer({ clock, silentLink: 1 })
  await dialAll(fewLinks)
  const dialling = dialAll(20)
  await settled(() => links.reduce((sum, { streams }) => sum + streams.size, 0))
  await clock.advance(2_000)
  const all = await dialling
  assert.equal(
    await Promise.all(all.map(isAlive)),
    all.map(() => true),
  )
  assert.is(links.length, fewLinks)
  assert.is(links[1]?.resets.length, 5)
})

test('an aborted caller leaves the link to others', async () => {
  const { dialAll, liveLinks, pods } = await tunnelServer()
  const stop = new AbortController()
  const waiting = dialAll(fewLinks)
  const gone = failed(pods.dial(pod, echo, stop.signal))
  stop.abort()
  assert.is((await gone)._tag, 'Aborted')
  const all = await waiting
  assert.equal(
    await Promise.all(all.map(isAlive)),
    all.map(() => true),
  )
  for (const { bytes } of all) bytes.destroy()
  assert.is(await settled(liveLinks), 0)
})

test('invalid SPDY fails the connection', async () => {
  const { dial, links } = await tunnelServer()
  const { bytes, closed } = await dial()
  links[0]?.socket.send(Buffer.from([0x80, 3, 0, 2, 0, 0xff, 0xff, 0xff]))
  const failure = await closed
  assert.match(failure?._tag === 'Unreachable' ? failure.cause : '', 'a frame that is too long')
  if (!bytes.closed) await once(bytes, 'close')
  assert.ok(await isAlive(await dial()))
})

test.run()
