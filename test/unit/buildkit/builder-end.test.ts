import { constants } from 'node:http2'
import { connect as connectTcp } from 'node:net'
import { fromBinary } from '@bufbuild/protobuf'
import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { builderOn } from '../../../src/adapters/buildkit/builder.ts'
import { connectRpc } from '../../../src/adapters/buildkit/rpc/connect.ts'
import { openWalks } from '../../../src/adapters/buildkit/sync/walks.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import type { Keepalive } from '../../../src/domain/build/keepalive.ts'
import type { Solve, Solved } from '../../../src/domain/build/solve.ts'
import type { Builder } from '../../../src/ports/builder.ts'
import type { Clock } from '../../../src/ports/clock.ts'
import { memoryClock } from '../../memory/clock.ts'
import {
  begin,
  type ControlRequest,
  encode,
  type Methods,
  openControl,
  reply,
  solved,
} from '../../support/build/control-fake.ts'
import {
  BuildHistoryEventSchema,
  BuildHistoryRequestSchema,
  ReadContentResponseSchema,
  StatusSchema,
} from '../../support/build/gen/buildkit_pb.ts'
import { type FakeBuilder, openTcp } from '../../support/build/grpc-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const offers = {
  clock: systemClock,
  credentials: { of: () => Promise.resolve(undefined) },
  tokens: { fetch: () => TE.left({ _tag: 'Denied', cause: 'nobody may' } as const) },
  env: {},
  walks: openWalks(),
}

const solve: Solve = {
  ...{ frontend: new Map(), served: new Map(), names: [], output: 'Store', cacheImports: [], cacheExports: [] },
  ...{ secrets: [], ssh: [] },
}

const ref = 'f'.repeat(32)
const found = { _tag: 'Tcp', host: 'fake', port: 1234 } as const
const about = { found, offers, hostname: 'here', newId: () => ref }

type Use = (builder: Builder, fake: FakeBuilder) => Promise<void>

const builderAt = async (fake: FakeBuilder, keepalive: Keepalive, clock: Clock = systemClock): Promise<Builder> => {
  const rpc = await connectRpc(fake.dial, {
    clock: systemClock,
    keepalive,
    authority: 'fake',
    signal: new AbortController().signal,
  })()
  if (E.isLeft(rpc)) throw new Error('no connection')
  return builderOn(rpc.right, { ...about, offers: { ...offers, clock } })
}

const withBuilder = async (methods: Methods, use: Use, clock?: Clock): Promise<void> => {
  const fake = opened(await openControl(methods))
  const builder = await builderAt(
    fake,
    { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false },
    clock,
  )
  try {
    await use(builder, fake)
  } finally {
    builder.close()
  }
}

type Built = E.Either<BuildFailure, Solved>

const build = (
  builder: Builder,
  signal = new AbortController().signal,
  tell = (_events: ReadonlyArray<BuildEvent>): void => {},
): Promise<Built> => builder.build(solve, tell, signal)()

const failureOf = (built: Built): BuildFailure | undefined => (E.isLeft(built) ? built.left : undefined)

/** As a real builder does when its answer is longer than a client takes. */
const cut = ({ stream }: ControlRequest): void => stream.close(constants.NGHTTP2_INTERNAL_ERROR)

const failing = (one: ControlRequest): void => {
  const status = begin(one)
  status.more({ vertexes: [{ digest: 'v', error: 'it did not work' }] })
  status.end()
}

test('aborting cancels Solve, and reports the cancelled step before the end', async () => {
  const giving = new AbortController()
  let status: ReturnType<typeof begin> | undefined
  let code: number | undefined
  const Status = (one: ControlRequest): void => {
    status = begin(one)
  }
  const Solve = ({ stream }: ControlRequest): void => {
    stream.on('close', () => {
      code = stream.rstCode
      status?.more({ vertexes: [{ digest: 'v', name: 'step', error: 'context canceled' }] })
      status?.end()
    })
    giving.abort()
  }
  const aborted: Use = async (builder) => {
    const told: Array<BuildEvent> = []
    const built = await build(builder, giving.signal, (events) => told.push(...events))
    assert.equal(failureOf(built), { _tag: 'Aborted' })
    assert.is(code, constants.NGHTTP2_CANCEL)
    assert.equal(told, [{ _tag: 'Vertex', digest: 'v', name: 'step', isCached: false, error: 'context canceled' }])
  }
  // Time stands still: however slow this machine is, the builder is waited for.
  await withBuilder({ Solve, Status }, aborted, memoryClock())
})

test('after an abort a silent builder is not waited for, and later messages are dropped', async () => {
  const giving = new AbortController()
  let status: ReturnType<typeof begin> | undefined
  let heard = (): void => {}
  const hung = new Promise<void>((resolve) => {
    heard = resolve
  })
  const Status = (one: ControlRequest): void => {
    status = begin(one)
    one.stream.on('close', heard)
  }
  await withBuilder({ Solve: () => giving.abort(), Status }, async (builder) => {
    let told = 0
    const built = await build(builder, giving.signal, () => {
      told += 1
    })
    assert.equal(failureOf(built), { _tag: 'Aborted' })
    status?.more({ vertexes: [{ digest: 'v' }] })
    builder.close()
    await hung
    assert.is(told, 0)
  })
})

test('an aborted signal sends no request', async () => {
  let asked = 0
  const Solve = (one: ControlRequest): void => {
    asked += 1
    reply(solved())(one)
  }
  await withBuilder({ Solve }, async (builder) => {
    assert.equal(failureOf(await build(builder, AbortSignal.abort())), { _tag: 'Aborted' })
    assert.is(asked, 0)
  })
})

test('a connection that breaks during a build is reported as lost', async () => {
  let fakes: FakeBuilder | undefined
  const Solve = (): void => fakes?.sockets.forEach((socket) => socket.destroy())
  await withBuilder({ Solve, Status: begin }, async (builder, fake) => {
    fakes = fake
    const failure = failureOf(await build(builder))
    assert.is(failure?._tag, 'Lost')
    assert.is(failure?._tag === 'Lost' ? failure.address : '', 'tcp://fake:1234')
    const again = failureOf(await build(builder))
    assert.is(again?._tag, 'Lost')
  })
})

test('a builder that does not answer pings is reported as silent', async () => {
  let freeze = (): void => {}
  const fake = opened(await openControl({ Solve: () => freeze(), Status: begin }))
  const relay = opened(
    await openTcp((client) => {
      const server = connectTcp({ port: fake.port, host: '127.0.0.1' })
      client.pipe(server).pipe(client)
      server.on('error', () => {})
      freeze = () => server.unpipe(client)
    }),
  )
  const keepalive = { timeMs: 20, timeoutMs: 20, whileIdle: false }
  const builder = await builderAt(relay, keepalive)
  const failure = failureOf(await build(builder))
  assert.equal(failure, { _tag: 'Silent', address: 'tcp://fake:1234', afterMs: 40, isAtStart: false })
  builder.close()
})

const recorded = { code: 2, message: 'failed to solve: the long story' }
const story = { _tag: 'Failed', message: 'the long story', code: 2, sources: [] }

test('an error that is too large is read from the build history', async () => {
  const refs: Array<string> = []
  const ListenBuildHistory = (one: ControlRequest): void => {
    refs.push(fromBinary(BuildHistoryRequestSchema, one.message).ref)
    const active = encode(BuildHistoryEventSchema, { type: 0, record: { ref } })
    const complete = encode(BuildHistoryEventSchema, { type: 1, record: { ref, error: recorded } })
    reply(active, complete)(one)
  }
  await withBuilder({ Solve: cut, ListenBuildHistory }, async (builder) => {
    assert.equal(failureOf(await build(builder)), story)
    assert.equal(refs, [ref])
  })
})

test('an external error of a history record is read', async () => {
  const record = { ref, externalError: { digest: 'sha256:e', size: 1n } }
  const ListenBuildHistory = reply(encode(BuildHistoryEventSchema, { type: 1, record }))
  const bytes = encode(StatusSchema, recorded)
  const parts = [bytes.subarray(0, 5), bytes.subarray(5)].map((data) => encode(ReadContentResponseSchema, { data }))
  await withBuilder({ Solve: cut, ListenBuildHistory, Read: reply(...parts) }, async (builder) => {
    assert.equal(failureOf(await build(builder)), story)
  })
})

test('without a history the error of the failed step is used', async () => {
  await withBuilder({ Solve: cut, Status: failing }, async (builder) => {
    const failure = failureOf(await build(builder))
    assert.equal(failure, { _tag: 'Failed', message: 'it did not work', code: 2, sources: [], vertex: 'v' })
  })
})

test('a build without any error message fails', async () => {
  await withBuilder({ Solve: cut }, async (builder) => {
    const failure = failureOf(await build(builder))
    assert.match(failure?._tag === 'Failed' ? failure.message : '', /its answer did not come/)
  })
})

test('the Docker daemon is not asked for a cache that it cannot export', async () => {
  const defect = (): never => {
    throw new Error('nobody may be asked')
  }
  const rpc = { unary: defect, stream: defect, tunnel: defect, closed: Promise.resolve(undefined), close: () => {} }
  const host = { _tag: 'Unix', path: '/not there' } as const
  const builder = builderOn(rpc, { ...about, found: { _tag: 'Docker', host } })
  const cacheExports = [{ type: 'registry', attrs: new Map([['ref', 'registry.example.com/cache']]) }]
  const built = await builder.build({ ...solve, cacheExports }, () => {}, new AbortController().signal)()
  assert.is(builder.kind, 'Docker')
  assert.equal(failureOf(built), {
    ...{ _tag: 'Unusable', what: '--export-cache type=registry' },
    cause: 'the Docker daemon exports cache only within images',
    help: 'use type=inline, or set BUILDKIT_HOST to a BuildKit of its own',
  })
})

test.run()
