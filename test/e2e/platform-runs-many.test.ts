/** Many runs at once, and one that takes all the memory of its node, on a real cluster. */
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resources } from '../../src/domain/cluster/resources.ts'
import { runIn } from '../../src/domain/platform/run/record.ts'
import { runJobIn, usualLimits } from '../../src/domain/platform/run/schedule.ts'
import { done, manager } from '../contract/cluster-world.ts'
import {
  controlled,
  manifest,
  queued,
  reached,
  runOf,
  textOf,
  type World,
  within,
} from '../support/e2e/platform-runs.ts'
import { recordOf, runOf as runFrom } from '../support/platform/runs.ts'
import { until } from '../support/process/until.ts'

const activeIn = async ({ member, namespace }: World): Promise<number> => {
  const { items } = await done(member.list({ resource: resources.Job, namespace }))
  return items.filter((job) => runJobIn(job)?.state === 'Active').length
}

/** Starts deploys of different environments at once and waits for all: how many were under way at most. */
const mostOf = async (world: World, count: number): Promise<number> => {
  const repository = world.git.add('many', manifest('echo began'))
  const ids = await Promise.all(
    Array.from({ length: count }, (_, index) => queued(world, { repository, environment: `shop-${index}` })),
  )
  let most = 0
  await until(
    'all have ended',
    async () => {
      most = Math.max(most, await activeIn(world))
      const runs = await Promise.all(ids.map((id) => runOf(world, id)))
      return runs.every(({ ended }) => ended !== undefined)
    },
    300_000,
  )
  for (const id of ids) {
    const run = await reached(world, id, 'succeeded')
    assert.is(run.exitStatus, 0)
    assert.is((await textOf(world, id)).split('hello: began').length, 2, 'once')
  }
  return most
}

test('of ten deploys at once, each runs once, within the limit of the namespace', () =>
  within((world) =>
    controlled(world, ['one', 'two'], async () => {
      const most = await mostOf(world, 10)
      assert.ok(most > 1 && most <= usualLimits.namespace, String(most))
    }),
  ))

test('no more runs are under way than the platform was installed for', () =>
  within((world) => controlled(world, ['one'], async () => assert.is(await mostOf(world, 4), 1), { maxRuns: 1 })))

test('of ten deploys of one environment at once, the newest remains deployed', () =>
  within((world) =>
    controlled(world, ['one', 'two'], async () => {
      const repository = world.git.add('newest', manifest('echo began'))
      const ids: Array<string> = []
      for (let index = 0; index < 10; index += 1) ids.push(await queued(world, { repository }))
      const newest = ids.at(-1) ?? ''
      await reached(world, newest, 'succeeded')
      const runs = await Promise.all(ids.map((id) => runOf(world, id)))
      const begun = runs.filter(({ started }) => started !== undefined)
      for (const [index, { ended = '' }] of begun.slice(0, -1).entries()) {
        assert.ok(ended <= (begun[index + 1]?.started ?? ''), 'one after the other')
      }
      for (const { started, status } of runs) assert.is(status, started === undefined ? 'cancelled' : 'succeeded')
    }),
  ))

test('a run that exceeds the memory of its pod reports the limit', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      // Some clusters kill all programs of the container then, and some only this one.
      const greedy = 'x=aaaaaaaaaaaaaaaa; while true; do x="$x$x"; done'
      const repository = world.git.add('greedy', manifest(`'${greedy}'`))
      const id = await queued(world, { repository })
      const run = await reached(world, id, 'failed')
      const said = `${JSON.stringify(run.failure)}\n${await textOf(world, id)}`
      assert.match(said, 'exceeded its memory limit of 1Gi', said)
    }),
  ))

test('records of older runs of an environment are deleted by the controller, with their logs', () =>
  within((world) =>
    controlled(world, ['one'], async () => {
      const { git, member, namespace } = world
      const place = { resource: resources.ConfigMap, namespace }
      const idOf = (number: number): string => String(number).padStart(16, '0')
      for (let number = 1; number <= 12; number += 1) {
        const old = { ...recordOf(runFrom({ id: idOf(number), namespace, environment: 'shop' }), 'an old line') }
        await done(member.create(place, old, { manager }))
      }
      const newest = await queued(world, { repository: git.add('newest', manifest('echo began')) })
      await reached(world, newest, 'succeeded')
      const kept = async (): Promise<ReadonlyArray<string>> => {
        const { items } = await done(member.list({ ...place, labels: 'dev.devtool/run-of=shop' }))
        return items.flatMap((live) => runIn(live)?.id ?? [])
      }
      await until('ten are left', async () => (await kept()).length === 10)
      assert.ok((await kept()).includes(newest))
      assert.match(await textOf(world, newest), 'hello: began')
    }),
  ))

test.run()
