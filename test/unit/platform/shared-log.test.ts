/** The log of one run, read by many at the same time. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { httpClient } from '../../../src/adapters/http/client.ts'
import { platformFollow } from '../../../src/adapters/platform/follow.ts'
import { systemClock } from '../../../src/adapters/system/clock.ts'
import type { Cluster } from '../../../src/ports/cluster.ts'
import { memoryCluster } from '../../memory/cluster.ts'
import { startApi, untilReady } from '../../support/platform/api.ts'
import { linesOf, RUN, recordOf, runOf } from '../../support/platform/runs.ts'
import { objects, tokenOf } from '../../support/platform/world.ts'
import { until } from '../../support/process/until.ts'

const pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'run-pod', namespace: 'shop', labels: { 'dev.devtool/run': RUN } },
  status: { containerStatuses: [{ name: 'run', state: { running: {} } }] },
}
const texts = Array.from({ length: 30 }, (_, index) => `line ${index + 1}`)
const said = linesOf(...texts).map((line) => JSON.stringify(line))
test('the pod of a run is followed once for all readers, and each gets every line once, whenever it comes or goes', async () => {
  const cluster = memoryCluster({ objects: [...objects(), recordOf(runOf({ status: 'running' })), pod] })
  let follows = 0
  const counted: Cluster = {
    ...cluster,
    as: () => counted,
    logs: (key, options, signal) => {
      if (options.follow) follows += 1
      return cluster.logs(key, options, signal)
    },
  }
  const api = await startApi({ cluster: counted })
  await untilReady(api)
  const login = { url: `http://127.0.0.1:${api.port}`, token: tokenOf('viewer') }
  const reader = () => {
    const follow = platformFollow({ client: httpClient({}, systemClock), clock: systemClock, version: '9.9.9' })
    const [seen, left] = [new Array<string>(), new AbortController()]
    const read = async (): Promise<void> => {
      const params = { namespace: 'shop', run: RUN }
      for await (const event of follow(login, 'followRun', { params }, left.signal)) {
        if (event.failure !== undefined) seen.push(event.failure.code)
        else seen.push(event.event === 'log' ? JSON.parse(JSON.stringify(event.data)).text : event.event)
      }
    }
    return { seen, leave: () => left.abort(), ended: read() }
  }
  const readers: Array<ReturnType<typeof reader>> = []
  const say = async (from: number, to: number): Promise<void> => {
    cluster.say('shop/run-pod', 'run', said.slice(from, to))
    await until('all have the lines', async () => readers.every(({ seen }) => seen.length >= to))
  }
  const first = reader()
  readers.push(first)
  await say(0, 10)
  readers.push(...Array.from({ length: 20 }, reader))
  await say(10, 20)
  // Theirs are the permissions with which the pod is followed.
  readers.shift()
  first.leave()
  await first.ended
  readers.push(reader(), reader())
  await say(20, 30)
  assert.is(follows, 1)
  cluster.put(recordOf(runOf(), ...texts))
  cluster.endLogs('shop/run-pod')
  await Promise.all(readers.map(({ ended }) => ended))
  for (const { seen } of readers) assert.equal(seen, [...texts, 'end'])
  assert.equal(first.seen, texts.slice(0, 20))
  await api.stop(0)
})

test.run()
