import { connect } from 'node:http2'
import { Duplex, getDefaultHighWaterMark } from 'node:stream'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { dialOf } from '../../../src/adapters/buildkit/reach.ts'
import { neverEnding, pipeOver } from '../../../src/adapters/buildkit/rpc/pipe.ts'
import { serveSession } from '../../../src/adapters/buildkit/serve/server.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'

const test = suite('pipes under HTTP/2')

/** The near end of a connection; its last words are never taken by the other side. */
const stuck = (): Duplex => new Duplex({ read() {}, write: (_chunk, _encoding, done) => done(), final: () => {} })

const closed = (pipe: Duplex): Promise<unknown> =>
  pipe.destroyed ? Promise.resolve() : new Promise((resolve) => pipe.once('close', resolve))

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

const pod = { _tag: 'KubePod', pod: 'builder', port: 1234 } as const

test('a pipe to a pod that the other side ended can be closed', async () => {
  for (let round = 0; round < 20; round += 1) {
    const near = stuck()
    const ways = { clock: systemClock, env: {}, dialPod: () => TE.right(near), tls: undefined }
    const dialled = await dialOf(pod, ways, new AbortController().signal)()
    if (E.isLeft(dialled)) throw new Error(dialled.left)
    const session = connect('http://localhost', { createConnection: () => dialled.right })
    session.on('error', () => {})
    near.push(null)
    for (let turns = 0; turns < round % 4; turns += 1) await turn()
    session.destroy()
    await closed(near)
    assert.ok(session.destroyed)
  }
})

test('a session that the builder ended can be closed', async () => {
  for (let round = 0; round < 20; round += 1) {
    const near = stuck()
    const serving = serveSession(near, new Map())
    near.push(null)
    for (let turns = 0; turns < round % 4; turns += 1) await turn()
    serving.close()
    await serving.ended
    assert.ok(near.destroyed)
  }
})

test('a session may break at any time, before and after its end', async () => {
  for (let round = 0; round < 24; round += 1) {
    const near = stuck()
    const serving = serveSession(near, new Map())
    if (round % 3 === 1) serving.close()
    for (let turns = 0; turns < round % 4; turns += 1) await turn()
    near.destroy(new Error('broken'))
    if (round % 3 === 2) serving.close()
    await serving.ended
    assert.ok(near.destroyed)
  }
})

test('bytes pass unchanged, and a pipe ends with the other one', async () => {
  const near = stuck()
  const pipe = neverEnding(near)
  const received: Array<Buffer> = []
  pipe.on('data', (chunk: Buffer) => received.push(chunk))
  pipe.on('end', () => assert.unreachable('it has ended'))
  near.push('some ')
  near.push('words')
  near.push(null)
  await closed(pipe)
  assert.is(Buffer.concat(received).toString(), 'some words')
  assert.ok(near.destroyed)
})

test('a slow reader slows down the other pipe and loses nothing', async () => {
  const chunks = Array.from({ length: 100 }, (_, index) => Buffer.alloc(10_000, index))
  let taken = 0
  const near = new Duplex({
    read: () => void near.push(chunks[taken++] ?? null),
    write: (_chunk, _encoding, done) => done(),
  })
  const pipe = neverEnding(near)
  await turn()
  // Both pipes fill their buffers, which are larger in later versions of Node, and have a chunk in hand.
  const room = (2 * getDefaultHighWaterMark(false)) / 10_000 + 4
  assert.ok(taken < room, `${taken} chunks were read for nobody`)
  const received: Array<Buffer> = []
  pipe.on('data', (chunk: Buffer) => received.push(chunk))
  await closed(pipe)
  assert.ok(Buffer.concat(received).equals(Buffer.concat(chunks)))
})

test('writes wait until the other pipe has room', async () => {
  const goOn: Array<() => void> = []
  const taken: Array<Buffer> = []
  const near = new Duplex({
    read() {},
    writableHighWaterMark: 1,
    write: (chunk, _encoding, done) => {
      taken.push(chunk)
      goOn.push(done)
    },
  })
  const pipe = neverEnding(near)
  const written: Array<string> = []
  for (const word of ['alone', 'together', 'with this']) pipe.write(word, () => written.push(word))
  await turn()
  assert.equal([taken.join(), written], ['alone', []])
  goOn.shift()?.()
  await turn()
  assert.equal([taken.join(), written], ['alone,together', ['alone']])
  while (goOn.length > 0) {
    goOn.shift()?.()
    await turn()
  }
  assert.equal([taken.join(), written], ['alone,together,with this', ['alone', 'together', 'with this']])
  near.destroy()
})

test('a read error breaks both pipes', async () => {
  const near = stuck()
  const pipe = pipeOver(near, () => new Error('no such thing'))
  const failed = new Promise<Error>((resolve) => pipe.once('error', resolve))
  near.push('words')
  assert.is((await failed).message, 'no such thing')
  await closed(near)
})

test('a pipe without listeners may break', async () => {
  const near = stuck()
  near.on('error', () => {})
  const pipe = neverEnding(near)
  near.destroy(new Error('broken'))
  await closed(pipe)
  assert.ok(pipe.destroyed)
})

test.run()
