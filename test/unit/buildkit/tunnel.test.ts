/** Pipes of bytes through a call. */
import { createHash } from 'node:crypto'
import type { ServerHttp2Stream } from 'node:http2'
import { Duplex } from 'node:stream'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectRpc } from '../../../src/adapters/buildkit/rpc/connect.ts'
import type { Rpc } from '../../../src/adapters/buildkit/rpc/rpc.ts'
import { serveSession } from '../../../src/adapters/buildkit/serve/server.ts'
import { unary } from '../../../src/adapters/buildkit/serve/unary.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { BytesMessageSchema } from '../../support/build/gen/buildkit_pb.ts'
import { callOn, frame, openBuilder, openCaller, readAll, unframe } from '../../support/build/grpc-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { settled } from '../../support/process/settled.ts'
import { until } from '../../support/process/until.ts'

const opened = closedAfterEach(test)

const method = '/moby.buildkit.v1.Control/Session'
const keepalive = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }

const within = async (
  answer: (stream: ServerHttp2Stream, headers: Readonly<Record<string, unknown>>) => void,
  use: (rpc: Rpc) => Promise<void>,
): Promise<void> => {
  const builder = opened(await openBuilder(answer))
  const { signal } = new AbortController()
  const rpc = await connectRpc(builder.dial, { clock: systemClock, keepalive, authority: 'localhost', signal })()
  if (E.isLeft(rpc)) throw new Error(JSON.stringify(rpc.left))
  await use(rpc.right)
  rpc.right.close()
}

const begin = (
  stream: ServerHttp2Stream,
  trailers: Readonly<Record<string, string>> = { 'grpc-status': '0' },
): void => {
  stream.respond({ ':status': 200 }, { waitForTrailers: true })
  stream.on('wantTrailers', () => stream.sendTrailers({ ...trailers }))
}

const messageOf = (data: Uint8Array): Buffer =>
  frame(toBinary(BytesMessageSchema, create(BytesMessageSchema, { data })))

/** Unlike each other, the same in every run. */
const chunksOf = (count: number): ReadonlyArray<Buffer> =>
  Array.from({ length: count }, (_, index) => {
    const digest = createHash('sha256').update(String(index)).digest()
    return Buffer.alloc(digest.readUInt16BE(0) * (index % 17 === 0 ? 40 : 1), digest)
  })

test('bytes are echoed, in messages of at most 1 MiB', async () => {
  const chunks = chunksOf(150)
  const sizes: Array<number> = []
  await within(
    (stream) => {
      begin(stream)
      const echo = (body: Buffer): void => {
        for (const message of unframe(body)) {
          sizes.push(message.length)
          stream.write(messageOf(fromBinary(BytesMessageSchema, message).data))
        }
        stream.end()
      }
      void readAll(stream).then(echo)
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      const back = readAll(pipe)
      for (const chunk of chunks) if (!pipe.write(chunk)) await new Promise((go) => pipe.once('drain', go))
      pipe.end()
      const whole = Buffer.concat(chunks)
      assert.ok(whole.equals(await back))
      assert.ok(sizes.every((size) => size <= 1024 * 1024 + 4))
      assert.ok(sizes.length < chunks.length, 'what waits is sent in one message')
    },
  )
})

test('a builder that does not read slows down the writer', async () => {
  let read = (): void => {}
  await within(
    (stream) => {
      begin(stream)
      read = () => {
        void readAll(stream).then(() => stream.end())
      }
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      let written = 0
      while (pipe.write(Buffer.alloc(100_000))) {
        written += 100_000
        assert.ok(written < 10_000_000)
        await new Promise((resolve) => setImmediate(resolve))
      }
      const drained = new Promise((resolve) => pipe.once('drain', resolve))
      read()
      await drained
      pipe.end()
      pipe.resume()
      await new Promise((resolve) => pipe.once('end', resolve))
    },
  )
})

test('a reader that pauses slows down the builder, and loses nothing', async () => {
  let sent = 0
  const frames = Array.from({ length: 200 }, () => messageOf(Buffer.alloc(50_000, 'q')))
  await within(
    (stream) => {
      begin(stream)
      for (const part of frames) stream.write(part, () => (sent += part.length))
      stream.end()
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      await new Promise((resolve) => pipe.once('readable', resolve))
      assert.ok((await settled(() => sent)) < 2_000_000, `${sent} bytes were sent to nobody`)
      assert.is((await readAll(pipe)).length, 10_000_000)
    },
  )
})

test('either direction can be closed while the other continues', async () => {
  await within(
    (stream) => {
      begin(stream)
      stream.on('end', () => {
        stream.write(messageOf(Buffer.from('after the end')))
        stream.end()
      })
      stream.resume()
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      pipe.end('all')
      assert.is(String(await readAll(pipe)), 'after the end')
    },
  )
})

const errorOf = (pipe: Duplex): Promise<Error> => new Promise((resolve) => pipe.on('error', resolve))

test('a status becomes the error of the pipe, and invalid messages are refused', async () => {
  await within(
    (stream) =>
      stream.respond({ ':status': 200, 'grpc-status': '12', 'grpc-message': 'no sessions' }, { endStream: true }),
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      pipe.resume()
      const error = await errorOf(pipe)
      assert.equal(error.cause, { _tag: 'Status', code: 12, message: 'no sessions' })
      assert.is(error.message, 'no sessions (code 12)')
    },
  )
  await within(
    (stream) => {
      begin(stream)
      stream.write(frame(Buffer.from([0x0a, 0x7f, 1])))
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      pipe.resume()
      assert.match((await errorOf(pipe)).message, /cannot be read/)
    },
  )
})

test('a pipe without listeners may fail', async () => {
  const closed = (pipe: Duplex): Promise<void> => new Promise((resolve) => pipe.on('close', () => resolve()))
  await within(
    (stream) => {
      begin(stream)
      stream.end(messageOf(Buffer.from('all')))
    },
    async (rpc) => {
      const open = rpc.tunnel(method, [])
      const ends = [closed(open)]
      assert.is(String(await new Promise((resolve) => open.once('data', resolve))), 'all')
      rpc.close()
      ends.push(closed(rpc.tunnel(method, [])))
      await Promise.all(ends)
    },
  )
})

test('headers can be repeated, and the pipe ends with the connection', async () => {
  const asked: Array<unknown> = []
  await within(
    (stream, headers) => {
      begin(stream)
      asked.push(headers['x-method'], headers['x-name'])
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [
        ['x-method', '/a/B'],
        ['x-method', '/c/D'],
        ['x-name', 'ü'],
      ])
      pipe.resume()
      const error = errorOf(pipe)
      await until('the builder is asked', () => asked.length >= 2)
      rpc.close()
      assert.equal((await error).cause, { _tag: 'Aborted' })
      assert.equal(asked.slice(0, 2), ['/a/B, /c/D', 'Ã¼'])
    },
  )
})

/** The bytes of a tunnel as the builder sees them. */
const farEnd = (stream: ServerHttp2Stream): Duplex => {
  let rest = Buffer.alloc(0)
  const pipe = new Duplex({
    read: () => {},
    write: (chunk, _encoding, done) => {
      stream.write(messageOf(chunk))
      done()
    },
  })
  stream.on('data', (chunk: Buffer) => {
    rest = Buffer.concat([rest, chunk])
    while (rest.length >= 5 && rest.length >= 5 + rest.readUInt32BE(1)) {
      const [message = Buffer.alloc(0)] = unframe(rest.subarray(0, 5 + rest.readUInt32BE(1)))
      rest = rest.subarray(5 + message.length)
      pipe.push(fromBinary(BytesMessageSchema, message).data)
    }
  })
  return pipe
}

test('a session is served through a tunnel', async () => {
  const large = Buffer.concat(chunksOf(60))
  let finish = (_called: Promise<ReadonlyArray<Buffer>>): void => {}
  const called = new Promise<ReadonlyArray<Buffer>>((resolve) => {
    finish = resolve
  })
  await within(
    (stream) => {
      begin(stream)
      const caller = openCaller(farEnd(stream))
      finish(callOn(caller, '/a/Echo', [large]).then(({ messages }) => messages))
    },
    async (rpc) => {
      const pipe = rpc.tunnel(method, [])
      const serving = serveSession(pipe, new Map([['/a/Echo', unary((request) => TE.right(request))]]))
      const [answer] = await called
      assert.ok(answer !== undefined && large.equals(answer))
      serving.close()
      await serving.ended
      assert.ok(pipe.destroyed)
    },
  )
})

test.run()
