/** Connections to pods through servers that speak in channels, in pieces, or not at all. */
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { podsOf } from '../../../src/adapters/kube/pods/pods.ts'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import { done, failed, statusOf } from '../../contract/cluster-world.ts'
import { read, within } from '../../contract/pods-world.ts'
import { memoryClock } from '../../memory/clock.ts'
import { fakeApi } from '../../support/kube/api-fake.ts'
import { type PodsServer, podsServer } from '../../support/kube/pods-server.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { settled } from '../../support/process/settled.ts'

const opened = closedAfterEach(test)

const serverOf = async (...about: Parameters<typeof podsServer>): Promise<PodsServer> =>
  opened(await podsServer(...about))

const pod = { namespace: 'n', name: 'p' }
const { signal } = new AbortController()
const channels = 'v4.channel.k8s.io'
const channel = (number: number, text: string): Buffer => Buffer.concat([Buffer.from([number]), Buffer.from(text)])
const port = Buffer.from([80, 0])

const textOf = async (stream: AsyncIterable<Uint8Array>): Promise<string> =>
  (await within('text', read(stream))).toString()

test('a server without SPDY tunnels uses channels, and fragmented messages are complete', async () => {
  const asked: Array<string> = []
  const { pods } = await serverOf(channels, (socket, path) => {
    asked.push(path)
    for (const number of [0, 1]) socket.send(Buffer.concat([Buffer.from([number]), port]))
    socket.on('message', (message: Buffer) => {
      asked.push(message.toString('latin1'))
      socket.send(channel(0, 'one, '), { fin: false })
      socket.send('two, ', { fin: false })
      socket.send('three', { fin: true })
      socket.send(channel(0, '; four'))
      socket.close(1000)
    })
  })
  const { bytes, closed } = await done(pods.dial(pod, 80, signal))
  bytes.write('hello')
  assert.is(await textOf(bytes), 'one, two, three; four')
  assert.is(await within('end', closed), undefined)
  assert.equal(asked, ['/api/v1/namespaces/n/pods/p/portforward?ports=80', '\0hello'])
})

const parts = Array.from({ length: 400 }, (_, index) => Buffer.alloc(100_000, index))

test('a slow reader slows down the server and loses nothing', async () => {
  let sent = 0
  const { pods } = await serverOf(channels, (socket) => {
    for (const number of [0, 1]) socket.send(Buffer.concat([Buffer.from([number]), port]))
    for (const part of parts) socket.send(Buffer.concat([Buffer.from([0]), part]), () => (sent += part.length))
    socket.close(1000)
  })
  const { bytes } = await done(pods.dial(pod, 80, signal))
  bytes.read(0)
  await settled(() => sent)
  assert.ok(bytes.readableLength < 2_000_000, `${bytes.readableLength} bytes were read for nobody`)
  const received = await within('all of it', read(bytes))
  assert.ok(received.equals(Buffer.concat(parts)))
})

test('a server that does not read slows down the writer, and nothing is lost', async () => {
  const received: Array<Buffer> = []
  const { pods, sockets } = await serverOf(channels, (socket) => {
    socket.on('message', (message: Buffer) => received.push(message.subarray(1)))
    socket.pause()
  })
  const { bytes } = await done(pods.dial(pod, 80, signal))
  let written = 0
  const write = (part: Buffer): Promise<void> =>
    new Promise((resolve) => {
      bytes.write(part, () => {
        written += part.length
        resolve()
      })
    })
  const ended = Promise.all(parts.map(write))
  assert.ok((await settled(() => written)) < 30_000_000, `${written} bytes were taken for nobody`)
  for (const socket of sockets) socket.resume()
  await ended
  await new Promise<void>((resolve) => bytes.end(resolve))
  await settled(() => received.length)
  assert.ok(Buffer.concat(received).equals(Buffer.concat(parts)))
})

test('the message on the error channel is the reason for the closed port', async () => {
  const { pods } = await serverOf(channels, (socket) => {
    for (const number of [0, 1]) socket.send(Buffer.concat([Buffer.from([number]), port]))
    socket.send(channel(1, 'nobody listens on port 80\n'))
  })
  const { bytes, closed } = await done(pods.dial(pod, 80, signal))
  const failure = await within('end', closed)
  assert.is(failure?._tag === 'Refused' ? failure.message : '', 'nobody listens on port 80')
  assert.ok(bytes.destroyed)
})

test('a connection that the server closes with a status fails with it', async () => {
  const { pods } = await serverOf(channels, (socket) => socket.close(1011, 'overloaded'))
  const { closed } = await done(pods.dial(pod, 80, signal))
  const failure = await within('end', closed)
  assert.match(failure?._tag === 'Unreachable' ? failure.cause : '', /1011: overloaded/)
})

test('a connection without answers is closed after three pings', async () => {
  const clock = memoryClock()
  const { pods, sockets } = await serverOf(channels, () => {}, clock)
  const { closed } = await done(pods.dial(pod, 80, signal))
  let failure: Failure | undefined
  void closed.then((one) => {
    failure = one
    return one
  })
  // Its socket is not read, so that it cannot answer.
  for (const socket of sockets) socket.pause()
  await clock.advance(39_000)
  assert.is(failure, undefined)
  await clock.advance(2_000)
  await new Promise((resolve) => setTimeout(resolve, 50))
  assert.match(
    failure !== undefined && failure._tag === 'Unreachable' ? failure.cause : '',
    /nothing was received for 30 s/,
  )
})

test('an idle connection that answers pings is kept', async () => {
  const clock = memoryClock()
  const { pods } = await serverOf(channels, () => {}, clock)
  const { bytes } = await done(pods.dial(pod, 80, signal))
  for (let turn = 0; turn < 10; turn += 1) {
    await clock.advance(10_000)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
  assert.not.ok(bytes.destroyed)
})

const tunnel = 'SPDY/3.1+portforward.k8s.io'
const [errorStream, dataStream] = [1, 3]

const bigEndian = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}

const frame = (head: number, flags: number, body: Buffer): Buffer =>
  Buffer.concat([bigEndian(head), bigEndian((flags << 24) + body.length), body])
const data = (id: number, text: string): Buffer => frame(id, 0, Buffer.from(text))
const fin = (id: number): Buffer => frame(id, 1, Buffer.alloc(0))
const reply = (id: number): Buffer => frame(0x80_03_00_02, 0, bigEndian(id))
const goAway = (last: number): Buffer => frame(0x80_03_00_07, 0, Buffer.concat([bigEndian(last), bigEndian(0)]))

const finished = [data(dataStream, 'hello'), fin(dataStream), fin(errorStream)]

for (const [what, messages] of [
  [
    'between two pieces of data',
    [data(dataStream, 'hel'), goAway(dataStream), data(dataStream, 'lo'), fin(dataStream), fin(errorStream)],
  ],
  ['before the stream is accepted', [goAway(dataStream), reply(dataStream), ...finished]],
  ['of an older stream, after this one was accepted', [reply(dataStream), goAway(errorStream), ...finished]],
  ['after the end, in the same message', [Buffer.concat([...finished, goAway(dataStream)])]],
  ['of no stream after the end, in the same message', [Buffer.concat([...finished, goAway(0)])]],
  ['and data after the end', [Buffer.concat([...finished, goAway(0), data(dataStream, 'more')])]],
] as const) {
  test(`a GOAWAY ${what} loses no data of an open stream`, async () => {
    const { pods } = await serverOf(tunnel, (socket) => {
      for (const message of messages) socket.send(message)
    })
    const { bytes, closed } = await done(pods.dial(pod, 80, signal))
    assert.is(await textOf(bytes), 'hello')
    assert.is(await within('end', closed), undefined)
  })
}

for (const [what, messages, words] of [
  [
    'in pieces',
    [data(errorStream, 'connection '), data(errorStream, 'refused\n'), fin(errorStream)],
    'connection refused',
  ],
  [
    'after the end of the data',
    [fin(dataStream), data(errorStream, 'connection refused'), fin(errorStream)],
    'connection refused',
  ],
  ['without end', [data(errorStream, 'x'.repeat(65_536))], 'x'.repeat(65_536)],
] as const) {
  test(`a refusal that comes ${what} is reported whole, up to 64 KiB`, async () => {
    const { pods } = await serverOf(tunnel, (socket) => {
      for (const message of messages) socket.send(message)
    })
    const { closed } = await done(pods.dial(pod, 80, signal))
    const failure = await within('end', closed)
    assert.is(failure?._tag === 'Refused' ? failure.message : '', words)
  })
}

test('a GOAWAY that does not include the stream is a refusal', async () => {
  const { pods } = await serverOf(tunnel, (socket) => socket.send(goAway(errorStream)))
  const { bytes, closed } = await done(pods.dial(pod, 80, signal))
  const failure = await within('end', closed)
  assert.is(failure?._tag === 'Refused' ? failure.message : '', 'the server accepts no more streams')
  assert.ok(bytes.destroyed)
})

test('if the server cannot close the input of a command, that is reported', async () => {
  const { pods } = await serverOf(channels, (socket) => socket.send(channel(1, 'out')))
  const { exit, stderr, stdin, stdout } = await done(pods.exec(pod, { command: ['cat'], hasStdin: true }, signal))
  stdout.resume()
  stderr.resume()
  stdin.end('last words')
  const ended = await within('exit', exit())
  assert.is(E.isLeft(ended) && ended.left._tag === 'Refused' ? ended.left.reason : '', 'NoHalfClose')
})

test('a command over the older protocol has its streams and its status', async () => {
  const said: Array<string> = []
  const { pods } = await serverOf(channels, (socket, path) => {
    said.push(path)
    socket.on('message', (message: Buffer) => {
      said.push(message.toString('latin1'))
      socket.send(channel(1, 'out'))
      socket.send(channel(2, 'err'))
      const causes = [{ reason: 'ExitCode', message: '3' }]
      const status = { kind: 'Status', status: 'Failure', reason: 'NonZeroExitCode', details: { causes } }
      socket.send(channel(3, JSON.stringify(status)))
      socket.close(1000)
    })
  })
  const options = { command: ['sh', '-c', 'a b'], container: 'main', hasStdin: true }
  const { exit, stderr, stdin, stdout } = await done(pods.exec(pod, options, signal))
  stdin.write('in')
  assert.equal(await Promise.all([textOf(stdout), textOf(stderr)]), ['out', 'err'])
  assert.equal(await within('exit', exit()), E.right(3))
  const query = 'command=sh&command=-c&command=a+b&container=main&stdin=true&stdout=true&stderr=true&tty=false'
  assert.equal(said, [`/api/v1/namespaces/n/pods/p/exec?${query}`, '\0in'])
})

test('a connection that closes normally without a status is a failure', async () => {
  const { pods } = await serverOf('v5.channel.k8s.io', (socket) => socket.close(1000))
  const { exit } = await done(pods.exec(pod, { command: ['true'] }, signal))
  const ended = await within('exit', exit())
  assert.is(E.isLeft(ended) ? ended.left._tag : '', 'Unreachable')
})

test('a server that supports none of the protocols is reported', async () => {
  const { pods } = await serverOf(undefined, () => {})
  const failure = await failed(pods.dial(pod, 80, signal))
  assert.match(failure._tag === 'Unreachable' ? failure.cause : '', /supports none of SPDY/)
})

test('the message of a server that does not upgrade is reported', async () => {
  const api = opened(
    await fakeApi((_asked, response) => {
      response.writeHead(403, { 'content-type': 'application/json' })
      response.end(JSON.stringify({ kind: 'Status', code: 403, reason: 'Forbidden', message: 'no' }))
      return true
    }),
  )
  const pods = podsOf({ upstream: api.upstream, clock: memoryClock() })
  assert.is(statusOf(await failed(pods.dial(pod, 80, signal))), '403 Forbidden')
})

test.run()
