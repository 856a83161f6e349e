/** Images on their way into the Docker daemon: passed on as they come, and never taken for whole when they are not. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { findDaemon, loadImage } from '../../../src/adapters/docker/load.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { DockerHost } from '../../../src/domain/build/address.ts'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import { type Behaviour, type FakeDocker, withDocker } from '../../support/build/docker-fake.ts'

type Archive = () => AsyncIterable<Uint8Array>
type Loaded = E.Either<BuildFailure, void>

const never = new AbortController().signal
const chunk = Buffer.alloc(1024 * 1024, 7)

const daemonAt = (host: DockerHost, silenceMs = 20_000) => ({ clock: systemClock, host, env: {}, silenceMs })

async function* chunks(count: number, asked: () => void = () => {}): AsyncGenerator<Uint8Array, void, undefined> {
  for (let sent = 0; sent < count; sent += 1) {
    asked()
    yield chunk
  }
}

const readAll = async (request: IncomingMessage): Promise<Buffer> => {
  const parts: Array<Buffer> = []
  for await (const part of request) parts.push(Buffer.from(part))
  return Buffer.concat(parts)
}

const load = async (answer: Behaviour['answer'], archive: Archive, signal = never): Promise<Loaded> => {
  let loaded: Loaded | undefined
  await withDocker(answer === undefined ? {} : { answer }, async ({ host, quiet }: FakeDocker) => {
    loaded = await loadImage(daemonAt(host), archive(), signal)()
    await quiet()
  })
  if (loaded === undefined) throw new Error('nothing was loaded')
  return loaded
}

const loadedLine = '{"stream":"Loaded image: app:1\\n"}\n'

test('the archive arrives as it was sent', async () => {
  let arrived: Buffer = Buffer.alloc(0)
  let url = ''
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    url = request.url ?? ''
    arrived = await readAll(request)
    response.end(loadedLine)
  }
  assert.equal(
    await load(
      (request, response) => void answer(request, response),
      () => chunks(3),
    ),
    E.right(undefined),
  )
  assert.match(url, /^\/images\/load\b/)
  assert.ok(arrived.equals(Buffer.concat([chunk, chunk, chunk])))
})

test('a slow daemon slows down the transfer of the archive', async () => {
  let asked = 0
  let askedWhileWaiting = 0
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let before = -1
    while (before !== asked) {
      before = asked
      await new Promise((resolve) => {
        setTimeout(resolve, 100)
      })
    }
    askedWhileWaiting = asked
    await readAll(request)
    response.end(loadedLine)
  }
  const count = (): void => {
    asked += 1
  }
  assert.equal(
    await load(
      (request, response) => void answer(request, response),
      () => chunks(64, count),
    ),
    E.right(undefined),
  )
  assert.is(asked, 64)
  assert.ok(askedWhileWaiting < 16, `${askedWhileWaiting} MiB were taken before the daemon read anything`)
})

const refusals: ReadonlyArray<readonly [what: string, answer: NonNullable<Behaviour['answer']>, cause: RegExp]> = [
  [
    'a status and a message, before the archive has ended',
    (_, response) => response.writeHead(500).end('{"message":"no space left on device"}'),
    /^no space left on device$/,
  ],
  [
    'an error among its messages',
    (request, response) => {
      void readAll(request).then(() => response.end('{"errorDetail":{"message":"invalid tar header"}}\n'))
    },
    /^invalid tar header$/,
  ],
  [
    'the end of the connection',
    (request) => {
      void readAll(request).then(() => request.socket.destroy())
    },
    /broke|connection/,
  ],
  [
    'the end of the connection in the middle of its messages',
    (request, response) => {
      void readAll(request).then(() => response.write(loadedLine, () => request.socket.destroy()))
    },
    /closed the connection during loading/,
  ],
]

for (const [what, answer, cause] of refusals) {
  test(`an image is not loaded when the answer is ${what}`, async () => {
    const loaded = await load(answer, () => chunks(8))
    if (E.isRight(loaded) || loaded.left._tag !== 'NotLoaded') throw new Error(JSON.stringify(loaded))
    assert.ok(loaded.left.isReached)
    assert.match(loaded.left.cause, cause)
  })
}

async function* broken(): AsyncGenerator<Uint8Array, void, undefined> {
  yield chunk
  throw new Error('the builder ended the transfer')
}

test('a truncated archive is not completed', async () => {
  let wasWhole: boolean | undefined
  const answer = (request: IncomingMessage, response: ServerResponse): void => {
    request.on('close', () => {
      wasWhole = request.complete
    })
    request.on('error', () => {})
    request.resume().on('end', () => response.end(loadedLine))
  }
  const loaded = await load(answer, broken)
  assert.ok(E.isLeft(loaded) && loaded.left._tag === 'NotLoaded', JSON.stringify(loaded))
  assert.is(wasWhole, false)
})

test('a silent daemon times out, and an interrupt ends the wait', () =>
  withDocker({ answer: (request) => void request.resume() }, async ({ host }) => {
    const silent = await loadImage(daemonAt(host, 50), chunks(2), never)()
    assert.equal(silent, E.left({ _tag: 'NotLoaded', isReached: true, cause: 'no message from it for 0.05 s' }))
    const stop = new AbortController()
    const loading = loadImage(daemonAt(host), chunks(2), stop.signal)()
    stop.abort()
    assert.equal(await loading, E.left({ _tag: 'Aborted' }))
  }))

test('the daemon is contacted before anything is built', async () => {
  await withDocker({}, async ({ host }) => {
    assert.ok(E.isRight(await findDaemon(daemonAt(host), never)()))
  })
  const nobody = await findDaemon(daemonAt({ _tag: 'Unix', path: '/nobody/here' }), never)()
  assert.equal(nobody, E.left({ _tag: 'NotLoaded', isReached: false, cause: 'the Docker daemon is not running' }))
})

test.run()
