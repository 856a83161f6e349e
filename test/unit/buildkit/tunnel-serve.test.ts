/** The server of a session, on a pipe in memory and through a tunnel. */
import { createHash } from 'node:crypto'
import { type ClientHttp2Session, constants } from 'node:http2'
import { Readable } from 'node:stream'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Handler, RpcCall, RpcService } from '../../../src/adapters/buildkit/rpc/call.ts'
import { type Serving, serveSession } from '../../../src/adapters/buildkit/serve/server.ts'
import { unary } from '../../../src/adapters/buildkit/serve/unary.ts'
import { callOn, openCaller, pipePair } from '../../support/build/grpc-fake.ts'

const method = '/moby.filesync.v1.FileSync/DiffCopy'
const serviceOf = (handler: Handler): RpcService => new Map([[method, handler]])

const within = async (
  service: RpcService,
  use: (caller: ClientHttp2Session, serving: Serving) => Promise<void>,
): Promise<void> => {
  const [near, far] = pipePair()
  const serving = serveSession(near, service)
  const caller = openCaller(far)
  await use(caller, serving)
  serving.close()
  await serving.ended
  assert.ok(near.destroyed)
  caller.destroy()
}

test('health checks are answered, and unknown methods are unimplemented', async () => {
  await within(new Map(), async (caller) => {
    const health = await callOn(caller, '/grpc.health.v1.Health/Check', [new Uint8Array()])
    assert.equal(health, { messages: [Buffer.from([8, 1])], status: '0', message: '' })
    const other = await callOn(caller, '/moby.sshforward.v1.SSH/CheckAgent', [new Uint8Array()])
    assert.is(other.status, '12')
  })
})

test('header values arrive unchanged and in order', async () => {
  const seen: Array<ReadonlyArray<string>> = []
  const patterns = Array.from({ length: 4000 }, (_, index) => `vendor/package-${index}/**/*.tmp, ${index}`)
  const handler: Handler = async ({ header }) => {
    seen.push(header('Include-Patterns'), header('exclude-patterns'), header('dir-name'), header('none'))
    return undefined
  }
  await within(serviceOf(handler), async (caller) => {
    const utf8 = Buffer.from('ünï.txt').toString('latin1')
    const headers = { 'include-patterns': ['a,b.txt', utf8, 'c'], 'exclude-patterns': patterns, 'dir-name': 'context' }
    assert.is((await callOn(caller, method, [], headers)).status, '0')
  })
  assert.equal(seen, [['a,b.txt', 'Ã¼nÃ¯.txt', 'c'], patterns, ['context'], []])
})

test('headers larger than a frame of Node are read', async () => {
  const seen: Array<ReadonlyArray<string>> = []
  const patterns = Array.from({ length: 20_000 }, (_, index) => createHash('sha256').update(`${index}`).digest('hex'))
  const handler: Handler = async ({ header }) => {
    seen.push(header('exclude-patterns'))
    return undefined
  }
  await within(serviceOf(handler), async (caller) => {
    for (let call = 0; call < 2; call += 1) {
      assert.is((await callOn(caller, method, [new Uint8Array()], { 'exclude-patterns': patterns })).status, '0')
    }
  })
  assert.equal(seen, [patterns, patterns])
})

test('the status of a handler is sent with its message', async () => {
  const handler: Handler = async () => ({ code: 5, message: 'no secret "ü": 100%\n' })
  await within(serviceOf(handler), async (caller) => {
    const called = await callOn(caller, method, [])
    assert.equal(called, { messages: [], status: '5', message: 'no secret "%C3%BC": 100%25%0A' })
  })
})

test('unary methods take one message and return one, or a status', async () => {
  const service: RpcService = new Map([
    ['/a/Echo', unary((request) => TE.right(request))],
    ['/a/Fail', unary(() => TE.left({ code: 7, message: 'no' }))],
  ])
  await within(service, async (caller) => {
    const large = Buffer.alloc(400_000, 'x')
    const echo = await callOn(caller, '/a/Echo', [large])
    assert.ok(echo.status === '0' && echo.messages.length === 1 && echo.messages[0]?.equals(large))
    assert.is((await callOn(caller, '/a/Fail', [large])).status, '7')
    assert.is((await callOn(caller, '/a/Echo', [])).status, '13')
  })
})

const echo: Handler = async ({ messages, send }) => {
  for await (const message of messages) await send(message)
  return undefined
}

test('messages of every size are echoed in order', async () => {
  const sizes = [0, 1, 100, 32_767, 32_768, 70_000, 65_531, 3, 1_000_000, 0, 5]
  const sent = Array.from({ length: 60 }, (_, index) => Buffer.alloc(sizes[index % sizes.length] ?? 0, `${index}.`))
  await within(serviceOf(echo), async (caller) => {
    const { messages, status } = await callOn(caller, method, sent)
    assert.is(status, '0')
    assert.is(messages.length, sent.length)
    assert.ok(messages.every((message, index) => sent[index]?.equals(message)))
  })
})

test('a handler that leaves the loop can send more, and resume reading', async () => {
  const handler: Handler = async ({ messages, send }) => {
    for await (const message of messages) {
      await send(message)
      break
    }
    await send(Buffer.from('between'))
    for await (const message of messages) await send(message)
    return undefined
  }
  await within(serviceOf(handler), async (caller) => {
    const sent = ['a', 'b', 'c'].map((text) => Buffer.from(text))
    const { messages, status } = await callOn(caller, method, sent)
    assert.equal([messages.join(' '), status], ['a between b c', '0'])
  })
})

test('a handler that reads nothing can end its call', async () => {
  await within(
    serviceOf(async () => undefined),
    async (caller) => {
      const sent = Array.from({ length: 40 }, () => Buffer.alloc(100_000))
      assert.is((await callOn(caller, method, sent)).status, '0')
    },
  )
})

test('send waits while the builder does not read', async () => {
  let held = (): void => {}
  const isHeld = new Promise<void>((resolve) => {
    held = resolve
  })
  const handler: Handler = async ({ send }) => {
    for (let sent = 0; sent < 400; sent += 1) {
      const waiting = send(Buffer.alloc(40_000, 'z'))
      if (waiting !== undefined) held()
      await waiting
    }
    return undefined
  }
  await within(serviceOf(handler), async (caller) => {
    const stream = caller.request({ ':method': 'POST', ':path': method })
    stream.end()
    await isHeld
    let bytes = 0
    for await (const chunk of Readable.from(stream)) bytes += chunk.length
    assert.is(bytes, 400 * 40_005)
  })
})

test('the signal is aborted when the builder ends a call or a pipe breaks', async () => {
  for (const isPipe of [false, true]) {
    const calls: Array<RpcCall> = []
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => {
      begin = resolve
    })
    const handler: Handler = (call) =>
      new Promise((resolve) => {
        calls.push(call)
        call.signal.addEventListener('abort', () => resolve({ code: 1, message: 'gone' }))
        begin()
      })
    const [near, far] = pipePair()
    const serving = serveSession(near, serviceOf(handler))
    const caller = openCaller(far)
    const stream = caller.request({ ':method': 'POST', ':path': method })
    stream.on('error', () => {})
    await begun
    const aborted = new Promise((resolve) => calls[0]?.signal.addEventListener('abort', resolve))
    if (isPipe) far.destroy()
    else stream.close(constants.NGHTTP2_CANCEL)
    await aborted
    assert.is(calls[0]?.send(Buffer.alloc(100_000)), undefined)
    for await (const _message of calls[0]?.messages ?? []) assert.unreachable()
    if (!isPipe) serving.close()
    await serving.ended
    caller.destroy()
  }
})

test('an invalid message ends the call with a status', async () => {
  const handler: Handler = async ({ messages, signal }) => {
    for await (const _message of messages) assert.unreachable()
    assert.ok(signal.aborted)
    return undefined
  }
  await within(serviceOf(handler), async (caller) => {
    const stream = caller.request({ ':method': 'POST', ':path': method })
    const trailers = new Promise<Readonly<Record<string, unknown>>>((resolve) => stream.on('trailers', resolve))
    stream.resume()
    stream.write(Buffer.from([1, 0, 0, 0, 0]))
    assert.is((await trailers)['grpc-status'], '13')
    stream.close()
  })
})

test('an exception in a handler ends the session and is rethrown', async () => {
  const [near, far] = pipePair()
  const serving = serveSession(
    near,
    serviceOf(() => Promise.reject(new Error('a defect'))),
  )
  const caller = openCaller(far)
  caller
    .request({ ':method': 'POST', ':path': method })
    .on('error', () => {})
    .end()
  const defect = await serving.ended.then(
    () => undefined,
    (cause: unknown) => cause,
  )
  assert.is(defect instanceof Error && defect.message, 'a defect')
  caller.destroy()
})

test.run()
