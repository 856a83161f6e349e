/** Commands in pods and connections to pods, through API servers that break the protocols. */
import { setTimeout as sleep } from 'node:timers/promises'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { WebSocket } from 'ws'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { failureDiagnostic } from '../../../src/domain/cluster/failure.ts'
import { showDiagnostic } from '../../../src/domain/diagnostic/show.ts'
import { podsServer } from '../../support/kube/pods-server.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const pod = { namespace: 'n', name: 'p' }
const channels = 'v5.channel.k8s.io'
const tunnel = 'SPDY/3.1+portforward.k8s.io'
const patienceMs = 1_500
const mostBytes = 512 * 1024 * 1024
const megabyte = 1024 * 1024
const escapes = '\x1b]0;forged\x07\x1b[2J'

const endlessly = (socket: WebSocket, send: (done: () => void) => void): void => {
  const more = (): void => {
    if (socket.readyState === socket.OPEN) send(() => setImmediate(more))
  }
  more()
}

const many = (part: Buffer): Buffer =>
  Buffer.concat(Array.from({ length: Math.ceil(65_536 / part.length) }, () => part))
const status = (json: unknown): Buffer => Buffer.concat([Buffer.from([3]), Buffer.from(JSON.stringify(json))])
const spdy = (type: number, payload: Buffer, flags = 0): Buffer => {
  const head = Buffer.from([0x80, 3, 0, type, flags, 0, 0, 0])
  head.writeUIntBE(payload.length, 5, 3)
  return Buffer.concat([head, payload])
}
const data = (id: number, bytes: Buffer): Buffer => {
  const head = Buffer.alloc(8)
  head.writeUInt32BE(id, 0)
  head.writeUInt32BE(bytes.length, 4)
  return Buffer.concat([head, bytes])
}

type Behaviour = (socket: WebSocket) => void

const onAnyLink: Readonly<Record<string, Behaviour>> = {
  'pings without end, of which it reads no answer': (socket) => {
    socket.pause()
    endlessly(socket, (done) => {
      for (let count = 0; count < 100; count += 1) socket.ping(Buffer.alloc(125))
      setImmediate(done)
    })
  },
  'a message that is too large': (socket) => socket.send(Buffer.alloc(20 * megabyte)),
  'empty messages without end': (socket) => endlessly(socket, (done) => socket.send(Buffer.alloc(0), done)),
  'a message of many parts without end': (socket) =>
    endlessly(socket, (done) => socket.send(Buffer.alloc(65_536), { fin: false }, done)),
  'a farewell with escape sequences': (socket) => socket.close(4_000, escapes),
  'an end without a word': (socket) => socket.terminate(),
}

const onCommands: Readonly<Record<string, Behaviour>> = {
  ...onAnyLink,
  'output of unknown channels without end': (socket) =>
    endlessly(socket, (done) => socket.send(Buffer.alloc(65_536, 9), done)),
  'output without end': (socket) => endlessly(socket, (done) => socket.send(Buffer.alloc(65_536, 1), done)),
  'a status that is no JSON': (socket) => {
    socket.send(Buffer.from(`\x03${escapes}`))
    socket.close(1000)
  },
  'a status of ten megabytes': (socket) => {
    socket.send(status({ status: 'Failure', message: `${escapes}${'x'.repeat(10 * megabyte)}` }))
    socket.close(1000)
  },
  'an exit status that is none': (socket) => {
    const details = { causes: [{ reason: 'ExitCode', message: '-1e99' }] }
    socket.send(status({ status: 'Failure', reason: 'NonZeroExitCode', message: 'no', details }))
    socket.close(1000)
  },
}

const onConnections: Readonly<Record<string, Behaviour>> = {
  ...onAnyLink,
  'a control frame that is too long': (socket) => socket.send(spdy(2, Buffer.alloc(100_000))),
  'control frames that are too short': (socket) => socket.send(spdy(3, Buffer.alloc(0))),
  'frames of SPDY pings without end, of which it reads no answer': (socket) => {
    socket.pause()
    endlessly(socket, (done) => socket.send(many(spdy(6, Buffer.alloc(4))), done))
  },
  'data of no stream without end': (socket) =>
    endlessly(socket, (done) => socket.send(data(77, Buffer.alloc(60_000)), done)),
  'a refusal without end': (socket) =>
    endlessly(socket, (done) => socket.send(data(1, Buffer.alloc(60_000, 'x')), done)),
  'data without end': (socket) => endlessly(socket, (done) => socket.send(data(3, Buffer.alloc(60_000)), done)),
  'resets without end': (socket) =>
    endlessly(socket, (done) => socket.send(many(spdy(3, Buffer.from([0, 0, 0, 3, 0, 0, 0, 1]))), done)),
  'farewells without end': (socket) => endlessly(socket, (done) => socket.send(many(spdy(7, Buffer.alloc(8))), done)),
  'a byte at a time': (socket) => endlessly(socket, (done) => socket.send(Buffer.from([0x80]), done)),
}

/** What is left of a run that goes on ends with the signal. */
const ends = async (run: (signal: AbortSignal) => Promise<string>): Promise<string> => {
  const before = process.memoryUsage().rss
  const stop = new AbortController()
  const running = run(stop.signal)
  const late = systemClock.sleep(patienceMs).then(() => 'late')
  if ((await Promise.race([running, late])) === 'late') stop.abort()
  const said = await Promise.race([running, sleep(60_000, 'no end', { ref: false })])
  assert.is.not(said, 'no end')
  assert.not.match(said, escapes)
  assert.ok(said.length < 10_000, `${said.length} characters`)
  assert.ok(process.memoryUsage().rss - before < mostBytes, `${process.memoryUsage().rss - before} bytes`)
  return said
}

const shown = (failure: Parameters<typeof failureDiagnostic>[0]): string =>
  showDiagnostic(failureDiagnostic(failure), { color: false, line: () => undefined })

for (const [what, behave] of Object.entries(onCommands)) {
  test(`a command in a pod ends despite ${what}`, async () => {
    const { close, pods } = await podsServer(channels, behave, systemClock)
    opened({ close })
    await ends(async (signal) => {
      const begun = await pods.exec(pod, { command: ['ls'] }, signal)()
      if (E.isLeft(begun)) return shown(begun.left)
      const exit = await begun.right.exit()
      return E.isLeft(exit) ? shown(exit.left) : `status ${exit.right}`
    })
  })
}

for (const [what, behave] of Object.entries(onConnections)) {
  test(`a connection to a pod ends despite ${what}`, async () => {
    const { close, pods } = await podsServer(
      tunnel,
      (socket) => socket.once('message', () => behave(socket)),
      systemClock,
    )
    opened({ close })
    await ends(async (signal) => {
      const dialled = await pods.dial(pod, 80, signal)()
      if (E.isLeft(dialled)) return shown(dialled.left)
      const failure = await dialled.right.closed
      return failure === undefined ? 'closed' : shown(failure)
    })
  })
}

test.run()
