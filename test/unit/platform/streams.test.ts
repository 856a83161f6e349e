/** Streams of events over real connections: the API server, and the client that goes on where it was cut off. */
import { request } from 'node:http'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { eventStreams } from '../../../src/adapters/api-server/streams.ts'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { platformFollow } from '../../../src/adapters/platform/follow.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import { eventReader, eventText, type ServerEvent } from '../../../src/domain/platform/api/events.ts'
import type { PlatformEvent } from '../../../src/ports/platforms.ts'
import type { RunningApi } from '../../../src/server/serve.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { startApi, untilReady } from '../../support/platform/api.ts'
import { memoryOutgoing } from '../../support/platform/outgoing.ts'
import { linesOf, RUN, recordOf, runOf } from '../../support/platform/runs.ts'
import { objects, tokenOf } from '../../support/platform/world.ts'
import { until } from '../../support/process/until.ts'

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'run-pod', namespace: 'shop', labels: { 'dev.devtool/run': RUN } },
  status: { containerStatuses: [{ name: 'run', state: { running: {} } }] },
}
const texts = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`)
const said = linesOf(...texts).map((line) => JSON.stringify(line))

/** A run that is under way, and has said `count` lines. */
const running = (count: number): MemoryCluster => {
  const cluster = memoryCluster({ objects: [...objects(), recordOf(runOf({ status: 'running' }), 'line 1'), pod] })
  cluster.say('shop/run-pod', 'run', said.slice(0, count))
  return cluster
}

const start = async (cluster: MemoryCluster, port = 0): Promise<RunningApi> => {
  const api = await startApi({ cluster, ports: { users: port, cluster: 0 } })
  await untilReady(api)
  return api
}

const client = { client: httpClient({}, systemClock), clock: systemClock, version: '9.9.9' }

const login = (port: number) => ({ url: `http://127.0.0.1:${port}`, token: tokenOf('viewer') })
const params = { namespace: 'shop', run: RUN }

/** What the client gets, as it comes. */
const following = (port: number, pauseMs = 1000, signal = new AbortController().signal) => {
  const follow = platformFollow({ ...client, pauseMs })
  const seen: Array<PlatformEvent> = []
  const read = async (): Promise<void> => {
    for await (const event of follow(login(port), 'followRun', { params }, signal)) seen.push(event)
  }
  return { seen, ended: read() }
}

const textsIn = (events: ReadonlyArray<PlatformEvent>): ReadonlyArray<string> =>
  events.map((event) =>
    event.failure !== undefined
      ? event.failure.code
      : event.event === 'log'
        ? JSON.parse(JSON.stringify(event.data)).text
        : event.event,
  )

test('a client whose server is replaced twice gets every line once and in order', async () => {
  const cluster = running(10)
  let api = await start(cluster)
  const { port } = api
  const { ended, seen } = following(port)
  for (const count of [20, 30]) {
    await until('the lines have come', async () => seen.length === count - 10)
    await api.stop(0)
    cluster.say('shop/run-pod', 'run', said.slice(count - 10, count))
    api = await start(cluster, port)
  }
  await until('the lines have come', async () => seen.length === 30)
  cluster.put(recordOf(runOf(), ...texts))
  cluster.endLogs('shop/run-pod')
  await ended
  assert.equal(textsIn(seen), [...texts, 'end'])
  await api.stop(0)
})

test('a missing run, or one that the user may not see, fails at once', async () => {
  const api = await start(running(1))
  const events: Array<PlatformEvent> = []
  const absent = { params: { ...params, run: 'f'.repeat(16) } }
  const follow = platformFollow(client)
  for await (const event of follow(login(api.port), 'followRun', absent, new AbortController().signal))
    events.push(event)
  assert.equal(textsIn(events), ['DT6004'])
  await api.stop(0)
})

test('if the platform stays unavailable, the stream ends after a while', async () => {
  const api = await start(running(1))
  const { ended, seen } = following(api.port, 5)
  await until('the line has come', async () => seen.length === 1)
  await api.stop(0)
  await ended
  assert.equal(textsIn(seen), ['line 1', 'DT2110'])
})

test('Ctrl-C ends following without a failure', async () => {
  const api = await start(running(2))
  const stopped = new AbortController()
  const { ended, seen } = following(api.port, 1000, stopped.signal)
  await until('the lines have come', async () => seen.length === 2)
  stopped.abort()
  await ended
  assert.equal(textsIn(seen), ['line 1', 'line 2'])
  await api.stop(0)
})

test('a user who loses the role while reading gets no more lines', async () => {
  const { whileAllowed } = await import('../../../src/app/platform/streaming.ts')
  let [isAllowed, check] = [true, (): void => {}]
  const every = (ms: number, f: () => void) => {
    assert.ok(ms <= 15_000)
    check = f
    return () => {}
  }
  const events = whileAllowed(
    { every },
    async () => isAllowed,
    async function* endless(signal) {
      for (let id = 1; !signal.aborted; id += 1) {
        yield { event: 'log', id, data: id }
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  )
  let count = 0
  for await (const _event of events(new AbortController().signal)) {
    count += 1
    if (count === 3) check()
    if (count === 6) {
      isAllowed = false
      check()
    }
  }
  assert.ok(count >= 6)
})

test('nothing is written to a client that does not read, and it is disconnected after a while', async () => {
  let after = (): void => {}
  const clock = {
    every: () => () => {},
    after: (_ms: number, f: () => void) => {
      after = f
      return () => {}
    },
  }
  const streams = eventStreams({ clock, failed: () => {} })
  let produced = 0
  async function* lines(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    for (let id = 1; !signal.aborted; id += 1) {
      produced = id
      yield { event: 'log', id, data: 'x'.repeat(100_000) }
    }
  }
  const { outgoing } = memoryOutgoing()
  assert.is(streams.send(outgoing, {}, lines), undefined)
  let before = -1
  await until('it waits', async () => {
    const isWaiting = before === produced && produced > 0
    before = produced
    return isWaiting
  })
  assert.ok(produced < 100)
  after()
  await until('it is given up', async () => {
    const more = memoryOutgoing()
    return (
      streams.send(more.outgoing, {}, async function* none() {
        yield* []
      }) === undefined && Reflect.get(outgoing, 'destroyed') === true
    )
  })
})

test('the number of clients is limited, and none is accepted during shutdown', () => {
  const clock = { every: () => () => {}, after: () => () => {} }
  const streams = eventStreams({ clock, failed: () => {}, most: 1 })
  async function* forever(signal: AbortSignal): AsyncGenerator<ServerEvent> {
    await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve()))
    yield* []
  }
  assert.is(streams.send(memoryOutgoing().outgoing, {}, forever), undefined)
  assert.is(streams.send(memoryOutgoing().outgoing, {}, forever)?.code, 'DT6007')
  streams.end()
  assert.is(streams.send(memoryOutgoing().outgoing, {}, forever)?.code, 'DT6007')
})

test('a stream has headers against buffering, and begins at once', async () => {
  const api = await start(running(1))
  const path = `/api/v1/namespaces/shop/runs/${RUN}/log`
  const headers = { authorization: `Bearer ${tokenOf('viewer')}` }
  const head = await new Promise<Record<string, unknown>>((resolve, reject) => {
    const asked = request({ port: api.port, path, headers }, (response) => {
      resolve(response.headers)
      response.destroy()
    })
    asked.on('error', reject)
    asked.end()
  })
  assert.is(head['content-type'], 'text/event-stream')
  assert.is(head['x-accel-buffering'], 'no')
  assert.is(head['cache-control'], 'no-store')
  assert.match(String(head['x-request-id']), /^[0-9a-f]+$/)
  await api.stop(0)
})

test('written events are read back', () => {
  const events: ReadonlyArray<ServerEvent> = [
    { event: 'log', id: 1, data: { text: 'a: b\nc\r\u2028' } },
    { event: 'end', data: null },
  ]
  const read = eventReader()
  const back = events
    .map(eventText)
    .join(':\n\n')
    .split('\n')
    .flatMap((line) => read(line) ?? [])
  assert.equal(
    back.map(({ data, event, id }) => [event, id, JSON.parse(data)]),
    [
      ['log', '1', { text: 'a: b\nc\r\u2028' }],
      ['end', '', null],
    ],
  )
})

test.run()
