/** How connections to builders begin, go silent and break. */
import { constants } from 'node:http2'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import type * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type ConnectOptions, connectRpc } from '../../../src/adapters/buildkit/rpc/connect.ts'
import type { Rpc, RpcFailure } from '../../../src/adapters/buildkit/rpc/rpc.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Keepalive } from '../../../src/domain/build/keepalive.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import {
  answerWith,
  dialPort,
  type FakeBuilder,
  frame,
  openBuilder,
  openTcp,
  pipePair,
} from '../../support/build/grpc-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { until } from '../../support/process/until.ts'

const opened = closedAfterEach(test)

const patient = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
const method = '/moby.buildkit.v1.Control/Solve'
const nothing = new Uint8Array()
const ok = { 'grpc-status': '0' }

/** On which a suspension of this process is short, whoever looks at it every few milliseconds. */
const steadyClock = (): Clock => {
  let [lastMs, lostMs] = [performance.now(), 0]
  const now = (): number => {
    const nowMs = performance.now()
    lostMs += Math.max(0, nowMs - lastMs - 20)
    lastMs = nowMs
    return nowMs - lostMs
  }
  return { ...systemClock, now }
}

const connecting = (dial: FakeBuilder['dial'], options: Partial<ConnectOptions> = {}): TE.TaskEither<RpcFailure, Rpc> =>
  connectRpc(dial, {
    clock: steadyClock(),
    keepalive: patient,
    authority: 'localhost',
    signal: new AbortController().signal,
    ...options,
  })

const connected = async (
  builder: FakeBuilder,
  keepalive: Keepalive = patient,
  options: Partial<ConnectOptions> = {},
): Promise<Rpc> => {
  const rpc = await connecting(builder.dial, { keepalive, ...options })()
  if (E.isLeft(rpc)) throw new Error(JSON.stringify(rpc.left))
  return rpc.right
}

const failureOf = <A>(result: E.Either<RpcFailure, A>): RpcFailure | undefined =>
  E.isLeft(result) ? result.left : undefined

const causeOf = (failure: RpcFailure | undefined): string =>
  failure?._tag === 'Broken' ? failure.cause : JSON.stringify(failure)

test("a refused connection and a dialler's error are Broken", async () => {
  assert.equal(failureOf(await connecting(async () => E.left('connection refused'))()), {
    _tag: 'Broken',
    cause: 'connection refused',
  })
})

test('a builder that accepts and does not respond is Silent at the start', async () => {
  const builder = opened(await openTcp(() => {}))
  const failure = failureOf(await connecting(builder.dial, { handshakeMs: 30 })())
  assert.equal(failure, { _tag: 'Silent', afterMs: 30, isAtStart: true })
})

test('a connection that closes at once, and one that is not HTTP/2, are Broken', async () => {
  const closing = opened(await openTcp((socket) => socket.destroy()))
  assert.match(causeOf(failureOf(await connecting(closing.dial)())), /may only accept TLS/)
  const other = opened(await openTcp((socket) => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n')))
  assert.match(causeOf(failureOf(await connecting(other.dial)())), /not valid HTTP\/2/)
})

test('aborting ends connecting, and a late connection is destroyed', async () => {
  const silent = opened(await openTcp(() => {}))
  const abort = new AbortController()
  const waiting = connecting(silent.dial, { signal: abort.signal })()
  while (silent.sockets.size === 0) await new Promise((resolve) => setImmediate(resolve))
  abort.abort()
  assert.equal(failureOf(await waiting), { _tag: 'Aborted' })

  const [late] = pipePair()
  const second = new AbortController()
  let arrive = (_end: Duplex): void => {}
  const dialling = connecting(
    () =>
      new Promise((resolve) => {
        arrive = (end) => resolve(E.right(end))
      }),
    { signal: second.signal },
  )()
  second.abort()
  assert.equal(failureOf(await dialling), { _tag: 'Aborted' })
  const closed = new Promise((resolve) => late.on('close', resolve))
  arrive(late)
  await closed
  assert.equal(failureOf(await connecting(silent.dial, { signal: second.signal })()), { _tag: 'Aborted' })
})

test('a connection killed in a call breaks the call and the next ones', async () => {
  const builder = opened(
    await openBuilder(() => {
      for (const socket of builder.sockets) socket.destroy()
    }),
  )
  const rpc = await connected(builder)
  const failure = failureOf(await rpc.unary(method, nothing)())
  assert.match(causeOf(failure), /closed the connection|was reset/)
  assert.equal(await rpc.closed, failure)
  assert.equal(failureOf(await rpc.unary(method, nothing)()), failure)
  const { ended, messages } = rpc.stream(method, nothing)
  for await (const _message of messages) assert.unreachable()
  assert.equal(failureOf(await ended()), failure)
  const pipe = rpc.tunnel(method, [])
  const error = await new Promise<Error>((resolve) => pipe.on('error', resolve))
  assert.equal(error.cause, failure)
})

test('the reason a builder gives for closing the connection is reported', async () => {
  const builder = opened(
    await openBuilder((stream) =>
      stream.session?.goaway(constants.NGHTTP2_ENHANCE_YOUR_CALM, 0, Buffer.from('too_many_pings')),
    ),
  )
  const rpc = await connected(builder)
  const cause = 'the builder ended the connection: ENHANCE_YOUR_CALM (too_many_pings)'
  assert.equal(failureOf(await rpc.unary(method, nothing)()), { _tag: 'Broken', cause })
  assert.equal(await rpc.closed, { _tag: 'Broken', cause })
})

test('a graceful shutdown of the builder lets a running call end', async () => {
  const builder = opened(
    await openBuilder((stream) => {
      stream.session?.goaway(constants.NGHTTP2_NO_ERROR)
      setImmediate(() => answerWith(stream, [frame(Buffer.from('done'))], ok))
    }),
  )
  const rpc = await connected(builder)
  assert.ok(E.isRight(await rpc.unary(method, nothing)()))
  assert.equal(await rpc.closed, { _tag: 'Broken', cause: 'the builder shut down' })
})

test('a builder that does not answer a ping in a call is Silent', async () => {
  const [near, far] = pipePair()
  const builder = opened(await openBuilder(() => far.pause()))
  const relay = await builder.dial()
  if (E.isLeft(relay)) throw new Error(relay.left)
  relay.right.pipe(far).pipe(relay.right)
  const rpc = await connectRpc(async () => E.right(near), {
    clock: systemClock,
    keepalive: { timeMs: 30, timeoutMs: 30, whileIdle: false },
    authority: 'localhost',
    signal: new AbortController().signal,
  })()
  if (E.isLeft(rpc)) throw new Error(JSON.stringify(rpc.left))
  const failure = failureOf(await rpc.right.unary(method, nothing)())
  assert.equal(failure, { _tag: 'Silent', afterMs: 60, isAtStart: false })
  assert.equal(await rpc.right.closed, failure)
  relay.right.destroy()
})

test('a builder on a socket that does not answer a ping is Silent', async () => {
  const front = opened(
    await openTcp((socket) => {
      void builder.dial().then((back) => {
        if (E.isLeft(back)) return socket.destroy()
        back.right.on('error', () => {})
        return socket.pipe(back.right).pipe(socket)
      })
    }),
  )
  const builder = opened(
    await openBuilder(() => {
      for (const socket of front.sockets) socket.unpipe().pause()
    }),
  )
  const rpc = await connected(
    { ...front, dial: () => dialPort(front.port) },
    { timeMs: 30, timeoutMs: 30, whileIdle: false },
  )
  assert.is(failureOf(await rpc.unary(method, nothing)())?._tag, 'Silent')
})

const checkedOften = { timeMs: 30, timeoutMs: 300, whileIdle: false }
const healthMethod = '/grpc.health.v1.Health/Check'

test('a builder that answers pings but no call is Silent', async () => {
  const asked: Array<string> = []
  const builder = opened(
    await openBuilder((_stream, headers) => {
      asked.push(String(headers[':path']))
    }),
  )
  const rpc = await connected(builder, patient, { health: { ...checkedOften, timeoutMs: 60 } })
  const failure = failureOf(await rpc.unary(method, nothing)())
  assert.equal(failure, { _tag: 'Silent', afterMs: 90, isAtStart: false })
  assert.equal(asked, [method, healthMethod])
})

test('a builder without health checks is alive, however long a call takes', async () => {
  let checks = 0
  const builder = opened(
    await openBuilder((stream, headers) => {
      if (headers[':path'] !== healthMethod) {
        setTimeout(() => answerWith(stream, [frame(nothing)], ok), 600)
        return
      }
      checks += 1
      answerWith(stream, [], { 'grpc-status': '12', 'grpc-message': 'unknown service' })
    }),
  )
  const rpc = await connected(builder, patient, { health: checkedOften })
  assert.ok(E.isRight(await rpc.unary(method, nothing)()))
  assert.ok(checks > 1)
  rpc.close()
})

test('answers to pings are signs of life', async () => {
  const builder = opened(await openBuilder((stream) => setTimeout(() => answerWith(stream, [frame(nothing)], ok), 600)))
  const rpc = await connected(builder, { timeMs: 10, timeoutMs: 200, whileIdle: false })
  assert.ok(E.isRight(await rpc.unary(method, nothing)()))
  rpc.close()
})

/** Until the first, or for 120 ms when none is expected. */
const pingsDuring = async (keepalive: Keepalive, isCalling: boolean, isExpected: boolean): Promise<number> => {
  let pings = 0
  const enough = (): Promise<void> => (isExpected ? until('a ping', () => pings > 0) : sleep(120))
  const builder = opened(
    await openBuilder((stream) => void enough().then(() => answerWith(stream, [frame(nothing)], ok))),
  )
  const rpc = await connected(builder, keepalive)
  for (const session of builder.sessions) session.on('ping', () => (pings += 1))
  if (isCalling) assert.ok(E.isRight(await rpc.unary(method, nothing)()))
  else await enough()
  rpc.close()
  await rpc.closed
  return pings
}

test('pings are sent in a call, when idle only if asked for, and never without a time', async () => {
  const often = { timeMs: 10, timeoutMs: 10_000, whileIdle: false }
  assert.ok((await pingsDuring(often, true, true)) > 0)
  assert.is(await pingsDuring(often, false, false), 0)
  assert.ok((await pingsDuring({ ...often, whileIdle: true }, false, true)) > 0)
  assert.is(await pingsDuring(patient, true, false), 0)
})

test.run()
