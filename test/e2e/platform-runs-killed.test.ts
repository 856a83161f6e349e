/**
 * Pods of runs that are killed at every stage: before they start, while they clone, run, and report their end. Whoever
 * followed the log has seen nothing that its record lacks.
 */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { textAt } from '../../src/domain/cluster/json.ts'
import { resources } from '../../src/domain/cluster/resources.ts'
import { hasRunLog, RUN_CONTAINER, readRunLine } from '../../src/domain/platform/run/log.ts'
import { hasEnded } from '../../src/domain/platform/run/record.ts'
import { killedOnNode } from '../support/e2e/node-kill.ts'
import {
  controlled,
  linesOf,
  manifest,
  podsOf,
  queued,
  runOf,
  type World,
  within,
} from '../support/e2e/platform-runs.ts'
import { until } from '../support/process/until.ts'

const run = promisify(execFile)

/** After its pod was created. A run takes two to four seconds until its command begins. */
const MOMENTS_MS = [0, 250, 500, 800, 1100, 1400, 1800, 2200, 2600, 3000, 3500, 4000]
/** After its command has begun, which takes twenty seconds. */
const LATER_MS = [0, 3500, 14_000]
const AT_ONCE = 3
/** Lines are written a second after they were printed; the rest is for a busy machine. */
const WRITTEN_AFTER_MS = 10_000

type Seen = { readonly n: number; readonly text: string; readonly atMs: number }

/** Follows the log of the pod from when it has one until it ends, or the test does. */
const follower = (world: World, id: string, signal: AbortSignal): ReadonlyArray<Seen> => {
  const seen: Array<Seen> = []
  const follow = async (): Promise<void> => {
    while (!signal.aborted) {
      const [pod] = (await podsOf(world, id)).filter(hasRunLog)
      const { namespace } = world
      const key = { resource: resources.Pod, namespace, name: pod?.metadata.name ?? '' }
      const items = pod === undefined ? [] : world.member.logs(key, { container: RUN_CONTAINER, follow: true }, signal)
      for await (const item of items) {
        const line = item._tag === 'Line' ? readRunLine(item.text) : undefined
        if (line !== undefined && line.n > (seen.at(-1)?.n ?? 0)) seen.push({ ...line, atMs: performance.now() })
      }
      await sleep(50)
    }
  }
  void follow().catch(() => {})
  return seen
}

/** The numbers of the lines in its record, which are all from the first to the last. */
const numbersOf = async (world: World, id: string): Promise<number> => {
  const numbers = (await linesOf(world, id)).map(({ n }) => n)
  assert.equal(
    numbers,
    numbers.map((_, index) => index + 1),
  )
  return numbers.length
}

/** Lines were seen, and the record has them with the same texts. */
const agrees = async (world: World, id: string, seen: ReadonlyArray<Seen>): Promise<void> => {
  assert.ok(seen.length > 0, 'the follower has seen lines')
  const recorded = new Map((await linesOf(world, id)).map(({ n, text }) => [n, text]))
  for (const { n, text } of seen) assert.is(recorded.get(n), text, `line ${n} of ${seen.length}`)
}

type Killed = { readonly id: string; readonly seen: ReadonlyArray<Seen>; readonly killedMs: number }

type Moment = { readonly afterMs: number; readonly hasBegun: boolean }

const momentsOf = (all: ReadonlyArray<number>, hasBegun: boolean): ReadonlyArray<Moment> =>
  all.map((afterMs) => ({ afterMs, hasBegun }))

const deleted = async (
  world: World,
  repository: string,
  { afterMs, hasBegun }: Moment,
  signal: AbortSignal,
): Promise<Killed> => {
  const id = await queued(world, { repository, environment: `after-${hasBegun ? 'begin-' : ''}${afterMs}` })
  const seen = follower(world, id, signal)
  if (hasBegun) await until('its command has begun', () => seen.some(({ text }) => text.includes('tick 1.')))
  else await until('its pod is there', async () => (await podsOf(world, id)).length > 0)
  await sleep(afterMs)
  const killedMs = performance.now()
  const pods = ['delete', 'pods', '--selector', `dev.devtool/run=${id}`, '--namespace', world.namespace]
  await run(process.env['KUBECTL'] ?? 'kubectl', [...pods, '--grace-period=0', '--force', '--ignore-not-found'])
  await until('the run has ended', async () => hasEnded(await runOf(world, id)))
  return { id, seen, killedMs }
}

test('a run whose pod is deleted at any moment ends once, and its record has all but the last lines', () =>
  within(async (world) => {
    const repository = world.git.add('shop', manifest('for i in $(seq 50); do echo tick $i.; sleep 0.4; done'))
    const over = new AbortController()
    await controlled(world, ['one'], async () => {
      const ended = new Map<string, string>()
      let early = 0
      const moments = [...momentsOf(MOMENTS_MS, false), ...momentsOf(LATER_MS, true)]
      for (let at = 0; at < moments.length; at += AT_ONCE) {
        const some = moments.slice(at, at + AT_ONCE)
        const all = await Promise.all(some.map((moment) => deleted(world, repository, moment, over.signal)))
        for (const { id, killedMs, seen } of all) {
          const record = await runOf(world, id)
          ended.set(id, JSON.stringify(record))
          const recorded = await numbersOf(world, id)
          const written = seen.filter(({ atMs }) => atMs < killedMs - WRITTEN_AFTER_MS)
          early += written.length
          assert.ok(recorded >= written.length, `${recorded} of ${written.length} lines`)
          if (record.status === 'succeeded') await agrees(world, id, seen)
          else assert.is(record.failure?.code, 'DT6401', JSON.stringify(record))
        }
      }
      assert.ok(early > 0, 'some lines came long before the pod was deleted')
      // Whatever was still on its way when a run ended has arrived by now.
      await sleep(3000)
      for (const [id, record] of ended) assert.is(JSON.stringify(await runOf(world, id)), record)
      const statuses = [...ended.values()].map((record) => /"status":"(\w+)"/.exec(record)?.[1])
      assert.ok(statuses.includes('failed'), statuses.join(' '))
    }).finally(() => over.abort())
  }))

test('a run whose program is killed loses no line while its pod is there', () =>
  within(async (world) => {
    // Faster than lines are written to the record.
    const ticking = 'i=0; while true; do i=$((i + 1)); echo tick $i.; sleep 0.05; done'
    const repository = world.git.add('ticking', manifest(`'${ticking}'`))
    const over = new AbortController()
    await controlled(world, ['one'], async () => {
      for (const afterMs of [300, 1700]) {
        const id = await queued(world, { repository, environment: `killed-${afterMs}` })
        const seen = follower(world, id, over.signal)
        await until('it ticks', () => seen.some(({ text }) => text.includes('tick 3.')))
        await sleep(afterMs)
        const [pod] = await podsOf(world, id)
        await killedOnNode(world.cluster, textAt(pod, 'spec', 'nodeName') ?? '', `DEVTOOL_RUN=${id}`)
        await until('the run has ended', async () => hasEnded(await runOf(world, id)))
        const { failure, status } = await runOf(world, id)
        assert.equal([status, failure?.code], ['failed', 'DT6401'])
        assert.match(failure?.message ?? '', 'its container run ended with status 137')
        await numbersOf(world, id)
        await agrees(world, id, seen)
      }
    }).finally(() => over.abort())
  }))

test('a run that exceeds the memory of its pod loses no line', () =>
  within(async (world) => {
    const greedy = 'x=aaaaaaaaaaaaaaaa; while true; do x="$x$x"; echo ${#x} characters; done'
    const repository = world.git.add('greedy', manifest(`'${greedy}'`))
    const over = new AbortController()
    await controlled(world, ['one'], async () => {
      const id = await queued(world, { repository, environment: 'greedy' })
      const seen = follower(world, id, over.signal)
      await until('the run has ended', async () => hasEnded(await runOf(world, id)))
      assert.match((await runOf(world, id)).status, 'failed')
      assert.ok(seen.some(({ text }) => text.includes('characters')))
      await numbersOf(world, id)
      await agrees(world, id, seen)
    }).finally(() => over.abort())
  }))

test.run()
