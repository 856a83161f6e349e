/** Pods of runs that are killed at every stage: before they start, while they clone, run, and report their end. */
import { execFile } from 'node:child_process'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { hasEnded } from '../../src/domain/platform/run/record.ts'
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

/** After its pod was created. A run takes two to four seconds. */
const MOMENTS_MS = [0, 250, 500, 800, 1100, 1400, 1800, 2200, 2600, 3000, 3500, 4000]
const AT_ONCE = 3

const killed = async (world: World, repository: string, afterMs: number): Promise<string> => {
  const id = await queued(world, { repository, environment: `after-${afterMs}` })
  await until('its pod is there', async () => (await podsOf(world, id)).length > 0)
  await sleep(afterMs)
  const pods = ['delete', 'pods', '--selector', `dev.devtool/run=${id}`, '--namespace', world.namespace]
  await run(process.env['KUBECTL'] ?? 'kubectl', [...pods, '--grace-period=0', '--force', '--ignore-not-found'])
  await until('the run has ended', async () => hasEnded(await runOf(world, id)))
  return id
}

test('a run whose pod is killed at any moment ends once, and its log has no gap', () =>
  within(async (world) => {
    const repository = world.git.add('shop', manifest('for i in 1 2 3 4; do echo tick $i.; sleep 0.2; done'))
    await controlled(world, ['one'], async () => {
      const ended = new Map<string, string>()
      for (let at = 0; at < MOMENTS_MS.length; at += AT_ONCE) {
        const moments = MOMENTS_MS.slice(at, at + AT_ONCE)
        const ids = await Promise.all(moments.map((afterMs) => killed(world, repository, afterMs)))
        for (const id of ids) {
          const record = await runOf(world, id)
          ended.set(id, JSON.stringify(record))
          const numbers = (await linesOf(world, id)).map(({ n }) => n)
          assert.equal(
            numbers,
            [...numbers.keys()].map((index) => index + 1),
          )
          if (record.status !== 'succeeded') assert.is(record.failure?.code, 'DT6401', JSON.stringify(record))
        }
      }
      // Whatever was still on its way when a run ended has arrived by now.
      await sleep(3000)
      for (const [id, record] of ended) assert.is(JSON.stringify(await runOf(world, id)), record)
      const statuses = [...ended.values()].map((record) => /"status":"(\w+)"/.exec(record)?.[1])
      assert.ok(statuses.includes('failed'), statuses.join(' '))
    })
  }))

test.run()
