/** The streams of commands in pods, over both versions of the protocol. */
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { WebSocket } from 'ws'
import type { Failure } from '../../../src/domain/cluster/failure.ts'
import { done } from '../../contract/cluster-world.ts'
import { read, within } from '../../contract/pods-world.ts'
import { memoryClock } from '../../memory/clock.ts'
import { type PodsServer, podsServer } from '../../support/kube/pods-server.ts'
import { closedAfterEach } from '../../support/process/opened.ts'
import { settled } from '../../support/process/settled.ts'

const opened = closedAfterEach(test)

const serverOf = async (...about: Parameters<typeof podsServer>): Promise<PodsServer> =>
  opened(await podsServer(...about))

const pod = { namespace: 'n', name: 'p' }
const { signal } = new AbortController()
const parts = Array.from({ length: 400 }, (_, index) => Buffer.alloc(100_000, index))
const inChannel = (channel: number, bytes: Uint8Array): Buffer => Buffer.concat([Uint8Array.of(channel), bytes])
const success = inChannel(3, Buffer.from(JSON.stringify({ kind: 'Status', status: 'Success' })))

const causeOf = (exit: E.Either<Failure, number>): string =>
  E.isLeft(exit) && exit.left._tag === 'Unreachable' ? exit.left.cause : JSON.stringify(exit)

test('the newest protocol is offered first', async () => {
  const offers: Array<string> = []
  const { pods } = await serverOf('v4.channel.k8s.io', (socket, _path, offered) => {
    offers.push(offered)
    socket.close(1000)
  })
  await done(pods.exec(pod, { command: ['true'] }, signal))
  await done(pods.dial(pod, 80, signal))
  assert.equal(offers, ['v5.channel.k8s.io, v4.channel.k8s.io', 'SPDY/3.1+portforward.k8s.io, v4.channel.k8s.io'])
})

for (const protocol of ['v5.channel.k8s.io', 'v4.channel.k8s.io']) {
  for (const [name, channel] of [
    ['stdout', 1],
    ['stderr', 2],
  ] as const) {
    test(`${protocol}: a slow reader of ${name} slows down the server and loses nothing`, async () => {
      let sent = 0
      const { pods } = await serverOf(protocol, (socket) => {
        for (const part of parts) socket.send(inChannel(channel, part), () => (sent += part.length))
        socket.send(success)
        socket.close(1000)
      })
      const execution = await done(pods.exec(pod, { command: ['cat'] }, signal))
      const output = execution[name]
      execution[name === 'stdout' ? 'stderr' : 'stdout'].resume()
      output.read(0)
      await settled(() => sent)
      assert.ok(output.readableLength < 2_000_000, `${output.readableLength} bytes were read ahead`)
      const received = await within('all of it', read(output))
      assert.ok(received.equals(Buffer.concat(parts)))
      assert.equal(await execution.exit(), E.right(0))
    })
  }

  test(`${protocol}: a server that does not read slows down the writer, and nothing is lost`, async () => {
    const received: Array<Buffer> = []
    const { pods, sockets } = await serverOf(protocol, (socket) => {
      socket.on('message', (message: Buffer) => received.push(message.subarray(1)))
      socket.pause()
    })
    const { stderr, stdin, stdout } = await done(pods.exec(pod, { command: ['cat'], hasStdin: true }, signal))
    for (const output of [stdout, stderr]) output.resume()
    let written = 0
    const write = (part: Buffer): Promise<void> =>
      new Promise((resolve) => {
        stdin.write(part, () => {
          written += part.length
          resolve()
        })
      })
    const ended = Promise.all(parts.map(write))
    assert.ok((await settled(() => written)) < 30_000_000, `${written} bytes were accepted`)
    for (const socket of sockets) socket.resume()
    await ended
    await settled(() => received.length)
    assert.ok(Buffer.concat(received).equals(Buffer.concat(parts)))
  })

  test(`${protocol}: a command whose server closes the connection with a status fails with it`, async () => {
    const { pods } = await serverOf(protocol, (socket) => socket.close(1011, 'overloaded'))
    const { exit } = await done(pods.exec(pod, { command: ['true'] }, signal))
    assert.match(causeOf(await within('exit', exit())), '1011: overloaded')
  })

  test(`${protocol}: a command without answers to pings fails`, async () => {
    const clock = memoryClock()
    const { pods, sockets } = await serverOf(protocol, () => {}, clock)
    const { exit, stderr, stdout } = await done(pods.exec(pod, { command: ['sleep', '600'] }, signal))
    for (const output of [stdout, stderr]) output.resume()
    // Its socket is not read, so that it cannot answer.
    for (const socket of sockets) socket.pause()
    await clock.advance(41_000)
    assert.match(causeOf(await within('exit', exit())), 'nothing was received for 30 s')
  })
}

const endings: Readonly<Record<string, (socket: WebSocket) => void>> = {
  normally: (socket) => socket.close(1000),
  overloaded: (socket) => socket.close(1011, 'overloaded'),
  cut: (socket) => socket.terminate(),
}

test('however the status, the output and the end of the connection follow each other, a command ends', async () => {
  const given = fc.record({
    sizes: fc.array(fc.integer({ min: 0, max: 40_000 }), { maxLength: 6 }),
    statusAt: fc.option(fc.nat(6), { nil: undefined }),
    ending: fc.constantFrom(...Object.keys(endings)),
    isRead: fc.boolean(),
    closesInput: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ closesInput, ending, isRead, sizes, statusAt }) => {
      const { pods } = await serverOf('v5.channel.k8s.io', (socket) => {
        for (const [index, size] of sizes.entries()) {
          if (index === statusAt) socket.send(success)
          socket.send(inChannel(1, Buffer.alloc(size, index)))
        }
        if (statusAt !== undefined && statusAt >= sizes.length) socket.send(success)
        endings[ending]?.(socket)
      })
      const started = await pods.exec(pod, { command: ['cat'], hasStdin: true }, signal)()
      if (E.isLeft(started)) return assert.is(ending, 'cut')
      const { exit, stderr, stdin, stdout } = started.right
      stderr.resume()
      const output = isRead ? read(stdout).catch(() => undefined) : undefined
      if (!isRead) stdout.destroy()
      if (closesInput) stdin.end()
      const ended = await within('exit', exit())
      const received = await within('the end of the output', Promise.resolve(output))
      if (ending === 'normally' && statusAt !== undefined) {
        assert.equal(ended, E.right(0))
        if (isRead)
          assert.is(
            received?.length,
            sizes.reduce((sum, size) => sum + size, 0),
          )
      }
      if (statusAt === undefined) assert.ok(E.isLeft(ended))
    }),
    { numRuns: 30 },
  )
})

test.run()
