/** Ports between this machine and a development container, over a session with the agent as it is built. */
import { once } from 'node:events'
import { connect, createServer, type Server, Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { nodeNetwork } from '../../src/adapters/network/network.ts'
import { systemClock } from '../../src/adapters/system/clock.ts'
import { openForwards, type WantedForwards } from '../../src/app/dev/forwards.ts'
import type { Clock } from '../../src/ports/clock.ts'
import { memoryClock } from '../memory/clock.ts'
import { type AgentWorld, backwards, rightOf, type Started, withStartedAgent } from '../support/dev/agent.ts'
import { type SessionWorld, sessionWith } from '../support/dev/dev-session.ts'
import { freePort, portOf } from '../support/process/ports.ts'
import { until } from '../support/process/until.ts'

const test = suite<AgentWorld>('forwards')
withStartedAgent(test)

/** On which nothing is given up because this machine is busy. */
const patient: Clock = { ...systemClock, after: (ms, run) => systemClock.after(20 * ms, run) }
const needs = { network: nodeNetwork({}, systemClock) }

type ForwardWorld = SessionWorld & { readonly said: ReadonlyArray<string>; readonly close: () => Promise<void> }

const opened = async (started: Started, wanted: Partial<WantedForwards>, clock = patient): Promise<ForwardWorld> => {
  const world = sessionWith(started)
  const said: Array<string> = []
  const context = {
    ...world,
    namespace: 'default',
    signal: new AbortController().signal,
    tell: (line: string) => void said.push(line),
  }
  const result = await openForwards({ ...needs, clock })(context, {
    forward: [],
    reverse: [],
    interface: 'localhost',
    ...wanted,
  })()
  if (E.isLeft(result)) throw new Error(JSON.stringify(result.left))
  const close = async (): Promise<void> => {
    world.session.end({ _tag: 'Closed', reason: 'done' })
    await result.right.close()
  }
  return { ...world, said, close }
}

/** Answers once the other side has ended. */
const answering = async (): Promise<Server> => {
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    let asked = ''
    socket.on('error', () => {})
    socket.on('data', (chunk) => {
      asked += String(chunk)
    })
    socket.on('end', () => socket.end(backwards(asked)))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

/** Whether it was broken. */
const closing = (socket: Socket): Promise<boolean> => new Promise((resolve) => socket.once('close', resolve))

const asking = (port: number, question: string): Promise<string> => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.end(question)
  return text(socket)
}

test('the directions of a forwarded connection end independently, also with 500 connections', async ({ started }) => {
  const [server, local] = [await answering(), await freePort()]
  const world = await opened(started, { forward: [{ local, remote: portOf(server) }] })
  assert.is(await asking(local, 'hello'), 'olleh')
  const answers = await Promise.all(Array.from({ length: 500 }, (_, index) => asking(local, `question ${index}`)))
  assert.equal(
    answers,
    answers.map((_, index) => backwards(`question ${index}`)),
  )
  await world.close()
  server.close()
})

test('a port can be forwarded to another host, and the reason is reported if that cannot be reached', async ({
  started,
}) => {
  const [server, local, closed, nowhere] = [await answering(), await freePort(), await freePort(), await freePort()]
  const world = await opened(started, {
    forward: [
      { local, remote: portOf(server), service: '127.0.0.1' },
      { local: closed, remote: nowhere, service: '127.0.0.1' },
    ],
  })
  assert.is(await asking(local, 'abc'), 'cba')
  assert.ok(await asking(closed, 'abc').catch(() => 'reset'))
  assert.is(world.said.length, 1)
  assert.match(world.said[0] ?? '', `127.0.0.1:${nowhere} cannot be reached`)
  await world.close()
  server.close()
})

test('a port stays open while the link is lost: connections wait for the next one', async ({ started }) => {
  const [server, local] = [await answering(), await freePort()]
  const world = await opened(started, { forward: [{ local, remote: portOf(server) }] })
  assert.is(await asking(local, 'abc'), 'cba')
  const held = connect({ port: local, host: '127.0.0.1' })
  const reset = closing(held)
  held.on('error', () => {})
  await once(held, 'connect')
  await sleep(100)
  world.reachable(false)
  world.cut()
  await reset
  const later = asking(local, 'later')
  await sleep(300)
  world.reachable(true)
  assert.is(await later, 'retal')
  await world.close()
  server.close()
})

test('while the link is lost, a connection does not wait for earlier ones that were refused', async ({ started }) => {
  const local = await freePort()
  const world = await opened(started, { forward: [{ local, remote: 1 }] }, systemClock)
  world.reachable(false)
  world.cut()
  const sockets = Array.from({ length: 520 }, () => connect({ port: local, host: '127.0.0.1' }).on('error', () => {}))
  const all = Promise.all(sockets.map(closing)).then(() => 'all are closed')
  assert.is(await Promise.race([all, sleep(120_000, 'some wait', { ref: false })]), 'all are closed')
  for (const socket of sockets) socket.destroy()
  await world.close()
})

test('a connection whose client leaves before it is open is closed at the other end', async ({ link }) => {
  const server = await answering()
  const closed = new Promise((resolve) => server.once('connection', (peer: Socket) => peer.once('close', resolve)))
  const gone = new Socket().destroy()
  await rightOf(link.forward(gone, { host: '127.0.0.1', port: portOf(server) }))
  await closed
  server.close()
})

test('a connection waits 3 s for a link, and 30 s for an answer over it', async () => {
  const [clock, local] = [memoryClock(), await freePort()]
  const said: Array<string> = []
  let hasLink = false
  const asked: Array<Duplex> = []
  const link = { forward: (bytes: Duplex) => () => new Promise(() => asked.push(bytes)) }
  const session = { link: () => () => (hasLink ? Promise.resolve(E.right({ link })) : new Promise(() => {})) }
  const context = Object({ session, signal: new AbortController().signal, tell: (line: string) => said.push(line) })
  const wanted = { forward: [{ local, remote: 80 }], reverse: [], interface: '127.0.0.1' }
  const ports = await openForwards({ ...needs, clock })(context, wanted)()
  if (E.isLeft(ports)) throw new Error('the port is in use')
  const waits = async () => {
    const closed = closing(connect({ port: local, host: '127.0.0.1' }).on('error', () => {}))
    await until('it waits', () => Promise.resolve(clock.sleeping() === 1))
    return { closed }
  }
  const withoutLink = await waits()
  await clock.advance(3000)
  await withoutLink.closed
  assert.equal(said, ['port 80 of the container cannot be reached: no connection within 3 s'])
  hasLink = true
  const withoutAnswer = await waits()
  await until('the link is asked', () => Promise.resolve(asked.length === 1))
  await clock.advance(29_000)
  assert.is(said.length, 1)
  await clock.advance(1000)
  await withoutAnswer.closed
  assert.equal(said.slice(1), ['port 80 of the container cannot be reached: no answer within 30 s'])
  await ports.right.close()
})

test('a lost connection is reset at both ends, not closed as if all data had been sent', async ({ started }) => {
  let peer: Socket | undefined
  const server = createServer((socket) => {
    peer = socket
    socket.on('error', () => {})
    socket.write('half of it')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const local = await freePort()
  const world = await opened(started, { forward: [{ local, remote: portOf(server) }] })
  const socket = connect({ port: local, host: '127.0.0.1' })
  const failure = once(socket, 'error')
  await once(socket, 'data')
  const ended = closing(peer ?? socket)
  world.cut()
  assert.is((await failure)[0].code, 'ECONNRESET')
  assert.ok(await ended)
  await world.close()
  server.close()
})

test('a port of the container is forwarded to this machine, and again after the link was lost', async ({ started }) => {
  const [server, remote] = [await answering(), await freePort()]
  const world = await opened(started, { reverse: [{ local: portOf(server), remote }] })
  const answer = async (): Promise<string> => {
    for (let left = 1200; left > 0; left -= 1) {
      const answered = await asking(remote, 'abc').catch(() => '')
      if (answered !== '') return answered
      await sleep(50)
    }
    return 'nobody listens'
  }
  assert.is(await answer(), 'cba')
  world.cut()
  await sleep(200)
  assert.is(await answer(), 'cba')
  await world.close()
  server.close()
})

test('a local port that another session is closing is waited for', async ({ started }) => {
  const [server, other] = [await answering(), await answering()]
  const local = portOf(other)
  setTimeout(() => other.close(), 300)
  const world = await opened(started, { forward: [{ local, remote: portOf(server) }] })
  assert.is(await asking(local, 'abc'), 'cba')
  await world.close()
  server.close()
})

test('an aborted wait for a link ends, and other waits continue', async ({ started }) => {
  const { session } = sessionWith(started)
  const gone = new AbortController()
  const [first, second] = [session.link('terminal', undefined, gone.signal)(), session.link('terminal')()]
  gone.abort()
  assert.equal(E.isLeft(await first) && (await first), E.left({ _tag: 'Interrupted', reason: 'nobody waits for it' }))
  assert.ok(E.isRight(await second))
  session.end({ _tag: 'Closed', reason: 'done' })
})

test('if a local port is in use, no port is opened and the program that uses it is named', async ({ started }) => {
  const [server, free] = [await answering(), await freePort()]
  const { cluster, session } = sessionWith(started)
  const context = { cluster, session, namespace: 'default', signal: new AbortController().signal, tell: () => {} }
  const result = await openForwards({ ...needs, clock: systemClock })(context, {
    interface: 'localhost',
    reverse: [],
    forward: [
      { local: free, remote: 80 },
      { local: portOf(server), remote: 81 },
    ],
  })()
  session.end({ _tag: 'Closed', reason: 'done' })
  assert.ok(E.isLeft(result))
  const [taken] = result.left
  assert.is(taken?.port, portOf(server))
  assert.is(taken?.because, 'Taken')
  assert.match(taken?.by ?? '', `(process ${process.pid})`)
  assert.is(await asking(free, 'x').catch(() => 'refused'), 'refused')
  server.close()
})

test.run()
