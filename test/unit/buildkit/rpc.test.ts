/** Calls to a builder and their ends. */
import { constants } from 'node:http2'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectRpc } from '../../../src/adapters/buildkit/rpc/connect.ts'
import type { Rpc, RpcFailure } from '../../../src/adapters/buildkit/rpc/rpc.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { within as inTime, read } from '../../contract/pods-world.ts'
import { answerWith, type FakeBuilder, frame, openBuilder, readAll, unframe } from '../../support/build/grpc-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { settled } from '../../support/process/settled.ts'

const opened = closedAfterEach(test)

const keepalive = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
const method = '/moby.buildkit.v1.Control/Solve'
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

const connected = async (builder: FakeBuilder): Promise<Rpc> => {
  const { signal } = new AbortController()
  const rpc = await connectRpc(builder.dial, {
    clock: systemClock,
    keepalive,
    authority: 'builder.example.com',
    signal,
  })()
  if (E.isLeft(rpc)) throw new Error(JSON.stringify(rpc.left))
  return rpc.right
}

const within = async (
  answer: Parameters<typeof openBuilder>[0],
  use: (rpc: Rpc, builder: FakeBuilder) => Promise<void>,
): Promise<void> => {
  const builder = opened(await openBuilder(answer))
  const rpc = await connected(builder)
  try {
    await use(rpc, builder)
  } finally {
    rpc.close()
    await rpc.closed
  }
}

/** The bytes of all messages, which come in time. */
const sizeOf = async (messages: AsyncIterable<Uint8Array>): Promise<number> => {
  const all = await inTime('all messages', read(messages))
  return all.length
}

const failureOf = <A>(result: E.Either<RpcFailure, A>): RpcFailure | undefined =>
  E.isLeft(result) ? result.left : undefined

test('a call is valid gRPC and returns the response', async () => {
  const asked: Array<Readonly<Record<string, unknown>>> = []
  await within(
    (stream, headers) => {
      asked.push(headers)
      void readAll(stream).then((body) =>
        answerWith(stream, [frame(Buffer.from(`got ${unframe(body).join()}`))], { 'grpc-status': '0' }),
      )
    },
    async (rpc) => {
      const answer = await rpc.unary(method, Buffer.from('this'))()
      assert.is(E.isRight(answer) && text(answer.right), 'got this')
      assert.is(asked[0]?.[':path'], method)
      assert.is(asked[0]?.[':authority'], 'builder.example.com')
      assert.is(asked[0]?.['content-type'], 'application/grpc')
      assert.is(asked[0]?.['te'], 'trailers')
    },
  )
})

test('a status is read with its message and its details, with and without padding', async () => {
  const details = Buffer.from([1, 2, 3, 4])
  for (const written of [details.toString('base64'), details.toString('base64').replace(/=+$/, '')]) {
    await within(
      (stream) =>
        answerWith(stream, [], {
          'grpc-status': '5',
          'grpc-message': 'no%20such: %C3%BC 100%25 %zz',
          'grpc-status-details-bin': written,
        }),
      async (rpc) => {
        const failure = failureOf(await rpc.unary(method, new Uint8Array())())
        assert.equal(failure, { _tag: 'Status', code: 5, message: 'no such: ü 100% %zz', details })
      },
    )
  }
})

test('a status in the first headers is read', async () => {
  await within(
    (stream) => stream.respond({ ':status': 200, 'grpc-status': '12', 'grpc-message': 'no' }, { endStream: true }),
    async (rpc) => {
      const failure = failureOf(await rpc.unary(method, new Uint8Array())())
      assert.equal(failure, { _tag: 'Status', code: 12, message: 'no' })
    },
  )
})

test('a response that is not gRPC is reported', async () => {
  await within(
    (stream) => {
      stream.respond({ ':status': 503 })
      stream.end('<html>')
    },
    async (rpc) => {
      const failure = failureOf(await rpc.unary(method, new Uint8Array())())
      assert.equal(failure, { _tag: 'Status', code: 14, message: 'the answer is HTTP 503 and not one of gRPC' })
    },
  )
})

test('a missing status, no message and two messages are failures', async () => {
  for (const [body, trailers] of [
    [[frame(Buffer.from('a'))], {}],
    [[], { 'grpc-status': '0' }],
    [[frame(Buffer.from('a')), frame(Buffer.from('b'))], { 'grpc-status': '0' }],
  ] as const) {
    await within(
      (stream) => answerWith(stream, body, trailers),
      async (rpc) => {
        const failure = failureOf(await rpc.unary(method, new Uint8Array())())
        assert.is(failure?._tag === 'Status' && failure.code, 13)
      },
    )
  }
})

test('large messages pass in both directions', async () => {
  const large = Buffer.alloc(3_000_000, 'abcdefg')
  await within(
    (stream) => {
      void readAll(stream).then((body) => answerWith(stream, [body], { 'grpc-status': '0' }))
    },
    async (rpc) => {
      const answer = await rpc.unary(method, large)()
      assert.ok(E.isRight(answer) && large.equals(answer.right))
    },
  )
})

test('oversized, compressed and truncated messages are refused', async () => {
  const huge = Buffer.from([0, 0x7f, 0, 0, 0])
  const compressed = Buffer.from([1, 0, 0, 0, 1, 7])
  const half = frame(Buffer.from('abc')).subarray(0, 6)
  for (const [sent, code] of [
    [huge, 8],
    [compressed, 13],
    [half, 13],
  ] as const) {
    await within(
      (stream) => answerWith(stream, [sent], { 'grpc-status': '0' }),
      async (rpc) => {
        const failure = failureOf(await rpc.unary(method, new Uint8Array())())
        assert.is(failure?._tag === 'Status' && failure.code, code)
      },
    )
  }
})

test('a status that is too long for the builder is reported as Cut', async () => {
  await within(
    (stream) => {
      assert.is(stream.session?.remoteSettings.maxHeaderListSize, 65_535)
      stream.close(constants.NGHTTP2_INTERNAL_ERROR)
    },
    async (rpc) => {
      assert.equal(failureOf(await rpc.unary(method, new Uint8Array())()), { _tag: 'Cut' })
    },
  )
})

test('other resets have the status that gRPC defines', async () => {
  for (const [reset, code] of [
    [constants.NGHTTP2_REFUSED_STREAM, 14],
    [constants.NGHTTP2_CANCEL, 1],
    [constants.NGHTTP2_ENHANCE_YOUR_CALM, 8],
    [constants.NGHTTP2_PROTOCOL_ERROR, 13],
  ] as const) {
    await within(
      (stream) => stream.close(reset),
      async (rpc) => {
        const failure = failureOf(await rpc.unary(method, new Uint8Array())())
        assert.is(failure?._tag === 'Status' && failure.code, code, `reset ${reset}`)
      },
    )
  }
})

test('messages of a stream arrive in order, however the bytes are split', async () => {
  const sent = Array.from({ length: 500 }, (_, index) => Buffer.alloc(index * 7, `${index}|`))
  const bytes = Buffer.concat(sent.map(frame))
  const cuts = Array.from({ length: Math.ceil(bytes.length / 1013) }, (_, index) =>
    bytes.subarray(index * 1013, (index + 1) * 1013),
  )
  await within(
    (stream) => answerWith(stream, cuts, { 'grpc-status': '0' }),
    async (rpc) => {
      const { ended, messages } = rpc.stream(method, new Uint8Array())
      const received: Array<Uint8Array> = []
      for await (const message of messages) received.push(message)
      assert.ok(E.isRight(await ended()))
      assert.is(received.length, sent.length)
      assert.ok(Buffer.concat(received).equals(Buffer.concat(sent)))
    },
  )
})

test('a reader that starts late gets all messages', async () => {
  const sent = Array.from({ length: 100 }, () => Buffer.alloc(50_000, 'x'))
  await within(
    (stream) => answerWith(stream, sent.map(frame), { 'grpc-status': '0' }),
    async (rpc) => {
      const { ended, messages } = rpc.stream(method, new Uint8Array())
      await rpc.unary(method, new Uint8Array())()
      assert.is(await sizeOf(messages), 5_000_000)
      assert.ok(E.isRight(await ended()))
    },
  )
})

test('a reader that pauses slows down the builder and loses nothing', async () => {
  let sent = 0
  const parts = Array.from({ length: 40 }, () => frame(Buffer.alloc(500_000, 'x')))
  await within(
    (stream) => {
      stream.respond({ ':status': 200, 'content-type': 'application/grpc' }, { waitForTrailers: true })
      stream.on('wantTrailers', () => stream.sendTrailers({ 'grpc-status': '0' }))
      for (const part of parts) stream.write(part, () => (sent += part.length))
      stream.end()
    },
    async (rpc) => {
      const { ended, messages } = rpc.stream(method, new Uint8Array())
      assert.ok((await settled(() => sent)) < 5_000_000, `${sent} bytes were sent to nobody`)
      assert.is(await sizeOf(messages), 20_000_000)
      assert.ok(E.isRight(await ended()))
    },
  )
})

test('leaving the loop of a stream ends the call', async () => {
  let code: Promise<number> = Promise.resolve(-1)
  await within(
    (stream) => {
      code = new Promise((resolve) => {
        stream.on('close', () => resolve(stream.rstCode))
      })
      stream.respond({ ':status': 200 })
      stream.write(frame(Buffer.from('first')))
    },
    async (rpc) => {
      const { ended, messages } = rpc.stream(method, new Uint8Array())
      for await (const message of messages) {
        assert.is(text(message), 'first')
        break
      }
      assert.equal(failureOf(await ended()), { _tag: 'Aborted' })
      assert.is(await code, constants.NGHTTP2_CANCEL)
    },
  )
})

test('aborting resets the call with CANCEL and is reported as Aborted', async () => {
  const abort = new AbortController()
  let code: Promise<number> = Promise.resolve(-1)
  await within(
    (stream) => {
      code = new Promise((resolve) => {
        stream.on('close', () => resolve(stream.rstCode))
      })
      abort.abort()
    },
    async (rpc) => {
      const { signal } = abort
      assert.equal(failureOf(await rpc.unary(method, new Uint8Array(), { signal })()), { _tag: 'Aborted' })
      assert.is(await code, constants.NGHTTP2_CANCEL)
      assert.equal(failureOf(await rpc.unary(method, new Uint8Array(), { signal })()), { _tag: 'Aborted' })
    },
  )
})

test('a call that exceeds its timeout is Silent', async () => {
  await within(
    () => {},
    async (rpc) => {
      const failure = failureOf(await rpc.unary(method, new Uint8Array(), { timeoutMs: 20 })())
      assert.equal(failure, { _tag: 'Silent', afterMs: 20, isAtStart: false })
    },
  )
})

test('close ends pending calls as Aborted, and the builder sees the reset', async () => {
  let code: Promise<number> = Promise.resolve(-1)
  let ask = (): void => {}
  const asked = new Promise<void>((resolve) => {
    ask = resolve
  })
  const builder = opened(
    await openBuilder((stream) => {
      code = new Promise((resolve) => {
        stream.on('close', () => resolve(stream.rstCode))
      })
      ask()
    }),
  )
  const rpc = await connected(builder)
  const call = rpc.unary(method, new Uint8Array())()
  await asked
  rpc.close()
  assert.equal(failureOf(await call), { _tag: 'Aborted' })
  assert.is(await rpc.closed, undefined)
  assert.is(await code, constants.NGHTTP2_CANCEL)
  assert.equal(failureOf(await rpc.unary(method, new Uint8Array())()), { _tag: 'Aborted' })
})

test.run()
