/** Builders that break the protocols, on real sockets: a build with them ends, in bounded memory. */
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { authService } from '../../../src/adapters/buildkit/auth.ts'
import { kitBuilders } from '../../../src/adapters/buildkit/builders.ts'
import { frameReader } from '../../../src/adapters/buildkit/rpc/frames.ts'
import { secretsService } from '../../../src/adapters/buildkit/secrets.ts'
import { serveSession } from '../../../src/adapters/buildkit/serve/server.ts'
import { wholeHeaders } from '../../../src/adapters/buildkit/serve/whole-headers.ts'
import { sshService } from '../../../src/adapters/buildkit/ssh.ts'
import { fileSync } from '../../../src/adapters/buildkit/sync/service.ts'
import { openWalks } from '../../../src/adapters/buildkit/sync/walks.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import { callOn, frame as grpcFrame, openCaller, pipePair } from '../../support/build/grpc-fake.ts'
import { serve } from '../../support/build/sync-call.ts'
import { inFolder, plant } from '../../support/build/tree.ts'
import { hostileServer } from '../../support/http/hostile.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const [dataType, headersType, resetType, settingsType, pingType, goAwayType, windowType, continuationType] = [
  0, 1, 3, 4, 6, 7, 8, 9,
]
const endHeaders = 4
const endStream = 1

const frame = (type: number, flags: number, stream: number, payload: string | Uint8Array = ''): Buffer => {
  const bytes = Buffer.from(payload)
  const head = Buffer.alloc(9)
  head.writeUIntBE(bytes.length, 0, 3)
  head[3] = type
  head[4] = flags
  head.writeUInt32BE(stream, 5)
  return Buffer.concat([head, bytes])
}

/** Short texts, as literals that no table keeps. */
const header = (name: string, value: string): Buffer =>
  Buffer.concat([Buffer.from([0, name.length]), Buffer.from(name), Buffer.from([value.length]), Buffer.from(value)])

const ok = Buffer.concat([Buffer.from([0x88]), header('content-type', 'application/grpc')])
const streams = [1, 3, 5, 7, 9]
const answered = Buffer.concat(streams.map((id) => frame(headersType, endHeaders, id, ok)))

/** What goes on until nobody listens. */
const endlessly = (socket: Socket, part: Buffer): void => {
  const many = Buffer.concat(Array.from({ length: Math.ceil(16_384 / part.length) }, () => part))
  const more = (): void => {
    while (!socket.destroyed && socket.write(many));
  }
  socket.on('drain', more)
  more()
}

type Behaviour = (socket: Socket) => void

const settings = frame(settingsType, 0, 0)

/** After the settings, and once the calls are there. */
const then =
  (answer: Behaviour): Behaviour =>
  (socket) => {
    socket.write(Buffer.concat([settings, frame(settingsType, 1, 0)]))
    setTimeout(() => answer(socket), 50)
  }

const once = (...parts: ReadonlyArray<Buffer>): Behaviour => then((socket) => socket.write(Buffer.concat(parts)))
const forever = (...parts: ReadonlyArray<Buffer>): Behaviour =>
  then((socket) => endlessly(socket, Buffer.concat(parts)))
const onEach = (answer: (id: number) => Buffer): Buffer => Buffer.concat(streams.map(answer))
const message = (bytes: Uint8Array): Buffer => grpcFrame(bytes)
const prefix = (flag: number, length: number): Buffer => {
  const bytes = Buffer.alloc(5, flag)
  bytes.writeUInt32BE(length, 1)
  return bytes
}
const escapes = '\x1b]0;forged\x07\x1b[2J'

const behaviours: Readonly<Record<string, Behaviour>> = {
  'a header without end': then((socket) => {
    socket.write(frame(headersType, 0, 1, ok))
    endlessly(socket, frame(continuationType, 0, 1, header('x-a', 'b'.repeat(100))))
  }),
  'empty continuations without end': then((socket) => {
    socket.write(frame(headersType, 0, 1, ok))
    endlessly(socket, frame(continuationType, 0, 1))
  }),
  'interim headers without end': forever(frame(headersType, endHeaders, 1, header(':status', '100'))),
  'headers upon headers': forever(frame(headersType, endHeaders, 1, ok)),
  'a number in a header that never ends': once(frame(headersType, endHeaders, 1, Buffer.alloc(1000, 0xff))),
  'a frame that is too long': once(frame(dataType, 0, 1, Buffer.alloc(1_000_000))),
  'data before headers': once(onEach((id) => frame(dataType, 0, id, 'x'))),
  'data of no stream': once(frame(dataType, 0, 0, 'x')),
  'a message of four gigabytes': once(
    answered,
    onEach((id) => frame(dataType, 0, id, prefix(0, 0xffffffff))),
  ),
  'a compressed message': once(
    answered,
    onEach((id) => frame(dataType, 0, id, prefix(1, 3))),
  ),
  'half a message': once(
    answered,
    onEach((id) => frame(dataType, endStream, id, prefix(0, 60_000_000))),
  ),
  'messages without end': forever(
    answered,
    onEach((id) => frame(dataType, 0, id, message(Buffer.alloc(100)))),
  ),
  'messages that are no protobuf': forever(
    answered,
    onEach((id) => frame(dataType, 0, id, message(Buffer.alloc(100, 0xff)))),
  ),
  'a reset of everything': once(onEach((id) => frame(resetType, 0, id, Buffer.from([0, 0, 0, 8])))),
  'resets without end': forever(onEach((id) => frame(resetType, 0, id, Buffer.from([0, 0, 0, 2])))),
  'farewells without end': forever(frame(goAwayType, 0, 0, Buffer.alloc(8))),
  'a farewell with escape sequences': once(
    frame(goAwayType, 0, 0, Buffer.concat([Buffer.from([0, 0, 0, 0, 0, 0, 0, 11]), Buffer.from(escapes)])),
  ),
  'pings without end': forever(frame(pingType, 0, 0, Buffer.alloc(8))),
  'settings without end': forever(settings),
  'windows without end': once(
    frame(windowType, 0, 0, Buffer.from('7fffffff', 'hex')),
    frame(windowType, 0, 0, Buffer.from('7fffffff', 'hex')),
  ),
  'trailers of no meaning': once(
    answered,
    onEach((id) => frame(headersType, endHeaders | endStream, id, header('grpc-status', 'minus one'))),
  ),
  'a message with escape sequences': once(
    answered,
    onEach((id) =>
      frame(
        headersType,
        endHeaders | endStream,
        id,
        Buffer.concat([
          header('grpc-status', '2'),
          header('grpc-message', encodeURIComponent(escapes).slice(0, 120)),
          header('grpc-status-details-bin', '////'),
        ]),
      ),
    ),
  ),
  'an end without a status': once(onEach((id) => frame(headersType, endHeaders | endStream, id, ok))),
}

const solve: Solve = {
  frontend: new Map([['filename', 'Dockerfile']]),
  served: new Map([['dockerfile', { _tag: 'Text', file: 'Dockerfile', text: 'FROM scratch' }]]),
  names: [],
  output: 'Store',
  cacheImports: [],
  cacheExports: [],
  secrets: [],
  ssh: [],
}

const builders = kitBuilders({
  clock: systemClock,
  credentials: { of: async () => ({ username: 'me', secret: 'geheim' }) },
  tokens: { fetch: () => TE.left({ _tag: 'Denied', cause: 'nobody may' }) },
  env: {},
  clusters: memoryClusters(new Map()),
})

const keepalive = { timeMs: 200, timeoutMs: 200, whileIdle: false }

/** What is still sent is legal, and may be the progress of a long build: that ends when the user wants it to. */
const patienceMs = 2_000
const mostBytes = 512 * 1024 * 1024

for (const [what, behave] of Object.entries(behaviours)) {
  test(`a build ends despite ${what}`, async () => {
    const server = opened(await hostileServer(behave))
    const stop = new AbortController()
    const before = process.memoryUsage().rss
    const building = async (): Promise<string> => {
      const address = { _tag: 'Tcp', host: '127.0.0.1', port: server.port } as const
      const connected = await builders.connect({ address, keepalive }, stop.signal)()
      if (E.isLeft(connected)) return JSON.stringify(connected.left)
      const built = await connected.right.build(solve, () => {}, stop.signal)()
      connected.right.close()
      return JSON.stringify(built)
    }
    const told = building()
    const late = systemClock.sleep(patienceMs).then(() => 'late')
    if ((await Promise.race([told, late])) === 'late') stop.abort()
    const said = await Promise.race([told, sleep(60_000, 'no end', { ref: false })])
    assert.is.not(said, 'no end')
    assert.match(said, '"_tag":"Left"')
    assert.not.match(said, 'geheim')
    assert.not.match(said, escapes)
    assert.ok(process.memoryUsage().rss - before < mostBytes, `${process.memoryUsage().rss - before} bytes`)
  })
}

test('a builder that sends invalid protobuf gets an error, and the session continues', async () => {
  const tokens = { fetch: () => TE.left({ _tag: 'Denied', cause: 'nobody may' } as const) }
  const services = new Map([
    ...authService({ of: async () => undefined }, tokens),
    ...secretsService({ secrets: [] }, systemClock),
    ...sshService({ ssh: [] }, { clock: systemClock, env: {} }),
    ...fileSync(
      { served: solve.served },
      { clock: systemClock, walks: openWalks() },
      () => {},
      () => {},
    ),
  ])
  const [ours, theirs] = pipePair()
  const serving = serveSession(ours, services)
  const session = openCaller(theirs)
  const methods = [...services.keys()].filter((method) => !method.endsWith('ForwardAgent'))
  assert.ok(methods.length > 6)
  for (const method of methods) {
    const called = await callOn(session, method, [Buffer.alloc(20, 0xff)], { 'dir-name': 'dockerfile' })
    assert.equal([called.status, called.message], ['13', 'a message came that cannot be read'], method)
  }
  session.close()
  serving.close()
  await serving.ended
})

test('a length without data takes no memory', () => {
  const readers = Array.from({ length: 1_000 }, () => frameReader())
  const before = process.memoryUsage().arrayBuffers
  for (const reader of readers) reader.read(Buffer.concat([prefix(0, 60_000_000), Buffer.from('x')]))
  assert.ok(process.memoryUsage().arrayBuffers - before < 1_500_000_000)
  const [reader] = readers
  for (let sent = 1; sent < 60_000_000 - 1_000_000; sent += 1_000_000) reader?.read(Buffer.alloc(1_000_000))
  assert.ok(reader?.isWithin())
})

test('headers in an endless series of empty frames are refused', () => {
  const read = wholeHeaders()
  read(Buffer.concat([Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n'), frame(headersType, 0, 1)]))
  const many = Buffer.concat(Array.from({ length: 50_000 }, () => frame(continuationType, 0, 1)))
  assert.ok([1, 2, 3].map(() => read(many)).includes(undefined))
})

test('a file that is asked for twice ends the transfer', () =>
  inFolder(async (root) => {
    plant(root, { 'a.txt': 'a' })
    const { asking } = serve({ _tag: 'Folder', path: root })
    await asking.listed
    asking.request(0)
    asking.request(0)
    const status = await asking.status
    assert.is(status?.message, 'there is no file 0 to send')
  }))

test.run()
