/** Pushing out of the Docker daemon: what it tells, and every way in which it can go wrong. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import * as fc from 'fast-check'
import * as E from 'fp-ts/lib/Either.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { jsonLines } from '../../../src/adapters/docker/json-lines.ts'
import { pushImage } from '../../../src/adapters/docker/push.ts'
import { pushEvents } from '../../../src/adapters/docker/push-events.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { DockerHost } from '../../../src/domain/build/address.ts'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import { type Json, textAt } from '../../../src/domain/cluster/json.ts'
import type { Credentials, RegistryCredential } from '../../../src/ports/credentials.ts'
import { type FakeDocker, withDocker } from '../../support/build/docker-fake.ts'

const digest = `sha256:${'0123456789abcdef'.repeat(4)}`
const told: ReadonlyArray<Json> = [
  { status: 'The push refers to repository [127.0.0.1:5000/a]' },
  { status: 'Preparing', progressDetail: {}, id: 'l1' },
  { status: 'Pushing', progressDetail: { current: 512, total: 2048 }, progress: '[=>  ]', id: 'l1' },
  { status: 'Pushing', progressDetail: { current: 3000, total: 2048 }, progress: '[==>]', id: 'l1' },
  { status: 'Pushed', progressDetail: {}, id: 'l1' },
  { status: 'Layer already exists', progressDetail: {}, id: 'l2' },
  { status: `1: digest: ${digest} size: 528` },
  { progressDetail: {}, aux: { Tag: '1', Digest: digest, Size: 528 } },
]
const linesOf = (messages: ReadonlyArray<Json>): string =>
  messages.map((message) => `${JSON.stringify(message)}\r\n`).join('')

const nobody: Credentials = { of: () => Promise.resolve(undefined) }
const never = new AbortController().signal

type Answer = (request: IncomingMessage, response: ServerResponse) => void
const saying =
  (...parts: ReadonlyArray<string>): Answer =>
  (_request, response) => {
    for (const part of parts) response.write(part)
    response.end()
  }

type Attempt = {
  readonly reference?: string
  readonly credentials?: Credentials
  readonly signal?: AbortSignal
  readonly silenceMs?: number
}

const push = async (answer: Answer, attempt: Attempt = {}) => {
  const events: Array<BuildEvent> = []
  const { credentials = nobody, reference = '127.0.0.1:5000/a:1', signal = never, silenceMs } = attempt
  const run = async ({ asked, host, quiet }: FakeDocker) => {
    const daemon = { clock: systemClock, host, env: {}, ...(silenceMs === undefined ? {} : { silenceMs }) }
    const pushed = await pushImage(daemon, reference, credentials, (more) => events.push(...more), signal)()
    await quiet()
    return { pushed, asked: asked[0] }
  }
  return { events, ...(await withDocker({ answer }, run)) }
}

const failureOf = <A>(pushed: E.Either<A, unknown>): A | undefined => (E.isLeft(pushed) ? pushed.left : undefined)

test('a push reports its layers and ends with the digest of the registry', async () => {
  const { asked, events, pushed } = await push(saying(linesOf(told)))
  assert.equal(pushed, E.right({ digest }))
  assert.is(asked?.method, 'POST')
  assert.is(asked?.url, '/images/127.0.0.1%3A5000/a/push?tag=1')
  const vertex = 'push:127.0.0.1:5000/a:1'
  const seen = events.map((event) =>
    event._tag === 'Transfer'
      ? [event.vertex, event.id, event.current, event.total, event.endedMs !== undefined]
      : event._tag === 'Vertex' && [event.digest, event.name, event.endedMs !== undefined, event.error],
  )
  assert.equal(seen, [
    [vertex, 'pushing 127.0.0.1:5000/a:1', false, undefined],
    [vertex, 'l1', 512, 2048, false],
    [vertex, 'l1', 3000, 3000, false],
    [vertex, 'l1', 3000, 3000, true],
    [vertex, 'pushing 127.0.0.1:5000/a:1', true, undefined],
  ])
})

test('the default tag is latest, and an invalid digest is left out', async () => {
  const odd = linesOf([{ aux: { Digest: 'sha256:abc' } }])
  const { asked, pushed } = await push(saying(odd), { reference: 'me/app' })
  assert.is(asked?.url, '/images/me/app/push?tag=latest')
  assert.equal(pushed, E.right({}))
})

const authOf = async (reference: string, credential: RegistryCredential | undefined) => {
  const hosts: Array<string> = []
  const of = (host: string) => {
    hosts.push(host)
    return Promise.resolve(credential)
  }
  const { asked } = await push(saying(''), { reference, credentials: { of } })
  const header = String(asked?.headers['x-registry-auth'])
  assert.match(header, /^(?:[\w-]{4})*(?:[\w-]{2}==|[\w-]{3}=)?$/)
  const auth: Json = JSON.parse(Buffer.from(header, 'base64url').toString())
  return [hosts, auth]
}

test('credentials are sent with the address as Docker stores it', async () => {
  const account = { username: 'me', secret: 'p?>ü~' }
  assert.equal(await authOf('registry.example.com:5000/a:1', account), [
    ['registry.example.com:5000'],
    { username: 'me', password: 'p?>ü~', serveraddress: 'registry.example.com:5000' },
  ])
  assert.equal(await authOf('me/a:1', { username: '', secret: 'token' }), [
    ['docker.io'],
    { identitytoken: 'token', serveraddress: 'https://index.docker.io/v1/' },
  ])
  assert.equal(await authOf('a.example.com/a', { username: '', secret: '', registryToken: 'r' }), [
    ['a.example.com'],
    { registrytoken: 'r', serveraddress: 'a.example.com' },
  ])
  assert.equal(await authOf('localhost/a', undefined), [['localhost'], {}])
})

test('a refusal in the stream is reported after earlier events', async () => {
  const error = { errorDetail: { message: 'denied: no rights' }, error: 'denied: no rights' }
  const { events, pushed } = await push(saying(linesOf([...told.slice(0, 3), error])))
  assert.equal(failureOf(pushed), {
    _tag: 'NotPushed',
    name: '127.0.0.1:5000/a:1',
    message: 'denied: no rights',
  })
  const last = events.at(-1)
  assert.is(last?._tag === 'Vertex' && last.error, 'denied: no rights')
})

test('a refusal with an HTTP status is reported', async () => {
  const says =
    (text: string): Answer =>
    (_request, response) => {
      response.writeHead(404).end(text)
    }
  const message = async (text: string) => {
    const failure = failureOf((await push(says(text))).pushed)
    return failure?._tag === 'NotPushed' && failure.message
  }
  assert.is(await message('{"message":"no such image"}\n'), 'no such image')
  assert.is(await message(' plain '), 'plain')
  assert.is(await message(''), 'status 404 without a reason')
})

test('a truncated response is not a success', async () => {
  const cut: Answer = (_request, response) => {
    response.write(linesOf(told), () => response.destroy())
  }
  assert.is(failureOf((await push(cut)).pushed)?._tag, 'Lost')
  const closed: Answer = (_request, response) => response.destroy()
  assert.is(failureOf((await push(closed)).pushed)?._tag, 'Lost')
  for (const text of ['{"status":"x"}\n{"stat', 'nonsense\n', `"${'x'.repeat(1024 * 1024)}"\n`]) {
    const failure = failureOf((await push(saying(text))).pushed)
    assert.is(failure?._tag === 'Lost' && failure.cause, 'the Docker daemon sent an unreadable message')
  }
})

test('an interrupt closes the request', async () => {
  const stop = new AbortController()
  const { events, pushed } = await push(
    (_request, response) => response.write(linesOf(told.slice(0, 3)), () => stop.abort()),
    { signal: stop.signal },
  )
  assert.equal(failureOf(pushed), { _tag: 'Aborted' })
  const last = events.at(-1)
  assert.ok(last?._tag === 'Vertex' && last.endedMs !== undefined)
  const { asked, pushed: again } = await push(saying(''), { signal: stop.signal })
  assert.equal(failureOf(again), { _tag: 'Aborted' })
  assert.is(asked, undefined)
})

test('a daemon that stops responding times out', async () => {
  const hang: Answer = (_request, response) => response.write(linesOf(told.slice(0, 3)))
  const failure = failureOf((await push(hang, { silenceMs: 100 })).pushed)
  assert.ok(failure?._tag === 'Silent' && failure.afterMs === 100 && !failure.isAtStart)
})

test('an invalid name is not pushed', async () => {
  for (const reference of ['A b', `a@${digest}`, 'a:1/../../x', '']) {
    const { asked, events, pushed } = await push(saying(''), { reference })
    assert.is(failureOf(pushed)?._tag, 'NotPushed')
    assert.is(asked, undefined)
    assert.equal(events, [])
  }
})

test('without credentials the push is anonymous', async () => {
  const host: DockerHost = { _tag: 'Tcp', host: '127.0.0.1', port: 1, isTls: false }
  const pushed = await pushImage({ clock: systemClock, host, env: {} }, 'a:1', nobody, () => {}, never)()
  assert.equal(failureOf(pushed), {
    _tag: 'Lost',
    address: 'tcp://127.0.0.1:1',
    cause: 'connection refused; is the Docker daemon running there?',
  })
})

test('lines of JSON are read however the bytes are split', () =>
  fc.assert(
    fc.asyncProperty(fc.array(fc.jsonValue()), fc.array(fc.nat(20)), async (values, sizes) => {
      const bytes = Buffer.from(`\n${values.map((value) => `${JSON.stringify(value)}\r\n \n`).join('')}`)
      async function* chunks(): AsyncGenerator<Uint8Array> {
        let from = 0
        for (const size of sizes) {
          yield bytes.subarray(from, from + size)
          from += size
        }
        yield bytes.subarray(from)
      }
      const read: Array<string> = []
      for await (const json of jsonLines(chunks(), 1 << 20)) read.push(JSON.stringify(json))
      assert.equal(
        read,
        values.map((value) => JSON.stringify(value)),
      )
    }),
  ))

test('each retry of a failing registry is reported once', () => {
  const events = pushEvents('a', () => 7)
  const texts = [5, 4, 3, 2, 1, 10, 9, 1].flatMap((seconds) =>
    events.of({ id: 'l', status: `Retrying in ${seconds} second${seconds === 1 ? '' : 's'}` }),
  )
  assert.equal(
    texts.map((event) => event._tag === 'Log' && [event.vertex, event.text]),
    [5, 10].map((seconds) => ['push:a', `layer l: the registry failed, trying again in ${seconds} s\n`]),
  )
})

test('only layers that are transferred are reported', () => {
  const events = pushEvents('a', () => 7)
  for (const message of [null, 'x', 3, [], {}, { id: 'l' }, { id: 3, status: 'Pushing' }, ...told.slice(5)]) {
    assert.equal(events.of(message), [], textAt(message, 'status') ?? JSON.stringify(message))
  }
  assert.equal(events.of({ id: 'l', status: 'Pushed' }), [])
  assert.equal(events.ended('x'), {
    _tag: 'Vertex',
    digest: 'push:a',
    name: 'pushing a',
    isCached: false,
    startedMs: 7,
    endedMs: 7,
    error: 'x',
  })
})

test.run()
