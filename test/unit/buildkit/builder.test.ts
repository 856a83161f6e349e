import * as E from 'fp-ts/lib/Either.js'
import * as TE from 'fp-ts/lib/TaskEither.js'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type KitOptions, kitBuilders } from '../../../src/adapters/buildkit/builders.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { BuildEvent } from '../../../src/domain/build/event.ts'
import type { BuildFailure } from '../../../src/domain/build/failure.ts'
import type { Solve } from '../../../src/domain/build/solve.ts'
import type { Builder } from '../../../src/ports/builder.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { memoryClusters } from '../../memory/clusters.ts'
import {
  begin,
  type ControlRequest,
  type Methods,
  openControl,
  refuse,
  reply,
  solved,
  solveRequestIn,
} from '../../support/build/control-fake.ts'
import { type FakeBuilder, openTcp } from '../../support/build/grpc-fake.ts'
import { closedAfterEach } from '../../support/process/opened.ts'

const opened = closedAfterEach(test)

const options: KitOptions = {
  clock: systemClock,
  credentials: { of: () => Promise.resolve(undefined) },
  tokens: { fetch: () => TE.left({ _tag: 'Denied', cause: 'nobody may' }) },
  env: {},
  clusters: memoryClusters(new Map()),
  hostname: 'here',
}

const quiet = { timeMs: Number.POSITIVE_INFINITY, timeoutMs: 20_000, whileIdle: false }
const never = (): AbortSignal => new AbortController().signal

const connect = (port: number, signal = never()): Promise<E.Either<BuildFailure, Builder>> =>
  kitBuilders(options).connect({ address: { _tag: 'Tcp', host: '127.0.0.1', port }, keepalive: quiet }, signal)()

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

const rightOf = <A>(either: E.Either<BuildFailure, A>): A => {
  if (E.isRight(either)) return either.right
  throw new Error(`it failed: ${JSON.stringify(either.left)}`)
}

const leftOf = (either: E.Either<BuildFailure, unknown>): BuildFailure => {
  if (E.isLeft(either)) return either.left
  throw new Error('it did not fail')
}

type Use = (builder: Builder, fake: FakeBuilder) => Promise<void>

const withBuilder = async (methods: Methods, use: Use): Promise<void> => {
  const fake = opened(await openControl(methods))
  const builder = rightOf(await connect(fake.port))
  try {
    await use(builder, fake)
  } finally {
    builder.close()
  }
}

const build = (builder: Builder, what: Partial<Solve> = {}, tell = (_events: ReadonlyArray<BuildEvent>): void => {}) =>
  builder.build({ ...solve, ...what }, tell, never())()

const digest = (digit: string): string => `sha256:${digit.repeat(64)}`

test('a build sends its request and returns the result', async () => {
  let asked: ControlRequest | undefined
  let session: ControlRequest['headers'] = {}
  const answers = reply(solved({ 'containerimage.digest': digest('a'), 'containerimage.config.digest': digest('b') }))
  const methods: Methods = {
    Session: (one) => {
      session = one.headers
      begin(one)
    },
    Solve: (one) => {
      asked = one
      answers(one)
    },
  }
  await withBuilder(methods, async (builder) => {
    const cache = { type: 'registry', attrs: new Map([['ref', 'registry.example.com/cache']]) }
    const what: Partial<Solve> = {
      frontend: new Map([['target', 'final']]),
      names: ['registry.example.com/a:1', 'registry.example.com/a:2'],
      output: 'Push',
      cacheImports: [cache],
      cacheExports: [{ type: 'inline', attrs: new Map() }],
      entitlements: ['network.host'],
    }
    assert.is(builder.kind, 'BuildKit')
    assert.equal(rightOf(await build(builder, what)), { digest: digest('a'), configDigest: digest('b') })
  })
  assert.ok(asked)
  const request = solveRequestIn(asked)
  const attrs = { name: 'registry.example.com/a:1,registry.example.com/a:2', push: 'true' }
  assert.match(request.ref, /^[0-9a-f]{32}$/)
  assert.match(request.session, /^[0-9a-f]{32}$/)
  assert.is(request.frontend, 'dockerfile.v0')
  assert.equal(request.frontendAttrs, {
    target: 'final',
    'cache-imports': '[{"Type":"registry","Attrs":{"ref":"registry.example.com/cache"}}]',
  })
  assert.equal(
    request.exporters.map((one) => [one.type, one.attrs]),
    [['image', attrs]],
  )
  assert.equal([request.exporterDeprecated, request.exporterAttrsDeprecated], ['image', attrs])
  const entries = [request.cache?.imports, request.cache?.exports].map((all) =>
    all?.map((one) => [one.type, one.attrs]),
  )
  assert.equal(entries, [[['registry', { ref: 'registry.example.com/cache' }]], [['inline', {}]]])
  assert.equal(request.entitlements, ['network.host'])
  assert.is(session['x-docker-expose-session-uuid'], request.session)
  assert.match(String(session['x-docker-expose-session-sharedkey']), /^[0-9a-f]{64}$/)
  const methodsOffered = String(session['x-docker-expose-session-grpc-method']).split(', ')
  for (const name of [
    'FileSync/DiffCopy',
    'Auth/FetchToken',
    'Secrets/GetSecret',
    'SSH/ForwardAgent',
    'Health/Check',
  ]) {
    assert.ok(
      methodsOffered.some((method) => method.endsWith(name)),
      name,
    )
  }
})

test('without a push the image is not exported', async () => {
  const exporters: Array<number> = []
  const Solve = (one: ControlRequest): void => {
    const request = solveRequestIn(one)
    exporters.push(request.exporters.length + request.exporterDeprecated.length)
    reply(solved({ 'containerimage.digest': 'something else' }))(one)
  }
  await withBuilder({ Solve }, async (builder) => {
    assert.equal(rightOf(await build(builder, { names: ['a:1'] })), {})
    rightOf(await build(builder, { output: 'Push' }))
  })
  assert.equal(exporters, [0, 0])
})

test('a folder has the same shared key in every build, and other folders have other keys', async () => {
  const keys: Array<string> = []
  const Session = (one: ControlRequest): void => {
    keys.push(String(one.headers['x-docker-expose-session-sharedkey']))
    begin(one)
  }
  await withBuilder({ Session }, async (builder) => {
    for (const path of ['/', '/', '/not there']) {
      rightOf(await build(builder, { served: new Map([['context', { _tag: 'Folder', path }]]) }))
    }
  })
  const [first, second, third] = keys
  assert.is(first, second)
  assert.is.not(first, third)
})

test('events are reported in order, and all of them before the result', async () => {
  const Solve = (one: ControlRequest): void => {
    reply(solved())(one)
    status?.more({ vertexes: [{ digest: 'a', name: 'late' }] })
    status?.more({ logs: [{ vertex: 'a', stream: 1n, data: Buffer.from('done') }] })
    status?.end()
  }
  let status: ReturnType<typeof begin> | undefined
  const Status = (one: ControlRequest): void => {
    status = begin(one)
    status.more({ vertexes: [{ digest: 'a', name: 'early' }] })
  }
  await withBuilder({ Solve, Status }, async (builder) => {
    const told: Array<string> = []
    rightOf(
      await build(builder, {}, (events) => {
        for (const event of events) {
          if (event._tag === 'Vertex') told.push(event.name)
          if (event._tag === 'Log') told.push(event.text)
        }
      }),
    )
    assert.equal(told, ['early', 'late', 'done'])
  })
})

test('a build error is reported with the failed step', async () => {
  const Status = (one: ControlRequest): void => {
    const status = begin(one)
    status.more({ vertexes: [{ digest: 'v', error: 'no space left on device' }] })
    status.end()
  }
  const Solve = refuse(2, 'failed to solve: no space left on device')
  await withBuilder({ Solve, Status }, async (builder) => {
    const failure = leftOf(await build(builder))
    const message = 'no space left on device'
    assert.equal(failure, { _tag: 'Failed', message, code: 2, sources: [], vertex: 'v' })
  })
})

test('several builds share a connection, and one that fails leaves the others alone', async () => {
  const waiting: Array<ControlRequest> = []
  const Solve = (one: ControlRequest): void => {
    waiting.push(one)
    if (waiting.length < 3) return
    for (const asked of waiting) {
      const { target = '' } = solveRequestIn(asked).frontendAttrs
      if (target === 'two') refuse(2, 'two failed')(asked)
      else reply(solved({ 'containerimage.digest': digest(target === 'one' ? '1' : '3') }))(asked)
    }
  }
  await withBuilder({ Solve }, async (builder) => {
    const targets = ['one', 'two', 'three']
    const done = await Promise.all(targets.map((target) => build(builder, { frontend: new Map([['target', target]]) })))
    const shown = done.map((one) => (E.isRight(one) ? one.right.digest : one.left._tag))
    assert.equal(shown, [digest('1'), 'Failed', digest('3')])
  })
})

/** A server that refuses every call alike. */
const refusing = (code: number, message: string): Methods =>
  Object.fromEntries(['Info', 'ListWorkers', 'Session', 'Status', 'Solve'].map((name) => [name, refuse(code, message)]))

test('a successful build makes no further requests', async () => {
  const silent = (): void => undefined
  for (const Info of [refuse(2, 'it is busy'), silent]) {
    await withBuilder({ Info }, async (builder) => {
      assert.equal(rightOf(await build(builder)), {})
    })
  }
})

test('a refused build is reported as such, also by older builders without Info', async () => {
  const old = { Info: refuse(12, 'unknown method Info'), ListWorkers: reply(new Uint8Array()) }
  for (const methods of [{}, old]) {
    await withBuilder({ ...methods, Solve: refuse(2, 'no such frontend') }, async (builder) => {
      const failure = leftOf(await build(builder))
      assert.is(failure._tag === 'Failed' ? failure.message : '', 'no such frontend')
    })
  }
})

test('a server without the build API is not a builder', async () => {
  await withBuilder(refusing(12, 'unknown service'), async (builder) => {
    const failure = leftOf(await build(builder))
    assert.is(failure._tag, 'Unreachable')
    assert.match(
      JSON.stringify(failure),
      /tcp:\/\/127\.0\.0\.1:\d+.*what answers at that address is not BuildKit.*BUILDKIT_HOST/,
    )
  })
})

test('a refusal is reported with its reason', async () => {
  await withBuilder(refusing(16, 'who are you?'), async (builder) => {
    const failure = leftOf(await build(builder))
    assert.match(failure._tag === 'Unreachable' ? failure.cause : '', /^it refuses: who are you\?$/)
  })
})

test("an unreachable builder is reported with the system's reason", async () => {
  const fake = await openControl({})
  await fake.close()
  const failure = leftOf(await connect(fake.port))
  assert.match(failure._tag === 'Unreachable' ? failure.cause : '', /^connection refused$/)
})

test('aborting ends connecting', async () => {
  const silent = opened(await openTcp(() => giving.abort()))
  const giving = new AbortController()
  assert.equal(leftOf(await connect(silent.port, giving.signal)), { _tag: 'Aborted' })
  assert.equal(leftOf(await connect(silent.port, giving.signal)), { _tag: 'Aborted' })
})

test("an unknown cluster of a builder pod is reported with the cluster's reason", async () => {
  const address = { _tag: 'KubePod', pod: 'buildkitd', port: 1234, namespace: 'ci' } as const
  const failure = leftOf(await kitBuilders(options).connect({ address, keepalive: quiet }, never())())
  assert.equal(failure, {
    ...{
      _tag: 'Unreachable',
      address: 'kube-pod://buildkitd',
      cause: 'no kubeconfig found: /home/dev/.kube/config does not exist',
    },
    help: 'check that the pod is running, and that BuildKit listens on its port 1234',
  })
})

test('a builder in a pod works like any other', async () => {
  const fake = opened(await openControl({}))
  const address = { _tag: 'KubePod', pod: 'buildkitd', port: 1234 } as const
  const metadata = { namespace: 'default', name: 'buildkitd' }
  const cluster = memoryCluster({ objects: [{ apiVersion: 'v1', kind: 'Pod', metadata }] })
  cluster.serve('default/buildkitd', 1234, (stream) => {
    const join = async (): Promise<void> => {
      const dialled = await fake.dial()
      if (E.isRight(dialled)) stream.pipe(dialled.right).pipe(stream)
    }
    void join()
  })
  const clusters = memoryClusters(new Map([['dev', cluster]]))
  const builder = rightOf(await kitBuilders({ ...options, clusters }).connect({ address, keepalive: quiet }, never())())
  assert.equal(rightOf(await build(builder)), {})
  builder.close()
})

test('an unusable folder of certificates is reported before connecting', async () => {
  const address = { _tag: 'Tcp', host: '127.0.0.1', port: 1 } as const
  const tls = { folder: '/not there' }
  const failure = leftOf(await kitBuilders(options).connect({ address, keepalive: quiet, tls }, never())())
  assert.is(failure._tag === 'Unusable' ? failure.what : '', 'certificates of the builder')
  assert.match(failure._tag === 'Unusable' ? failure.cause : '', /^\/not there: /)
})

test.run()
