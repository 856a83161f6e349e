/** How a run writes its log to its record: soon, but never at a great cost. */
import * as fc from 'fast-check'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { pauseBetweenWrites, type Recording, recording } from '../../../src/app/platform/runner/recording.ts'
import type { ClusterObject } from '../../../src/domain/cluster/live.ts'
import { resources } from '../../../src/domain/cluster/resources.ts'
import { readRunLine, unpackLog } from '../../../src/domain/platform/run/log.ts'
import { cancellation, logIn, recordObject, runIn, runName } from '../../../src/domain/platform/run/record.ts'
import { done, manager } from '../../contract/cluster-world.ts'
import { type MemoryClock, memoryClock, settle } from '../../memory/clock.ts'
import { type MemoryCluster, memoryCluster } from '../../memory/cluster.ts'
import { RUN, runOf } from '../../support/platform/runs.ts'

const key = { resource: resources.ConfigMap, namespace: 'shop', name: runName(RUN) }
const queued = runOf({ status: 'queued' })

type World = {
  readonly cluster: MemoryCluster
  readonly clock: MemoryClock
  readonly record: Recording
  readonly printed: ReadonlyArray<string>
  readonly stored: () => Promise<ClusterObject>
  /** The texts of its record. */
  readonly texts: () => Promise<ReadonlyArray<string>>
  readonly writes: () => number
}

const begun = async (): Promise<World> => {
  const [cluster, clock, printed] = [memoryCluster(), memoryClock(), new Array<string>()]
  cluster.put(recordObject(queued))
  const stored = async (): Promise<ClusterObject> => {
    const live = await done(cluster.get(key))
    if (live === undefined) throw new Error('there is no record')
    return live
  }
  const print = (line: string): void => void printed.push(line)
  const record = recording({ cluster, clock, print }, await stored(), queued)
  const texts = async () => unpackLog(logIn(await stored()) ?? new Uint8Array()).map(({ text }) => text)
  const writes = (): number => cluster.asked().filter(({ verb }) => verb === 'patch').length
  return { cluster, clock, record, printed, stored, texts, writes }
}

test('lines are in the record a second after they were printed, however the run ends', async () => {
  const { clock, printed, record, texts } = await begun()
  record.say('one')
  record.say('two')
  await clock.advance(1000)
  await settle()
  assert.equal(await texts(), ['one', 'two'])
  record.say('three')
  assert.equal(
    printed.map((line) => readRunLine(line)?.n),
    [1, 2, 3],
  )
  await clock.advance(900)
  assert.equal(await texts(), ['one', 'two'], 'lines of a second are written together')
  await clock.advance(100)
  await settle()
  assert.equal(await texts(), ['one', 'two', 'three'])
})

test('a run that says nothing writes nothing', async () => {
  const { clock, record, writes } = await begun()
  record.say('one')
  await clock.advance(60_000)
  assert.is(writes(), 1)
})

test('the larger the log, the longer the pause, up to 10 seconds', async () => {
  fc.assert(
    fc.property(fc.nat(256 * 1024), fc.nat(2000), (bytes, packingMs) => {
      const pauseMs = pauseBetweenWrites(bytes, packingMs)
      assert.ok(pauseMs >= 1000 && pauseMs <= 10_000)
      if (pauseMs === 10_000) return
      assert.ok(bytes / pauseMs <= 25.6 && packingMs / pauseMs <= 0.05)
    }),
  )
  assert.is(pauseBetweenWrites(500, 1), 1000)
  const { clock, record, writes } = await begun()
  for (let index = 0; index < 4000; index += 1) record.say(`${Math.sin(index)} ${Math.cos(index)} ${Math.tan(index)}`)
  await clock.advance(1000)
  await settle()
  assert.is(writes(), 1)
  record.say('more')
  await clock.advance(3000)
  assert.is(writes(), 1)
  await clock.advance(7000)
  await settle()
  assert.is(writes(), 2)
})

test('a change of the record by others, such as a cancellation, does not keep lines out', async () => {
  const { clock, cluster, record, stored, texts } = await begun()
  record.say('one')
  await clock.advance(1000)
  await done(cluster.merge(key, cancellation({ user: 'u-1', email: 'ann@example.com' }), { manager }))
  record.say('two')
  await clock.advance(2000)
  await settle()
  assert.equal(await texts(), ['one', 'two'])
  assert.is(runIn(await stored())?.cancelledBy?.user, 'u-1')
})

test('lines that cannot be written are written when that is possible again', async () => {
  const { clock, cluster, record, texts } = await begun()
  cluster.fail({ verb: 'patch', what: '*', status: 500, message: 'no', times: 4 })
  record.say('one')
  await clock.advance(10_000)
  await settle()
  assert.equal(await texts(), ['one'])
})

test('the end is written with all lines, and nothing after it', async () => {
  const { clock, record, stored, texts, writes } = await begun()
  record.change({ status: 'running', started: clock.date() })
  record.say('one')
  await clock.advance(5000)
  const ended = record.end({ status: 'failed', exitStatus: 7 })
  await clock.advance(0)
  assert.ok(await ended)
  assert.equal([runIn(await stored())?.status, runIn(await stored())?.exitStatus], ['failed', 7])
  assert.equal(await texts(), ['one'])
  const before = writes()
  record.say('late')
  await clock.advance(60_000)
  assert.is(writes(), before)
  assert.is(clock.sleeping(), 0, 'no timer keeps the process alive')
})

test('a run that the platform has closed writes nothing any more', async () => {
  const { clock, cluster, record, stored } = await begun()
  record.say('one')
  await clock.advance(1000)
  cluster.put(recordObject({ ...queued, status: 'failed' }))
  record.say('two')
  await clock.advance(5000)
  const ended = record.end({ status: 'succeeded', exitStatus: 0 })
  await clock.advance(5000)
  assert.not(await ended)
  assert.is(runIn(await stored())?.status, 'failed')
})

test.run()
